#include "models/spec/accelerator.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(ArithmeticStep& a, Visitor& v) {
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
              .meaning = "Model FLOPs utilization: achieved share of the peak"});
}

void describe(BatchEfficiency& e, Visitor& v) {
  v.number("half_batch", e.half_batch,
           {.low = 0.5,
            .high = 64,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Samples of a micro-batch at which a GPU reaches half of the rate of large ones",
            .source = "R. Hockney, C. Jesshope, Parallel Computers, 1981: n_1/2; the figure is assumed",
            .log_scale = true});
  v.number(
      "measured_at", e.measured_at,
      {.low = 1,
       .high = 1024,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning =
           "Samples of the micro-batch for which `step_time` or `mfu` was measured; 0: `mfu` is that of large ones",
       .log_scale = true});
}

void describe(TrainingStep& t, Visitor& v) {
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
  v.optional_record(
      "efficiency", t.efficiency,
      {.meaning = "How compute time depends on the micro-batch; absent: a sample takes the same time in any"});
  v.optional_record(
      "packing", t.packing,
      {.meaning =
           "Samples packed into sequences of a fixed number of tokens, which `batch` then counts; absent: no packing"});
  v.optional_record("host_part", t.host_part,
                    {.meaning = "The part of a step that the training process works on a core of its node; absent: "
                                "loaders do not slow the step"});
  v.fraction("follows_sample_size", t.follows_sample_size,
             {.low = 0,
              .high = 1,
              .min = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the compute time that grows with the bytes of the batch; the replica with the "
                         "largest batch of a step is the slowest. 0 if samples are packed or padded to one size"});
  v.count("micro_batches", t.micro_batches,
          {.low = 1,
           .high = 256,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Parts of the batch that are computed one after the other before the gradient exchange",
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
          .meaning = "Copies to the GPU overlap with compute; otherwise they delay each step"});
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
  v.optional_record(
      "barrier", t.barrier,
      {.meaning = "The barrier at which all ranks meet in each step, and their delays there that no loader "
                  "causes. Counts beside overhead; absent: no time"});
  v.constraint("micro_batches <= batch", t.micro_batches <= t.batch,
               "a batch of " + std::to_string(t.batch) + " samples cannot be divided into " +
                   std::to_string(t.micro_batches) + " parts",
               {"micro_batches", "batch"});
  v.constraint(
      "the host part is a part of the step",
      !t.host_part || t.arithmetic.has_value() || t.host_part->time_s <= mean_of(t.step_time_s) + mean_of(t.overhead_s),
      "the host part is longer than step_time and overhead, which contain it",
      {"host_part/time", "step_time", "overhead"});
  v.constraint("a measured micro-batch has a size",
               !t.efficiency || !(mean_of(t.step_time_s) > 0.0) || t.efficiency->measured_at > 0.0,
               "step_time is that of one micro-batch, but efficiency does not give its size: give measured_at",
               {"efficiency/measured_at", "step_time"});
  v.constraint("a step takes time", mean_of(t.step_time_s) > 0.0 || t.arithmetic.has_value(),
               "the step has no compute time: give step_time or arithmetic", {"step_time", "arithmetic"});
}

}  // namespace headrace::models
