// One training step on the GPU: compute, the exposed parts of H2D and collectives, loop and barrier overhead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/spec/barrier.hpp"
#include "models/spec/host_part.hpp"
#include "models/spec/sequence_packing.hpp"

namespace headrace::models {

/// Step time from arithmetic: flops_per_sample * samples / (peak * mfu).
struct ArithmeticStep {
  double flops_per_sample = 0.0;  ///< 0: 6 x parameters x tokens of the job's model
  double mfu = 0.4;
};

/// Larger micro-batches use a GPU better: a micro-batch of b samples reaches b / (b + half) of what a large one does.
/// Source: R. Hockney, C. Jesshope, Parallel Computers, 1981 (r_inf and n_1/2).
struct BatchEfficiency {
  double half_batch = 4.0;
  double measured_at = 0.0;  ///< 0: `mfu` is that of large micro-batches

  double of(double micro_batch) const { return micro_batch / (micro_batch + half_batch); }
  /// Compute time of a sample in such a micro-batch over that in the measured one.
  double time_factor(double micro_batch) const { return (measured_at > 0.0 ? of(measured_at) : 1.0) / of(micro_batch); }
};

struct TrainingStep {
  std::uint64_t batch = 1;  ///< samples per rank that computes on its own data
  DistributionSpec step_time_s = DistributionSpec::constant(0.0);
  std::optional<ArithmeticStep> arithmetic;
  std::optional<BatchEfficiency> efficiency;
  std::optional<SequencePacking> packing;
  std::optional<HostPart> host_part;
  double follows_sample_size = 0.0;  ///< share of the compute time that is in proportion to the bytes of the batch
  std::uint64_t micro_batches = 1;
  std::uint64_t device_prefetch = 0;  ///< batches that wait in GPU memory
  bool h2d_overlapped = true;
  double collective_exposed_s = 0.0;
  DistributionSpec overhead_s = DistributionSpec::constant(0.0);
  std::optional<Barrier> barrier;
};

void describe(ArithmeticStep& a, Visitor& v);
void describe(BatchEfficiency& e, Visitor& v);
void describe(TrainingStep& t, Visitor& v);

}  // namespace headrace::models
