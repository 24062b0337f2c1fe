#include "models/study/step_control.hpp"

#include <algorithm>
#include <utility>

#include "models/base/abandoned.hpp"
#include "models/path/warm_up_at_least.hpp"
#include "sim/portable_math.hpp"
#include "sim/steady_state_interval.hpp"
#include "sim/warm_up.hpp"

namespace headrace::models {

namespace {

/// Far from every batch of a run that begins at 0, and a multiple of the period of file positions.
constexpr std::uint64_t kApart = std::uint64_t{1} << 40;
constexpr double kTwinCost = 0.2;
constexpr std::uint32_t kMostEffort = 64;
constexpr std::uint32_t kMostEffortAtEnd = 4;

}  // namespace

StepControl::StepControl(const IngestPath& path, std::uint64_t seed, std::uint32_t replication, std::stop_token abandon)
    : path_(path),
      itineraries_(path_, seed, replication, uncontended_switches()),
      twin_(path_, itineraries_, 0),
      apart_(path_, itineraries_, kApart),
      abandon_(std::move(abandon)) {}

void StepControl::run_to(UncontendedSeries& series, std::uint64_t steps) const {
  series.run_to(steps, [this] { end_if_abandoned(abandon_); });
}

std::optional<sim::ControlMean> StepControl::mean() const {
  const auto all = std::span<const double>(apart_.durations_s()).first(learned_steps_);
  // Whether its halves agree is not asked: to drop one mean in a hundred by how it looks would bias the others.
  const sim::WarmUpVerdict cut = sim::mser5(all, path_.turn_steps());
  const std::size_t steps = std::max<std::size_t>(cut.steps, warm_up_at_least_steps(path_));
  if (!cut.reliable || steps > all.size() / 2) return std::nullopt;
  const sim::SteadyStateResult result = sim::steady_state_interval(all.subspan(steps));
  if (!result.interval) return std::nullopt;
  return sim::ControlMean{result.mean, result.interval->half_width(result.mean) / sim::normal_quantile(0.975)};
}

std::string_view control_off_reason(const IngestPath& path, bool contention) {
  if (!contention) return "the run itself is uncontended";
  if (path.order != DeliveryOrder::in_order) return "batches do not arrive in order";
  return {};
}

std::optional<std::uint32_t> control_effort(double correlation, double excess, std::uint32_t looks_left) {
  const double r2 = correlation * correlation;
  // What the run would cost if it doubled until it were long enough, in units of what has run.
  double further = 0.0;
  double length = 1.0;
  for (std::uint32_t look = 0; look < looks_left && length < excess * excess; ++look) {
    further += length;
    length *= 2.0;
  }
  const bool in_reach = length >= excess * excess;
  const double needed = 0.8 / (excess * excess);  // with a margin: prediction and interval both have errors
  const std::uint32_t most = looks_left == 0 ? kMostEffortAtEnd : kMostEffort;
  for (std::uint32_t effort = 1; effort <= most; effort *= 2) {
    if (in_reach && kTwinCost * (1.0 + effort) >= further) return std::nullopt;
    if (1.0 - r2 + r2 / effort <= needed) return effort;
  }
  if (looks_left == 0 && 1.0 - r2 + r2 / most < 0.4) return most;
  return std::nullopt;
}

}  // namespace headrace::models
