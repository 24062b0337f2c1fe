// headrace evidence: which measurements stand behind an answer, part by part, before anything is simulated.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/verb.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/model_version.hpp"
#include "models/study/input_study.hpp"
#include "reports/confidence_text.hpp"
#include "reports/evidence_text.hpp"
#include "reports/input_text.hpp"
#include "reports/known_evidence.hpp"
#include "reports/outcome_json.hpp"
#include "reports/text_layout.hpp"
#include "reports/turning_points.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EvidenceOptions {
  ScenarioOptions scenario;
  OutputOptions output;
};

void add_options(OptionTable& table, EvidenceOptions& options) {
  table.examples({"headrace evidence unet3d-h100"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
  table.flag("-v,--verbose", options.output.verbose, "list every figure that has a range");
}

/// What says more than the estimate, and than this text.
std::string said_by_others(const EvidenceOptions& options, bool ranges) {
  const std::string command = command_on("simulate", options.scenario);
  return fmt::format("{} gives the intervals that simulation noise leaves{}.{}", command,
                     ranges ? ", with --inputs ranges also what the ranges leave" : "",
                     ranges && !options.output.verbose ? " --verbose lists every figure that has a range." : "");
}

int run(const EvidenceOptions& options, Console& console) {
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  if (options.scenario.dry_run) return show_resolved(*loaded, options.output, console);
  const std::vector<models::UncertainInput> inputs = uncertain_inputs(*loaded);
  models::Outcome outcome =
      inputs.empty() ? models::queueing_estimate(loaded->value, 1) : models::estimate_over(loaded->value, inputs, 1);
  const std::vector<reports::TurningPoint> turns = reports::turning_points(loaded->value, inputs, outcome.verdict);
  const Json confidence = reports::confidence_json(reports::add_known_evidence(outcome, *loaded));
  if (options.output.json) {
    const Json document{{"format_version", reports::kOutcomeFormatVersion},
                        {"model_version", models::kModelVersion},
                        {"scenario_sha256", loaded->sha256},
                        {"verdict", models::kVerdictNames[static_cast<std::size_t>(outcome.verdict)]},
                        {"confidence", confidence},
                        {"evidence", reports::evidence_json(outcome.evidence)},
                        {"inputs", outcome.inputs ? reports::inputs_json(*outcome.inputs) : Json()},
                        {"turning_points", reports::turning_json(turns)}};
    return console.deliver(reports::json_text(document), options.output.file) ? kOk : kBadInput;
  }
  const reports::Style style = console.out_style();
  const std::string text = fmt::format(
      "{}\n{}\n{}\n{}\n{}\n{}  {}\n", reports::wrapped(title_of(*loaded, options.scenario), style.width, 0),
      reports::wrapped("By the queueing estimate: " + reports::verdict_line(outcome), style.width, 2),
      reports::wrapped(reports::confidence_line(confidence), style.width, 2),
      reports::input_text(outcome, style) + (options.output.verbose ? reports::every_input_text(outcome, style) : "") +
          reports::turning_text(turns, style),
      style.bold("Evidence"), reports::evidence_text(outcome, style),
      reports::wrapped(said_by_others(options, outcome.inputs.has_value()), style.width, 2));
  return console.deliver(text, options.output.file) ? kOk : kBadInput;
}

}  // namespace

Verb evidence() {
  return make_verb<EvidenceOptions>(
      "evidence", "how far to trust an answer: its assumptions, their ranges, the measurements behind it", add_options,
      run);
}

}  // namespace headrace::cli
