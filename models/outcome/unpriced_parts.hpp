// What a cluster needs and its prices leave out: it counts as free in every cost.
#pragma once

#include <string>
#include <vector>

#include "models/spec/scenario.hpp"

namespace headrace::models {

/// In words: "the bandwidth of store 'storage', of which only bytes kept have a price", "staff". Egress that nobody
/// priced is a note of its own (cli/unpriced_egress.hpp).
std::vector<std::string> unpriced_parts(const Scenario& scenario);

/// Whether an hour of a GPU costs nothing, by itself and with its node.
bool has_unpriced_gpus(const Scenario& scenario);

/// Whether a store that nodes share costs the same whatever its bandwidth is; of one that jobs use.
bool has_unpriced_bandwidth(const Store& store, const Scenario& scenario);

}  // namespace headrace::models
