#include "models/spec/preprocessing.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(RemotePool& r, Visitor& v) {
  v.count("workers", r.workers,
          {.low = 1,
           .high = 1e4,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Remote workers, shared by all loaders of the job",
           .log_scale = true});
  v.quantity("rate", r.samples_per_s, Unit::per_second,
             {.low = 1,
              .high = 1e5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Samples that one remote worker preprocesses per second; 0: 1 / cpu_per_sample",
              .log_scale = true});
  v.quantity("worker_hour", r.worker_hour_usd, Unit::usd_per_hour,
             {.low = 0.01,
              .high = 10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one remote worker",
              .log_scale = true});
}

}  // namespace headrace::models
