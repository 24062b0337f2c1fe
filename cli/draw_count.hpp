// The option --draws: how many points of the ranges, a power of two, at which Sobol sequences are balanced.
#pragma once

#include <cstdint>

#include "cli/option_table.hpp"

namespace headrace::cli {

/// Its default is what `draws` holds.
void add_draws(OptionTable& table, std::uint64_t& draws, std::uint64_t least, std::uint64_t most);

}  // namespace headrace::cli
