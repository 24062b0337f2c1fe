#include "models/interruptions/snapshot_copy.hpp"

#include <algorithm>

#include "models/hops/resource_floors.hpp"
#include "models/path/checkpoint_times.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

BothWays share_both_ways(double both_ways, double asked) {
  const double up = std::min(1.0, std::max(0.5 * both_ways, both_ways - asked));
  return {up, std::min(asked, both_ways - up)};
}

std::optional<SnapshotCopy> snapshot_copy(const Scenario& scenario, std::size_t index) {
  const Job& job = scenario.jobs.at(index);
  if (!job.checkpoint || !job.checkpoint->snapshot_overlapped) return std::nullopt;
  const Checkpoint& checkpoint = *job.checkpoint;
  const Gpu& gpu = pool_of(scenario, job).gpu;
  const IngestPath path = resolve_path(scenario, index, {});
  const double bytes = checkpoint_bytes(checkpoint, path) / checkpoint_writers(checkpoint, path);  // of one GPU
  SnapshotCopy copy;
  if (!gpu.pcie_bytes_per_s) {
    copy.alone_s = copy.duration_s = bytes / checkpoint.snapshot_bytes_per_s;
    return copy;
  }
  const double rate = *gpu.pcie_bytes_per_s / static_cast<double>(gpu.pcie_shared_by);  // of one GPU
  const double asked = std::min(1.0, checkpoint.snapshot_bytes_per_s / rate);
  const BothWays beside = share_both_ways(gpu.pcie_both_ways, asked);
  copy.left = beside.up;
  copy.alone_s = bytes / (asked * rate);
  Scenario meanwhile = scenario;
  meanwhile.jobs[index].checkpoint->pcie_left = copy.left;
  const IngestPath slowed = resolve_path(meanwhile, index, {});
  const double batch_s = static_cast<double>(job.step.batch) * slowed.memory_bytes_per_sample / (copy.left * rate);
  const double busy = std::min(1.0, batch_s / step_time_bound_s(slowed));
  copy.duration_s = bytes / (rate * (asked * (1.0 - busy) + beside.down * busy));
  return copy;
}

}  // namespace headrace::models
