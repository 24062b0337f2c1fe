// How a sweep ended, as the JSON document that programs read.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/results/sweep.hpp"

namespace headrace::reports {

/// Of a sweep that looks for its best point.
struct SweepRanking {
  std::string metric;
  double within = 0.0;
  std::uint64_t looks = 0;
  std::uint64_t runs = 0;
  std::uint64_t undecided = 0;
  std::string shard = {};                           ///< "1/4"; empty: the whole sweep
  std::vector<nlohmann::ordered_json> places = {};  ///< the first ones: point, coordinates, and what the store says
};

struct RecordedSweep {
  std::string space;
  std::string store;
  std::string sweep;  ///< its id in the store
  scenarios::SweepTally tally;
  std::optional<SweepRanking> ranking = std::nullopt;
};

nlohmann::ordered_json sweep_json(const RecordedSweep& recorded);
nlohmann::ordered_json sweep_schema();

}  // namespace headrace::reports
