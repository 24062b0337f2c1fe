#include "models/spec/core_sharing.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(CoreSharing& c, Visitor& v) {
  v.number("background_cores", c.background_cores,
           {.low = 0,
            .high = 256,
            .min = 0,
            .max = 1e6,
            .evidence = Evidence::assumed,
            .meaning = "Cores of a node that are busy with what no job of the scenario does: other processes, agents"});
  v.number(
      "cores_searched", c.cores_searched,
      {.low = 1,
       .high = 16,
       .min = 1,
       .max = 1e6,
       .evidence = Evidence::published,
       .meaning = "Cores d at which a thread looks for an idle one: at utilization u of the cores, the host part of "
                  "a step takes 1 + u^d times as long",
       .source = "Linux looks at no less than 4: kernel/sched/fair.c, select_idle_cpu"});
}

}  // namespace headrace::models
