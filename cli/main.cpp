#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/program.hpp"

int main(int argc, char** argv) {
  // A reader that goes away ("headrace ... | head") shows as a failed write, not as a killed program.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  headrace::cli::Console console(std::cout, std::cerr, ::isatty(STDOUT_FILENO) != 0, ::isatty(STDERR_FILENO) != 0);
  return headrace::cli::run_program(arguments, console);
}
