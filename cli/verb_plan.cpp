// headrace plan: the cheapest configuration that keeps the GPUs fed, how sure, and why not cheaper.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/page_facts.hpp"
#include "cli/progress_line.hpp"
#include "cli/verbs.hpp"
#include "reports/html/plan_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_json.hpp"
#include "reports/plan_text.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::cli {
namespace {

int fail(const scenarios::Diagnostics& diagnostics, Console& console) {
  console.raw_error(print_text(diagnostics, console.err_colour()));
  return kBadInput;
}

/// 3 where the plan was stopped, or nothing could be proved at the confidence that was asked for.
int status_of(const scenarios::Plan& plan) {
  if (plan.stopped_by != scenarios::StoppedBy::none) return kInconclusive;
  if (!plan.recommended) return kFailed;
  return plan.search.confidence >= plan.asked_confidence - 1e-9 ? kOk : kInconclusive;
}

}  // namespace

int plan(const Invocation& call, Console& console) {
  const std::optional<LoadedScenario> loaded = load(call, console);
  if (!loaded) return kBadInput;
  if (call.dry_run) return show_resolved(*loaded, call, console);
  if (!console.can_deliver(call.output) || !console.can_deliver(call.report)) return kBadInput;
  const auto catalogue = catalogue_of(call);
  if (!catalogue) return fail(catalogue.error(), console);
  auto axes = scenarios::decisions_of(*loaded, call.decisions);
  if (!axes) return fail(axes.error(), console);
  scenarios::PlanOptions options;
  options.seed = call.seed;
  options.threads = call.threads;
  options.max_wall_s = call.max_wall_s;
  if (call.most_points > 0) options.most_points = call.most_points;
  const InterruptWatch watch;
  options.cancelled = [&watch] { return watch.interrupted(); };
  tl::expected<scenarios::Plan, scenarios::Diagnostics> plan;
  {
    ProgressLine line(console);
    if (console.shows_progress())
      options.progress = [&line](const std::string& phase, std::size_t runs) {
        line.show({0.0, 0.0, phase, static_cast<std::uint64_t>(runs)});
      };
    plan = scenarios::make_plan(*loaded, std::move(*axes), *catalogue, options);
  }
  if (!plan) return fail(plan.error(), console);
  const std::string title = loaded->value.title.empty() ? call.inputs.back() : loaded->value.title;
  const auto json = reports::plan_json(*plan, loaded->sha256, loaded->resolved);
  const std::string document =
      call.json ? reports::json_text(json) : reports::plan_text(*plan, title, call.explain_search, console.out_style());
  const bool delivered = console.deliver(document, call.output);
  const auto origin_of = [&loaded](const std::string& pointer) { return loaded->origin_of(pointer).print(); };
  const bool drawn =
      call.report.empty() || console.deliver(reports::plan_page(json, page_facts(call, title), origin_of), call.report);
  if (!delivered || !drawn) return kBadInput;
  return watch.interrupted() ? kInterrupted : status_of(*plan);
}

}  // namespace headrace::cli
