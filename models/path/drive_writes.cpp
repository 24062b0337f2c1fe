#include "models/path/drive_writes.hpp"

#include <algorithm>

#include "models/base/limits.hpp"
#include "models/hops/hop.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

double bytes_until_full(const DriveWrites& drives, double offered_bytes_per_s, double free_bytes) {
  const double rate = std::min(offered_bytes_per_s, drives.cache.bandwidth_bytes_per_s);
  const double filling = rate - drives.drain_bytes_per_s();
  return filling > 0.0 ? free_bytes * rate / filling : kNoLimit;
}

double write_time_s(const DriveWrites& drives, double bytes, double offered_bytes_per_s, double free_bytes) {
  const double fast = std::min(bytes, bytes_until_full(drives, offered_bytes_per_s, free_bytes));
  return fast / std::min(offered_bytes_per_s, drives.cache.bandwidth_bytes_per_s) +
         (bytes - fast) / std::min(offered_bytes_per_s, drives.sustained_bytes_per_s);
}

double free_before_write(const DriveWrites& drives, double bytes, double offered_bytes_per_s, double interval_s,
                         bool between) {
  const double drain = drives.drain_bytes_per_s();
  const auto next = [&](double free_bytes) {
    const double until_full = bytes_until_full(drives, offered_bytes_per_s, free_bytes);
    const double time_s = write_time_s(drives, bytes, offered_bytes_per_s, free_bytes);
    const double left = bytes < until_full ? free_bytes * (1.0 - bytes / until_full) : 0.0;
    const double idle_s = between ? interval_s : std::max(0.0, interval_s - time_s);
    return std::min(drives.cache.bytes, left + drain * idle_s);
  };
  // An area that is not empty again before the next write has less free space each time, until a write finds as much as
  // the pause before it has emptied.
  if (next(drives.cache.bytes) >= drives.cache.bytes) return drives.cache.bytes;
  double low = 0.0;
  double high = drives.cache.bytes;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (next(middle) > middle ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

namespace {

/// Follows the area of the node's cache through the windows of an epoch.
class FillingArea {
 public:
  FillingArea(const IngestPath& path, const DriveWrites& drives)
      : path_(path), drives_(drives), free_bytes_(drives.cache.bytes) {}

  void pass(EpochWindow& window) {
    if (!(window.tiers.fill > 0.0)) return rest(window);
    const double step_s = step_time_s(window, 0.0);
    const double steps = window.weight * path_.steps_per_epoch();
    const double bytes = steps * path_.samples_per_step / path_.nodes * window.tiers.fill * path_.tiers.cached_bytes;
    const double pace = bytes / (steps * step_s);
    const double until_full = bytes_until_full(drives_, pace, free_bytes_);
    const double fast = std::min(1.0, until_full / bytes);
    const double gained = (drives_.drain_bytes_per_s() - pace) * steps * step_s;
    free_bytes_ = std::clamp(free_bytes_ + gained, 0.0, drives_.cache.bytes);
    window.tiers.past_write_cache = share_for(window, fast * step_s + (1.0 - fast) * step_time_s(window, 1.0), fast);
  }

 private:
  void rest(EpochWindow& window) {
    window.tiers.past_write_cache = 0.0;
    const double time_s = window.weight * path_.steps_per_epoch() * step_time_s(window, 0.0);
    free_bytes_ = std::min(drives_.cache.bytes, free_bytes_ + drives_.drain_bytes_per_s() * time_s);
  }

  double step_time_s(EpochWindow window, double past) const {
    window.tiers.past_write_cache = past;
    return step_time_bound_s(in_window(path_, window));
  }

  /// The share that alike in all batches gives the mean of both phases: the slow one may wait for the drive where the
  /// fast one does not.
  double share_for(const EpochWindow& window, double mean_step_s, double fast) const {
    double low = 1.0 - fast;
    double high = 1.0;
    if (fast >= 1.0 || fast <= 0.0 || !(step_time_s(window, low) < mean_step_s)) return low;
    constexpr int kHalvings = 40;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      (step_time_s(window, middle) < mean_step_s ? low : high) = middle;
    }
    return high;
  }

  const IngestPath& path_;
  DriveWrites drives_;
  double free_bytes_;
};

}  // namespace

void count_past_write_cache(const Scenario& scenario, std::size_t job, bool cold, std::vector<EpochWindow>& windows) {
  const NodeCache& cache = pool_of(scenario, scenario.jobs.at(job)).cache;
  if (!cache.write_cache || cache.policy == CachePolicy::none) return;
  const IngestPath path = resolve_path(scenario, job, {});
  FillingArea area(path, {as_written(cache.write_bandwidth_bytes_per_s), *cache.write_cache});
  const int epochs = cold ? 1 : 2;  // a later epoch begins with the area as the one before left it
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (EpochWindow& window : windows) area.pass(window);
}

}  // namespace headrace::models
