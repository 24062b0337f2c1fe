// The verbs of the program. The one that is built first has few (cli/first/verbs.cpp).
#pragma once

#include <span>
#include <string_view>

#include "cli/verb.hpp"

namespace headrace::cli {

/// All verbs, in the order of the help.
std::span<const Verb> verbs();

/// Where to find verbs and forms that this program leaves out; empty where it leaves out nothing.
std::string_view left_out();

}  // namespace headrace::cli
