// What the points of a ranking stand by, where that is less than a run of all their nodes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headrace::reports {

struct RankedBy {
  std::uint64_t estimates = 0;  ///< points that their flow bound alone says are worse
  std::uint64_t sampled = 0;    ///< points whose last run simulated some of like nodes
  std::uint64_t nodes = 0;      ///< the fewest of them

  /// What a store says of one point's place (scenarios/results/ranking.hpp).
  void add(const nlohmann::ordered_json& ranking);
  /// A sentence for each; empty where all points were simulated on every node.
  std::string text() const;
};

}  // namespace headrace::reports
