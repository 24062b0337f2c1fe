// Another program, run to its end.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace headrace::cli {

struct CommandResult {
  int status = 0;      ///< exit status; 127 when the program could not be started, 128 + n when signal n ended it
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Looks `words[0]` up in PATH, without a shell. Its standard input is empty. Interrupts of the terminal do not reach
/// it; a request to stop kills it within 100 ms, with all processes that it started.
CommandResult run_command(const std::vector<std::string>& words, const std::stop_token& stop = {});

}  // namespace headrace::cli
