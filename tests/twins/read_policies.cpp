#include "tests/twins/read_policies.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace headrace::models::twins {

namespace {

/// Seconds per byte from where a sample lies to where it can be trained on, without the threads.
double read_s_per_byte(const ReadPolicyCase& shape, ReadPolicy policy, std::uint32_t epoch) {
  const double write = 1.0 / shape.preprocess_bytes_per_s;
  const double from_file_system = write + shape.nodes / shape.file_system_bytes_per_s;
  if (policy != ReadPolicy::clairvoyant || epoch == 0) return from_file_system;
  const double own = 1.0 / shape.memory_bytes_per_s;
  const double peer = 1.0 / std::min(shape.memory_bytes_per_s, shape.remote_bytes_per_s);
  const double cached = write + own / shape.nodes + peer * (1.0 - 1.0 / shape.nodes);
  return shape.held * std::min(cached, from_file_system) + (1.0 - shape.held) * from_file_system;
}

/// One node: when its staging threads and its training are done.
struct NodeClock {
  double read_s = 0.0;
  double trained_s = 0.0;
};

void train(const ReadPolicyCase& shape, ReadPolicy policy, double read_s, double bytes, NodeClock& clock) {
  const double compute_s = bytes / shape.compute_bytes_per_s;
  if (policy == ReadPolicy::naive) {
    clock.trained_s += read_s * bytes + compute_s;
    return;
  }
  clock.read_s += read_s * bytes / shape.threads;
  const double begin_s = policy == ReadPolicy::no_stall ? clock.trained_s : std::max(clock.read_s, clock.trained_s);
  clock.trained_s = begin_s + compute_s;
}

}  // namespace

double run_time_s(const ReadPolicyCase& shape, ReadPolicy policy, std::span<const double> sizes_bytes) {
  const std::size_t of_step = std::size_t{shape.nodes} * shape.batch;
  const std::size_t steps = sizes_bytes.size() / of_step;
  if (steps == 0) throw std::invalid_argument("fewer samples than one step takes");
  std::vector<NodeClock> clocks(shape.nodes);
  for (std::uint32_t epoch = 0; epoch < shape.epochs; ++epoch) {
    const double read_s = read_s_per_byte(shape, policy, epoch);
    std::size_t next = (std::size_t{epoch} * 7919) % sizes_bytes.size();
    for (std::size_t step = 0; step < steps; ++step) {
      double met_s = 0.0;
      for (NodeClock& clock : clocks) {
        for (std::uint32_t i = 0; i < shape.batch; ++i) {
          train(shape, policy, read_s, sizes_bytes[next], clock);
          next = next + 1 == sizes_bytes.size() ? 0 : next + 1;
        }
        met_s = std::max(met_s, clock.trained_s);
      }
      for (NodeClock& clock : clocks) clock.trained_s = met_s;
    }
  }
  return clocks.front().trained_s;
}

}  // namespace headrace::models::twins
