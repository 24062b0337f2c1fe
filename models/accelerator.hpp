// One training step on the GPU: compute, the exposed parts of H2D and collectives, loop and barrier overhead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/sequence_packing.hpp"

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
  double follows_sample_size = 0.0;  ///< share of the compute time that is in proportion to the bytes of the batch
  std::uint64_t micro_batches = 1;
  std::uint64_t device_prefetch = 0;  ///< batches that wait in GPU memory
  bool h2d_overlapped = true;
  double collective_exposed_s = 0.0;
  DistributionSpec overhead_s = DistributionSpec::constant(0.0);
};

template <class V>
void describe(ArithmeticStep& a, V& v) {
  v.number("flops_per_sample", a.flops_per_sample,
           {.low = 1e9,
            .high = 1e18,
            .min = 0,
            .meaning = "Floating-point operations of forward and backward pass for one sample, all GPUs of a replica; "
                       "0: 6 x parameters x tokens of the job's model",
            .log_scale = true});
  v.fraction("mfu", a.mfu,
             {.low = 0.1,
              .high = 0.7,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Model FLOPs utilization: share of the peak that a step reaches"});
}

template <class V>
void describe(BatchEfficiency& e, V& v) {
  v.number("half_batch", e.half_batch,
           {.low = 0.5,
            .high = 64,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Samples of a micro-batch at which a GPU reaches half of what large ones let it reach",
            .source = "R. Hockney, C. Jesshope, Parallel Computers, 1981: n_1/2; the figure is assumed",
            .log_scale = true});
  v.number("measured_at", e.measured_at,
           {.low = 1,
            .high = 1024,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Samples of the micro-batch that `step_time` is the compute time of, or at which `mfu` was "
                       "measured; 0: `mfu` is that of large ones",
            .log_scale = true});
}

template <class V>
void describe(TrainingStep& t, V& v) {
  v.count("batch", t.batch,
          {.low = 1,
           .high = 1e5,
           .min = 1,
           .meaning = "Samples that one data-parallel replica consumes per step",
           .log_scale = true,
           .required = true});
  v.distribution("step_time", t.step_time_s, Unit::seconds,
                 {.low = 1e-3,
                  .high = 100,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Compute time of one step; 0: from `arithmetic`",
                  .log_scale = true});
  v.optional_record("arithmetic", t.arithmetic, {.meaning = "Step time from FLOPs, peak and MFU"});
  v.optional_record("efficiency", t.efficiency,
                    {.meaning = "How compute time follows the micro-batch; without it a sample takes as long in any"});
  v.optional_record("packing", t.packing,
                    {.meaning = "Samples packed into sequences of a fixed number of tokens, of which `batch` counts "
                                "then; without it each sample is for itself"});
  v.fraction(
      "follows_sample_size", t.follows_sample_size,
      {.low = 0,
       .high = 1,
       .min = 0,
       .max = 1,
       .evidence = Evidence::assumed,
       .meaning = "Share of the compute time that grows with the bytes of the batch; the replica with the largest "
                  "batch of a step sets the pace. 0 where samples are packed or padded to one size"});
  v.count("micro_batches", t.micro_batches,
          {.low = 1,
           .high = 256,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Parts of the batch that are computed one after the other before gradients are exchanged",
           .log_scale = true,
           .decided = true});
  v.count("device_prefetch", t.device_prefetch,
          {.low = 0,
           .high = 16,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Batches D that wait in GPU memory, D x batch x bytes of a sample; 0: not counted",
           .decided = true});
  v.flag("h2d_overlapped", t.h2d_overlapped,
         {.evidence = Evidence::assumed,
          .meaning = "Copies to the GPU run beside compute; otherwise they delay each step"});
  v.quantity("collective_exposed", t.collective_exposed_s, Unit::seconds,
             {.low = 0,
              .high = 10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Part of the gradient exchange per step that compute does not hide"});
  v.distribution("overhead", t.overhead_s, Unit::seconds,
                 {.low = 0,
                  .high = 0.1,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Barrier and loop cost per step that is neither load nor compute",
                  .source = "MLPerf Storage v1.0 results: 15 to 28 ms per unet3d step"});
  v.constraint("micro_batches <= batch", t.micro_batches <= t.batch,
               "a batch of " + std::to_string(t.batch) + " samples cannot be cut into " +
                   std::to_string(t.micro_batches) + " parts",
               {"micro_batches", "batch"});
  v.constraint("a measured micro-batch has a size",
               !t.efficiency || !(mean_of(t.step_time_s) > 0.0) || t.efficiency->measured_at > 0.0,
               "step_time is that of one micro-batch, and efficiency does not say how large it was: give measured_at",
               {"efficiency/measured_at", "step_time"});
  v.constraint("a step takes time", mean_of(t.step_time_s) > 0.0 || t.arithmetic.has_value(),
               "the step has no compute time: give step_time or arithmetic", {"step_time", "arithmetic"});
}

}  // namespace headrace::models
