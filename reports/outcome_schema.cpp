#include "reports/outcome_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/input_study.hpp"
#include "models/outcome.hpp"
#include "models/outcome_metrics.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

Json reference(std::string_view name) { return {{"$ref", fmt::format("#/$defs/{}", name)}}; }

Json typed(std::string_view type, std::string_view description) {
  return {{"type", type}, {"description", description}};
}

/// Infinity and not-a-number have no place in JSON: they read null.
Json number(std::string_view description) {
  return {{"type", Json::array({"number", "null"})}, {"description", description}};
}

template <class Names>
Json one_of(const Names& names, std::string_view description) {
  Json values = Json::array();
  for (const auto& name : names) values.push_back(name);
  return {{"enum", values}, {"description", description}};
}

/// An object with exactly these properties, all required except those named in `optional`.
Json closed_object(Json properties, const std::vector<std::string>& optional = {}) {
  Json required = Json::array();
  for (const auto& [key, value] : properties.items())
    if (std::find(optional.begin(), optional.end(), key) == optional.end()) required.push_back(key);
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json list_of(Json items, std::string_view description) {
  return {{"type", "array"}, {"items", std::move(items)}, {"description", description}};
}

Json metric_definition(bool quantiles) {
  Json properties{{"mean", number("mean over the measured time")},
                  {"ci95", reference("interval_or_null")},
                  {"unit", typed("string", "unit of mean and intervals; 1 is a share of the whole")},
                  {"kind", one_of(models::kAnswerKindNames, "which level of answer gave the number")},
                  {"input_range", reference("interval_or_null")}};
  if (!quantiles) return closed_object(std::move(properties), {"input_range"});
  for (const char* quantile : {"p50", "p90", "p99", "p999"}) properties[quantile] = number("quantile over batches");
  return closed_object(std::move(properties), {"input_range", "p50", "p90", "p99", "p999"});
}

Json metrics_schema() {
  Json properties = Json::object();
  for (const models::MetricDescription& metric : models::kMetricDescriptions) {
    Json entry = reference(metric.name == "batch_load_time_s" ? "metric_with_quantiles" : "metric");
    entry["description"] = fmt::format("{} Unit: {}.", metric.meaning, metric.unit);
    properties[std::string(metric.name)] = std::move(entry);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json stages_schema(std::string_view definition, std::string_view description) {
  Json properties = Json::object();
  for (const std::string_view stage : models::kStageNames) properties[std::string(stage)] = reference(definition);
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"additionalProperties", false},
          {"description", description}};
}

Json states_schema() {
  Json properties = Json::object();
  for (const std::string_view state : models::kGpuStateNames)
    properties[std::string(state)] = number("share of elapsed GPU time");
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"additionalProperties", false},
          {"description", "Partition of elapsed GPU time; the shares sum to 1."}};
}

Json station_schema() {
  return closed_object({{"name", typed("string", "resource on the path")},
                        {"utilization", number("demand over capacity in the measured time")},
                        {"capacity", number("in unit")},
                        {"throughput", number("in unit")},
                        {"unit", typed("string", "unit of capacity and throughput")},
                        {"queue_time_mean_s", number("mean time in its queue per batch")},
                        {"floor_step_time_s", number("step time if this resource alone were the limit")}});
}

Json window_schema() {
  return closed_object({{"position", number("middle of the window in the epoch, 0 to 1")},
                        {"weight", number("share of the epoch's steps")},
                        {"hit_ratio", number("share of samples found in the node cache")},
                        {"step_time_s", number("mean step time in the window")},
                        {"warm_up_steps", typed("integer", "steps simulated and left out")},
                        {"measured_steps", typed("integer", "steps measured")},
                        {"control", typed("string", "control variate by the uncontended twin: applied, or why not")},
                        {"variance_cut", number("variance of the mean step time without control over that with it")}});
}

Json stall_schema() {
  return closed_object({{"stage", one_of(models::kStageNames, "stage whose operations stall")},
                        {"per_operation", number("probability that an operation stalls")},
                        {"duration_s", number("mean time of a stalled operation")},
                        {"stalled_steps", number("share of the steps that meet a stall: 1 - (1 - p)^n")},
                        {"delay_s", closed_object({{"mean", number("delay of the job per such step")},
                                                   {"ci95", reference("interval_or_null")}})},
                        {"share", number("share of elapsed time that they take; part of every mean")}});
}

Json precision_schema() {
  Json object = closed_object({{"asked", number("half-width asked for of the step time's interval, relative")},
                               {"reached", number("longer arm of that interval, relative; null without one")},
                               {"idle_asked", number("half-width asked for of gpu_idle_fraction")},
                               {"idle_reached", number("longer arm of that interval; null without one")},
                               {"met", typed("boolean", "both reached, on enough data")}});
  object["type"] = Json::array({"object", "null"});
  object["description"] = "How narrow the intervals are; null unless simulated.";
  return object;
}

Json replication_schema() {
  return closed_object({{"job", typed("string", "name of the job; of a job beside others")},
                        {"window",
                         {{"type", Json::array({"integer", "null"})},
                          {"description", "index among the windows; null: the first epoch, with cold caches"}}},
                        {"replication", typed("integer", "--replay SEED:REPLICATION with these steps repeats it")},
                        {"steps", typed("integer", "steps simulated")},
                        {"warm_up_steps", typed("integer", "of these, left out of the means")},
                        {"elapsed_s", number("simulated time, up to the end of the last step")},
                        {"step_time_s", number("mean after the warm-up")},
                        {"gpu_utilization", number("compute share after the warm-up")},
                        {"gpu_idle_fraction", number("share of waiting for data after the warm-up")}},
                       {"job"});
}

Json ledger_schema() {
  return closed_object({{"item", typed("string", "what is paid for")},
                        {"quantity", number("per epoch, in unit")},
                        {"unit", typed("string", "unit of quantity")},
                        {"usd", number("US dollars per epoch")}});
}

Json error_schema() {
  return closed_object({{"metric", typed("string", "what was compared")},
                        {"unit", typed("string", "unit of mean and largest")},
                        {"mean", number("of the absolute errors over the group's cases")},
                        {"largest", number("of the absolute errors over the group's cases")},
                        {"cases", typed("integer", "cases of the group that were compared")}});
}

Json evidence_schema() {
  Json error = error_schema();
  error["type"] = Json::array({"object", "null"});
  error["description"] = "How far the model was from the nearest group of validated cases.";
  const Json dimension = closed_object({{"dimension", typed("string", "what lies outside")},
                                        {"value", number("of the scenario")},
                                        {"validated",
                                         {{"type", "array"},
                                          {"items", {{"type", "number"}}},
                                          {"minItems", 2},
                                          {"maxItems", 2},
                                          {"description", "range of the validated cases"}}},
                                        {"factor", number("beyond the nearer end of that range")}});
  const Json part =
      closed_object({{"part", typed("string", "part of the model in use, and the measurements")},
                     {"error", error_schema()},
                     {"extrapolates", list_of(dimension, "what lies outside the range that was measured")}});
  return closed_object(
      {{"nearest_case", typed("string", "validated case nearest to the scenario; empty when none is")},
       {"error", std::move(error)},
       {"extrapolates", list_of(dimension, "dimensions outside the validated range")},
       {"measured", list_of(part, "parts of the model in use that were held against published measurements")},
       {"not_validated", list_of({{"type", "string"}}, "parts of the model in use that no reference case holds")}},
      {"measured"});
}

Json estimate_schema() {
  Json schema = closed_object({{"certified_error", number("of the step time, relative; null: for ranking only")}});
  schema["description"] = "What an estimate promises; with bound --level estimate.";
  return schema;
}

Json effect_schema() {
  return closed_object({{"parameter", typed("string", "JSON pointer of the figure")},
                        {"share", number("share of the metric's variance that it alone causes")}});
}

Json drawn_schema() {
  constexpr std::string_view kEvidence[] = {"assumed", "datasheet", "published", "measured"};
  return closed_object({{"parameter", typed("string", "JSON pointer of the figure")},
                        {"value", number("in the scenario; the mean of a law")},
                        {"low", number("lower end of the range drawn")},
                        {"high", number("upper end of the range drawn")},
                        {"unit", typed("string", "unit of value, low and high")},
                        {"evidence", one_of(kEvidence, "how the figure is known")},
                        {"stated", typed("boolean", "the scenario states the range")}});
}

Json tornado_schema() {
  Json bar = closed_object({{"parameter", typed("string", "JSON pointer of the figure")},
                            {"at_low", number("the metric with the figure at the low end of its range")},
                            {"at_high", number("the metric with the figure at the high end of its range")}});
  return closed_object(
      {{"middle", number("the metric with every figure as the scenario states it, answered in the "
                         "same way as the ends")},
       {"bars", list_of(std::move(bar), "widest first; all other figures as the scenario states them")}});
}

Json inputs_schema() {
  Json drivers = Json::object();
  Json tornado = Json::object();
  for (const models::MetricDescription& metric : models::kMetricDescriptions)
    drivers[std::string(metric.name)] = list_of(effect_schema(), "largest share first");
  for (const std::string_view metric : models::kTornadoMetrics) tornado[std::string(metric)] = tornado_schema();
  Json verdicts = Json::object();
  for (const std::string_view verdict : models::kVerdictNames)
    verdicts[std::string(verdict)] = number("share of the points with this verdict");
  const auto open = [](Json properties, std::string_view description) {
    return Json{{"type", "object"},
                {"properties", std::move(properties)},
                {"additionalProperties", false},
                {"description", description}};
  };
  Json schema = closed_object(
      {{"points", typed("integer", "points of the input ranges that were answered at this outcome's level")},
       {"bound_points", typed("integer", "points that the flow bound answered to sharpen the others")},
       {"steps", typed("integer", "steps simulated per point; 0: not simulated")},
       {"drawn", list_of(drawn_schema(), "the uncertain figures")},
       {"drivers", open(std::move(drivers), "what moves each metric")},
       {"tornado", open(std::move(tornado), "step time, waits, epoch and cost with one figure at an end of its range")},
       {"measure_next", list_of({{"type", "string"}}, "the figures that move the answer most, at most three")},
       {"verdicts", open(std::move(verdicts), "share of the points with each verdict")}});
  schema["description"] = "What the uncertainty of inputs leaves open; with --inputs ranges.";
  return schema;
}

Json warning_schema() {
  return closed_object({{"seen", typed("string", "what was seen")},
                        {"cause", typed("string", "why; may be empty")},
                        {"fix", typed("string", "what to do about it; may be empty")}});
}

Json definitions() {
  const Json pair{{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
  Json share{{"mean", number("share of elapsed GPU time")}, {"ci95", reference("interval_or_null")}};
  Json blame = share;
  blame["queueing"] = number("part of the mean spent queueing");
  blame["service"] = number("part of the mean spent in service");
  return {{"interval_or_null",
           {{"oneOf", Json::array({pair, {{"type", "null"}}})},
            {"description", "[low, high]; ci95 is null unless the number is simulated"}}},
          {"metric", metric_definition(false)},
          {"metric_with_quantiles", metric_definition(true)},
          {"blame_share", closed_object(std::move(blame))},
          {"relief_share", closed_object(std::move(share))}};
}

Json binding_schema() {
  Json names = Json::array();
  for (const std::string_view stage : models::kStageNames) names.push_back(stage);
  names.push_back(nullptr);
  return {{"enum", names}, {"description", "Stage with the largest relief; null when no stage binds."}};
}

Json job_schema() {
  Json schema =
      closed_object({{"name", typed("string", "name of the job")},
                     {"copies", typed("integer", "like jobs that it stands for; metrics are their means")},
                     {"nodes", typed("integer", "of all copies")},
                     {"gpus", typed("integer", "of all copies")},
                     {"verdict", one_of(models::kVerdictNames, "the answer in a word")},
                     {"binding", binding_schema()},
                     {"metrics", metrics_schema()},
                     {"ledger", list_of(ledger_schema(), "what one epoch of the job (of one copy) costs")},
                     {"gpu_states", states_schema()},
                     {"blame", stages_schema("blame_share", "Idle time by the stage that caused it.")},
                     {"relief", stages_schema("relief_share", "Idle time won if a stage were infinitely fast.")},
                     {"windows", list_of(window_schema(), "windows of the job's epoch")}},
                    {"copies", "nodes", "gpus", "verdict", "binding", "gpu_states", "blame", "relief", "windows"});
  schema["description"] =
      "All but name, metrics and ledger: of a job beside others; of a lone job the outcome itself says it.";
  return schema;
}

Json load_schema() {
  return closed_object(
      {{"name", typed("string", "name of the background load")},
       {"asked_bytes_per_s", number("mean bandwidth that it asks for")},
       {"served_bytes_per_s",
        {{"type", Json::array({"number", "null"})}, {"description", "bandwidth that it got; null unless simulated"}}}});
}

Json sizing_schema() {
  const Json input =
      closed_object({{"symbol", typed("string", "as it stands in the formula")},
                     {"from", typed("string", "JSON pointer of the scenario, or name of a metric or figure")},
                     {"value", number("in unit")},
                     {"unit", typed("string", "SI unit, or empty for a number")}});
  return closed_object({{"name", typed("string", "figure of the sizing sheet: headrace explain NAME")},
                        {"room", typed("string", "group of figures")},
                        {"job", typed("string", "name of the job")},
                        {"value", number("in unit")},
                        {"unit", typed("string", "SI unit; 1 is a share of the whole, empty a number")},
                        {"formula", typed("string", "what was worked out, in the symbols of the inputs")},
                        {"inputs", list_of(input, "what went in")},
                        {"source", typed("string", "where the formula comes from")}});
}

Json sizing_gap_schema() {
  return closed_object({{"name", typed("string", "figure that the scenario does not say enough for")},
                        {"room", typed("string", "group of figures")},
                        {"job", typed("string", "name of the job")},
                        {"needs", typed("string", "what to give")}});
}

}  // namespace

Json outcome_schema() {
  Json properties{
      {"format_version", {{"const", kOutcomeFormatVersion}}},
      {"model_version", typed("string", "changes whenever predicted numbers change")},
      {"catalogue_version", typed("string", "date of the catalogue of hardware and prices")},
      {"scenario_sha256", typed("string", "SHA-256 of the resolved scenario")},
      {"seed", {{"type", "integer"}, {"minimum", 0}, {"description", "seed of all random draws"}}},
      {"verdict", one_of(models::kVerdictNames, "the answer in a word")},
      {"binding", binding_schema()},
      {"stopped_by", typed("string", "precision, steps, max_steps, max_wall, interrupted or closed_form")},
      {"steps", {{"type", "integer"}, {"minimum", 0}, {"description", "--steps that repeats the run"}}},
      {"precision", precision_schema()},
      {"metrics", metrics_schema()},
      {"gpu_states", states_schema()},
      {"blame",
       stages_schema("blame_share", "Share of GPU time that waits because of a stage; sums to gpu_idle_fraction.")},
      {"relief", stages_schema("relief_share", "Share of GPU time that would be won if a stage were infinitely fast.")},
      {"stations", list_of(station_schema(), "resources on the path")},
      {"windows", list_of(window_schema(), "parts of the epoch that were simulated")},
      {"replications", list_of(replication_schema(), "figures of each replication of each window")},
      {"rare_stalls", list_of(stall_schema(), "stalls too rare to wait for, measured by placing them")},
      {"ledger", list_of(ledger_schema(), "cost of one steady epoch, line by line")},
      {"jobs", list_of(job_schema(), "metrics of each job")},
      {"background", list_of(load_schema(), "background load, where the scenario has any")},
      {"evidence", evidence_schema()},
      {"estimate", estimate_schema()},
      {"inputs", inputs_schema()},
      {"sizing", list_of(sizing_schema(), "figures by formula; with the verb bound")},
      {"sizing_missing", list_of(sizing_gap_schema(), "figures whose inputs the scenario does not state")},
      {"warnings", list_of(warning_schema(), "what the reader should know")},
      {"scenario", typed("object", "the resolved scenario, so that the result can be recomputed")}};
  Json schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Headrace outcome"},
      {"description", "What headrace simulate and headrace bound answer. Generated by: headrace schema outcome"}};
  schema.update(closed_object(std::move(properties), {"background", "estimate", "inputs", "sizing", "sizing_missing"}));
  schema["$defs"] = definitions();
  return schema;
}

}  // namespace headrace::reports
