// The notice of the first screen of a page where the evidence is not enough for the verdict.
#pragma once

#include <string>
#include <string_view>

#include "reports/document.hpp"

namespace headrace::reports {

/// Empty where the verdict stands. `subject` says whose confidence it is ("B", "The best point"; empty: the only
/// outcome's), `more_html` follows, such as a link.
std::string confidence_notice(const Document& confidence, std::string_view subject, std::string_view more_html);

}  // namespace headrace::reports
