#include "models/spec/batch_transport.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(BatchTransport& t, Visitor& v) {
  v.quantity("per_batch", t.fixed_s, Unit::seconds,
             {.low = 0,
              .high = 2e-2,
              .min = 0,
              .evidence = Evidence::measured,
              .meaning = "Time that a worker takes to hand over a batch without bytes"});
  v.limit("bandwidth", t.bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::measured,
           .meaning = "Rate at which a worker moves the bytes of a batch to the training process, through a pipe or "
                      "shared memory; 0: not a limit",
           .log_scale = true});
}

void describe(BatchReceiving& r, Visitor& v) {
  v.quantity("per_batch", r.fixed_s, Unit::seconds,
             {.low = 0,
              .high = 2e-2,
              .min = 0,
              .evidence = Evidence::measured,
              .meaning = "Time that receiving a batch without bytes takes",
              .source = "PyTorch DataLoader with empty tensors: 1.9 ms, measured for this project on a 2-core VM"});
  v.limit("bandwidth", r.bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::measured,
           .meaning = "Rate at which the training process or its pin thread takes over the bytes of a batch; 0: not "
                      "a limit",
           .source = "PyTorch DataLoader: 1.5 GB/s, measured for this project on a 2-core VM",
           .log_scale = true});
  v.flag("pin_thread", r.pin_thread,
         {.evidence = Evidence::assumed,
          .meaning = "One thread per rank receives batches beside the step, one at a time (pin_memory=True); otherwise "
                     "the training process receives each batch before its step"});
}

}  // namespace headrace::models
