// How a sweep ended, as the JSON document that programs read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/results/sweep.hpp"

namespace headrace::reports {

/// `sweep`: its id in the store.
nlohmann::ordered_json sweep_json(const scenarios::SweepTally& tally, const std::string& store,
                                  const scenarios::SweepSpace& space, const std::string& sweep);

}  // namespace headrace::reports
