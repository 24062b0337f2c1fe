// E2 of the smallest job that shares bandwidth: n loaders of N workers, batches in order, a barrier per step; a batch
// is a random latency, then a transfer over NIC, leaf uplink and storage pool, max-min fair. Without contention it
// gives the same integers as MaxPlusInOrder with the law {latency, transfer time at the cap}.
//
// Source: the recursion of models/max_plus.hpp, executed as events; D. Bertsekas, R. Gallager, Data Networks, 2nd ed.,
// 1992, section 6.5.2 (max-min fairness). Deviations: none.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/max_plus.hpp"
#include "sim/distribution.hpp"
#include "sim/fluid_network.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

struct ContendedJobSpec {
  LoaderShape shape;
  sim::Distribution latency_s;
  double batch_bytes = 0.0;
  double flow_cap_bytes_per_s = sim::kUnlimitedBytesPerS;
  sim::FluidTreeSpec network;  ///< one node per loader, in order
  sim::StreamKey key;
};

class ContendedJob {
 public:
  /// @throws std::invalid_argument for an empty shape or a network with another number of nodes than loaders
  explicit ContendedJob(const ContendedJobSpec& spec);
  ~ContendedJob();

  /// Goes on until `steps` more steps have started and returns them; valid until the next call.
  const std::vector<StepStart>& run(std::size_t steps);

  struct State;  ///< shared with the processes

 private:
  std::unique_ptr<State> state_;
};

}  // namespace headrace::models
