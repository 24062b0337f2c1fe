// What goes wrong: failures that stop a job, spot nodes that are taken away, and faults that slow it down for a while.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"

namespace headrace::models {

/// Nodes rented at the owner's pleasure. One that is taken away stops the job.
struct Spot {
  double node_mtbp_s = 0.0;
  double notice_s = 0.0;
  double replacement_s = 300.0;
  double discount = 0.0;  ///< 0: not stated
};

/// A fault that comes every so often, of the whole system, and lasts for a while.
struct Degradation {
  std::string store;
  double every_s = 0.0;
  double lasting_s = 0.0;
  double remaining = 1.0;       ///< of the store's bandwidth, requests and metadata servers
  double latency_factor = 1.0;  ///< on the store's latencies
  std::uint64_t workers_lost = 0;
  bool stops = false;
};

/// Failures are exponential and independent: a job of n nodes fails n times as often as a node.
struct Faults {
  double node_mtbf_s = 0.0;  ///< 0: no failures
  double detection_s = 60.0;
  double reschedule_s = 300.0;
  std::optional<Spot> spot;
  std::vector<Degradation> degraded;

  /// Whether jobs stop and must restart from a checkpoint.
  bool stop_jobs() const { return node_mtbf_s > 0.0 || spot.has_value(); }
};

void describe(Spot& s, Visitor& v);
void describe(Degradation& d, Visitor& v);
void describe(Faults& f, Visitor& v);

}  // namespace headrace::models
