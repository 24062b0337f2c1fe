#include "models/spec/faults.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Spot& s, Visitor& v) {
  v.quantity("node_mtbp", s.node_mtbp_s, Unit::seconds,
             {.low = 3600,
              .high = 3.6e6,
              .above = 0,
              .meaning = "Mean time until one node is reclaimed",
              .log_scale = true,
              .required = true});
  v.quantity("notice", s.notice_s, Unit::seconds,
             {.low = 0,
              .high = 600,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Notice before that; if it is long enough for a checkpoint, no work is lost"});
  v.quantity("replacement", s.replacement_s, Unit::seconds,
             {.low = 30,
              .high = 7200,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time until another node is available and the processes run again",
              .log_scale = true});
  v.fraction("discount", s.discount,
             {.low = 0.4,
              .high = 0.9,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Discount of spot nodes from the price of others, for the sizing sheet; 0: not stated",
              .decided = true});
}

void describe(Degradation& d, Visitor& v) {
  v.reference("store", d.store, Kind::store, {.meaning = "Store that is slower while the fault lasts"});
  v.quantity("every", d.every_s, Unit::seconds,
             {.low = 3600,
              .high = 1e8,
              .above = 0,
              .meaning = "Mean time from one such fault to the next, over the whole system",
              .log_scale = true,
              .required = true});
  v.quantity(
      "lasting", d.lasting_s, Unit::seconds,
      {.low = 10, .high = 1e6, .above = 0, .meaning = "Duration of the fault", .log_scale = true, .required = true});
  v.fraction("remaining", d.remaining,
             {.low = 0.1,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Remaining share of the store's bandwidth, requests and metadata servers. For a local store "
                         "this is the drive of one node: all others wait for it at the barrier"});
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
           .meaning = "Workers that each loader loses; at least one remains"});
  v.flag("stops", d.stops,
         {.evidence = Evidence::assumed,
          .meaning = "Training stops during the fault: a stuck worker, until it is noticed"});
}

void describe(Faults& f, Visitor& v) {
  v.quantity(
      "node_mtbf", f.node_mtbf_s, Unit::seconds,
      {.low = 3.6e6,
       .high = 3.6e8,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Mean time between failures of one node, each of which stops the job; 0: none",
       .source = "for orientation: 419 unexpected interruptions in 54 days on 16,384 GPUs are 6,330 h per node of 8 "
                 "(Llama 3, 2024, section 3.3.4)",
       .log_scale = true});
  v.quantity("detection", f.detection_s, Unit::seconds,
             {.low = 1,
              .high = 1800,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time from a failure to the decision to restart: missed heartbeats, or a collective's timeout",
              .log_scale = true});
  v.quantity("reschedule", f.reschedule_s, Unit::seconds,
             {.low = 10,
              .high = 7200,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time from there until the processes run again on healthy nodes",
              .log_scale = true});
  v.optional_record("spot", f.spot, {.meaning = "Nodes that can be reclaimed; prices/gpu_hour is then the spot price"});
  v.list("degraded", f.degraded, {.meaning = "Faults that slow jobs down"});
}

}  // namespace headrace::models
