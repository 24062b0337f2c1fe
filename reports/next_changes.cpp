#include "reports/next_changes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "models/outcome/confidence.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {

using scenarios::RemedyGoal;

std::optional<RemedyGoal> remedy_goal(const models::Outcome& outcome) {
  if (outcome.find("gpu_idle_fraction") == nullptr) return std::nullopt;
  if (outcome.verdict == models::Verdict::checkpoint_bound) return RemedyGoal::interruptions;
  const bool waits = outcome.verdict == models::Verdict::ingest_bound ||
                     (outcome.verdict == models::Verdict::inconclusive && outcome.stopped_by == "other_starts");
  return waits ? std::optional(RemedyGoal::waits) : std::nullopt;
}

double lost_share(const models::Outcome& outcome) {
  if (remedy_goal(outcome) != RemedyGoal::interruptions) return mean_in(outcome.metrics, "gpu_idle_fraction");
  return models::interrupted_share(outcome.gpu_states);
}

std::vector<scenarios::Remedy> remedies_of(const models::Scenario& scenario, const models::Outcome& outcome,
                                           std::size_t most) {
  const std::optional<RemedyGoal> goal = remedy_goal(outcome);
  if (!goal) return {};
  return scenarios::remedies(scenario, lost_share(outcome), most, models::simulated_seed(outcome), *goal);
}

void add_next_changes(models::Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  std::vector<scenarios::Remedy> all = remedies_of(loaded.value, outcome, kMostNextChanges);
  for (scenarios::Remedy& one : all) outcome.more_remedies.push_back(std::move(one.report));
  if (all.empty()) return;
  outcome.remedy = std::move(outcome.more_remedies.front());
  outcome.more_remedies.erase(outcome.more_remedies.begin());
}

namespace {

/// What shortens a step that waits for no data: of what takes a tenth of the time or more.
std::string advice_beside_data(const models::Outcome& outcome) {
  const double uneven = largest_batch_share(outcome);
  const models::GpuStateShare* other = largest_other_state(outcome);
  if (uneven >= kLargeShare && (other == nullptr || uneven >= other->share))
    return fmt::format(" {} goes to waits for the replica with the largest batch: balance batches by size.",
                       percent(uneven));
  if (other == nullptr || other->share < kLargeShare) return {};
  const auto what = [&]() -> std::string_view {
    switch (other->state) {
      case models::GpuState::h2d:
        return "overlap them with compute (jobs/step/h2d_overlapped), or share their links less";
      case models::GpuState::collective:
        return is_by_stragglers(outcome) ? "find out why one is slower"
                                         : "widen the links between GPUs, or compute more for each exchange";
      case models::GpuState::overhead:
        return "take work off the training process, or compute more in a step";
      default:
        return {};
    }
  }();
  return what.empty()
             ? std::string()
             : fmt::format(" {} goes to {}: {}.", percent(other->share), other_time_words(outcome, other->state), what);
}

}  // namespace

std::string why_no_change(const models::Outcome& outcome, std::string_view open_wait) {
  if (outcome.verdict == models::Verdict::infeasible)
    return "This configuration cannot run. Correct what the warnings name first.";
  const bool waits = remedy_goal(outcome) == RemedyGoal::waits;
  if (outcome.verdict == models::Verdict::inconclusive && !waits)
    return "The run decides nothing yet. Run it longer first.";
  if (outcome.verdict == models::Verdict::checkpoint_bound) {
    const double now_s = mean_in(outcome.metrics, "checkpoint_interval_s");
    const double best_s = mean_in(outcome.metrics, "checkpoint_best_interval_s");
    std::string text = "No change of the data path helps: checkpoints and failures take the time.";
    if (!(now_s > 0.0) || !(best_s > 0.0)) return text;
    constexpr double kAlike = 0.1;  // nearer to the best, the loss is flat
    if (std::abs(now_s / best_s - 1.0) <= kAlike)
      return text +
             fmt::format(" A checkpoint every {} is the best by the closed form: save faster, or restart sooner.",
                         humane(now_s, "s", 3));
    text += fmt::format(" Least is lost with a checkpoint every {} (closed form); now it is every {}.",
                        humane(best_s, "s", 3), humane(now_s, "s", 3));
    return text;
  }
  if (outcome.verdict == models::Verdict::collective_bound)
    return "No change of the data path helps: the GPUs wait for each other.";
  if (waits) return {};
  if (is_bound(outcome)) return "The bound shows no wait; headrace simulate shows whether queues cause one.";
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  const bool may_wait = waits_over_inputs(outcome);
  const bool sure = !may_wait && open_wait.empty() && outcome.evidence.assumed.empty() &&
                    (!outcome.inputs || outcome.inputs->verdicts[static_cast<std::size_t>(outcome.verdict)] > 0.995);
  if (sure && !outcome.scope.empty())
    return fmt::format("Nothing worth doing for {}; headrace campaign shows what jobs lose that run at once.",
                       outcome.scope);
  constexpr double kShown = 0.0005;
  const std::string fed = idle != nullptr && idle->mean >= kShown
                              ? fmt::format("the GPUs wait {} of the time only.", percent(idle->mean))
                              : std::string("the GPUs do not wait for data.");
  const std::string beside = advice_beside_data(outcome);
  const char* nothing = beside.empty() ? "Nothing worth doing" : "Nothing to gain by faster data";
  if (sure) return fmt::format("{}: {}{}", nothing, fed, beside);
  std::string text = fmt::format("{} at the scenario's values: {}", nothing, fed);
  if (may_wait)
    text += fmt::format(" In a tenth of the draws of its inputs they wait {} or more: measure the inputs first.",
                        percent(idle->input_range->high));
  return text + beside;
}

std::string wait_after_text(double idle_fraction) {
  return idle_fraction < models::kFedIdleFraction ? fmt::format("less than {}", percent(models::kFedIdleFraction, 0))
                                                  : percent(idle_fraction);
}

std::string change_cost_text(const models::RemedyReport& change, const models::Outcome& outcome) {
  if (!change.cost_usd) return "no prices stated";
  if (lacks_gpu_price(outcome)) return "GPUs without price";  // their time is what a change saves
  const bool unpriced = change.change.find("no price stated") != std::string::npos;
  const char* before = unpriced ? " before its price" : "";
  constexpr double kNothing_usd = 0.005;
  if (std::abs(*change.cost_usd) < kNothing_usd) return fmt::format("same cost per epoch{}", before);
  return fmt::format("{} {} per epoch{}", humane(std::abs(*change.cost_usd), "USD", 3),
                     *change.cost_usd < 0.0 ? "less" : "more", before);
}

std::string worse_grade(const models::RemedyReport& change, const models::Outcome& outcome) {
  if (change.grade <= models::confidence_of(outcome).grade) return {};
  return words(models::kConfidenceGradeNames[static_cast<std::size_t>(change.grade)]);
}

std::string gain_basis(const models::RemedyReport& change, const models::Outcome& outcome) {
  const std::string grade = worse_grade(change, outcome);
  return std::string(models::name(change.kind)) + (grade.empty() ? "" : ", " + grade);
}

std::string effect_text(const models::RemedyReport& change, const models::Outcome& outcome) {
  const std::string then = wait_after_text(scenarios::idle_after(change, lost_share(outcome)));
  return remedy_goal(outcome) == RemedyGoal::interruptions
             ? fmt::format("checkpoints and failures then take {} of the time", then)
             : fmt::format("the GPUs then wait {} of the time", then);
}

std::string change_text(const models::RemedyReport& change, const models::Outcome& outcome) {
  return fmt::format("{}: {} and {} {} less for the same work, {}", change.change, effect_text(change, outcome),
                     remedy_goal(outcome) == RemedyGoal::interruptions ? "the GPUs take" : "take",
                     percent(change.gain, 0), change_cost_text(change, outcome));
}

}  // namespace headrace::reports
