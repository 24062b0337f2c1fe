// What a file says that cannot be used, as every verb tells it.
#pragma once

#include "cli/console.hpp"
#include "cli/invocation.hpp"
#include "scenarios/diagnostic.hpp"

namespace headrace::cli {

/// Prints the complaints, as JSON where that was asked for, and returns the exit status.
int fail(const scenarios::Diagnostics& diagnostics, const Invocation& call, Console& console);

}  // namespace headrace::cli
