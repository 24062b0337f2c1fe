#include "models/spec/barrier.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Barrier& b, Visitor& v) {
  v.quantity("time", b.time_s, Unit::seconds,
             {.low = 0,
              .high = 0.01,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Fixed time of the barrier and the loop in each step"});
  v.quantity("per_doubling", b.per_doubling_s, Unit::seconds,
             {.low = 0,
              .high = 1e-3,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time of one round of the barrier; n ranks need ceil(log2 n) rounds",
              .source = "D. Hensgen, R. Finkel, U. Manber, Int. J. Parallel Programming 17(1), 1988"});
  v.distribution("rank_delay", b.rank_delay_s, Unit::seconds,
                 {.low = 0,
                  .high = 0.1,
                  .min = 0,
                  .evidence = Evidence::published,
                  .meaning = "Delay of one rank in one step beside its loader (processes of the system, interpreter, "
                             "timers), independent from rank to rank and step to step: the step waits for the longest. "
                             "A log-normal law with a cv of 2 predicts how AU falls with more hosts",
                  .source = "MLPerf Storage v3.0, scale series: docs/accuracy.md; S. Agarwal, R. Garg, N. Vishnoi, "
                            "HiPC 2005"});
}

}  // namespace headrace::models
