// The command line that repeats a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headrace::cli {

/// The typed command line without the given flags and their values ("--steps 5" and "--steps=5").
std::string program_without(const std::string& program, const std::vector<std::string_view>& flags);

}  // namespace headrace::cli
