// What cannot be used, as every verb tells it: each prints the complaint and returns the exit status.
#pragma once

#include <string>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace::cli {
class Console;

int refuse(const scenarios::Diagnostics& diagnostics, Console& console, bool as_json = false);
int refuse(const scenarios::StoreError& error, Console& console);
int refuse(const std::string& message, const std::string& help, Console& console);

}  // namespace headrace::cli
