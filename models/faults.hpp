// Failures that stop a job, and what a restart takes beside reading the checkpoint back.
#pragma once

#include "models/describe/describe.hpp"

namespace headrace::models {

/// Failures are exponential and independent: a job of n nodes fails n times as often as a node.
struct Faults {
  double node_mtbf_s = 0.0;
  double detection_s = 60.0;
  double reschedule_s = 300.0;
};

template <class V>
void describe(Faults& f, V& v) {
  v.quantity(
      "node_mtbf", f.node_mtbf_s, Unit::seconds,
      {.low = 3.6e6,
       .high = 3.6e8,
       .above = 0,
       .meaning = "Mean time between failures of one node that stop the job that it works for",
       .source = "for orientation: 419 unexpected interruptions in 54 days on 16,384 GPUs are 6,330 h per node of 8 "
                 "(Llama 3, 2024, section 3.3.4)",
       .log_scale = true,
       .required = true});
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
}

}  // namespace headrace::models
