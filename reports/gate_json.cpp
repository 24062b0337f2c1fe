#include "reports/gate_json.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "models/outcome/outcome_description.hpp"
#include "reports/document_reader.hpp"
#include "reports/document_schema.hpp"
#include "reports/document_writer.hpp"
#include "reports/gate_cases.hpp"

namespace headrace::models {

/// The ways from A to B, in their order.
template <>
struct Keys<reports::ChangePart> {
  static std::vector<std::string_view> all() { return {"model", "catalogue", "scenario"}; }
  static std::string_view of(const reports::ChangePart& part) { return part.name; }
  static bool set(reports::ChangePart& part, std::string_view name) {
    part.name = name;
    return true;
  }
};

template <class V>
void describe_ruling(Ruling& decision, V& v) {
  static constexpr auto kRulings = std::to_array(kRulingNames);
  v.choice("decision", decision, kRulings, "undecided: an interval contains the limit, or too little data");
  v.derived("ok", "the decision is pass", [&] { return decision == Ruling::pass; });
}

template <class V>
void describe(Judgement& judgement, V& v) {
  Threshold& threshold = judgement.threshold;
  v.text("metric", threshold.metric, "full name: METRIC, jobs/NAME/METRIC, batch_load_time_s.p99, blame/STAGE");
  v.text("condition", threshold.condition, "as written");
  v.number("limit", threshold.limit, "in unit");
  v.derived("unit", "of limit, value and interval; 1 is a share of the whole",
            [&] { return reports::metric_unit(threshold.metric); });
  v.number("value", judgement.value, "of the outcome, in unit; null: there is none");
  v.interval("interval", judgement.interval);
  describe_ruling(judgement.decision, v);
  v.text("reason", judgement.reason, "why it is undecided, or failed without an interval; may be empty");
  v.text("pointer", threshold.pointer, "JSON pointer of the threshold in the scenario; may be empty");
}

template <class V>
void describe(PairedDifference& difference, V& v) {
  static constexpr auto kPairings = std::to_array(kPairingNames);
  v.text("metric", difference.metric, "full name: METRIC, jobs/NAME/METRIC, batch_load_time_s.p99, blame/STAGE");
  v.derived("unit", "of a, b and difference; 1 is a share of the whole",
            [&] { return reports::metric_unit(difference.metric); });
  v.number("a", difference.before, "of the first side, in unit");
  v.number("b", difference.after, "of the second side, in unit");
  v.group("difference", [&](auto& entry) {
    entry.number("mean", difference.mean, "b - a, in unit");
    entry.interval("ci", difference.ci);
  });
  v.group("relative", [&](auto& entry) {
    entry.number("mean", difference.relative, "b / a - 1; null: a is 0");
    entry.interval("ci", difference.relative_ci);
  });
  v.choice("pairing", difference.pairing, kPairings, "what the intervals are from");
  v.count("pairs", difference.pairs, "of runs of steps, or of replications");
}

template <class V>
void describe(GainedEpochs& gained, V& v) {
  v.number("a_epochs_per_hour", gained.before_per_hour, "epochs of A");
  v.number("b_epochs_per_hour", gained.after_per_hour, "epochs of B");
  v.number("a_usd_per_hour", gained.before_usd_per_hour, "US dollars for an hour of epochs of A");
  v.number("b_usd_per_hour", gained.after_usd_per_hour, "US dollars for an hour of epochs of B");
  v.number("usd_per_epoch_gained", gained.usd_per_epoch,
           "US dollars for each epoch that B runs more; below 0: it saves; null: no gain is known");
  v.interval("ci", gained.usd_per_epoch_ci);
}

}  // namespace headrace::models

namespace headrace::reports {
namespace {

using models::Missing;

constexpr const char* kModelVersionMeaning = "changes whenever predicted numbers change";
constexpr const char* kIntervalMeaning = "[low, high], of simulation noise; null: exact, or too little data";

}  // namespace

template <class V>
void describe(CheckedInputs& inputs, V& v) {
  models::InputGate& gate = inputs.gate;
  v.number("required", gate.required, "share of the ranges that must pass");
  v.count("draws", gate.draws, "points of the ranges");
  v.count("passed", gate.passed, "of the draws");
  v.count("failed", gate.failed, "of the draws; the others are undecided");
  v.pair("share", gate.share.low, gate.share.high,
         "of the ranges that pass: 99 % interval, undecided draws on both sides");
  static constexpr auto kRulings = std::to_array(models::kRulingNames);
  v.choice("decision", gate.decision, kRulings, "undecided: the interval contains what is required");
  v.text("stopped_by", gate.stopped_by, "decided, draws, max_wall or interrupted");
  v.objects("failing", inputs.failing, "some points that fail: values in SI units by JSON pointer");
  v.list_of("missed", gate.missed, "thresholds that draws miss, and by how much",
            [](models::MissedThreshold& missed, auto& entry) {
              entry.text("metric", missed.threshold.metric, "of the threshold");
              entry.text("condition", missed.threshold.condition, "as written");
              entry.count("draws", missed.draws, "that miss it");
              entry.number("median", missed.median, "of the metric in those draws, in its unit");
              entry.number("worst", missed.worst, "of them");
            });
  v.list("deciding", gate.deciding, "inputs behind most of what passes and fails, the largest share first");
}

template <class V>
void describe(Regression& regression, V& v) {
  static constexpr auto kRulings = std::to_array(models::kRulingNames);
  describe(regression.difference, v);
  v.number("allowed", regression.limit.limit, "change that is no regression, relative or in unit");
  v.flag("relative_limit", regression.limit.relative, "allowed is relative to a");
  v.choice("decision", regression.decision, kRulings, "fail: the change is beyond what is allowed");
}

template <class V>
void describe(CheckedBaseline& baseline, V& v) {
  v.text("file", baseline.file, "that holds it");
  v.text("model_version", baseline.model_version, "of the models that it was accepted with");
  v.text("catalogue_version", baseline.catalogue_version, "date of the catalogue that it was accepted with");
  v.text("scenario_sha256", baseline.scenario_sha256, "of the resolved scenario that was accepted");
  v.flag("paired", baseline.paired,
         "it was computed again, with the same random numbers; false: its recorded numbers were compared");
  v.count("steps", baseline.steps, "of each side, where it was computed again");
  v.count("inputs_that_differ", baseline.inputs_that_differ, "values of the scenario");
  v.list("regressions", baseline.regressions, "what was held against it; a is the baseline, b the scenario");
  v.list("model_change", baseline.model_change, "what other models change in the baseline itself: no regression");
}

template <class V>
void describe(RecordedCheck& check, V& v) {
  v.constant("format_version", "1.0");
  v.text("model_version", check.model_version, kModelVersionMeaning);
  v.text("catalogue_version", check.catalogue_version, "date of the catalogue of hardware and prices");
  v.text("scenario_sha256", check.scenario_sha256, "of the resolved scenario");
  models::describe_ruling(check.decision, v);
  v.text("stopped_by", check.stopped_by,
         "decided, precision, steps, max_steps, other_starts, max_wall, interrupted or bound");
  v.count("looks", check.looks, "simulations, each longer than the one before; 0: the bound decided");
  v.number("widening", check.widening, "factor on the arms of the intervals that decided");
  v.list("thresholds", check.thresholds, "in the order of the scenario");
  v.optional("inputs", check.inputs, "over the ranges of the inputs; with --require", Missing::left_out);
  v.optional("baseline", check.baseline, "against what was accepted last; with --baseline", Missing::left_out);
  v.json("outcome", check.outcome, "the outcome behind it: headrace schema outcome");
  v.text("open", check.open, "a range that nobody asked about, in which a threshold fails; empty: none is known");
  v.text("headline", check.headline, "what was found, in a sentence");
  v.texts("notes", check.notes, "what the reader should know");
}

template <class V>
void describe(ComparedSide& side, V& v) {
  static constexpr std::array<std::string_view, 2> kKinds = {"scenario", "result"};
  auto kind = static_cast<std::size_t>(side.is_result);
  v.text("name", side.name, "as given, with its own changes");
  v.choice("kind", kind, kKinds, "of the file that was given");
  if constexpr (V::kReads) side.is_result = kind == 1;
  v.text("scenario_sha256", side.scenario_sha256, "of the resolved scenario");
  v.text("model_version", side.model_version, kModelVersionMeaning);
  v.text("catalogue_version", side.catalogue_version, "date of the catalogue of hardware and prices");
  v.choice("verdict", side.verdict, models::kVerdictNames, "the answer in a word");
  v.choice("binding", side.binding, models::kStageNames, "stage with the largest relief; null: no stage binds");
  v.record("confidence", side.confidence, "how far the answer can be trusted, in one grade");
  v.record("evidence", side.evidence, "the cases and measurements near the scenario");
}

template <class V>
void describe(InputDifference& input, V& v) {
  v.text("pointer", input.pointer, "JSON pointer of the value");
  v.text_or_null("a", input.before, "the value of A; null: there is none");
  v.text_or_null("b", input.after, "the value of B; null: there is none");
  v.text("origin", input.origin, "where B has it from: file, line and column, catalogue, default");
  v.flag("catalogue", input.catalogue, "the same entry of the catalogue has another figure");
}

template <class V>
void describe(LimitedChange& limit, V& v) {
  v.text("metric", limit.asked.metric, "full name");
  v.text("fail_if", limit.asked.text, "as written");
  v.number("limit", limit.asked.limit, "of the change, relative to A or in the metric's unit");
  v.flag("relative", limit.asked.relative, "limit is relative to A");
  models::describe_ruling(limit.decision, v);
}

template <class V>
void describe(RecordedComparison& comparison, V& v) {
  v.constant("format_version", "1.0");
  v.text("model_version", comparison.model_version, kModelVersionMeaning);
  models::describe_ruling(comparison.decision, v);
  v.record("a", comparison.a, "the first side");
  v.record("b", comparison.b, "the second side");
  v.list("inputs", comparison.inputs, "values in which the two differ");
  v.list("limits", comparison.limits, "changes that must not be: --fail-if");
  v.list("differences", comparison.differences, "of B against A, metric by metric");
  v.map("parts", comparison.parts,
        {.meaning = "causes of the change, where both sides were simulated", .definition = "part"},
        [](ChangePart& part, auto& entry) {
          entry.text("note", part.note, "why it changes nothing, or is not known; may be empty");
          entry.list("differences", part.differences, "what it changes");
        });
  v.optional("gained_epochs", comparison.gained, "what B costs more, for what it does more; null: not known");
  v.number("confidence", comparison.confidence, "of every interval");
  v.count("seed", comparison.seed, "of all random draws; null: saved results were compared");
  v.count("steps", comparison.steps, "of each side");
  v.text("stopped_by", comparison.stopped_by,
         "decided, precision, steps, other_starts, max_wall, interrupted, or recorded: as saved");
  v.text("headline", comparison.headline, "what was found, in a sentence");
  v.texts("notes", comparison.notes, "what the reader should know");
}

nlohmann::ordered_json check_json(const RecordedCheck& recorded) { return described_json(recorded); }
nlohmann::ordered_json comparison_json(const RecordedComparison& recorded) { return described_json(recorded); }

RecordedCheck read_check(const nlohmann::ordered_json& document) { return read_described<RecordedCheck>(document); }
RecordedComparison read_comparison(const nlohmann::ordered_json& document) {
  return read_described<RecordedComparison>(document);
}

nlohmann::ordered_json check_schema() {
  return described_schema<RecordedCheck>(
      "Headrace check", "What headrace check answers. Generated by: headrace schema check", kIntervalMeaning);
}

nlohmann::ordered_json comparison_schema() {
  return described_schema<RecordedComparison>(
      "Headrace comparison", "What headrace compare answers. Generated by: headrace schema compare", kIntervalMeaning);
}

}  // namespace headrace::reports
