// A store of results that cannot be used, as every verb tells it.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "scenarios/diagnostic.hpp"
#include "scenarios/results_store.hpp"

namespace headrace::cli {

/// Prints the error with its code and returns the exit status.
inline int fail(const scenarios::StoreError& error, Console& console) {
  scenarios::Diagnostic diagnostic;
  diagnostic.code = error.code();
  diagnostic.message = error.what();
  diagnostic.help = error.fix();
  console.raw_error(print_text(diagnostic, console.err_colour()));
  return kBadInput;
}

}  // namespace headrace::cli
