#include "reports/open_ranges.hpp"

#include <fmt/format.h>

#include <optional>

#include "models/answer/queueing_estimate.hpp"
#include "models/base/limits.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/study/input_study.hpp"
#include "reports/gate_cases.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

/// What the threshold's metric is by the estimate; nothing where that does not answer it.
std::optional<double> value_of(const models::Threshold& threshold, const models::Outcome& outcome) {
  return models::judge(threshold, outcome).value;
}

std::string_view evidence_words(models::Evidence evidence) {
  return evidence == models::Evidence::datasheet ? "data-sheet" : models::evidence_name(evidence);
}

}  // namespace

std::optional<models::Outcome> estimated(const models::Scenario& scenario) {
  try {
    return models::queueing_estimate(scenario, 1);
  } catch (const models::UnusableRequest&) {
    return std::nullopt;
  }
}

std::string RangeEnd::text() const { return scenarios::print_quantity(value, input.unit); }

std::string RangeEnd::range_text() const {
  return fmt::format("over the {} range of {}, {} to {}", evidence_words(input.evidence), input.pointer,
                     scenarios::print_quantity(input.low, input.unit),
                     scenarios::print_quantity(input.high, input.unit));
}

void for_each_range_end(const scenarios::LoadedScenario& loaded, const std::function<void(const RangeEnd&)>& visit) {
  const auto inputs = scenarios::uncertain_inputs(loaded.value, loaded.composition);
  for (const models::UncertainInput& input : inputs.value()) {  // loading has read them
    if (!input.stated) continue;
    for (const double value : {input.low, input.high})
      visit({input, value, models::with_input(loaded.value, input, value)});
  }
}

std::string open_threshold(const std::vector<models::Threshold>& thresholds, const scenarios::LoadedScenario& loaded) {
  const std::optional<models::Outcome> as_stated = estimated(loaded.value);
  if (!as_stated) return {};
  std::vector<models::Threshold> holding;
  for (const models::Threshold& threshold : thresholds)
    if (const auto value = value_of(threshold, *as_stated); value && threshold.holds(*value))
      holding.push_back(threshold);
  std::string text;
  for_each_range_end(loaded, [&](const RangeEnd& end) {
    if (holding.empty() || !text.empty()) return;
    const std::optional<models::Outcome> there = estimated(end.scenario);
    if (!there) return;
    for (const models::Threshold& threshold : holding) {
      const std::optional<double> value = value_of(threshold, *there);
      if (!value || threshold.holds(*value)) continue;
      text = fmt::format("open {}; at {} {} {} fails: {} (estimate)", end.range_text(), end.text(), threshold.metric,
                         threshold.condition, metric_text(threshold.metric, *value));
      return;
    }
  });
  return text;
}

std::string open_wait(const models::Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  if (outcome.verdict != models::Verdict::fed || outcome.inputs || is_bound(outcome)) return {};
  const auto inputs = scenarios::uncertain_inputs(loaded.value, loaded.composition);
  if (!inputs || inputs->empty()) return {};
  const std::optional<double> idle_share =
      models::bound_high_over(loaded.value, *inputs, 1, "gpu_idle_fraction", models::kFedIdleFraction);
  if (!idle_share) return {};
  return fmt::format(
      "In a tenth of the draws of its inputs the GPUs wait {} or more (by flow bounds): --inputs ranges says more.",
      percent(*idle_share));
}

}  // namespace headrace::reports
