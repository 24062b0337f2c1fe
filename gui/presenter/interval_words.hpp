// Intervals as short as they can be said.
#pragma once

#include <string>
#include <string_view>

namespace headrace::gui {

/// "727.4 to 732.2 ms": the unit once where both ends have the same.
std::string between(double low, double high, std::string_view unit);

}  // namespace headrace::gui
