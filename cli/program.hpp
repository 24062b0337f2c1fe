// The whole program as a function.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace headrace::cli {

/// Runs one call; `arguments` without the program's name. Returns the exit status and never throws.
int run_program(const std::vector<std::string>& arguments, Console& console);

}  // namespace headrace::cli
