// The model that a job trains, as far as its size matters: arithmetic per sample, what a GPU must hold, what the ranks
// exchange.
//
// Sources: J. Kaplan et al., Scaling laws for neural language models, 2020 (6 P FLOPs per token); S. Rajbhandari et
// al., ZeRO, SC 2020 (states per parameter and stage); V. Korthikanti et al., Reducing activation recomputation in
// large transformer models, 2022 (34 s b h bytes per layer with selective recomputation and sequence parallelism, 2 s
// b h where each layer is recomputed).
// Deviations: attention's own FLOPs, which grow with the square of the sequence, are left out.
#pragma once

#include <cstdint>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class Precision : std::uint8_t { mixed, fp32 };
inline constexpr ChoiceName<Precision> kPrecisionNames[] = {
    {Precision::mixed, "mixed", "weights, gradients and activations of 2 bytes, an fp32 copy of the weights"},
    {Precision::fp32, "fp32", "everything of 4 bytes"}};

enum class Recompute : std::uint8_t { selective, full };
inline constexpr ChoiceName<Recompute> kRecomputeNames[] = {
    {Recompute::selective, "selective", "the backward pass recomputes attention"},
    {Recompute::full, "full", "each layer keeps only its input"}};

struct TrainingModel {
  double parameters = 0.0;
  double active_parameters = 0.0;  ///< that a token passes, mixture of experts; 0: all
  double tokens_per_sample = 1.0;
  std::uint64_t layers = 0;
  double hidden = 0.0;
  Precision precision = Precision::mixed;
  double optimizer_bytes = 0.0;  ///< per parameter; 0: Adam's
  std::uint64_t zero_stage = 0;
  bool offload = false;
  Recompute recompute = Recompute::selective;
  double activation_bytes_per_sample = 0.0;  ///< of a whole replica; 0: from layers and hidden

  double value_bytes() const { return precision == Precision::mixed ? 2.0 : 4.0; }
  /// Adam keeps two fp32 moments, and beside 2-byte weights an fp32 copy of them.
  double optimizer_bytes_per_parameter() const {
    if (optimizer_bytes > 0.0) return optimizer_bytes;
    return precision == Precision::mixed ? 12.0 : 8.0;
  }
  /// What a checkpoint holds: weights and optimizer states.
  double state_bytes() const { return parameters * (value_bytes() + optimizer_bytes_per_parameter()); }
  double flops_per_sample() const {
    return 6.0 * (active_parameters > 0.0 ? active_parameters : parameters) * tokens_per_sample;
  }
  /// Bytes of one sample's hidden state, which passes from layer to layer.
  double hidden_bytes_per_sample() const { return tokens_per_sample * hidden * value_bytes(); }
  double kept_activation_bytes_per_sample() const {
    if (activation_bytes_per_sample > 0.0) return activation_bytes_per_sample;
    const double per_layer = recompute == Recompute::full ? 1.0 : 17.0;
    return static_cast<double>(layers) * per_layer * hidden_bytes_per_sample();
  }
};

void describe(TrainingModel& m, Visitor& v);

}  // namespace headrace::models
