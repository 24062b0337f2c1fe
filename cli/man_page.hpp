// The manual page of the command line, for man(1).
#pragma once

#include <string>

namespace headrace::cli {

/// In the macros of man(7), section 1.
std::string man_page();

}  // namespace headrace::cli
