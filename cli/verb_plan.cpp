// headrace plan: the cheapest configuration that keeps the GPUs fed, how sure, and why not cheaper.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/plan_deployment.hpp"
#include "cli/plan_requirements.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/unpriced_egress.hpp"
#include "cli/verb.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "reports/html/plan_page.hpp"
#include "reports/known_evidence.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_json.hpp"
#include "reports/plan_progress.hpp"
#include "reports/plan_text.hpp"
#include "reports/plan_words.hpp"
#include "scenarios/document/shell_quoted.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::cli {
namespace {

struct PlanOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  std::vector<std::string> decisions;  ///< "/pointer=values"
  bool explain_search = false;
  scenarios::PlanOptions plan;
  InverseOptions inverse;
  bool ranges = true;
  std::optional<double> confidence_fed;
  std::string scale = "auto";
  EmitOptions emit;
};

void add_options(OptionTable& table, PlanOptions& options) {
  table.examples({"headrace plan image-node --decide /jobs/0/loader/workers=4,8 --inputs nominal"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
  add_report(table, options.output);
  add_progress(table, options.output);
  table.section("Plan");
  table
      .add("--decide", "/KEY=VALUES", options.decisions,
           "decision: /jobs/0/loader/workers=1:32, =4,8,16, '=1 TB:8 TB/8' (8 values), /8log (equal ratios); "
           "repeatable, before the scenario's own of that parameter")
      .repeatable();
  table
      .call(
          "--inputs", "MODE", [&options](const std::string& mode) { options.ranges = mode == "ranges"; },
          "ranges: least expected cost over the plausible ranges of the inputs, fed in a stated share of them "
          "(default); "
          "nominal: the inputs as stated")
      .one_of({"ranges", "nominal"});
  table
      .add("--confidence-fed", "SHARE", options.confidence_fed,
           "share of the input ranges in which the recommendation is fed: 95 %, 0.95 (default 90 %); where no "
           "configuration is, the exit status is 1")
      .unit(models::Unit::fraction)
      .check([](const std::string& text) {
        const double share = std::stod(text);
        return share > 0.0 && share < 1.0
                   ? std::string()
                   : fmt::format("'{}' is not between 0 and 100 %{}90 % or 0.9", text, kWriteInstead);
      });
  add_emit(table, options.emit);
  table
      .add("--scale", "S", options.scale,
           "auto (default): from 4,096 loaders on, runs simulate some of many like nodes, and the answer says how far "
           "all nodes differ; full: every node")
      .one_of({"auto", "full"});
  table.flag("--explain", options.explain_search, "show the whole search, point by point");
  table.add("--seed", "N", options.plan.seed, "seed of all random draws (default 1)");
  table.add("--max-points", "N", options.plan.most_points, "simulate at most so many configurations (default 400)")
      .range(static_cast<int>(models::kLeastPlanPoints), static_cast<int>(models::kMostPlanPoints));
  add_max_wall(table, options.plan.max_wall_s, "stop after so much real time: 30s, 2 min; seconds without a unit");
  add_threads(table, options.plan.threads, "threads (default: all cores); never changes a result");
  add_verbose(table, options.output);
  add_inverse_questions(table, options.inverse, options.scenario);
}

/// 1 where nothing is feasible, or no configuration is fed in the share of the ranges that is asked for, or at the
/// values as stated where those alone count; 3 where the plan was stopped, or nothing could be proved at the confidence
/// that was asked for.
int status_of(const scenarios::Plan& plan) {
  if (plan.stopped_by != scenarios::StoppedBy::none) return kInconclusive;
  if (!plan.recommended) return kFailed;
  if (!reports::unmet_level(plan).empty()) return kFailed;
  return plan.search.confidence >= plan.asked_confidence - 1e-9 ? kOk : kInconclusive;
}

/// The flag that only a search for a configuration heeds, where another question is asked; nullptr: none is there.
const char* only_of_search(const PlanOptions& options) {
  if (!options.decisions.empty()) return "--decide";
  if (!options.output.report.empty()) return "--report";
  if (!options.emit.target.empty()) return "--emit";
  if (options.confidence_fed) return "--confidence-fed";
  if (options.scale != "auto") return "--scale";
  if (!options.ranges) return "--inputs";
  return options.explain_search ? "--explain" : nullptr;
}

/// What a plan takes in place of a threshold: its own limits.
std::string limit_for(const std::string& slo) {
  constexpr std::pair<std::string_view, std::string_view> kLimits[] = {{"gpu_idle_fraction", "idle"},
                                                                       {"epoch_time_s", "epoch_time"},
                                                                       {"time_to_first_step_s", "first_step"},
                                                                       {"cost_per_epoch_usd", "cost_per_epoch"}};
  const std::size_t relation = slo.find_first_of("<>");
  std::string limit = relation == std::string::npos ? std::string() : slo.substr(relation + 1);
  limit.erase(0, limit.find_first_not_of("= "));
  for (const auto& [metric, key] : kLimits)
    if (slo.starts_with(metric) && !limit.empty() && slo[relation] == '<')
      return fmt::format("write --set {}", scenarios::shell_quoted(fmt::format("/subject_to/{}={}", key, limit)));
  return "write --set '/subject_to/idle=5 %', or another limit of headrace explain subject_to";
}

/// How far the answer can be trusted for the recommended configuration, as every verb says it of that scenario.
void judge_recommended(const ScenarioOptions& asked, scenarios::Plan& plan) {
  if (!plan.recommended) return;
  ScenarioOptions scenario = asked;
  scenario.sets.insert(scenario.sets.end(), plan.set_values.begin(), plan.set_values.end());
  const auto loaded = try_load(scenario);
  if (!loaded) return;
  const bool fed = plan.recommended->idle_fraction.mean <= models::kFedIdleFraction;
  if (const auto confidence =
          reports::confidence_of_scenario(*loaded, fed ? models::Verdict::fed : models::Verdict::ingest_bound))
    plan.confidence = *confidence;
}

/// Then stores that nothing uses as the scenario stands are among those to choose from.
bool chooses_a_store(const LoadedScenario& loaded, const std::vector<std::string>& decisions) {
  const auto names = [](const std::string& text) {  // "/datasets/0/store=a,b", and not what a store has
    return text.find("/store=") != std::string::npos || text.find("/store\"") != std::string::npos;
  };
  return std::any_of(decisions.begin(), decisions.end(), names) ||
         (loaded.resolved.contains("decide") && names(loaded.resolved["decide"].dump()));
}

int run(const PlanOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  if (!options.inverse.asked() && !options.scenario.slos.empty())
    return refuse("--slo limits the answers of --require and --max; the search for a configuration has its own limits",
                  limit_for(options.scenario.slos.front()), console);
  if (const char* flag = options.inverse.asked() ? only_of_search(options) : nullptr)
    return refuse(fmt::format("{} belongs to the search for a configuration, not to --require or --max", flag),
                  fmt::format("leave out {}", flag), console);
  if (!options.ranges && options.confidence_fed)
    return refuse("--confidence-fed is a share of the input ranges, which --inputs nominal does not use",
                  "leave out one of the two", console);
  if (const auto status = emit_without_search(options.emit, options.scenario, output, console)) return *status;
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  if (options.scenario.dry_run) return show_resolved(*loaded, output, console);
  if (!console.can_deliver({output.file, output.report})) return kBadInput;
  if (!chooses_a_store(*loaded, options.decisions)) warn_unused_stores(*loaded, console);
  if (options.inverse.asked())
    return answer_inverse(
        *loaded,
        {options.inverse, options.scenario, output, options.plan.seed, options.plan.threads, options.plan.max_wall_s},
        console);
  const auto catalogue = catalogue_of(options.scenario.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  auto axes = scenarios::decisions_of(*loaded, options.decisions);
  if (!axes) return refuse(axes.error(), console);
  scenarios::PlanOptions how = options.plan;
  if (options.scale == "full") how.scale = models::Scale::full;
  if (options.ranges) how.ranges = scenarios::FedRequest{options.confidence_fed.value_or(scenarios::kFedLevel)};
  const reports::PlanDetail detail = options.explain_search ? reports::PlanDetail::search
                                     : output.verbose       ? reports::PlanDetail::all
                                                            : reports::PlanDetail::answer;
  how.elasticities = detail != reports::PlanDetail::answer || output.wants_json() || !output.report.empty();
  const InterruptWatch watch;
  how.cancelled = [&watch] { return watch.interrupted(); };
  tl::expected<scenarios::Plan, scenarios::Diagnostics> plan;
  {
    ProgressLine line(console);
    if (console.shows_progress())
      how.progress = [&line](const scenarios::PlanProgress& now) {
        line.show_text(reports::plan_progress_text(now), now.phase);
      };
    plan = scenarios::make_plan(*loaded, std::move(*axes), *catalogue, how);
  }
  if (!plan) return refuse(plan.error(), console);
  judge_recommended(options.scenario, *plan);
  const std::string title = title_of(*loaded, options.scenario);
  const bool emitted = !options.emit.target.empty() && plan->chosen;
  if (!options.emit.target.empty() && !emitted) {
    console.error("the plan recommends nothing that could be written", "see why: the same without --emit");
    return status_of(*plan);
  }
  const auto json = reports::plan_json(*plan, loaded->sha256, loaded->resolved);
  const std::string document =
      output.wants_json() ? reports::json_text(json) : reports::plan_text(*plan, title, detail, console.out_style());
  const bool delivered =
      emitted ? emit_deployment(options.emit, *plan->chosen, title, "recommended by a plan", output, console) == kOk
              : console.deliver(document, output.file);
  const bool drawn =
      output.report.empty() ||
      console.deliver(reports::plan_page(json, {title, output.program}, origins_of(*loaded)), output.report);
  if (!delivered || !drawn) return kBadInput;
  if (const std::string unpriced = unpriced_egress(*loaded); plan->priced && !unpriced.empty())
    console.note("note: " + unpriced);
  return watch.interrupted() ? kInterrupted : status_of(*plan);
}

}  // namespace

Verb plan() {
  return make_verb<PlanOptions>("plan", "the cheapest configuration that keeps the GPUs fed, how sure, why not cheaper",
                                add_options, run);
}

}  // namespace headrace::cli
