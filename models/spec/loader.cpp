#include "models/spec/loader.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(HandOverLock& l, Visitor& v) {
  v.quantity("single_worker", l.single_worker_s, Unit::seconds,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time s1 for which a single worker locks the result queue per batch"});
  v.number("exponent", l.exponent,
           {.low = 0,
            .high = 1.5,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "beta of the lock time s(N) = s1 N^beta; 50 us to 400 us from 1 to 16 workers means 0.75"});
}

void describe(Loader& l, Visitor& v) {
  v.count("workers", l.workers,
          {.low = 1,
           .high = 64,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Worker processes or threads N of one loader",
           .log_scale = true});
  v.count("prefetch", l.prefetch,
          {.low = 1,
           .high = 16,
           .min = 1,
           .evidence = Evidence::published,
           .meaning = "Batches P of prefetch per worker",
           .source = "PyTorch DataLoader, prefetch_factor default 2"});
  v.count("outstanding", l.outstanding,
          {.low = 0,
           .high = 1024,
           .evidence = Evidence::assumed,
           .meaning = "Batches K of one loader that may be outstanding; 0: workers x prefetch"});
  v.count("lanes", l.lanes,
          {.low = 1,
           .high = 256,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Requests that one worker keeps in flight at the same time",
           .log_scale = true});
  v.choice(
      "order", l.order, kDeliveryOrderNames,
      {.evidence = Evidence::published,
       .meaning = "in_order: round robin, batches in their order; any_order_per_worker: first ready first, P tokens a "
                  "worker; any_order_shared: first ready first from one pool of K tokens",
       .source = "PyTorch DataLoader, in_order default True"});
  v.distribution("cpu_per_sample", l.cpu_s_per_sample, Unit::seconds,
                 {.low = 0,
                  .high = 1,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "CPU time of one core to decode and augment one sample"});
  v.limit("collate", l.collate_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::measured,
           .meaning = "Rate at which a worker copies the decoded samples of a batch into one tensor; 0: not a limit",
           .source = "torch.stack of 602 KB tensors: 1.3 GB/s, measured for this project on a 2-core VM",
           .log_scale = true});
  v.record("transport", l.transport, {.meaning = "Moving a batch from its worker to the training process"});
  v.record("receive", l.receive, {.meaning = "Receiving a batch from its worker"});
  v.record("lock", l.lock, {.meaning = "Lock of the result queue for finished batches"});
  v.count("ready", l.ready,
          {.low = 0,
           .high = 64,
           .evidence = Evidence::assumed,
           .meaning = "Finished batches D queued after the workers (tf.data prefetch, DALI queue): K = workers + D; 0: "
                      "K = workers x prefetch",
           .decided = true});
  v.flag("synchronous", l.synchronous,
         {.evidence = Evidence::assumed,
          .meaning = "The training process loads each batch itself after its step (num_workers=0)"});
  v.choice(
      "last_batch", l.last_batch, kLastBatchNames,
      {.evidence = Evidence::assumed,
       .meaning = "What becomes of the samples of an epoch that fill no step. PyTorch keeps them unless drop_last is "
                  "set, DLIO drops them"});
  v.count("shuffle_buffer", l.shuffle_buffer,
          {.low = 0,
           .high = 1e6,
           .max = 1e12,
           .evidence = Evidence::assumed,
           .meaning = "Samples in the shuffle buffer of a loader; filled before the first batch",
           .decided = true});
  v.quantity("worker_memory", l.worker_memory_bytes, Unit::bytes,
             {.low = 1e8,
              .high = 1e10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Memory of one worker process in addition to its batches",
              .log_scale = true});
  v.choice("preprocessing", l.preprocessing, kPreprocessingNames,
           {.evidence = Evidence::assumed,
            .meaning = "Where samples are decoded: on_the_fly by the node's cores, preprocessed before training, "
                       "remote_pool on other machines, gpu"});
  v.number("preprocessed_size", l.preprocessed_size,
           {.low = 1,
            .high = 20,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Stored size of a preprocessed sample over that of a raw one; 0: decoded over stored size",
            .log_scale = true});
  v.quantity("gpu_per_sample", l.gpu_s_per_sample, Unit::seconds,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time that one GPU takes to decode and augment a sample, with preprocessing: gpu"});
  v.record("remote", l.remote, {.meaning = "Machines that preprocess, with preprocessing: remote_pool"});
  v.optional_record("access", l.access, {.meaning = "How files are read; absent: only the requests of the dataset"});
  v.optional_record(
      "epoch_start", l.epoch_start,
      {.meaning = "What begins anew with each epoch; absent: workers and queues last from epoch to epoch"});
}

}  // namespace headrace::models
