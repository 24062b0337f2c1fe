// headrace growth: when each layer is full, what to order when, and what a wrong moment costs.
#include <nlohmann/json.hpp>

#include "cli/draw_count.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"
#include "reports/growth_json.hpp"
#include "reports/html/growth_page.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/growth/growth.hpp"

namespace headrace::cli {
namespace {

struct GrowthOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  std::optional<int> quarters;
  std::string format;
  scenarios::GrowthOptions growth;
};

void add_options(OptionTable& table, GrowthOptions& options) {
  table.examples({"headrace growth growing-fleet --simulate off"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
  add_verbose(table, options.output);
  add_report(table, options.output);
  table.section("Growth");
  table.add("--quarters", "N", options.quarters, "look ahead so many quarters (default: those of the scenario, 12)")
      .range(1, 80);
  table.add("--format", "FORMAT", options.format, "text (default), csv: busy share of every layer and quarter, json")
      .one_of({"text", "csv", "json"});
  table
      .call(
          "--inputs", "MODE", [&options](const std::string& mode) { options.growth.ranges = mode == "ranges"; },
          "ranges: draw growth and the uncertain figures of the scenario (default); nominal: growth alone")
      .one_of({"ranges", "nominal"});
  table.on_off(
      "--simulate", options.growth.simulate,
      "simulate the quarters in which a layer becomes full, at most three (default on); bounds for all others");
  add_draws(table, options.growth.draws, 32, 4096);
  table.add("--seed", "N", options.growth.seed, "seed of all random draws (default 1)");
  add_threads(table, options.growth.threads, "threads (default: all cores); never changes a result");
}

int run(const GrowthOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  warn_unused_stores(*loaded, console);
  if (options.scenario.dry_run) return show_resolved(*loaded, output, console);
  if (!console.can_deliver({output.file, output.report})) return kBadInput;
  const auto catalogue = catalogue_of(options.scenario.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  auto part = scenarios::growth_part(*loaded, *catalogue);
  if (!part) return refuse(part.error(), console);
  const InterruptWatch watch;
  scenarios::GrowthOptions how = options.growth;
  how.cancelled = [&watch] { return watch.interrupted(); };
  if (options.quarters) how.quarters = static_cast<unsigned>(*options.quarters);
  const auto inputs = how.ranges ? uncertain_inputs(*loaded) : std::vector<models::UncertainInput>{};
  const scenarios::GrowthAnswer answer = scenarios::grow(std::move(*part), inputs, how);
  if (watch.interrupted()) return kInterrupted;
  const auto document = reports::growth_json(answer, title_of(*loaded, options.scenario), loaded->sha256);
  const std::string text = output.wants_json() || options.format == "json" ? reports::json_text(document)
                           : options.format == "csv"
                               ? reports::growth_csv(document)
                               : reports::growth_text(document, output.verbose, console.out_style());
  const bool delivered = console.deliver(text, output.file);
  const bool drawn =
      output.report.empty() ||
      console.deliver(reports::growth_page(document, {document["title"], output.program}), output.report);
  return delivered && drawn ? kOk : kBadInput;
}

}  // namespace

Verb growth() {
  return make_verb<GrowthOptions>("growth", "when each layer is full, what to order when, what a wrong moment costs",
                                  add_options, run);
}

}  // namespace headrace::cli
