#include "models/outcome/merged_batches.hpp"

#include <algorithm>

namespace headrace::models {

namespace {

// Bounds around the cases of the decision, where the stations were 80 to 95 % busy and a saturated one showed nothing.
constexpr double kLeastBusy = 0.75;
constexpr double kMostBusy = 0.98;
constexpr double kLeastNeeded = 0.75;  // load time over the time that the workers have for a batch
constexpr double kMostNeeded = 1.25;
constexpr double kWidest = 1.5;  // 0.99 quantile of the load time over its median

bool holds_one_batch_per_worker(const IngestPath& path) {
  return path.order == DeliveryOrder::in_order && path.outstanding <= path.workers && path.batch_samples > 1 &&
         path.granularity.kind == Granularity::Kind::batch;
}

}  // namespace

void warn_of_merged_batches(const IngestPath& path, Outcome& outcome) {
  if (!holds_one_batch_per_worker(path) || !outcome.batch_load_time) return;
  const LoadTimeQuantiles& load = *outcome.batch_load_time;
  if (load.p99_s > kWidest * load.p50_s) return;
  const double needed = load.p50_s / (path.outstanding * path.mean_fed_step_s());
  if (needed < kLeastNeeded || needed > kMostNeeded) return;
  const bool shares = std::any_of(outcome.stations.begin(), outcome.stations.end(), [](const StationReport& station) {
    return station.utilization >= kLeastBusy && station.utilization <= kMostBusy;
  });
  if (!shares) return;
  outcome.warnings.push_back({"the step time may be 4 to 12 % too short: just enough workers with one batch each",
                              "batches simulated as one piece do not collide, while their samples would",
                              "--granularity 'chunk(8)'"});
}

}  // namespace headrace::models
