// What goes wrong: failures that stop a job, spot nodes that are taken away, and faults that slow it down for a while.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/describe.hpp"

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

template <class V>
void describe(Spot& s, V& v) {
  v.quantity("node_mtbp", s.node_mtbp_s, Unit::seconds,
             {.low = 3600,
              .high = 3.6e6,
              .above = 0,
              .meaning = "Mean time after which one node is taken away",
              .log_scale = true,
              .required = true});
  v.quantity("notice", s.notice_s, Unit::seconds,
             {.low = 0,
              .high = 600,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Warning before that: long enough for a checkpoint, no work is lost"});
  v.quantity("replacement", s.replacement_s, Unit::seconds,
             {.low = 30,
              .high = 7200,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Until another node is there and the processes run again",
              .log_scale = true});
  v.fraction("discount", s.discount,
             {.low = 0.4,
              .high = 0.9,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "What spot nodes take off the price of others, for the sizing sheet; 0: not stated",
              .decided = true});
}

template <class V>
void describe(Degradation& d, V& v) {
  v.reference("store", d.store, Kind::store, {.meaning = "Store that is slower while the fault lasts"});
  v.quantity("every", d.every_s, Unit::seconds,
             {.low = 3600,
              .high = 1e8,
              .above = 0,
              .meaning = "Mean time from one such fault to the next, over the whole system",
              .log_scale = true,
              .required = true});
  v.quantity("lasting", d.lasting_s, Unit::seconds,
             {.low = 10, .high = 1e6, .above = 0, .meaning = "How long it lasts", .log_scale = true, .required = true});
  v.fraction("remaining", d.remaining,
             {.low = 0.1,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "What is left of the store's bandwidth, requests and metadata servers. Of a local store this "
                         "stands for one node's drive: all others wait for it at the barrier"});
  v.number("latency_factor", d.latency_factor,
           {.low = 1,
            .high = 100,
            .min = 1,
            .max = 1e6,
            .evidence = Evidence::assumed,
            .meaning = "Factor on the store's latencies",
            .log_scale = true});
  v.count("workers_lost", d.workers_lost,
          {.low = 0,
           .high = 16,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Workers that each loader lacks; at least one goes on"});
  v.flag(
      "stops", d.stops,
      {.evidence = Evidence::assumed, .meaning = "Nobody trains while it lasts: a stuck worker, until it is noticed"});
}

template <class V>
void describe(Faults& f, V& v) {
  v.quantity(
      "node_mtbf", f.node_mtbf_s, Unit::seconds,
      {.low = 3.6e6,
       .high = 3.6e8,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Mean time between failures of one node that stop the job that it works for; 0: none",
       .source = "for orientation: 419 unexpected interruptions in 54 days on 16,384 GPUs are 6,330 h per node of 8 "
                 "(Llama 3, 2024, section 3.3.4)",
       .log_scale = true});
  v.quantity("detection", f.detection_s, Unit::seconds,
             {.low = 1,
              .high = 1800,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "From a failure to the decision to restart: missed heartbeats, or a collective's timeout",
              .log_scale = true});
  v.quantity("reschedule", f.reschedule_s, Unit::seconds,
             {.low = 10,
              .high = 7200,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "From there until the processes run again on healthy nodes",
              .log_scale = true});
  v.optional_record("spot", f.spot,
                    {.meaning = "Nodes that can be taken away; prices/gpu_hour is then the spot price"});
  v.list("degraded", f.degraded, {.meaning = "Faults that slow jobs down while they last"});
}

}  // namespace headrace::models
