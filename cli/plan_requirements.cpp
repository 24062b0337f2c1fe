#include "cli/plan_requirements.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "models/base/abandoned.hpp"
#include "reports/document.hpp"
#include "reports/known_evidence.hpp"
#include "reports/most_fed_json.hpp"
#include "reports/most_fed_text.hpp"
#include "reports/outcome_json.hpp"
#include "reports/requirements_json.hpp"
#include "reports/requirements_text.hpp"
#include "scenarios/requirements/most_fed.hpp"
#include "scenarios/requirements/requirements.hpp"

namespace headrace::cli {
namespace {

struct Answered {
  nlohmann::ordered_json json;
  std::string text;
  int status = kOk;
};

using MaybeAnswered = tl::expected<Answered, scenarios::Diagnostics>;

MaybeAnswered require(const LoadedScenario& loaded, const InverseRun& run, const scenarios::ProbeOptions& probe,
                      Console& console) {
  scenarios::RequirementOptions how;
  how.store = *run.asked.store;
  how.margin = run.asked.margin.value_or(scenarios::kDefaultMargin);
  how.probe = probe;
  how.curves = run.output.verbose || run.output.wants_json();  // a text without them has no place for them
  const auto found = scenarios::require_of_store(loaded, how);
  if (!found) return tl::unexpected(found.error());
  const std::string title = title_of(loaded, run.scenario);
  nlohmann::ordered_json json = reports::requirements_json(*found, loaded);
  std::string text = reports::requirements_text(*found, title, reports::at(json, "confidence"), run.output.verbose,
                                                console.out_style());
  return Answered{std::move(json), std::move(text), !found->possible ? kFailed : found->sure() ? kOk : kInconclusive};
}

MaybeAnswered most(const LoadedScenario& loaded, const InverseRun& run, const scenarios::ProbeOptions& probe,
                   Console& console) {
  scenarios::MostOptions how;
  for (std::size_t i = 0; i < std::size(scenarios::kMostNames); ++i)
    if (scenarios::kMostNames[i] == run.asked.most) how.what = static_cast<scenarios::Most>(i);
  how.probe = probe;
  const auto found = scenarios::most_fed(loaded, how);
  if (!found) return tl::unexpected(found.error());
  const std::string title = title_of(loaded, run.scenario);
  const auto known = reports::confidence_of_scenario(loaded);
  const nlohmann::ordered_json confidence = known ? reports::confidence_json(*known) : nullptr;
  return Answered{reports::most_fed_json(*found, known, loaded),
                  reports::most_fed_text(*found, title, confidence, console.out_style()),
                  found->none     ? kFailed
                  : found->sure() ? kOk
                                  : kInconclusive};
}

}  // namespace

void add_inverse_questions(OptionTable& table, InverseOptions& options, ScenarioOptions& scenario) {
  table.section("Questions the other way round");
  const Option store =
      table
          .add(
              "--require", "STORE", options.store,
              "what a store must deliver for the jobs to meet their limits (slo, subject_to, must_hold_under; else: be "
              "fed); without a name the store of the first job")
          .value_if_bare("");
  table.add("--margin", "SHARE", options.margin, "asked for beyond what is needed, with --require (default 20 %)")
      .unit(models::Unit::fraction)
      .range(0.0, 10.0)
      .needs(store);
  table
      .add("--max", "WHAT", options.most,
           "the most that store and fabric can feed: gpus of the first job, jobs (copies of it), growth (a factor of "
           "all "
           "demand)")
      .one_of({"gpus", "jobs", "growth"})
      .excludes(store);
  table
      .add("--slo", "CONDITION", scenario.slos,
           "a limit of these questions in addition to the scenario's slo: --slo \"gpu_idle_fraction < 5 %\" "
           "(repeatable)")
      .repeatable();
}

int answer_inverse(const LoadedScenario& loaded, const InverseRun& run, Console& console) {
  const InterruptWatch watch;
  ProgressLine line(console);
  scenarios::ProbeOptions probe;
  probe.seed = run.seed;
  probe.threads = run.threads;
  probe.max_wall_s = run.max_wall_s;
  probe.stop = watch.token();
  if (console.shows_progress())
    probe.progress = [&line](const std::string& phase, std::size_t runs) { line.show_runs(phase, runs); };
  try {
    const auto answered = run.asked.store ? require(loaded, run, probe, console) : most(loaded, run, probe, console);
    if (!answered) return refuse(answered.error(), console);
    const bool delivered =
        console.deliver(run.output.wants_json() ? reports::json_text(answered->json) : answered->text, run.output.file);
    return delivered ? answered->status : kBadInput;
  } catch (const models::Abandoned&) {
    console.error("the search was ended before it had an answer", "give it more time: --max-wall");
    return watch.interrupted() ? kInterrupted : kInconclusive;
  }
}

}  // namespace headrace::cli
