// Dates of figures, as the catalogue writes them.
#pragma once

#include <optional>
#include <string>

namespace headrace::reports {

/// Days since 1970-01-01 of the last date that the text names before its source ("2024-12; vendor page"), at the end of
/// its month or year where it is not told closer; nullopt when it names none.
std::optional<int> last_day(const std::string& text);

}  // namespace headrace::reports
