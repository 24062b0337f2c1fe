// The data loader in front of each reading rank: N workers, at most K batches outstanding, a delivery order, a
// hand-over lock, CPU work per sample, transport of a batch to the training process.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/spec/batch_transport.hpp"
#include "models/spec/epoch_start.hpp"
#include "models/spec/file_access.hpp"
#include "models/spec/preprocessing.hpp"

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

/// What becomes of the samples of an epoch that fill no step.
enum class LastBatch : std::uint8_t { spread, keep, drop };
inline constexpr ChoiceName<LastBatch> kLastBatchNames[] = {
    {LastBatch::spread, "spread", "an epoch is as many steps as its samples fill, also a part of one"},
    {LastBatch::keep, "keep", "a last step with smaller batches (drop_last=False of PyTorch)"},
    {LastBatch::drop, "drop", "they are not read (drop_last=True of PyTorch, DLIO)"}};

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
  std::optional<double> collate_bytes_per_s;
  BatchTransport transport;
  BatchReceiving receive;
  HandOverLock lock;
  std::uint64_t ready = 0;           ///< batches kept behind the workers; 0: K from prefetch
  bool synchronous = false;          ///< the training process loads, between steps
  std::uint64_t shuffle_buffer = 0;  ///< samples
  LastBatch last_batch = LastBatch::spread;
  double worker_memory_bytes = 0.0;
  Preprocessing preprocessing = Preprocessing::on_the_fly;
  double preprocessed_size = 0.0;  ///< stored tensors over stored samples; 0: decoded over stored
  double gpu_s_per_sample = 0.0;
  RemotePool remote;
  std::optional<FileAccess> access;
  std::optional<EpochStart> epoch_start;

  std::uint64_t batches_outstanding() const {
    if (outstanding > 0) return outstanding;
    return ready > 0 ? workers + ready : workers * prefetch;
  }
};

void describe(HandOverLock& l, Visitor& v);
void describe(Loader& l, Visitor& v);

}  // namespace headrace::models
