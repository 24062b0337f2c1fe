#include "models/hops/host_part.hpp"

#include <algorithm>
#include <cmath>  // std::ceil

#include "models/hops/hop.hpp"
#include "models/hops/resource_floors.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

/// Core time of the loaders of the fullest node per step. Collation has no station of its own, but it is CPU work.
double loader_core_s(const IngestPath& path, const std::array<bool, kStageCount>& relieved) {
  if (path.synchronous) return 0.0;  // loads between the steps
  const Amounts amounts = mean_amounts(path, path.shares(), 1.0);
  double core_s = 0.0;
  for (const StagedTerm& term : terms_of(path)) {
    if (relieved[index(term.stage)]) continue;
    const bool collates = term.stage == Stage::decode && term.of_batch;
    const bool on_cores =
        std::any_of(term.asks.begin(), term.asks.end(), [](const Ask& ask) { return ask.resource == Resource::cores; });
    if (collates || on_cores) core_s += term.time_s(amounts);
  }
  return core_s * std::ceil(static_cast<double>(path.loaders) / path.nodes);
}

double longest_floor_s(const IngestPath& path, const std::array<bool, kStageCount>& relieved) {
  double longest_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(path))
    if (!relieved[index(floor.stage)]) longest_s = std::max(longest_s, floor.step_time_s);
  return longest_s;
}

IngestPath without_slowdown(IngestPath path) {
  set_host_slowdown(path, 1.0);
  return path;
}

/// Of a path without slowdown.
double solved_slowdown(const IngestPath& path, const std::array<bool, kStageCount>& relieved) {
  constexpr int kHalvings = 60;
  const HostLoad& load = path.host_load;
  const double core_s = loader_core_s(path, relieved);
  const double floor_s = longest_floor_s(path, relieved);
  const double fed_s = path.mean_fed_step_s() + (path.synchronous ? floor_s : 0.0);
  const double slowed_s = load.time_s + path.receive_s;
  const auto slowdown_at = [&](double step_s) {
    return host_slowdown((load.busy_beside + core_s / step_s) / *load.cores, load.cores_searched);
  };
  double low_s = std::max(fed_s, floor_s);
  double high_s = std::max(fed_s + slowed_s, floor_s);
  if (!(low_s > 0.0)) return 1.0;
  for (int i = 0; i < kHalvings && high_s > low_s; ++i) {
    const double middle_s = 0.5 * (low_s + high_s);
    const double step_s = std::max(floor_s, fed_s + slowed_s * (slowdown_at(middle_s) - 1.0));
    (step_s > middle_s ? low_s : high_s) = middle_s;
  }
  return slowdown_at(0.5 * (low_s + high_s));
}

}  // namespace

double host_slowdown(double utilization, double cores_searched) {
  return 1.0 + sim::ppow(std::clamp(utilization, 0.0, 1.0), cores_searched);
}

void set_host_slowdown(IngestPath& path, double slowdown) {
  HostLoad& load = path.host_load;
  load.slowdown = slowdown;
  load.wait_s = load.time_s * (slowdown - 1.0);
  path.receive_s = load.receive_alone_s * slowdown;
  path.pin_s = load.pin_alone_s * slowdown;
}

void slow_host_part(IngestPath& path) {
  if (path.host_load.is_slowed()) set_host_slowdown(path, solved_slowdown(without_slowdown(path), {}));
}

double host_slowdown_without(const IngestPath& path, const std::array<bool, kStageCount>& relieved) {
  return path.host_load.is_slowed() ? solved_slowdown(without_slowdown(path), relieved) : 1.0;
}

}  // namespace headrace::models
