// The look of every HTML report: light and dark, on paper, from a telephone to a wide screen.
#pragma once

#include <string_view>

namespace headrace::reports {

std::string_view style_sheet();

}  // namespace headrace::reports
