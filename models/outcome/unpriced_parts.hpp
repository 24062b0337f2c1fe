// What a cluster needs and its prices leave out: it counts as free in every cost.
#pragma once

#include <string>
#include <vector>

#include "models/spec/scenario.hpp"

namespace headrace::models {

/// In words, the dearest first: "the bandwidth of store 'storage', whose bytes alone have a price". Hosts, their drives
/// and their network have none of their own where GPU hours are rented: their price mostly holds them.
std::vector<std::string> unpriced_parts(const Scenario& scenario);

}  // namespace headrace::models
