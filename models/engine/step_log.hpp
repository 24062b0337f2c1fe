// What an engine writes down about each training step; every later number is computed from it. All times are integer
// nanoseconds, so that the states of a GPU and the blame of a wait sum to the elapsed time exactly.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/hops/stage.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// Queueing and service of one stage, in GPU nanoseconds summed over loaders.
struct StageBlame {
  sim::TimeNs queueing_ns = 0;
  sim::TimeNs service_ns = 0;
};

using BlameByStage = std::array<StageBlame, kStageCount>;

/// Step `i` lasts from its start until the next step starts; waits are sums over all loaders.
struct StepRecord {
  sim::TimeNs start_ns = 0;
  sim::TimeNs compute_ns = 0;
  sim::TimeNs h2d_ns = 0;
  sim::TimeNs collective_ns = 0;
  sim::TimeNs overhead_ns = 0;
  sim::TimeNs host_wait_ns = 0;  ///< part of the overhead: load on the node's cores lengthens the step's host part
  sim::TimeNs wait_own_ns = 0;
  sim::TimeNs wait_peer_ns = 0;
  BlameByStage blame{};

  sim::TimeNs busy_ns() const { return compute_ns + h2d_ns + collective_ns + overhead_ns; }
};

/// The last record is open: only its start is known. Steps that are complete: size() - 1.
struct StepLog {
  std::vector<StepRecord> records;

  std::size_t steps() const { return records.empty() ? 0 : records.size() - 1; }
  sim::TimeNs duration_ns(std::size_t step) const { return records[step + 1].start_ns - records[step].start_ns; }
};

}  // namespace headrace::models
