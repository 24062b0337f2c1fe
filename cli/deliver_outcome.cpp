#include "cli/deliver_outcome.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_text.hpp"
#include "reports/sizing_text.hpp"
#include "reports/timeline_json.hpp"
#include "scenarios/thresholds.hpp"

namespace headrace::cli {
namespace {

/// Old prices are told on standard error, whatever the form of the document. With --as-of their age is part of it too;
/// without, it depends on the day and stays out of it.
void tell_old_prices(models::Outcome& outcome, const LoadedScenario& loaded, const Invocation& call, Console& console) {
  const bool asked = !call.as_of.empty();
  for (models::Warning& warning : old_price_warnings(loaded, asked ? call.as_of : today())) {
    console.warn(warning.seen + "; " + warning.fix);
    if (asked) outcome.warnings.push_back(std::move(warning));
  }
}

/// Layers that were verified on their machine are evidence for what is computed with them.
void add_verified(models::Outcome& outcome, const LoadedScenario& loaded) {
  for (const scenarios::VerifiedLayer& layer : loaded.composition.verified) {
    models::MeasuredPart part;
    part.part = fmt::format("a real pipeline on the machine of {} (headrace verify, {})",
                            std::filesystem::path(layer.file).filename().string(), layer.date);
    part.error = {"gpu_idle_fraction", "percentage points", layer.idle_error_points, layer.idle_error_largest,
                  layer.points};
    outcome.evidence.measured.push_back(std::move(part));
  }
}

/// What the outcome says of the scenario's thresholds: a bound by what it proves, a simulation by one look.
std::vector<models::Judgement> judgements_of(const models::Outcome& outcome, const LoadedScenario& loaded) {
  std::vector<models::Judgement> judgements;
  const models::Metric* step = outcome.find("step_time_s");
  const bool bound = step != nullptr && step->kind == models::AnswerKind::bound;
  const auto thresholds = scenarios::thresholds_of(loaded.value, loaded.composition);
  for (const models::Threshold& threshold : thresholds.value())  // loading has read them
    judgements.push_back(bound ? models::judge_bound(threshold, outcome) : models::judge(threshold, outcome));
  return judgements;
}

bool deliver_page(const nlohmann::ordered_json& outcome, const std::string& title, const LoadedScenario& loaded,
                  const Invocation& call, Console& console, const models::Timeline* timeline) {
  reports::OutcomePageFacts facts;
  facts.title = title;
  facts.command = call.program;
  facts.origin_of = [&loaded](const std::string& pointer) { return loaded.origin_of(pointer).print(); };
  facts.timeline = timeline;
  return console.deliver(reports::outcome_page(outcome, facts), call.report);
}

}  // namespace

bool can_deliver_all(const Invocation& call, Console& console) {
  for (const std::string* path : {&call.output, &call.report, &call.timeline})
    if (!console.can_deliver(*path)) return false;
  return true;
}

int deliver_outcome(models::Outcome outcome, const LoadedScenario& loaded, const Invocation& call, Console& console,
                    const models::Timeline* timeline) {
  outcome.scenario_sha256 = loaded.sha256;
  tell_old_prices(outcome, loaded, call, console);
  add_verified(outcome, loaded);
  const bool missed = call.precision_given && outcome.precision && !outcome.precision->met;
  const std::string title = loaded.value.title.empty() ? call.inputs.back() : loaded.value.title;
  const auto json = reports::outcome_json(outcome, {loaded.resolved, loaded.composition.catalogue_version});
  const auto text = [&] {
    if (call.sizing) return reports::sizing_text(outcome, title, console.out_style());
    return reports::outcome_text(outcome, title, console.out_style(), judgements_of(outcome, loaded));
  };
  const bool delivered = console.deliver(call.json ? reports::json_text(json) : text(), call.output);
  const bool drawn = call.report.empty() || deliver_page(json, title, loaded, call, console, timeline);
  const bool traced = call.timeline.empty() || timeline == nullptr ||
                      console.deliver(reports::timeline_json(*timeline).dump() + "\n", call.timeline);
  if (!delivered || !drawn || !traced) return kBadInput;
  if (outcome.stopped_by == "interrupted") return kInterrupted;
  return missed || outcome.verdict == models::Verdict::inconclusive ? kInconclusive : kOk;
}

}  // namespace headrace::cli
