// Where samples are decoded and augmented: on the nodes' cores, once and for all before training, on machines of their
// own, or on the GPUs.
#pragma once

#include <cstdint>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class Preprocessing : std::uint8_t { on_the_fly, preprocessed, remote_pool, gpu };
inline constexpr ChoiceName<Preprocessing> kPreprocessingNames[] = {
    {Preprocessing::on_the_fly, "on_the_fly", "cores of the node, for every sample of every epoch"},
    {Preprocessing::preprocessed, "preprocessed", "before training; tensors are stored and read directly"},
    {Preprocessing::remote_pool, "remote_pool", "machines between store and node; decoded samples go over the NIC"},
    {Preprocessing::gpu, "gpu", "the GPU itself, which lengthens its step"}};

/// Machines that only preprocess, as of tf.data service.
struct RemotePool {
  std::uint64_t workers = 16;
  double samples_per_s = 0.0;  ///< of one worker; 0: 1 / cpu_per_sample
  double worker_hour_usd = 0.0;
};

void describe(RemotePool& r, Visitor& v);

}  // namespace headrace::models
