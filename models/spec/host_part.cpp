#include "models/spec/host_part.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(HostPart& h, Visitor& v) {
  v.quantity(
      "time", h.time_s, Unit::seconds,
      {.low = 0,
       .high = 1,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Part of a step in which the accelerators wait for the training process (launches, Python), on "
                  "a node without other load. Contained in step_time and overhead; load on the node's cores "
                  "makes it longer",
       .source = "about 30 % of a step in SPDL's noisy neighbour: docs/accuracy.md"});
  v.number(
      "busy_cores", h.busy_cores,
      {.low = 0.1,
       .high = 4,
       .min = 0,
       .max = 1e5,
       .evidence = Evidence::assumed,
       .meaning = "Cores that the training process of one rank keeps busy: 1 where its thread spins while it waits"});
}

}  // namespace headrace::models
