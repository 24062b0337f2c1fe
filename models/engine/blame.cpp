#include "models/engine/blame.hpp"

#include <algorithm>

#include "sim/assert.hpp"

namespace headrace::models {

namespace {

__extension__ using Wide = __int128;

/// Splits a piece of a visit into service and queueing; the two sum to the piece.
StageBlame split(const StageVisit& visit, sim::TimeNs begin_ns, sim::TimeNs from_ns, sim::TimeNs to_ns) {
  const sim::TimeNs piece_ns = to_ns - from_ns;
  const sim::TimeNs length_ns = visit.end_ns - begin_ns;
  const sim::TimeNs service_ns = std::min(visit.service_ns(), length_ns);
  if (visit.shared()) {
    const auto share_ns = static_cast<sim::TimeNs>(static_cast<Wide>(piece_ns) * service_ns / length_ns);
    return {piece_ns - share_ns, share_ns};
  }
  const sim::TimeNs served_from_ns = visit.end_ns - service_ns;
  const sim::TimeNs in_service_ns = std::max<sim::TimeNs>(0, to_ns - std::max(from_ns, served_from_ns));
  return {piece_ns - in_service_ns, in_service_ns};
}

}  // namespace

void blame_wait(const BatchTimeline& first, sim::TimeNs from_ns, sim::TimeNs to_ns, std::int64_t times,
                BlameByStage& blame) {
  // Backwards in time: the batch itself, then who held its worker or slot before, and so on.
  const BatchTimeline* batch = &first;
  sim::TimeNs until_ns = to_ns;
  while (until_ns > from_ns) {
    HEADRACE_ASSERT(batch != nullptr, "a wait is longer than the history of the batch that ended it");
    sim::TimeNs begin_ns = batch->assigned_ns;
    for (const StageVisit& visit : batch->visits) {
      const sim::TimeNs left_ns = std::max(from_ns, begin_ns);
      const sim::TimeNs right_ns = std::min(until_ns, visit.end_ns);
      if (left_ns < right_ns) {
        const StageBlame piece = split(visit, begin_ns, left_ns, right_ns);
        blame[index(visit.stage())].queueing_ns += times * piece.queueing_ns;
        blame[index(visit.stage())].service_ns += times * piece.service_ns;
      }
      begin_ns = visit.end_ns;
    }
    until_ns = std::min(until_ns, batch->assigned_ns);
    batch = batch->occupant;
  }
}

}  // namespace headrace::models
