// The verbs of the program.
#pragma once

#include <span>

#include "cli/verb.hpp"

namespace headrace::cli {

/// All verbs, in the order of the help.
std::span<const Verb> verbs();

}  // namespace headrace::cli
