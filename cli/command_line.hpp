// The command line: verbs, flags, help. The only part of the program that knows the parser.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/invocation.hpp"

namespace headrace::cli {

struct FlagInfo {
  std::vector<std::string> names;    ///< "-o", "--output"
  std::string value;                 ///< "FILE"; empty: takes none
  std::vector<std::string> choices;  ///< allowed words, may be empty
  std::string help;
};

struct VerbInfo {
  std::string name;
  std::string summary;
  std::string positional;                       ///< "SCENARIO...", may be empty
  std::vector<std::string> positional_choices;  ///< allowed words, may be empty
  std::string positional_help;
  bool takes_files = false;  ///< positionals are files, for completion
  bool later = false;        ///< the verb is named, but not available in this version
  std::vector<FlagInfo> flags;
};

/// What a parse can end in, beside an Invocation to run.
struct HelpText {
  std::string text;
};
struct UsageError {
  std::string message;
  std::string help;
};

std::variant<Invocation, HelpText, UsageError> parse_command_line(const std::vector<std::string>& arguments);

/// All verbs with their flags, in the order of the help; what completion and the reference page are made from.
std::vector<VerbInfo> command_tree();

/// Help of one verb as `headrace VERB --help` prints it, or of the program for "".
std::string help_text(const std::string& verb);

}  // namespace headrace::cli
