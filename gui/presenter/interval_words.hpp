// Intervals as short as they can be said.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headrace::gui {

/// "727.4 to 732.2 ms": the unit once where both ends have the same. Times have the unit of `mean`, where that lies
/// near.
std::string between(double low, double high, std::string_view unit, std::optional<double> mean = std::nullopt);

}  // namespace headrace::gui
