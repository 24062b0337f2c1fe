// A verb of the program: its options, its help and its work, in one file cli/verb_<name>.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/option_table.hpp"
#include "cli/output_options.hpp"

namespace headrace::cli {

/// Does what a parsed command line asks for and returns the exit status.
using Work = std::function<int(const std::vector<std::string>& words, const std::string& program, Console& console)>;

struct Verb {
  const char* name;
  const char* summary;
  std::function<Work(OptionTable&)> define;  ///< registers the options; the work reads what was parsed into them
};

/// A verb whose options go into one record with a member `output`.
template <class Options>
Verb make_verb(const char* name, const char* summary, void (*add_options)(OptionTable&, Options&),
               int (*run)(const Options&, Console&)) {
  return {name, summary, [add_options, run](OptionTable& table) -> Work {
            auto options = std::make_shared<Options>();
            add_options(table, *options);
            return [options, run](const std::vector<std::string>& words, const std::string& program, Console& console) {
              options->output.words = words;
              options->output.program = program;
              console.configure(options->output);
              return run(*options, console);
            };
          }};
}

}  // namespace headrace::cli
