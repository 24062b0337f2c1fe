// The data loader in front of each reading rank: N workers, at most K batches outstanding, a delivery order, a
// hand-over lock, CPU work per sample.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/file_access.hpp"
#include "models/preprocessing.hpp"

namespace headrace::models {

enum class DeliveryOrder : std::uint8_t {
  in_order,              ///< round robin over workers, batches delivered in their order (torch default)
  any_order_per_worker,  ///< each worker holds P tokens, first ready batch first (torch in_order=False)
  any_order_shared,      ///< one pool of K tokens, first free worker, first ready batch (shared queue)
};
inline constexpr ChoiceName<DeliveryOrder> kDeliveryOrderNames[] = {
    {DeliveryOrder::in_order, "in_order"},
    {DeliveryOrder::any_order_per_worker, "any_order_per_worker"},
    {DeliveryOrder::any_order_shared, "any_order_shared"}};

struct HandOverLock {
  double single_worker_s = 0.0;  ///< s1
  double exponent = 0.75;        ///< beta
};

struct Loader {
  std::uint64_t workers = 4;
  std::uint64_t prefetch = 2;     ///< P, batches per worker
  std::uint64_t outstanding = 0;  ///< K; 0: workers * prefetch
  std::uint64_t lanes = 1;
  DeliveryOrder order = DeliveryOrder::in_order;
  DistributionSpec cpu_s_per_sample = DistributionSpec::constant(0.0);
  HandOverLock lock;
  std::uint64_t ready = 0;           ///< batches kept behind the workers; 0: K from prefetch
  bool synchronous = false;          ///< the training process loads, between steps
  std::uint64_t shuffle_buffer = 0;  ///< samples
  double worker_memory_bytes = 0.0;
  Preprocessing preprocessing = Preprocessing::on_the_fly;
  double preprocessed_size = 0.0;  ///< stored tensors over stored samples; 0: decoded over stored
  double gpu_s_per_sample = 0.0;
  RemotePool remote;
  std::optional<FileAccess> access;

  std::uint64_t batches_outstanding() const {
    if (outstanding > 0) return outstanding;
    return ready > 0 ? workers + ready : workers * prefetch;
  }
};

template <class V>
void describe(HandOverLock& l, V& v) {
  v.quantity("single_worker", l.single_worker_s, Unit::seconds,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time s1 for which one worker alone holds the result queue's lock per batch"});
  v.number("exponent", l.exponent,
           {.low = 0,
            .high = 1.5,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "beta of the lock law s(N) = s1 N^beta; 50 us to 400 us from 1 to 16 workers means 0.75"});
}

template <class V>
void describe(Loader& l, V& v) {
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
           .meaning = "Batches P that each worker may be ahead",
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
  v.record("lock", l.lock, {.meaning = "Serial hand-over of finished batches"});
  v.count(
      "ready", l.ready,
      {.low = 0,
       .high = 64,
       .evidence = Evidence::assumed,
       .meaning = "Finished batches D kept behind the workers (tf.data prefetch, DALI queue): K = workers + D; 0: K "
                  "= workers x prefetch",
       .decided = true});
  v.flag("synchronous", l.synchronous,
         {.evidence = Evidence::assumed,
          .meaning = "The training process loads each batch itself after its step (num_workers=0)"});
  v.count("shuffle_buffer", l.shuffle_buffer,
          {.low = 0,
           .high = 1e6,
           .max = 1e12,
           .evidence = Evidence::assumed,
           .meaning = "Samples that a loader holds to draw from; filled before the first batch",
           .decided = true});
  v.quantity("worker_memory", l.worker_memory_bytes, Unit::bytes,
             {.low = 1e8,
              .high = 1e10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Memory of one worker process beside its batches",
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
  v.optional_record("access", l.access,
                    {.meaning = "How files are read; without it requests are those of the dataset and nothing else"});
}

}  // namespace headrace::models
