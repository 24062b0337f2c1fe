#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App program{"Discrete-event simulator and capacity planner for AI training data ingest", "headrace"};
  program.set_version_flag("--version", "headrace " HEADRACE_VERSION);
  CLI11_PARSE(program, argc, argv);
  return 0;
}
