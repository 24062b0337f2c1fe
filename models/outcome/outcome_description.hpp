// Every part of an outcome document, described once and in its order: key, value, meaning. The writer, the reader and
// the schema in reports/ are visitors V of these descriptions. The writer changes nothing.
//
//   number, count, flag, text, texts, choice, interval, pair    one value; an absent optional stands as null
//   derived            follows from other values: written, not read
//   finite             a number that is never infinite
//   record, list       one or several described records; list_or_null where there may be no list at all
//   list_of_kinds      records of several kinds, which the writer is given one by one
//   optional, part     a record that may be absent: null or no key; its keys beside those of the record around it
//   group              an object that is no record of its own
//   map                an object whose keys are names: Keys<T> says which
//   value, items       what stands under a key of a map, where it is no object
//   others             numbers under further keys, whatever these are
//   when               keys that stand only under a condition
//
// Left out of the document under `Missing::left_out`: an absent or empty value, with its key.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/hops/resource.hpp"
#include "models/outcome/confidence.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/outcome/outcome.hpp"
#include "models/outcome/outcome_metrics.hpp"

namespace headrace::models {

enum class Missing : std::uint8_t { null, left_out };

/// What only the schema tells of a map: its meaning, and the name under which it keeps the schema of an entry.
struct MapFacts {
  std::string_view meaning = {};
  std::string_view definition = {};
};

/// Share of the points of the input ranges with a verdict.
struct VerdictShare {
  Verdict verdict = Verdict::inconclusive;
  double share = 0.0;
};

/// The names under which values of a map stand. `set` is false for a name that is none of them.
template <class T>
struct Keys;

template <>
struct Keys<Metric> {
  static std::vector<std::string_view> all() {
    std::vector<std::string_view> names;
    for (const MetricDescription& metric : kMetricDescriptions) names.push_back(metric.name);
    return names;
  }
  static std::string_view of(const Metric& metric) { return metric.name; }
  static bool set(Metric& metric, std::string_view name) {
    metric.name = name;
    return true;
  }
};

/// Of what is said about a metric: MetricDrivers, MetricTornado.
template <class T>
requires requires(T item) { item.metric; }
struct Keys<T> {
  static std::vector<std::string_view> all() {
    return std::is_same_v<T, MetricTornado> ? headline_metrics() : Keys<Metric>::all();
  }
  static std::string_view of(const T& item) { return item.metric; }
  static bool set(T& item, std::string_view name) {
    item.metric = name;
    return true;
  }
};

/// Of an enumerator by its name.
template <class T, auto Member, const auto& Names>
struct EnumeratorKeys {
  static std::vector<std::string_view> all() { return {Names.begin(), Names.end()}; }
  static std::string_view of(const T& item) { return Names[static_cast<std::size_t>(item.*Member)]; }
  static bool set(T& item, std::string_view name) {
    const auto found = std::find(Names.begin(), Names.end(), name);
    if (found == Names.end()) return false;
    item.*Member = static_cast<std::remove_reference_t<decltype(item.*Member)>>(found - Names.begin());
    return true;
  }
};
template <>
struct Keys<StageShare> : EnumeratorKeys<StageShare, &StageShare::stage, kStageNames> {};
template <>
struct Keys<GpuStateShare> : EnumeratorKeys<GpuStateShare, &GpuStateShare::state, kGpuStateNames> {};
template <>
struct Keys<VerdictShare> : EnumeratorKeys<VerdictShare, &VerdictShare::verdict, kVerdictNames> {};

template <class V>
void describe(LoadTimeQuantiles& quantiles, V& v) {
  v.number("p50", quantiles.p50_s, "quantile over batches");
  v.number("p90", quantiles.p90_s, "quantile over batches");
  v.number("p99", quantiles.p99_s, "quantile over batches");
  v.number("p999", quantiles.p999_s, "quantile over batches");
}

/// Metrics, and the quantiles that stand in the entry of batch_load_time_s.
template <class V>
void describe_metrics(std::vector<Metric>& metrics, std::optional<LoadTimeQuantiles>& quantiles, V& v) {
  v.map("metrics", metrics, {.definition = "metric"}, [&](Metric& metric, auto& entry) {
    const MetricDescription& traits = traits_of(metric.name);
    entry.about({traits.meaning, " Unit: ", traits.unit, "."});
    entry.number("mean", metric.mean, "mean over the measured time");
    entry.interval("ci95", metric.ci95);
    entry.derived("unit", "unit of mean and intervals; 1 is a share of the whole", [&] { return traits.unit; });
    entry.choice("kind", metric.kind, kAnswerKindNames, "which level of answer gave the number");
    entry.interval("input_range", metric.input_range, Missing::left_out);
    if (metric.name == "batch_load_time_s") entry.part(quantiles);
  });
}

template <class V>
void describe_states(std::vector<GpuStateShare>& states, V& v) {
  v.map("gpu_states", states, {.meaning = "Partition of elapsed GPU time; the shares sum to 1."},
        [](GpuStateShare& state, auto& entry) { entry.value(state.share, "share of elapsed GPU time"); });
}

/// Blame separates queueing from service; the two sum to the mean.
template <class V>
void describe_blame(std::vector<StageShare>& blame, V& v) {
  v.map("blame", blame,
        {.meaning = "Share of GPU time that waits because of a stage; sums to gpu_idle_fraction.",
         .definition = "blame_share"},
        [](StageShare& share, auto& entry) {
          entry.number("mean", share.mean, "share of elapsed GPU time");
          entry.interval("ci95", share.ci95);
          entry.number("queueing", share.queueing, "part of the mean spent queueing");
          entry.derived("service", "part of the mean spent in service", [&] { return share.mean - share.queueing; });
        });
}

template <class V>
void describe_relief(std::vector<StageShare>& relief, V& v) {
  v.map(
      "relief", relief,
      {.meaning = "Share of GPU time that would be won if a stage were infinitely fast.", .definition = "relief_share"},
      [](StageShare& share, auto& entry) {
        entry.number("mean", share.mean, "share of elapsed GPU time");
        entry.interval("ci95", share.ci95);
      });
}

template <class V>
void describe(PrecisionReport& precision, V& v) {
  v.number("asked", precision.asked, "half-width asked for of the step time's interval, relative");
  v.number("reached", precision.reached, "longer arm of that interval, relative; null without one");
  v.number("idle_asked", precision.idle_asked, "half-width asked for of gpu_idle_fraction");
  v.number("idle_reached", precision.idle_reached, "longer arm of that interval; null without one");
  v.flag("met", precision.met, "both reached, on enough data");
}

template <class V>
void describe(StationReport& station, V& v) {
  v.text("name", station.name, "resource on the path");
  v.choice("resource", station.resource, kResourceKeys, "what kind of resource it is");
  v.text("owner", station.owner, "store, pool or job that it belongs to; where several jobs run", Missing::left_out);
  v.number("utilization", station.utilization, "demand over capacity in the measured time");
  v.number("capacity", station.capacity, "in unit");
  v.number("throughput", station.throughput, "in unit");
  v.text("unit", station.unit, "unit of capacity and throughput");
  v.number("queue_time_mean_s", station.queue_time_mean_s, "mean time in its queue per batch");
  v.number("floor_step_time_s", station.floor_step_time_s, "step time if this resource alone were the limit");
  v.choice("stage", station.stage, kStageNames, "stage of a batch that uses it");
}

template <class V>
void describe(WindowReport& window, V& v) {
  v.number("position", window.position, "middle of the window in the epoch, 0 to 1");
  v.number("weight", window.weight, "share of the epoch's steps");
  v.number("hit_ratio", window.hit_ratio, "share of samples found in the node cache");
  v.number("step_time_s", window.step_time_s, "mean step time in the window");
  v.count("warm_up_steps", window.warm_up_steps, "steps simulated and left out");
  v.count("measured_steps", window.measured_steps, "steps measured");
  v.text("control", window.control, "control variate by the uncontended twin: applied, or why not");
  v.number("variance_cut", window.variance_cut, "variance of the mean step time without control over that with it");
}

template <class V>
void describe(StallReport& stall, V& v) {
  v.choice("stage", stall.stage, kStageNames, "stage whose operations stall");
  v.number("per_operation", stall.per_operation, "probability that an operation stalls");
  v.number("duration_s", stall.duration_s, "mean time of a stalled operation");
  v.number("stalled_steps", stall.stalled_steps, "share of the steps that meet a stall: 1 - (1 - p)^n");
  v.group("delay_s", [&](auto& delay) {
    delay.number("mean", stall.delay_s, "delay of the job per such step");
    delay.interval("ci95", stall.delay_ci95);
  });
  v.number("share", stall.share, "share of elapsed time that they take; part of every mean");
}

template <class V>
void describe(ReplicationReport& run, V& v) {
  v.text("job", run.job, "name of the job; of a job beside others", Missing::left_out);
  v.count("window", run.window, "index among the windows; null: the first epoch, with cold caches");
  v.count("replication", run.replication, "--replay SEED:REPLICATION with these steps repeats it");
  v.count("steps", run.steps, "steps simulated");
  v.count("warm_up_steps", run.warm_up_steps, "of these, left out of the means");
  v.number("elapsed_s", run.elapsed_s, "simulated time, up to the end of the last step");
  v.number("step_time_s", run.step_time_s, "mean after the warm-up");
  v.number("gpu_utilization", run.gpu_utilization, "compute share after the warm-up");
  v.number("gpu_idle_fraction", run.gpu_idle_fraction, "share of waiting for data after the warm-up");
}

template <class V>
void describe(LedgerLine& line, V& v) {
  v.text("item", line.item, "what is paid for");
  v.number("quantity", line.quantity, "per epoch, in unit");
  v.text("unit", line.unit, "unit of quantity");
  v.number("usd", line.usd, "US dollars per epoch");
  if constexpr (V::kReads) line.by_time = grows_with_time(line);
}

template <class V>
void describe(JobReport& job, V& v) {
  v.text("name", job.name, "name of the job");
  v.when(job.is_beside_others(), [&] {
    v.count("copies", job.copies, "like jobs that it stands for; metrics are their means");
    v.count("nodes", job.nodes, "of all copies");
    v.count("gpus", job.gpus, "of all copies");
    v.choice("verdict", job.verdict, kVerdictNames, "the answer in a word");
    v.choice("binding", job.binding, kStageNames, "Stage with the largest relief; null when no stage binds.");
  });
  describe_metrics(job.metrics, job.batch_load_time, v);
  v.when(job.is_beside_others(), [&] {
    describe_states(job.gpu_states, v);
    describe_blame(job.blame, v);
    describe_relief(job.relief, v);
    v.list("windows", job.windows, "windows of the job's epoch");
  });
  v.list("ledger", job.ledger, "what one epoch of the job (of one copy) costs");
}

template <class V>
void describe(LoadReport& load, V& v) {
  v.text("name", load.name, "name of the background load");
  v.number("asked_bytes_per_s", load.asked_bytes_per_s, "mean bandwidth that it asks for");
  v.number("served_bytes_per_s", load.served_bytes_per_s, "bandwidth that it got; null unless simulated");
}

template <class V>
void describe(ExtrapolatedDimension& dimension, V& v) {
  v.text("dimension", dimension.dimension, "what lies outside");
  v.number("value", dimension.value, "of the scenario");
  v.pair("validated", dimension.low, dimension.high, "range of the validated cases");
  v.number("factor", dimension.factor, "beyond the nearer end of that range");
}

template <class V>
void describe(ErrorBand& error, V& v) {
  v.text("metric", error.metric, "what was compared");
  v.text("unit", error.unit, "unit of mean and largest");
  v.number("mean", error.mean, "of the absolute errors over the group's cases");
  v.number("largest", error.largest, "of the absolute errors over the group's cases");
  v.count("cases", error.cases, "cases of the group that were compared");
}

template <class V>
void describe(MeasuredPart& part, V& v) {
  v.text("part", part.part, "part of the model in use");
  v.record("error", part.error, "how far the model was from the measurements");
  v.list("extrapolates", part.extrapolates, "what lies outside the range that was measured");
  v.text("machine", part.machine, "layer of the machine on which a real pipeline was compared", Missing::left_out);
  v.text("system", part.system, "what was measured", Missing::left_out);
  v.text("source", part.source, "publication, or program and version", Missing::left_out);
  v.text("date", part.date, "of the publication or of the run", Missing::left_out);
}

template <class V>
void describe(EvidenceReport& evidence, V& v) {
  v.text("nearest_case", evidence.nearest_case,
         "computed reference case nearest to the scenario, which is no measurement; empty when none is");
  v.optional("error", evidence.error, "How far the model was from the nearest group of computed reference cases.");
  v.list("extrapolates", evidence.extrapolates, "dimensions outside the range of those cases");
  v.list("measured", evidence.measured,
         "parts of the model in use that were held against measurements, published or made by this project",
         Missing::left_out);
  v.texts("not_validated", evidence.not_validated, "parts of the model in use that no reference case holds");
  v.choices("not_validated_stages", evidence.not_validated_stages, kStageNames, "stages that those parts describe");
  v.text("assumed", evidence.assumed, "the assumed figure that limits the answer", Missing::left_out);
}

template <class V>
void describe(Confidence& confidence, V& v) {
  v.choice("grade", confidence.grade, kConfidenceGradeNames, "how far the answer can be trusted");
  v.text("reason", confidence.reason, "why it has this grade");
  v.flag("may_change_verdict", confidence.may_change_verdict,
         "what the evidence leaves open is enough to turn the verdict");
}

template <class V>
void describe(EstimateReport& estimate, V& v) {
  v.number("certified_error", estimate.certified_error, "of the step time, relative; null: for ranking only");
}

template <class V>
void describe(InputEffect& effect, V& v) {
  v.text("parameter", effect.parameter, "JSON pointer of the figure");
  v.number("share", effect.share, "share of the metric's variance that it alone causes");
}

template <class V>
void describe(InputBar& bar, V& v) {
  v.text("parameter", bar.parameter, "JSON pointer of the figure");
  v.number("at_low", bar.at_low, "the metric with the figure at the low end of its range");
  v.number("at_high", bar.at_high, "the metric with the figure at the high end of its range");
}

template <class V>
void describe(DrawnInput& input, V& v) {
  constexpr std::array kEvidence = {evidence_name(Evidence::assumed), evidence_name(Evidence::datasheet),
                                    evidence_name(Evidence::published), evidence_name(Evidence::measured)};
  v.text("parameter", input.parameter, "JSON pointer of the figure");
  v.number("value", input.value, "in the scenario; the mean of a law");
  v.number("low", input.low, "lower end of the range drawn");
  v.number("high", input.high, "upper end of the range drawn");
  v.unit("unit", input.unit, "unit of value, low and high");
  v.choice("evidence", input.evidence, kEvidence, "how the figure is known");
  v.flag("stated", input.stated, "the scenario states the range");
}

template <class V>
void describe(InputReport& report, V& v) {
  v.count("points", report.points, "points of the input ranges that were answered at this outcome's level");
  v.count("bound_points", report.bound_points, "points that the flow bound answered to sharpen the others");
  v.count("steps", report.steps, "steps simulated per point; 0: not simulated");
  v.list("drawn", report.inputs, "the uncertain figures");
  v.map("drivers", report.drivers, {.meaning = "what moves each metric", .definition = "input_effects"},
        [](MetricDrivers& drivers, auto& entry) { entry.items(drivers.effects, "largest share first"); });
  v.map("tornado", report.tornado,
        {.meaning = "step time, waits, epoch and cost with one figure at an end of its range", .definition = "tornado"},
        [](MetricTornado& tornado, auto& entry) {
          entry.number("middle", tornado.middle,
                       "the metric with every figure as the scenario states it, answered in the same way as the ends");
          entry.list("bars", tornado.bars, "widest first; all other figures as the scenario states them");
        });
  v.texts("measure_next", report.measure_next, "the figures that move the answer most, at most three");
  std::vector<VerdictShare> verdicts;
  for (std::size_t i = 0; i < report.verdicts.size(); ++i)
    if (report.verdicts[i] > 0.0) verdicts.push_back({static_cast<Verdict>(i), report.verdicts[i]});
  v.map("verdicts", verdicts, {.meaning = "share of the points with each verdict"},
        [](VerdictShare& share, auto& entry) { entry.value(share.share, "share of the points with this verdict"); });
  if constexpr (!V::kReads) return;
  for (const VerdictShare& share : verdicts) report.verdicts[static_cast<std::size_t>(share.verdict)] = share.share;
}

template <class V>
void describe(SizingInput& input, V& v) {
  v.text("symbol", input.symbol, "as it stands in the formula");
  v.text("from", input.from, "JSON pointer of the scenario, or name of a metric or figure");
  v.number("value", input.value, "in unit");
  v.text("unit", input.unit, "SI unit, or empty for a number");
}

template <class V>
void describe(SizingFigure& figure, V& v) {
  v.figure("name", figure.description, "figure of the sizing sheet: headrace explain NAME");
  v.sizing_room("room", figure.room, "group of figures");
  v.text("job", figure.job, "name of the job");
  v.number("value", figure.value, "in unit");
  v.derived("unit", "SI unit; 1 is a share of the whole, empty a number", [&] { return figure.description->unit; });
  v.derived("formula", "what was worked out, in the symbols of the inputs",
            [&] { return figure.description->formula; });
  v.list("inputs", figure.inputs, "what went in");
  v.derived("source", "where the formula comes from", [&] { return figure.description->source; });
}

template <class V>
void describe(SizingGap& gap, V& v) {
  v.figure("name", gap.description, "figure that the scenario does not say enough for");
  v.sizing_room("room", gap.room, "group of figures");
  v.text("job", gap.job, "name of the job");
  v.derived("needs", "what to give", [&] { return gap.description->needs; });
}

template <class V>
void describe(SizingSheet& sheet, V& v) {
  v.list("sizing", sheet.figures, "figures by formula; with the verb bound");
  v.list("sizing_missing", sheet.missing, "figures whose inputs the scenario does not state");
}

template <class V>
void describe(RemedyReport& remedy, V& v) {
  v.text("change", remedy.change, "what to do");
  v.text("parameter", remedy.parameter, "what it changes: headrace explain NAME");
  v.text("options", remedy.options, "options that try it; empty where it takes other machines");
  v.number("gain", remedy.gain, "share of GPU time that the same work takes less");
  v.when(remedy.lost_after.has_value(), [&] {
    v.number("lost_after", remedy.lost_after, "share of GPU time lost then, where the change shortens more than waits");
  });
  v.choice("kind", remedy.kind, kAnswerKindNames, "level of the answers whose difference the gain is");
  v.choice("confidence", remedy.grade, kConfidenceGradeNames,
           "grade of an estimate of the changed configuration, inputs taken as known");
  v.number("cost_per_epoch_change_usd", remedy.cost_usd, "cost of an epoch, more than now; null: no prices are stated");
}

template <class V>
void describe(Warning& warning, V& v) {
  v.text("seen", warning.seen, "what was seen");
  v.text("cause", warning.cause, "why; may be empty");
  v.text("fix", warning.fix, "what to do about it; may be empty");
}

template <class V>
void describe(Outcome& outcome, V& v) {
  v.text("scenario_sha256", outcome.scenario_sha256, "SHA-256 of the resolved scenario");
  v.count("seed", outcome.seed, "seed of all random draws");
  v.choice("verdict", outcome.verdict, kVerdictNames, "the answer in a word");
  v.choice("binding", outcome.binding, kStageNames, "Stage with the largest relief; null when no stage binds.");
  v.text("stopped_by", outcome.stopped_by,
         "precision, steps, max_steps, other_starts, max_wall, interrupted or closed_form");
  v.count("steps", outcome.steps, "--steps that repeats the run");
  v.when(outcome.sampled_nodes > 0,
         [&] { v.count("sampled_nodes", outcome.sampled_nodes, "nodes that were simulated and stand for all"); });
  v.text("scope", outcome.scope, "what the answer is of, where the scenario's campaign has more", Missing::left_out);
  v.optional("precision", outcome.precision, "How narrow the intervals are; null unless simulated.");
  describe_metrics(outcome.metrics, outcome.batch_load_time, v);
  describe_states(outcome.gpu_states, v);
  describe_blame(outcome.blame, v);
  describe_relief(outcome.relief, v);
  v.list("stations", outcome.stations, "resources on the path");
  v.list("windows", outcome.windows, "parts of the epoch that were simulated");
  v.list("rare_stalls", outcome.rare_stalls, "stalls too rare to wait for, measured by placing them");
  v.list("replications", outcome.replications, "figures of each replication of each window");
  v.list("ledger", outcome.ledger, "cost of one steady epoch, line by line");
  v.list("jobs", outcome.jobs,
         "metrics of each job; a lone job has its name, metrics and ledger only, since the outcome itself says the "
         "rest");
  v.list("background", outcome.background, "background load, where the scenario has any", Missing::left_out);
  Confidence confidence = confidence_of(outcome);  // follows from the rest: written, not read
  v.record("confidence", confidence, "how far the result can be trusted, in one grade");
  v.record("evidence", outcome.evidence, "the cases and measurements near the scenario");
  v.optional("estimate", outcome.estimate, "What an estimate promises; with bound --level estimate.",
             Missing::left_out);
  v.optional("inputs", outcome.inputs, "What the uncertainty of inputs leaves open; with --inputs ranges.",
             Missing::left_out);
  v.part(outcome.sizing);
  v.optional("first_remedy", outcome.remedy, "What to change first; where GPUs wait for data and a change helps.",
             Missing::left_out);
  v.list("more_remedies", outcome.more_remedies, "what helps instead of the first one, the largest gain first",
         Missing::left_out);
  v.list("warnings", outcome.warnings, "what the reader should know");
}

}  // namespace headrace::models
