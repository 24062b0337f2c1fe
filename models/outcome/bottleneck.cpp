#include "models/outcome/bottleneck.hpp"

#include <algorithm>
#include <cmath>

#include "models/outcome/largest_parts.hpp"

namespace headrace::models {
namespace {

constexpr double kFull = 0.99;       ///< utilization from which a resource alone says what binds
constexpr double kAsMuch = 0.02;     ///< of the largest gain
constexpr double kLeastWait = 1e-4;  ///< share of GPU time below which there are no waits to speak of

double arm(const StageShare& share) { return share.ci95 ? (share.ci95->high - share.ci95->low) / 2.0 : 0.0; }

}  // namespace

std::vector<Stage> stages_that_gain_most(const std::vector<StageShare>& relief) {
  const StageShare* most = largest_share(relief);
  if (most == nullptr || !(most->mean > 0.0)) return {};
  std::vector<Stage> stages{most->stage};
  for (const StageShare& share : relief) {
    const double less = most->mean - share.mean;
    if (share.stage != most->stage && share.mean > 0.0 &&
        less <= std::max(std::hypot(arm(share), arm(*most)), kAsMuch * most->mean))
      stages.push_back(share.stage);
  }
  return stages;
}

std::optional<Stage> binding_stage(const std::vector<StageShare>& relief, const std::vector<StageShare>& blame) {
  const std::vector<Stage> gainers = stages_that_gain_most(relief);
  if (gainers.empty()) {
    const StageShare* most = largest_share(blame);
    return most == nullptr || most->mean < kLeastWait ? std::nullopt : std::optional(most->stage);
  }
  return *std::max_element(gainers.begin(), gainers.end(),
                           [&](Stage a, Stage b) { return share_of(blame, a) < share_of(blame, b); });
}

std::optional<Stage> binding_stage(const Outcome& outcome) {
  if (outcome.verdict != Verdict::ingest_bound) return std::nullopt;
  if (outcome.binding || !outcome.relief.empty()) return outcome.binding;
  if (const StationReport* full = full_station(outcome)) return full->stage;
  return binding_stage(outcome.relief, outcome.blame);
}

const StationReport* full_station(const Outcome& outcome) {
  const StationReport* busiest = busiest_station(outcome);
  return busiest != nullptr && busiest->utilization >= kFull ? busiest : nullptr;
}

const StationReport* binding_station(const Outcome& outcome) {
  const std::optional<Stage> stage = binding_stage(outcome);
  return stage ? busiest_station(outcome, stage) : nullptr;
}

}  // namespace headrace::models
