#include "models/answer/estimate_error.hpp"

#include <algorithm>
#include <array>

#include "models/hops/hop.hpp"

namespace headrace::models {

namespace {

constexpr double kLightLoad = 0.5;
constexpr double kLightSerial = 0.3;  ///< one server per loader
constexpr double kSaturation = 1.2;
constexpr double kSlackTolerance = 0.01;

bool is_shared(const ResourceFloor& floor) { return floor.resource != Resource::workers; }

bool light_load(const EstimateParts& parts) {
  return std::all_of(parts.floors.begin(), parts.floors.end(), [&](const ResourceFloor& floor) {
    const double busy = floor.step_time_s / parts.step_s();
    const bool serial = traits(floor.resource).scope == Scope::loader;
    return !is_shared(floor) || busy <= (serial ? kLightSerial : kLightLoad);
  });
}

/// The links on the way from the store stand one behind the other, and only the tightest queues: they count as one.
bool saturated(const EstimateParts& parts) {
  if (parts.bound_s < kSaturation * parts.uncontended_s) return false;
  const auto full = std::find_if(parts.floors.begin(), parts.floors.end(), [&](const ResourceFloor& floor) {
    return is_shared(floor) && floor.step_time_s >= parts.bound_s * (1.0 - 1e-9);
  });
  if (full == parts.floors.end() || full->stage == Stage::throttle) return false;
  return std::all_of(parts.floors.begin(), parts.floors.end(), [&](const ResourceFloor& floor) {
    const bool same_way = &floor == &*full || (floor.stage == Stage::transfer && full->stage == Stage::transfer);
    return !is_shared(floor) || same_way || floor.step_time_s <= kLightLoad * parts.bound_s;
  });
}

}  // namespace

std::optional<double> worst_delay_s(const IngestPath& path, const EstimateParts& parts) {
  std::array<double, kStageCount> busy{};
  for (const ResourceFloor& floor : parts.floors)
    if (is_shared(floor))
      for (const Stage stage : stages_limited_by(path, floor.resource))
        busy[index(stage)] = std::max(busy[index(stage)], floor.step_time_s / parts.bound_s);
  const std::array<double, kStageCount> stage_s = mean_stage_times_s(path);
  double delay_s = 0.0;
  for (std::size_t s = 0; s < kStageCount; ++s) {
    if (busy[s] >= 1.0 - 1e-9) return std::nullopt;
    const double alone_s = stage_s[s] / (1.0 - busy[s]);
    delay_s += std::max(alone_s, busy[s] * parts.bound_s) - stage_s[s];
  }
  return delay_s;
}

bool is_certified(const EstimateParts& parts) {
  if (light_load(parts) || saturated(parts)) return true;
  return parts.at_worst_s && std::max(*parts.at_worst_s, parts.bound_s) <= parts.step_s() * (1.0 + kSlackTolerance);
}

}  // namespace headrace::models
