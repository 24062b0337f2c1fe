// Text inside the pages of man(7).
#pragma once

#include <string>
#include <string_view>

namespace headrace::reports {

/// Text as it is: no macro at the start of a line, hyphens that can be copied, no escape sequence.
std::string roff(std::string_view text);

}  // namespace headrace::reports
