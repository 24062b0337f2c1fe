// The command line that repeats a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::cli {

/// The typed command line without the given flags and their values ("--steps 5" and "--steps=5").
std::string program_without(const std::string& program, const std::vector<std::string_view>& flags);

/// The line that repeats one replication of a study alone, up to `steps`.
std::string replay_line(const std::string& program, std::uint64_t seed, std::uint32_t replication, std::uint64_t steps);

}  // namespace headrace::cli
