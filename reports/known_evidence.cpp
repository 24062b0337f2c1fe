#include "reports/known_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/confidence.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/tier_path.hpp"
#include "reports/deciding_limit.hpp"
#include "reports/humane.hpp"
#include "reports/left_out_figures.hpp"
#include "reports/open_ranges.hpp"

namespace headrace::reports {
namespace {

using models::Outcome;

constexpr double kFullResource = 0.99;

void add_verified(const scenarios::LoadedScenario& loaded, Outcome& outcome) {
  for (const scenarios::VerifiedLayer& layer : loaded.composition.verified) {
    models::MeasuredPart part;
    part.machine = std::filesystem::path(layer.file).filename().string();
    part.part = fmt::format("a real pipeline on the machine of {}", part.machine);
    part.system = "this machine, " + part.machine;
    part.source = "headrace verify";
    part.date = layer.date;
    part.error = {"gpu_idle_fraction", "percentage points", layer.idle_error_points, layer.idle_error_largest,
                  layer.points};
    outcome.evidence.measured.push_back(std::move(part));
  }
}

/// Nothing where the closed form has no answer.
template <class Form>
std::optional<Outcome> answer_of(const Form& form) {
  try {
    return form();
  } catch (const models::UnusableRequest&) {
    return std::nullopt;
  }
}

/// What an answer hangs on needs no more steps than this.
constexpr std::uint64_t kSteps = 8192;

std::optional<Outcome> estimate_of(const models::Scenario& scenario) {
  return answer_of([&] { return models::queueing_estimate(scenario, 1, kSteps); });
}

std::optional<Outcome> bound_of(const models::Scenario& scenario) {
  return answer_of([&] { return models::flow_bound(scenario); });
}

constexpr ClosedForm kEstimate{"estimate", estimate_of};
constexpr ClosedForm kBound{"bound", bound_of};

bool waits_for_workers(const Outcome& estimate) {
  const models::StationReport* full = models::busiest_station(estimate);
  return full == nullptr || full->utilization < kFullResource || full->resource == models::Resource::workers ||
         full->resource == models::Resource::cores;
}

/// What the GPUs of an estimate would wait less without each stage, where the time of batches in their workers is what
/// they wait for: a batch is shorter by the share of the stage. Empty where something else is full: its stage binds.
std::vector<models::StageShare> gains_of(const models::Scenario& scenario, const Outcome& estimate) {
  const bool alone = estimate.jobs.size() == 1 && !estimate.jobs.front().is_beside_others();
  if (estimate.verdict != models::Verdict::ingest_bound || !alone || !waits_for_workers(estimate)) return {};
  const models::IngestPath path =
      in_window(models::resolve_path(scenario, 0, {}), models::mean_window(models::closed_form_windows(scenario, 0)));
  const auto times_s = models::mean_stage_times_s(path);
  double all_s = 0.0;
  for (const double time_s : times_s) all_s += time_s;
  const double idle = models::mean_in(estimate.metrics, "gpu_idle_fraction");
  std::vector<models::StageShare> gains;
  for (std::size_t i = 0; i < times_s.size(); ++i) {
    const double share = all_s > 0.0 ? times_s[i] / all_s : 0.0;
    const double left = share < 1.0 ? std::max(0.0, (idle - share) / (1.0 - share)) : 0.0;
    if (share > 0.0) gains.push_back({static_cast<models::Stage>(i), idle - left, std::nullopt, 0.0});
  }
  return gains;
}

/// A stated range of an input at one of whose ends the answer has the other verdict: what the closed form says there,
/// of the input that moves the waits most. Empty where the verdict holds at the ends of all ranges.
std::string open_range(const Outcome& answer, const ClosedForm& form, const scenarios::LoadedScenario& loaded) {
  using models::Verdict;
  const auto waits = [](const Outcome& one) { return one.verdict == Verdict::ingest_bound; };
  const auto turned = [&](const Outcome& there) {
    const bool open = there.verdict == Verdict::inconclusive || there.verdict == Verdict::infeasible;
    return waits(there) != waits(answer) && !open;
  };
  const double idle = models::mean_in(answer.metrics, "gpu_idle_fraction");
  double furthest = 0.0;
  std::string text;
  for_each_range_end(loaded, [&](const RangeEnd& end) {
    const std::optional<Outcome> there = form.answer(end.scenario);
    if (!there || !turned(*there)) return;
    const double idle_there = models::mean_in(there->metrics, "gpu_idle_fraction");
    if (std::abs(idle_there - idle) <= furthest) return;
    furthest = std::abs(idle_there - idle);
    text = fmt::format("open {}; at {} the GPUs wait {} of the time ({})", end.range_text(), end.text(),
                       percent(idle_there), form.name);
  });
  return text;
}

/// What the answer hangs on that nobody has measured: a limit that was assumed, else a range that turns the verdict,
/// else figures that were left out. Without the closed form that judges the answer: the limit alone.
std::string assumed_of(const Outcome& judged, const ClosedForm* form, const scenarios::LoadedScenario& loaded) {
  std::string limit = assumed_limit(judged, loaded);
  if (!limit.empty() || form == nullptr) return limit;
  std::string open = open_range(judged, *form, loaded);
  return open.empty() ? decisive_left_out(judged, *form, loaded) : open;
}

}  // namespace

models::Confidence confidence_of_estimate(Outcome estimate, const models::Scenario& scenario, std::string assumed,
                                          const scenarios::LoadedScenario& loaded) {
  add_verified(loaded, estimate);
  estimate.evidence.assumed = std::move(assumed);
  estimate.relief = gains_of(scenario, estimate);
  return models::confidence_of(estimate);
}

models::Confidence add_known_evidence(Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  add_verified(loaded, outcome);
  // An estimate takes several times as long as a bound, which says itself what it leaves out.
  const bool bound = !outcome.metrics.empty() && outcome.metrics.front().kind == models::AnswerKind::bound;
  const bool quick = bound && outcome.verdict != models::Verdict::ingest_bound;
  std::optional<Outcome> estimate = quick ? std::nullopt : estimate_of(loaded.value);
  const bool agrees = estimate && estimate->verdict == outcome.verdict;
  const Outcome& judged = agrees ? *estimate : outcome;
  const ClosedForm* form = agrees ? &kEstimate : quick ? &kBound : nullptr;
  outcome.evidence.assumed = assumed_of(judged, form, loaded);
  if (auto warning = old_limit_warning(judged, loaded)) outcome.warnings.push_back(std::move(*warning));
  if (agrees) estimate->inputs = outcome.inputs;
  return agrees ? confidence_of_estimate(*std::move(estimate), loaded.value, outcome.evidence.assumed, loaded)
                : models::confidence_of(outcome);
}

std::optional<models::Confidence> confidence_of_scenario(const scenarios::LoadedScenario& loaded,
                                                         std::optional<models::Verdict> verdict) {
  using models::Verdict;
  std::optional<Outcome> estimate = estimate_of(loaded.value);
  if (!estimate) return std::nullopt;
  const bool other = (verdict == Verdict::fed && estimate->verdict == Verdict::ingest_bound) ||
                     (verdict == Verdict::ingest_bound && estimate->verdict == Verdict::fed);
  if (other) return std::nullopt;
  std::string assumed = assumed_of(*estimate, &kEstimate, loaded);
  return confidence_of_estimate(*std::move(estimate), loaded.value, std::move(assumed), loaded);
}

}  // namespace headrace::reports
