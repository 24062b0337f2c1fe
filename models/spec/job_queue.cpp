#include "models/spec/job_queue.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(JobQueue& q, Visitor& v) {
  v.quantity(
      "at", q.at_s, Unit::seconds,
      {.low = 0,
       .high = 3e7,
       .min = 0,
       .meaning = "Time from the beginning of the campaign until the job comes, or until such jobs begin to come",
       .decided = true});
  v.distribution("every", q.every_s, Unit::seconds,
                 {.low = 600,
                  .high = 1e7,
                  .min = 0,
                  .meaning = "Time from one arrival to the next, each with jobs/0/copies like jobs; exponential: a "
                             "Poisson process; 0: one arrival",
                  .log_scale = true,
                  .decided = true});
  v.distribution("steps", q.steps, Unit::one,
                 {.low = 100,
                  .high = 1e7,
                  .min = 0,
                  .meaning = "Steps of one such job, drawn for each; 0: its epochs",
                  .log_scale = true,
                  .decided = true});
  v.count("priority", q.priority,
          {.low = 0,
           .high = 100,
           .min = 0,
           .max = 1000000,
           .meaning = "Jobs of a higher priority start first; equal ones in the order in which they came",
           .decided = true});
  v.choice("preemption", q.preemption, kPreemptionNames,
           {.meaning = "What happens when a job of higher priority needs the nodes", .decided = true});
  v.limit("quota", q.quota_nodes,
          {.low = 0,
           .high = 20000,
           .min = 0,
           .max = 1000000,
           .meaning = "Nodes that such jobs hold together at most; 0: no limit but the pool",
           .log_scale = true,
           .decided = true});
}

}  // namespace headrace::models
