// Scenarios that an assistant names: shipped ones, and files below the folders that it may read.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "cli/assistant/tools.hpp"

namespace headrace::cli::assistant {

/// The shipped name, or the whole path of a file. A relative name is looked for in each folder, also with ".json". What
/// lies outside of the folders, by "..", by a link or by an absolute path, is refused, whether or not it exists.
tl::expected<std::string, CallMistake> find_scenario(const std::string& name, const std::vector<std::string>& folders);

}  // namespace headrace::cli::assistant
