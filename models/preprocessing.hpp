// Where samples are decoded and augmented: on the nodes' cores, once and for all before training, on machines of their
// own, or on the GPUs.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class Preprocessing : std::uint8_t { on_the_fly, preprocessed, remote_pool, gpu };
inline constexpr ChoiceName<Preprocessing> kPreprocessingNames[] = {
    {Preprocessing::on_the_fly, "on_the_fly", "cores of the node, for every sample of every epoch"},
    {Preprocessing::preprocessed, "preprocessed", "before training; tensors are stored and read as they are"},
    {Preprocessing::remote_pool, "remote_pool", "machines between store and node; decoded samples go over the NIC"},
    {Preprocessing::gpu, "gpu", "the GPU itself, which lengthens its step"}};

/// Machines that only preprocess, as of tf.data service.
struct RemotePool {
  std::uint64_t workers = 16;
  double samples_per_s = 0.0;  ///< of one worker; 0: 1 / cpu_per_sample
  double worker_hour_usd = 0.0;
};

template <class V>
void describe(RemotePool& r, V& v) {
  v.count("workers", r.workers,
          {.low = 1,
           .high = 1e4,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Remote workers, shared by all loaders of the job",
           .log_scale = true});
  v.quantity("rate", r.samples_per_s, Unit::per_second,
             {.low = 1,
              .high = 1e5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Samples that one remote worker preprocesses per second; 0: 1 / cpu_per_sample",
              .log_scale = true});
  v.quantity("worker_hour", r.worker_hour_usd, Unit::usd_per_hour,
             {.low = 0.01,
              .high = 10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one remote worker",
              .log_scale = true});
}

}  // namespace headrace::models
