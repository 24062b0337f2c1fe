// headrace plan: the cheapest configuration that keeps the GPUs fed, how sure, and why not cheaper.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"
#include "reports/html/plan_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_json.hpp"
#include "reports/plan_text.hpp"
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
};

void add_options(OptionTable& table, PlanOptions& options) {
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
  table.flag("--explain", options.explain_search, "show the whole search, point by point");
  table.add("--seed", "N", options.plan.seed, "seed of all random draws (default 1)");
  table.add("--max-points", "N", options.plan.most_points, "simulate at most so many configurations (default 400)")
      .range(4, 100000);
  add_max_wall(table, options.plan.max_wall_s, "stop after so much real time: 30s, 2 min; seconds without a unit");
  add_threads(table, options.plan.threads, "threads (default: all cores); never changes a result");
}

/// 3 where the plan was stopped, or nothing could be proved at the confidence that was asked for.
int status_of(const scenarios::Plan& plan) {
  if (plan.stopped_by != scenarios::StoppedBy::none) return kInconclusive;
  if (!plan.recommended) return kFailed;
  return plan.search.confidence >= plan.asked_confidence - 1e-9 ? kOk : kInconclusive;
}

int run(const PlanOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  if (options.scenario.dry_run) return show_resolved(*loaded, output, console);
  if (!console.can_deliver({output.file, output.report})) return kBadInput;
  const auto catalogue = catalogue_of(options.scenario.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  auto axes = scenarios::decisions_of(*loaded, options.decisions);
  if (!axes) return refuse(axes.error(), console);
  scenarios::PlanOptions how = options.plan;
  const InterruptWatch watch;
  how.cancelled = [&watch] { return watch.interrupted(); };
  tl::expected<scenarios::Plan, scenarios::Diagnostics> plan;
  {
    ProgressLine line(console);
    if (console.shows_progress())
      how.progress = [&line](const std::string& phase, std::size_t runs) {
        line.show({0.0, 0.0, phase, static_cast<std::uint64_t>(runs)});
      };
    plan = scenarios::make_plan(*loaded, std::move(*axes), *catalogue, how);
  }
  if (!plan) return refuse(plan.error(), console);
  const std::string title = title_of(*loaded, options.scenario);
  const auto json = reports::plan_json(*plan, loaded->sha256, loaded->resolved);
  const std::string document = output.json
                                   ? reports::json_text(json)
                                   : reports::plan_text(*plan, title, options.explain_search, console.out_style());
  const bool delivered = console.deliver(document, output.file);
  const bool drawn =
      output.report.empty() ||
      console.deliver(reports::plan_page(json, {title, output.program}, origins_of(*loaded)), output.report);
  if (!delivered || !drawn) return kBadInput;
  return watch.interrupted() ? kInterrupted : status_of(*plan);
}

}  // namespace

Verb plan() {
  return make_verb<PlanOptions>("plan", "the cheapest configuration that keeps the GPUs fed, how sure, why not cheaper",
                                add_options, run);
}

}  // namespace headrace::cli
