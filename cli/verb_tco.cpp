// headrace tco: what a cluster costs over years, and what a useful GPU hour costs of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/unpriced_differences.hpp"
#include "cli/unpriced_egress.hpp"
#include "cli/verb.hpp"
#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/model_version.hpp"
#include "models/outcome/price_warnings.hpp"
#include "models/outcome/unpriced_parts.hpp"
#include "models/study/budget.hpp"
#include "models/study/study.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"
#include "reports/outcome_json.hpp"
#include "reports/total_cost_text.hpp"
#include "scenarios/growth/growth_part.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::cli {
namespace {

struct TcoOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  models::StudyOptions study;
  std::optional<double> precision;
  std::vector<std::string> nothing;  ///< layers of the present state
  std::string level = "simulated";
  std::string cash_flow;  ///< file; empty: none
};

void add_options(OptionTable& table, TcoOptions& options) {
  table.examples({"headrace tco vision-cluster-offers --level estimate"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
  add_verbose(table, options.output);
  add_progress(table, options.output);
  table.section("Total cost");
  table.add("--cash-flow", "FILE.csv", options.cash_flow, "also write the payments by year or quarter as a table");
  table
      .add("--do-nothing", "SCENARIO", options.nothing,
           "the present state: the gain over it, payback and the cost of doing nothing; repeatable, layers")
      .repeatable();
  table
      .add("--level", "LEVEL", options.level,
           "simulated (default), estimate, or flow: no run waits less, a lower bound of the cost")
      .one_of({"simulated", "estimate", "flow"});
  add_length(table, options.study, options.precision);
  add_max_wall(table, options.study.max_wall_s, "stop after so much real time: 10s, 2 min; seconds without a unit");
  add_threads(table, options.study.threads, "threads (default: all cores); never changes a result");
}

/// With what an earlier one left of `budget`.
models::Outcome outcome_of(const LoadedScenario& loaded, const TcoOptions& options, const models::Budget& budget,
                           const InterruptWatch& watch, Console& console) {
  if (options.level == "flow") return models::flow_bound(loaded.value);
  if (options.level == "estimate") return models::queueing_estimate(loaded.value, options.study.seed);
  models::StudyOptions study = options.study;
  study.precision = options.precision.value_or(study.precision);
  study.relief = false;
  study.courses = false;
  budget.limit(study);
  ProgressLine line(console);
  line.follow(study, watch);
  return models::simulate(loaded.value, study);
}

/// What keeps an outcome from having a cost; empty: nothing.
std::string no_cost(const models::Outcome& outcome) {
  if (outcome.verdict == models::Verdict::infeasible)
    return outcome.warnings.empty() ? "it is infeasible" : "it is infeasible: " + outcome.warnings.front().seen;
  return models::mean_in(outcome.metrics, "epoch_time_s") > 0.0 ? "" : "its jobs train no epoch";
}

bool has_price(const models::TotalCostAnswer& answer) {
  return std::any_of(answer.cash_flow.begin(), answer.cash_flow.end(),
                     [](const models::CashFlow& row) { return row.total != 0.0; });
}

/// A scenario that cannot run has no cost: 1, as a requirement that is missed.
int refuse_infeasible(const std::string& title, const std::string& why, Console& console) {
  console.error(fmt::format("'{}' has no total cost: {}", title, why), "headrace bound says more");
  return kFailed;
}

/// The scenario, and its present state where one is given.
struct TcoCase {
  LoadedScenario loaded;
  std::string title;
  models::Outcome outcome;
};

std::optional<TcoCase> nothing_of(const TcoOptions& options, const LoadedScenario& loaded, const models::Budget& budget,
                                  const InterruptWatch& watch, Console& console) {
  ScenarioOptions scenario = options.scenario;
  scenario.inputs = options.nothing;
  scenario.sets.clear();
  auto nothing = load(scenario, console);
  if (!nothing) return std::nullopt;
  std::string title = title_of(*nothing, scenario);
  nothing->value.prices.total_cost = loaded.value.prices.total_cost;  // the same horizon and terms
  if (nothing->value.prices.total_cost) nothing->value.prices.total_cost->migration_usd = 0.0;
  models::Outcome outcome = outcome_of(*nothing, options, budget, watch, console);
  return TcoCase{std::move(*nothing), std::move(title), std::move(outcome)};
}

int deliver(const scenarios::TotalCostDocument& document, const TcoOptions& options, Console& console) {
  const std::string text = options.output.wants_json()
                               ? reports::json_text(scenarios::total_cost_json(document))
                               : reports::total_cost_text(document, options.output.verbose, console.out_style());
  if (!console.deliver(text, options.output.file)) return kBadInput;
  if (!options.cash_flow.empty() &&
      !console.deliver(scenarios::cash_flow_csv(document.answer.cash_flow), options.cash_flow))
    return kBadInput;
  return kOk;
}

int run(const TcoOptions& options, Console& console) {
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  if (options.scenario.dry_run) return show_resolved(*loaded, options.output, console);
  warn_unused_stores(*loaded, console);
  if (!console.can_deliver({options.output.file, options.cash_flow})) return kBadInput;
  const InterruptWatch watch(options.study.max_wall_s);
  const models::Budget budget(options.study);
  models::Outcome outcome = outcome_of(*loaded, options, budget, watch, console);
  scenarios::TotalCostDocument document;
  document.model_version = models::kModelVersion;
  document.title = title_of(*loaded, options.scenario);
  if (const std::string why = no_cost(outcome); !why.empty()) return refuse_infeasible(document.title, why, console);
  document.scenario_sha256 = loaded->sha256;
  document.level = options.level == "flow" ? "flow bound" : options.level;
  document.verdict = models::kVerdictNames[static_cast<std::size_t>(outcome.verdict)];
  document.answer = models::total_cost(loaded->value, outcome);
  if (!has_price(document.answer))
    return refuse("nothing in the scenario has a price, so it has no total cost",
                  "state prices: --set '/prices/gpu_hour=$2.5/h', or see headrace explain /prices", console);
  document.confidence = reports::add_known_evidence(outcome, *loaded);
  if (!loaded->value.prices.total_cost)
    document.assumed = fmt::format(
        "{:.3g} years in which all jobs run {}, interest of {} a year, no value of machines at the end; set "
        "/prices/total_cost",
        document.answer.horizon_years,
        document.answer.used_fraction < 1.0 ? reports::percent(document.answer.used_fraction, 0) + " of the time"
                                            : std::string("all the time"),
        reports::percent(document.answer.discount_rate, 0));
  for (const models::Warning& warning : models::price_warnings(loaded->value))
    document.assumed += (document.assumed.empty() ? "" : "; ") + warning.seen + " (" + warning.fix + ")";
  if (scenarios::has_growth(*loaded))
    document.assumed +=
        fmt::format("{}the demand of today in all years: headrace growth counts the growth of the scenario",
                    document.assumed.empty() ? "" : "; ");
  document.unpriced = fmt::to_string(fmt::join(models::unpriced_parts(loaded->value), "; "));
  if (!options.nothing.empty()) {
    const std::optional<TcoCase> nothing = nothing_of(options, *loaded, budget, watch, console);
    if (!nothing) return kBadInput;
    if (const std::string why = no_cost(nothing->outcome); !why.empty())
      return refuse_infeasible(nothing->title, why, console);
    const models::TotalCostAnswer answer = models::total_cost(nothing->loaded.value, nothing->outcome);
    document.nothing = scenarios::NothingDone{nothing->title, nothing->loaded.sha256, answer,
                                              models::gain_over_nothing(document.answer, answer)};
    document.unpriced_change =
        fmt::to_string(fmt::join(unpriced_differences(nothing->loaded.value, loaded->value), "; "));
  }
  const int status = deliver(document, options, console);
  if (const std::string unpriced = unpriced_egress(*loaded); !unpriced.empty()) console.note("note: " + unpriced);
  for (const models::Warning& warning : outcome.warnings)
    if (warning.seen.ends_with("is above its limit"))
      console.warn(fmt::format("{} ({}); {}", warning.seen, warning.cause, warning.fix));
  return watch.interrupted() ? kInterrupted : status;
}

}  // namespace

Verb tco() {
  return make_verb<TcoOptions>("tco", "total cost over years: a useful GPU hour, idle dollars, payback, cash flow",
                               add_options, run);
}

}  // namespace headrace::cli
