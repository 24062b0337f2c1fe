// Words of command lines that the program prints, so that they run as they are printed.
#pragma once

#include <string>
#include <string_view>

namespace headrace::scenarios {

/// `word` as one word of a POSIX shell.
std::string shell_quoted(std::string_view word);

}  // namespace headrace::scenarios
