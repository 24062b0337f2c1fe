// Blame: a wait is cut along the timeline of the batch that ended it, and each piece goes to the stage in which that
// batch was. While the batch waited for its worker or slot, the piece goes to where the occupant was.
#pragma once

#include <cstdint>
#include <span>

#include "models/engine/step_log.hpp"
#include "models/hops/stage_visit.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// The way of one batch through its worker.
struct BatchTimeline {
  sim::TimeNs assigned_ns = 0;  ///< a worker and a slot were free
  sim::TimeNs ready_ns = 0;
  const BatchTimeline* occupant = nullptr;  ///< the batch that held the worker or slot before
  std::span<const StageVisit> visits;
};

/// Adds the wait [from, to], `times` over, to `blame`. The pieces sum to times * (to - from) exactly.
void blame_wait(const BatchTimeline& batch, sim::TimeNs from_ns, sim::TimeNs to_ns, std::int64_t times,
                BlameByStage& blame);

}  // namespace headrace::models
