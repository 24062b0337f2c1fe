// What cannot be used, as every verb tells it: each prints the complaint and returns the exit status.
#pragma once

#include <string>

#include "scenarios/document/diagnostic.hpp"

namespace headrace::cli {
class Console;

int refuse(const scenarios::Diagnostics& diagnostics, Console& console, bool as_json = false);
int refuse(const std::string& message, const std::string& help, Console& console);

}  // namespace headrace::cli
