// The command line: verbs, flags, help.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/verb.hpp"

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
  std::vector<FlagInfo> flags;
};

/// What a parse can end in: a call to run, a text to print, or a complaint.
struct ParsedCall {
  Work work;
  std::vector<std::string> words;
  std::string program;  ///< the words as a line of the shell
};
struct HelpText {
  std::string text;
};
struct UsageError {
  std::string message;
  std::string help;
};

std::variant<ParsedCall, HelpText, UsageError> parse_command_line(const std::vector<std::string>& arguments);

/// All verbs with their flags, in the order of the help; what completion and the reference page are made from.
std::vector<VerbInfo> command_tree();

}  // namespace headrace::cli
