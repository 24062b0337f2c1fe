#include "models/spec/training_model.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

namespace {

void describe_model_layout(TrainingModel& m, Visitor& v) {
  v.count("zero_stage", m.zero_stage,
          {.low = 0,
           .high = 3,
           .max = 3,
           .evidence = Evidence::assumed,
           .meaning = "State that the replicas divide among them instead of keeping copies: 1 optimizer states, 2 and "
                      "gradients, 3 and parameters (ZeRO, FSDP)",
           .decided = true});
  v.flag("offload", m.offload,
         {.evidence = Evidence::assumed,
          .meaning = "Optimizer states are in host memory: every step copies gradients there and weights back",
          .decided = true});
  v.choice("recompute", m.recompute, kRecomputeNames,
           {.evidence = Evidence::assumed, .meaning = "What the backward pass recomputes", .decided = true});
  v.quantity("activation_bytes_per_sample", m.activation_bytes_per_sample, Unit::bytes,
             {.low = 1e6,
              .high = 1e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Activations of one sample on all GPUs of a replica; 0: from layers and hidden",
              .log_scale = true});
}

}  // namespace

void describe(TrainingModel& m, Visitor& v) {
  v.number("parameters", m.parameters,
           {.low = 1e6,
            .high = 1e13,
            .above = 0,
            .meaning = "Parameters of the model",
            .log_scale = true,
            .required = true,
            .decided = true});
  v.number("active_parameters", m.active_parameters,
           {.low = 1e6,
            .high = 1e13,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Parameters that one token uses in a mixture of experts; 0: all",
            .log_scale = true,
            .decided = true});
  v.number("tokens_per_sample", m.tokens_per_sample,
           {.low = 1,
            .high = 1e6,
            .above = 0,
            .evidence = Evidence::assumed,
            .meaning = "Tokens (or patches) of one sample: its sequence length",
            .log_scale = true,
            .decided = true});
  v.count("layers", m.layers,
          {.low = 1,
           .high = 200,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "Layers; 0: activations and tensor-parallel traffic are not counted",
           .decided = true});
  v.number("hidden", m.hidden,
           {.low = 64,
            .high = 65536,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Width of the hidden state; 0: activations and tensor-parallel traffic are not counted",
            .log_scale = true,
            .decided = true});
  v.choice("precision", m.precision, kPrecisionNames,
           {.evidence = Evidence::assumed, .meaning = "Number format of weights and gradients", .decided = true});
  v.quantity("optimizer_bytes", m.optimizer_bytes, Unit::bytes,
             {.low = 4,
              .high = 16,
              .min = 0,
              .evidence = Evidence::published,
              .meaning = "Optimizer state per parameter; 0: Adam's, 12 bytes mixed and 8 in fp32",
              .source = "Rajbhandari et al., ZeRO (2020), 3.1",
              .decided = true});
  describe_model_layout(m, v);
}

}  // namespace headrace::models
