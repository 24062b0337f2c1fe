// The copy of a checkpoint into host memory beside training: it goes down the PCIe link up which batches come.
//
// Of a link of rate P each direction carries at most P and both together at most beta P (`gpu/pcie_both_ways`). A copy
// that asks for d P leaves to batches a = min(1, max(beta / 2, beta - d)) of P while both are under way, and gets
// min(d, beta - a) itself. Deviation: batches of all steps are taken to be copied one after the other, at one rate.
#pragma once

#include <cstddef>
#include <optional>

#include "models/spec/scenario.hpp"

namespace headrace::models {

struct SnapshotCopy {
  double alone_s = 0.0;     ///< when no batch comes up the link
  double duration_s = 0.0;  ///< beside batches
  double left = 1.0;        ///< of the link for batches meanwhile
};

/// Share of a link that each direction gets while both are busy and the way down asks for `asked` of it.
struct BothWays {
  double up = 1.0;
  double down = 1.0;
};
BothWays share_both_ways(double both_ways, double asked);

/// Of the job's checkpoint; nothing unless its copy runs beside training.
std::optional<SnapshotCopy> snapshot_copy(const Scenario& scenario, std::size_t job);

}  // namespace headrace::models
