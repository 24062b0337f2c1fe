#include <nlohmann/json.hpp>

#include "library/errors.hpp"
#include "library/state.hpp"
#include "library/study.hpp"
#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/model_version.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/sizing/sizing.hpp"
#include "models/study/input_study.hpp"
#include "reports/completed_outcome.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_json.hpp"
#include "reports/validation_json.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/parameter_sheet.hpp"
#include "scenarios/document/visible_text.hpp"
#include "scenarios/planner/decisions.hpp"

namespace headrace {
namespace {

using Texts = std::vector<std::string>;

Texts with(Texts texts, const Texts& more) {
  texts.insert(texts.end(), more.begin(), more.end());
  return texts;
}

std::vector<models::UncertainInput> uncertain_inputs(const scenarios::LoadedScenario& loaded) {
  return scenarios::uncertain_inputs(loaded.value, loaded.composition).value();  // loading has read them
}

Result<Outcome> completed(models::Outcome outcome, const scenarios::LoadedScenario& loaded) {
  const models::Confidence confidence = reports::complete_outcome(outcome, loaded);
  std::string json = reports::json_text(reports::completed_outcome_json(outcome, loaded, confidence));
  return Access::make<Outcome>(std::move(outcome), std::move(json));
}

/// The sheet is part of the document, not of the answer.
Result<Outcome> with_sizing(models::Outcome outcome, const scenarios::LoadedScenario& loaded) {
  outcome.sizing = models::sizing_sheet(loaded.value);
  return completed(std::move(outcome), loaded);
}

Result<Scenario> loaded_from(const Texts& inputs, const Texts& sets) {
  return guarded([&]() -> Result<Scenario> {
    auto loaded = scenarios::load_scenario(inputs, sets);
    if (!loaded) return error_of(loaded.error());
    return Access::make<Scenario>(inputs, sets, std::move(*loaded));
  });
}

}  // namespace

Result<Scenario> load(const std::string& name, const Texts& layers, const Texts& sets) {
  return loaded_from(with({name}, layers), sets);
}

std::string validate(const std::string& name, const Texts& layers, const Texts& sets) {
  return reports::json_text(reports::validation_json(scenarios::load_scenario(with({name}, layers), sets)));
}

Result<Scenario> Scenario::set(const Texts& assignments) const {
  return loaded_from(state_->inputs, with(state_->sets, assignments));
}

std::string Scenario::title() const {
  const std::string& title = state_->loaded.value.title;
  return scenarios::visible_text(title.empty() ? state_->inputs.back() : title);
}

std::string Scenario::sha256() const { return state_->loaded.sha256; }

std::string Scenario::resolved() const { return reports::json_text(state_->loaded.resolved); }

std::string Scenario::validate() const { return reports::json_text(reports::validation_json(state_->loaded)); }

Result<Outcome> Scenario::bound(const BoundOptions& options) const {
  return guarded([&] {
    const scenarios::LoadedScenario& loaded = state_->loaded;
    return with_sizing(options.input_ranges
                           ? models::flow_bound_over(loaded.value, uncertain_inputs(loaded), options.seed)
                           : models::flow_bound(loaded.value),
                       loaded);
  });
}

Result<Outcome> Scenario::estimate(const BoundOptions& options) const {
  return guarded([&] {
    const scenarios::LoadedScenario& loaded = state_->loaded;
    return with_sizing(options.input_ranges
                           ? models::estimate_over(loaded.value, uncertain_inputs(loaded), options.seed)
                           : models::queueing_estimate(loaded.value, options.seed),
                       loaded);
  });
}

Result<Outcome> Scenario::simulate(const SimulateOptions& options) const {
  if (auto mistake = mistake_in(options)) return *mistake;
  return guarded([&] {
    const scenarios::LoadedScenario& loaded = state_->loaded;
    models::StudyOptions study;
    put_draws(options, study);
    study.max_wall_s = options.work.max_wall_s;
    study.stop = options.work.stop;
    const LateEnd late_end(options.work);
    study.abandon = late_end.token();
    Teller teller(options.work);
    if (teller.is_wanted())
      study.progress = [&teller](const models::Progress& progress) {
        teller.tell({progress.fraction, progress.eta_s, std::string(progress.phase), progress.steps});
      };
    models::Outcome outcome = options.input_ranges
                                  ? models::simulate_over(loaded.value, uncertain_inputs(loaded), study)
                                  : models::simulate(loaded.value, study);
    if (options.work.stop.stop_requested()) outcome.stopped_by = "interrupted";
    return completed(std::move(outcome), loaded);
  });
}

Result<Plan> Scenario::plan(const PlanOptions& options) const {
  if (auto mistake = mistake_in(options)) return *mistake;
  return guarded([&]() -> Result<Plan> {
    const scenarios::LoadedScenario& loaded = state_->loaded;
    auto axes = scenarios::decisions_of(loaded, options.decisions);
    if (!axes) return error_of(axes.error());
    scenarios::PlanOptions how;
    if (options.input_ranges) how.ranges = scenarios::FedRequest{options.confidence_fed.value_or(scenarios::kFedLevel)};
    how.seed = options.seed;
    how.threads = options.work.threads;
    how.most_points = static_cast<std::size_t>(options.max_points);
    how.max_wall_s = options.work.max_wall_s;
    how.cancelled = [&options] { return options.work.stop.stop_requested(); };
    Teller teller(options.work);
    if (teller.is_wanted())
      how.progress = [&teller](const scenarios::PlanProgress& now) { teller.tell({0.0, 0.0, now.phase, now.runs}); };
    const auto plan = scenarios::make_plan(loaded, std::move(*axes), scenarios::Catalogue::shipped(), how);
    if (!plan) return error_of(plan.error());
    const auto json = reports::plan_json(*plan, loaded.sha256, loaded.resolved);
    const auto& stopped_by = json["stopped_by"];
    return Access::make<Plan>(reports::json_text(json), plan->recommended.has_value(),
                              stopped_by.is_null() ? "none" : stopped_by.get<std::string>(), plan->set_values);
  });
}

const std::string& Plan::json() const { return state_->json; }
bool Plan::has_recommendation() const { return state_->recommended; }
std::string Plan::stopped_by() const { return state_->stopped_by; }
std::vector<std::string> Plan::sets() const { return state_->sets; }

std::vector<Description> described_parameters() {
  std::vector<Description> all;
  for (const scenarios::Parameter& one : scenarios::scenario_parameters())
    all.push_back({one.pointer, one.unit, one.default_text, one.meaning});
  return all;
}

std::vector<Description> described_metrics() {
  std::vector<Description> all;
  for (const models::MetricDescription& one : models::kMetricDescriptions)
    all.push_back({std::string(one.name), std::string(one.unit), {}, std::string(one.meaning)});
  return all;
}

Texts shipped_scenarios() {
  Texts names;
  for (const scenarios::EmbeddedText& scenario : scenarios::embedded_scenarios()) names.emplace_back(scenario.name);
  return names;
}

std::string version() { return HEADRACE_VERSION; }

std::string model_version() { return std::string(models::kModelVersion); }

}  // namespace headrace
