#include "models/spec/epoch_start.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(EpochStart& e, Visitor& v) {
  v.quantity("worker_start", e.worker_start_s, Unit::seconds,
             {.low = 0,
              .high = 10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time in which one worker process starts on a free core: fork or spawn, import, open the "
                         "dataset; with more workers than cores they start in turns"});
  v.flag("persistent_workers", e.persistent_workers,
         {.evidence = Evidence::published,
          .meaning = "Workers stay from epoch to epoch; the queues are empty nevertheless",
          .source = "PyTorch DataLoader, persistent_workers default False"});
}

}  // namespace headrace::models
