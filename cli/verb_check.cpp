// headrace check: a scenario against its thresholds, its input ranges and what was accepted last.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/baseline_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/gate_output.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/sides.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"
#include "models/base/model_version.hpp"
#include "models/outcome/unused_inputs.hpp"
#include "models/study/comparison.hpp"
#include "models/study/gate.hpp"
#include "models/study/input_gate.hpp"
#include "reports/completed_outcome.hpp"
#include "reports/confidence_text.hpp"
#include "reports/gate_cases.hpp"
#include "reports/gate_json.hpp"
#include "reports/gate_reader.hpp"
#include "reports/html/gate_page.hpp"
#include "reports/humane.hpp"
#include "reports/input_text.hpp"
#include "reports/open_ranges.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/thresholds.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;
using models::PairedDifference;
using models::Ruling;

constexpr double kCheckWall_s = 60.0;
constexpr double kNightlyWall_s = 3600.0;

struct CheckOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  GateOutput gate;
  models::StudyOptions study;   ///< its budget
  bool quick = false;           ///< flow bounds only
  bool nightly = false;         ///< longer and more precise
  double required_share = 0.0;  ///< of the inputs; 0: not asked for
  std::string baseline;         ///< file with the last accepted outcomes
  std::string key;              ///< name in it; empty: title or file of the scenario
  bool promote = false;         ///< accept this outcome if it passes
  bool force = false;           ///< accept it even if it does not
  double allow = 0.03;          ///< change against the baseline that is no regression
};

/// "90 % of inputs" as 0.9.
std::string share_of_inputs(std::string& text) {
  std::string share = text;
  if (const std::size_t of = share.find(" of inputs"); of != std::string::npos) share.resize(of);
  const auto value = scenarios::parse_quantity(share, models::Unit::fraction);
  if (!value || *value <= 0.0 || *value >= 1.0)
    return fmt::format("'{}' is no share between 0 and 1 such as \"90 % of inputs\"", text);
  text = scenarios::print_number(*value);
  return {};
}

void add_options(OptionTable& table, CheckOptions& options) {
  table.examples({R"(headrace check image-node --slo "gpu_idle_fraction < 5 %")"});
  add_scenarios(table, options.scenario);
  table.section("Gate");
  table
      .add("--slo", "CONDITION", options.scenario.slos,
           "a threshold in addition to the scenario's slo: --slo \"gpu_idle_fraction < 5 %\" (repeatable)")
      .repeatable();
  const Option quick =
      table.flag("--quick", options.quick,
                 "by flow bounds in milliseconds: it can prove a failure, never that a limit on time holds");
  table.flag("--nightly", options.nightly, "longer: every threshold decided, intervals eight times narrower")
      .excludes(quick);
  table
      .add("--require", "SHARE", options.required_share,
           "share of the input ranges that must pass, too: \"90 % of inputs\"")
      .convert(share_of_inputs);
  const Option baseline =
      table.add("--baseline", "FILE", options.baseline, "file with the last accepted outcome, to find regressions")
          .excludes(quick);
  table
      .add("--allow", "SHARE", options.allow,
           "change against the baseline that is no regression (default 3 %; of shares, in points)")
      .unit(models::Unit::fraction)
      .range(0.0, 10.0)
      .needs(baseline);
  table.add("--key", "NAME", options.key, "name in the baseline file (default: the scenario's title)").needs(baseline);
  const Option promote =
      table.flag("--promote", options.promote, "accept this outcome as the new baseline if it passes").needs(baseline);
  table.flag("--force", options.force, "accept it even if it does not").needs(promote);
  add_progress(table, options.output);
  add_budget(table, options.study);
  add_gate_output(table, options.output, options.gate);
}

using reports::Regression;

struct BaselineResult {
  Side before;
  std::vector<InputDifference> inputs;
  reports::CheckedBaseline found;
};

/// Everything that a call of check finds.
struct Found {
  std::vector<models::Threshold> thresholds;
  models::GateResult gate;
  models::Confidence confidence;  ///< of its outcome
  std::string open;               ///< a range, that nobody asked about, in which a threshold fails; empty: none
  std::optional<models::InputGate> inputs;
  std::vector<models::UncertainInput> uncertain;
  std::optional<BaselineResult> baseline;
  bool first_baseline = false;
  Ruling decision = Ruling::pass;
};

models::GateOptions gate_options(const CheckOptions& options) {
  models::GateOptions gate;
  gate.study = options.study;
  if (!(gate.study.max_wall_s > 0.0)) gate.study.max_wall_s = options.nightly ? kNightlyWall_s : kCheckWall_s;
  if (options.nightly) {
    gate.first_precision = 0.005;
    gate.decide_all = true;
  }
  return gate;
}

std::string baseline_key(const CheckOptions& options, const LoadedScenario& loaded) {
  if (!options.key.empty()) return options.key;
  if (!loaded.value.title.empty()) return loaded.value.title;
  std::string key;
  for (const std::string& input : options.scenario.inputs) key += (key.empty() ? "" : " ") + input;
  return key;
}

/// Which change of a metric is a regression: shares change by points, all else relatively. None where no direction is
/// worse.
std::optional<models::ChangeLimit> regression_limit(const std::string& metric, double allow) {
  const models::Better better = reports::metric_better(metric);
  if (better == models::Better::neither) return std::nullopt;
  const std::string_view unit = reports::metric_unit(metric);
  const double limit = unit == "%" ? 100.0 * allow : allow;
  models::ChangeLimit change;
  change.relative = unit != "1" && unit != "%";
  change.relation = better == models::Better::lower ? models::Relation::more : models::Relation::less;
  change.limit = better == models::Better::lower ? limit : -limit;
  return change;
}

void judge(const std::vector<PairedDifference>& differences, const std::vector<std::string>& metrics, double allow,
           BaselineResult& result) {
  result.found.regressions.clear();
  for (const std::string& metric : metrics) {
    const auto limit = regression_limit(metric, allow);
    const auto found = std::find_if(differences.begin(), differences.end(),
                                    [&](const PairedDifference& difference) { return difference.metric == metric; });
    if (!limit || found == differences.end()) continue;
    result.found.regressions.push_back({*found, *limit, models::judge_change(*found, *limit)});
  }
}

bool all_known(const BaselineResult& result) {
  return std::none_of(result.found.regressions.begin(), result.found.regressions.end(),
                      [](const Regression& item) { return item.decision == Ruling::undecided; });
}

/// What was accepted, recomputed by the present models with the same random numbers as the scenario at hand: what then
/// differs is the scenario, and what the models have changed is told apart.
BaselineResult against_baseline(const LoadedScenario& loaded, reports::RecordedOutcome recorded, const Found& found,
                                const models::GateOptions& gate, const CheckOptions& asked) {
  ScenarioOptions plain = asked.scenario;
  plain.inputs.clear();
  plain.sets.clear();
  plain.slos.clear();
  BaselineResult result{side_of("baseline", std::move(recorded), plain), {}, {asked.baseline}};
  reports::CheckedBaseline& told = result.found;
  told.model_version = result.before.recorded->model_version;
  told.catalogue_version = result.before.recorded->catalogue_version;
  told.scenario_sha256 = result.before.recorded->outcome.scenario_sha256;
  Side now;
  now.name = asked.scenario.inputs.back();
  now.resolved = loaded.resolved;
  now.catalogue_version = loaded.composition.catalogue_version;
  now.loaded = loaded;
  result.inputs = input_differences(result.before, now);
  told.inputs_that_differ = result.inputs.size();
  std::vector<std::string> metrics(reports::kWatchedMetrics.begin(), reports::kWatchedMetrics.end());
  for (const models::Threshold& threshold : found.thresholds)
    if (std::find(metrics.begin(), metrics.end(), threshold.metric) == metrics.end())
      metrics.push_back(threshold.metric);
  const models::Outcome& old = result.before.recorded->outcome;
  if (!result.before.loaded) {
    std::vector<PairedDifference> differences;
    for (const std::string& metric : metrics)
      if (auto difference = models::paired_difference(old, found.gate.outcome, metric))
        differences.push_back(std::move(*difference));
    judge(differences, metrics, asked.allow, result);
    return result;
  }
  models::ComparisonOptions options;
  options.study = gate.study;
  options.study.relief = false;  // what binds is told of the scenario at hand
  options.first_precision = gate.first_precision;
  options.metrics = metrics;
  const models::Comparison comparison =
      models::compare(result.before.loaded->value, loaded.value, options, [&](const models::Comparison& sofar) {
        judge(sofar.differences, metrics, asked.allow, result);
        return all_known(result);
      });
  judge(comparison.differences, metrics, asked.allow, result);
  told.paired = true;
  told.steps = comparison.before.steps;
  if (told.model_version != models::kModelVersion)
    told.model_change = models::paired_differences(old, comparison.before);
  return result;
}

/// Where a threshold stands, for annotations.
void add_place(const LoadedScenario& loaded, const models::Threshold& threshold, reports::GateCase& item) {
  const scenarios::Origin origin = loaded.origin_of(threshold.pointer);
  if (origin.kind != scenarios::Origin::Kind::file || origin.is_shipped()) return;
  item.file = origin.name;
  item.line = origin.line;
  item.column = origin.column;
}

std::string headline(const Found& found, bool quick) {
  std::size_t counts[3] = {};
  for (const models::Judgement& judgement : found.gate.judgements)
    ++counts[static_cast<std::size_t>(judgement.decision)];
  std::string text;
  if (!found.gate.judgements.empty()) {
    text = fmt::format("{} of {} thresholds pass", counts[0], found.gate.judgements.size());
    if (counts[1] > 0) text += fmt::format(", {} fail", counts[1]);
    if (counts[2] > 0) text += fmt::format(", {} undecided", counts[2]);
    if (!found.open.empty()) text += " at the scenario's values";
  }
  if (found.inputs) {
    const std::string draws = fmt::format("{} of {} draws of the inputs pass, {} are required", found.inputs->passed,
                                          found.inputs->draws, reports::percent(found.inputs->required, 0));
    // What decides comes first.
    const bool decides = found.inputs->decision != found.gate.decision;
    text = decides ? fmt::format("{}; at the scenario's values {}", draws, text)
                   : fmt::format("at the scenario's values {}; {}", text, draws);
  }
  if (found.baseline) {
    std::size_t regressions = 0;
    std::size_t unknown = 0;
    for (const Regression& item : found.baseline->found.regressions) {
      regressions += item.decision == Ruling::fail ? 1 : 0;
      unknown += item.decision == Ruling::undecided ? 1 : 0;
    }
    text += fmt::format("{}{}", text.empty() ? "" : "; ",
                        regressions > 0 ? fmt::format("{} regressions against the baseline", regressions)
                        : unknown > 0   ? "regressions are undecided"
                                        : "no regression against the baseline");
  }
  if (found.first_baseline) text += text.empty() ? "no baseline" : "; no baseline";
  if (quick) text += " (by bounds: they prove failures and pass no time)";
  return text;
}

/// What the document does not say: the inputs that differ from those of the baseline.
reports::GateTable inputs_table(const BaselineResult& baseline) {
  reports::GateTable table{"Inputs that differ", {"value at", "accepted", "now", "from"}, {}};
  for (const InputDifference& input : baseline.inputs)
    if (table.rows.size() < 20)
      table.rows.push_back({input.pointer, input.before_text(), input.after_text(),
                            input.catalogue ? input.origin + " (the catalogue changed)" : input.origin});
  return table;
}

std::vector<std::string> notes_of(const Found& found) {
  const models::Outcome& outcome = found.gate.outcome;
  std::vector<std::string> notes{reports::confidence_line(reports::confidence_json(found.confidence))};
  if (!found.open.empty())
    notes.push_back(
        fmt::format("The pass is {}. To ask for the ranges, too: --require \"90 % of inputs\"", found.open));
  if (found.inputs && found.inputs->decision != Ruling::pass && !found.inputs->deciding.empty())
    notes.push_back(reports::hangs_most_on("Whether a draw passes", found.inputs->deciding));
  if (found.inputs)
    for (const models::MissedThreshold& missed : found.inputs->missed) notes.push_back(reports::missed_text(missed));
  for (const models::Warning& warning : outcome.warnings)  // a gate that passes for another scenario than was meant
    if (models::has_no_effect(warning)) notes.push_back(fmt::format("Warning: {}; {}", warning.seen, warning.fix));
  if (found.baseline) {
    const std::string& model = found.baseline->found.model_version;
    if (model != models::kModelVersion)
      notes.push_back(fmt::format("The models changed, {} to {}: that is no regression of the scenario.", model,
                                  models::kModelVersion));
    if (!found.baseline->found.paired)
      notes.push_back(
          fmt::format("The present models cannot read the accepted scenario ({}): its recorded numbers "
                      "were compared.",
                      found.baseline->before.reason));
  }
  std::string bottleneck = reports::bottleneck_text(outcome);
  if (found.decision != Ruling::pass && outcome.verdict == models::Verdict::ingest_bound && !bottleneck.empty()) {
    if (const std::string tie = reports::difference_of_gain(outcome); !tie.empty()) bottleneck += " " + tie;
    notes.push_back(std::move(bottleneck));
  }
  if (found.decision != Ruling::pass && outcome.remedy) notes.push_back(reports::remedy_note(outcome));
  std::string run = fmt::format("{} in look {}, ended {}. Intervals of figures: simulation noise.",
                                reports::counted(outcome.steps, "step"), found.gate.looks,
                                reports::ended_text(found.gate.stopped_by));
  if (found.gate.looks == 0) run = "Decided by the flow bound, without simulation.";
  notes.push_back(std::move(run));
  return notes;
}

/// The document's, and what that does not hold.
reports::GateReport report_of(const reports::RecordedCheck& recorded, const Found& found, const LoadedScenario& loaded,
                              const CheckOptions& options) {
  reports::GateReport report = reports::check_report_of(recorded);
  report.title = title_of(loaded, options.scenario);
  for (std::size_t i = 0; i < found.gate.judgements.size(); ++i)
    add_place(loaded, found.gate.judgements[i].threshold, report.cases[i]);
  if (found.baseline && !found.baseline->inputs.empty())
    report.tables.insert(report.tables.begin(), inputs_table(*found.baseline));
  return report;
}

reports::CheckedInputs inputs_of(const Found& found) {
  reports::CheckedInputs inputs{*found.inputs};
  for (const std::vector<double>& point : found.inputs->failing) {
    Json& values = inputs.failing.emplace_back(Json::object());
    for (std::size_t i = 0; i < point.size(); ++i) values[found.uncertain[i].pointer] = point[i];
  }
  return inputs;
}

reports::RecordedCheck recorded_of(const Found& found, const LoadedScenario& loaded, const Json& outcome,
                                   const CheckOptions& options) {
  return {std::string(models::kModelVersion),
          loaded.composition.catalogue_version,
          loaded.sha256,
          found.decision,
          found.gate.stopped_by,
          found.gate.looks,
          found.gate.widening,
          found.gate.judgements,
          found.inputs ? std::optional(inputs_of(found)) : std::nullopt,
          found.baseline ? std::optional(found.baseline->found) : std::nullopt,
          outcome,
          found.open,
          headline(found, options.quick),
          notes_of(found)};
}

void run_gate(const LoadedScenario& loaded, const CheckOptions& asked, const models::GateOptions& options,
              Found& found) {
  if (asked.quick)
    found.gate = models::check_bounds(loaded.value, found.thresholds);
  else
    found.gate = models::check_thresholds(loaded.value, found.thresholds, options);
  if (!found.thresholds.empty()) found.decision = found.gate.decision;
  if (!(asked.required_share > 0.0)) return;
  found.uncertain = uncertain_inputs(loaded);
  models::InputGateOptions draws;
  draws.required = asked.required_share;
  draws.bounds_only = asked.quick;
  if (asked.nightly) draws.most_draws = 4096;
  models::GateOptions at_points = options;
  at_points.first_precision = 0.04;
  found.inputs = models::check_inputs(loaded.value, found.uncertain, found.thresholds, at_points, draws);
  found.decision = models::worse(found.decision, found.inputs->decision);
}

/// Whether there is a baseline to compare with or one to begin with; nullopt after a complaint.
std::optional<std::optional<reports::RecordedOutcome>> accepted(const CheckOptions& options, const std::string& key,
                                                                Console& console) {
  auto recorded = read_baseline(options.baseline, key);
  if (!recorded) {
    console.error(recorded.error().message, recorded.error().fix);
    return std::nullopt;
  }
  if (!*recorded && !options.promote) {
    std::error_code error;
    const bool there = std::filesystem::exists(options.baseline, error);
    console.error(there ? fmt::format("'{}' has no entry '{}'", options.baseline, key)
                        : fmt::format("there is no baseline '{}' yet", options.baseline),
                  "accept a first outcome with --promote, or name another with --key");
    return std::nullopt;
  }
  return std::move(*recorded);
}

bool promote(const Found& found, const Json& outcome, const std::string& key, const CheckOptions& options,
             Console& console) {
  if (!options.promote) return true;
  if (found.decision != Ruling::pass && !options.force) {
    console.note(fmt::format("not accepted into '{}': it did not pass (--force accepts it anyway)", options.baseline));
    return true;
  }
  const auto written = write_baseline(options.baseline, key, outcome);
  if (!written) {
    console.error(written.error().message, written.error().fix);
    return false;
  }
  console.note(fmt::format("accepted into '{}' under '{}'", options.baseline, key));
  return true;
}

/// Thresholds, input ranges and the baseline, where there was one `before`.
void find_all(const LoadedScenario& loaded, std::optional<reports::RecordedOutcome> before, const CheckOptions& options,
              const InterruptWatch& watch, Console& console, Found& found) {
  models::GateOptions gate = gate_options(options);
  ProgressLine line(console);
  line.follow(gate.study, watch);
  run_gate(loaded, options, gate, found);
  found.first_baseline = !options.baseline.empty() && !before;
  if (before) {
    found.baseline = against_baseline(loaded, std::move(*before), found, gate, options);
    for (const Regression& item : found.baseline->found.regressions)
      found.decision = models::worse(found.decision, item.decision);
  }
  if (found.first_baseline && found.thresholds.empty()) {
    const models::Outcome& outcome = found.gate.outcome;
    const bool usable =
        outcome.verdict != models::Verdict::infeasible && outcome.precision && outcome.precision->enough_data;
    found.decision = usable ? Ruling::pass : Ruling::undecided;
  }
}

int check_scenario(const CheckOptions& options, Console& console) {
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  if (options.scenario.dry_run) return show_resolved(*loaded, options.output, console);
  Found found;
  found.thresholds = scenarios::thresholds_of(loaded->value, loaded->composition).value();
  if (found.thresholds.empty() && (options.baseline.empty() || options.required_share > 0.0))
    return refuse("the scenario has no thresholds to check",
                  "add \"slo\": {\"gpu_idle_fraction\": \"< 5 %\"}, or --slo \"gpu_idle_fraction < 5 %\"", console);
  const std::string key = baseline_key(options, *loaded);
  std::optional<reports::RecordedOutcome> before;
  if (!options.baseline.empty()) {
    auto recorded = accepted(options, key, console);
    if (!recorded) return kBadInput;
    before = std::move(*recorded);
  }
  if (!can_deliver_gate(options.output, options.gate, console)) return kBadInput;
  const InterruptWatch watch(gate_options(options).study.max_wall_s);
  find_all(*loaded, std::move(before), options, watch, console, found);
  found.confidence = reports::complete_outcome(found.gate.outcome, *loaded);
  if (found.decision == Ruling::pass && !found.inputs && !options.quick)
    found.open = reports::open_threshold(found.thresholds, *loaded);
  const Json outcome = reports::outcome_json(
      found.gate.outcome, {loaded->resolved, loaded->composition.catalogue_version, found.confidence});
  const reports::RecordedCheck recorded = recorded_of(found, *loaded, outcome, options);
  const auto page = [&] {
    reports::OutcomePageFacts facts{title_of(*loaded, options.scenario), options.output.program};
    facts.origin_of = origins_of(*loaded);
    if (!found.inputs) facts.open_wait = reports::open_wait(found.gate.outcome, *loaded);
    return reports::check_page(recorded, facts);
  };
  int status = deliver_gate(report_of(recorded, found, *loaded, options), reports::check_json(recorded), options.output,
                            options.gate, console, page);
  if (!promote(found, outcome, key, options, console)) status = kBadInput;
  return watch.interrupted() && status != kBadInput ? kInterrupted : status;
}

int run(const CheckOptions& options, Console& console) {
  return with_refusals("check", options.gate, console, [&] { return check_scenario(options, console); });
}

}  // namespace

Verb check() {
  return make_verb<CheckOptions>("check", "check a scenario against thresholds: pass (0), fail (1), undecided (3)",
                                 add_options, run);
}

}  // namespace headrace::cli
