// The tools that an assistant may call: verbs of the program, with those of their options that read no files but
// scenarios and write none. Descriptions are those of the options.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace headrace::cli::assistant {

/// Why a call cannot be made: what is wrong, where, what to write instead.
struct CallMistake {
  std::string message;
  std::string help;
};

/// What `tools/list` answers: name, description, input schema and hints of every tool.
nlohmann::ordered_json list_tools();

/// Nothing near: empty.
bool is_tool(std::string_view name);
std::string tool_like(std::string_view name);

/// The words of the command line for a call, `folders` being what may be read and `max_wall_s` the limit of a study.
tl::expected<std::vector<std::string>, CallMistake> words_of(std::string_view tool,
                                                             const nlohmann::ordered_json& arguments,
                                                             const std::vector<std::string>& folders,
                                                             double max_wall_s);

}  // namespace headrace::cli::assistant
