#include "cli/plan_deployment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/refusal.hpp"
#include "reports/deploy/deployment.hpp"
#include "reports/export/document_page.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::cli {
namespace {

using PlanDocument = nlohmann::ordered_json;

/// The saved plan that the only input is; nothing where it is another file, or a name.
std::optional<PlanDocument> saved_plan(const ScenarioOptions& scenario) {
  if (scenario.inputs.size() != 1) return std::nullopt;
  scenarios::Diagnostics unused;
  const std::optional<std::string> text = scenarios::read_text(scenario.inputs.front(), unused);
  if (!text) return std::nullopt;
  PlanDocument document = PlanDocument::parse(*text, nullptr, false);
  if (document.is_discarded() || reports::kind_of(document) != reports::DocumentKind::plan) return std::nullopt;
  return document;
}

int emit_saved(const PlanDocument& plan, const EmitOptions& emit, const ScenarioOptions& scenario,
               const OutputOptions& output, Console& console) {
  const std::string& name = scenario.inputs.front();
  const auto recommended = plan.find("recommended");
  if (!plan.contains("scenario") || recommended->is_null() || !recommended->contains("set_values"))
    return refuse(fmt::format("the plan in '{}' has no recommended configuration to write", name),
                  "make the plan again: headrace plan SCENARIO --json -o FILE", console);
  const auto catalogue = catalogue_of(scenario.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  std::vector<std::string> sets;
  for (const auto& assignment : (*recommended)["set_values"]) sets.push_back(assignment.get<std::string>());
  sets.insert(sets.end(), scenario.sets.begin(), scenario.sets.end());
  const auto loaded = load_text("<scenario in the plan>", plan["scenario"].dump(), *catalogue, {}, sets);
  if (!loaded) return refuse(loaded.error(), console);
  const std::string title = loaded->value.title.empty() ? name : loaded->value.title;
  return emit_deployment(emit, loaded->value, title, "recommended by a saved plan", output, console);
}

}  // namespace

void add_emit(OptionTable& table, EmitOptions& emit) {
  table
      .add("--emit", "TARGET", emit.target,
           "write the recommended configuration for a tool: loader arguments, mount options, cache sizes or job-script "
           "lines, each under its figure; also from a saved plan (--json) in place of the scenario")
      .one_of(reports::deploy_targets());
  table.add("--job", "NAME", emit.job, "with --emit: of this job (default: the first)");
  table.flag("--as-is", emit.as_is, "with --emit: the scenario as it is, without a search");
}

std::optional<int> emit_without_search(const EmitOptions& emit, const ScenarioOptions& scenario,
                                       const OutputOptions& output, Console& console) {
  if (emit.target.empty()) {
    if (emit.job.empty() && !emit.as_is) return std::nullopt;
    return refuse("--job and --as-is belong to --emit", "add --emit torch, or leave them out", console);
  }
  if (output.json)
    return refuse("--emit writes a file for a tool, which is no JSON document", "leave out --emit or --json", console);
  if (const std::optional<PlanDocument> plan = saved_plan(scenario))
    return emit_saved(*plan, emit, scenario, output, console);
  if (!emit.as_is) return std::nullopt;
  const std::optional<LoadedScenario> loaded = load(scenario, console);
  if (!loaded) return kBadInput;
  return emit_deployment(emit, loaded->value, title_of(*loaded, scenario), "as the scenario states it", output,
                         console);
}

int emit_deployment(const EmitOptions& emit, const models::Scenario& scenario, const std::string& title,
                    const std::string& basis, const OutputOptions& output, Console& console) {
  std::size_t job = 0;
  std::vector<std::string> names;
  for (const models::Job& one : scenario.jobs) names.push_back(one.name);
  while (!emit.job.empty() && job < names.size() && names[job] != emit.job) ++job;
  if (job == names.size())
    return refuse(fmt::format("there is no job '{}'", emit.job), fmt::format("--job {}", fmt::join(names, ", ")),
                  console);
  const std::string text = reports::deployment(scenario, job, emit.target, {title, output.program, basis});
  return console.deliver(text, output.file) ? kOk : kBadInput;
}

}  // namespace headrace::cli
