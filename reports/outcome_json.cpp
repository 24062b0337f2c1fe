#include "reports/outcome_json.hpp"

#include <nlohmann/json.hpp>

#include "models/model_version.hpp"
#include "models/outcome_metrics.hpp"
#include "scenarios/units.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const std::optional<models::Interval>& interval) {
  if (!interval) return nullptr;
  return Json::array({interval->low, interval->high});
}

Json metric_json(const models::Metric& metric) {
  const models::MetricDescription* description = models::find_metric(metric.name);
  Json json{{"mean", metric.mean},
            {"ci95", interval_json(metric.ci95)},
            {"unit", description ? description->unit : std::string_view("1")},
            {"kind", models::kAnswerKindNames[static_cast<std::size_t>(metric.kind)]}};
  if (metric.input_range) json["input_range"] = interval_json(metric.input_range);
  return json;
}

Json metrics_json(const std::vector<models::Metric>& metrics) {
  Json json = Json::object();
  for (const models::Metric& metric : metrics) json[metric.name] = metric_json(metric);
  return json;
}

void add_load_time_quantiles(Json& metrics, const models::LoadTimeQuantiles& quantiles) {
  Json& entry = metrics["batch_load_time_s"];
  if (entry.is_null()) entry = Json{{"mean", nullptr}, {"ci95", nullptr}, {"unit", "s"}, {"kind", "simulated"}};
  entry["p50"] = quantiles.p50_s;
  entry["p90"] = quantiles.p90_s;
  entry["p99"] = quantiles.p99_s;
  entry["p999"] = quantiles.p999_s;
}

Json states_json(const std::vector<models::GpuStateShare>& states) {
  Json json = Json::object();
  for (const models::GpuStateShare& state : states)
    json[std::string(models::kGpuStateNames[models::index(state.state)])] = state.share;
  return json;
}

/// Blame also tells queueing from service; the two sum to the mean.
Json shares_json(const std::vector<models::StageShare>& shares, bool with_queueing) {
  Json json = Json::object();
  for (const models::StageShare& share : shares) {
    Json entry{{"mean", share.mean}, {"ci95", interval_json(share.ci95)}};
    if (with_queueing) {
      entry["queueing"] = share.queueing;
      entry["service"] = share.mean - share.queueing;
    }
    json[std::string(models::name(share.stage))] = std::move(entry);
  }
  return json;
}

Json stations_json(const std::vector<models::StationReport>& stations) {
  Json json = Json::array();
  for (const models::StationReport& station : stations)
    json.push_back({{"name", station.name},
                    {"utilization", station.utilization},
                    {"capacity", station.capacity},
                    {"throughput", station.throughput},
                    {"unit", station.unit},
                    {"queue_time_mean_s", station.queue_time_mean_s},
                    {"floor_step_time_s", station.floor_step_time_s}});
  return json;
}

Json windows_json(const std::vector<models::WindowReport>& windows) {
  Json json = Json::array();
  for (const models::WindowReport& window : windows)
    json.push_back({{"position", window.position},
                    {"weight", window.weight},
                    {"hit_ratio", window.hit_ratio},
                    {"step_time_s", window.step_time_s},
                    {"warm_up_steps", window.warm_up_steps},
                    {"measured_steps", window.measured_steps},
                    {"control", window.control},
                    {"variance_cut", window.variance_cut}});
  return json;
}

Json stalls_json(const std::vector<models::StallReport>& stalls) {
  Json json = Json::array();
  for (const models::StallReport& stall : stalls)
    json.push_back({{"stage", models::name(stall.stage)},
                    {"per_operation", stall.per_operation},
                    {"duration_s", stall.duration_s},
                    {"stalled_steps", stall.stalled_steps},
                    {"delay_s", {{"mean", stall.delay_s}, {"ci95", interval_json(stall.delay_ci95)}}},
                    {"share", stall.share}});
  return json;
}

Json precision_json(const std::optional<models::PrecisionReport>& precision) {
  if (!precision) return nullptr;
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"asked", precision->asked},
          {"reached", number(precision->reached)},
          {"idle_asked", precision->idle_asked},
          {"idle_reached", number(precision->idle_reached)},
          {"met", precision->met}};
}

Json replications_json(const std::vector<models::ReplicationReport>& replications) {
  Json json = Json::array();
  for (const models::ReplicationReport& run : replications) {
    Json entry = Json::object();
    if (!run.job.empty()) entry["job"] = run.job;
    entry.update({{"window", run.window ? Json(*run.window) : Json(nullptr)},
                  {"replication", run.replication},
                  {"steps", run.steps},
                  {"warm_up_steps", run.warm_up_steps},
                  {"elapsed_s", run.elapsed_s},
                  {"step_time_s", run.step_time_s},
                  {"gpu_utilization", run.gpu_utilization},
                  {"gpu_idle_fraction", run.gpu_idle_fraction}});
    json.push_back(std::move(entry));
  }
  return json;
}

Json ledger_json(const std::vector<models::LedgerLine>& ledger) {
  Json json = Json::array();
  for (const models::LedgerLine& line : ledger)
    json.push_back({{"item", line.item}, {"quantity", line.quantity}, {"unit", line.unit}, {"usd", line.usd}});
  return json;
}

std::string_view verdict_name(models::Verdict verdict) {
  return models::kVerdictNames[static_cast<std::size_t>(verdict)];
}

Json binding_json(const std::optional<models::Stage>& binding) {
  return binding ? Json(models::name(*binding)) : Json(nullptr);
}

Json job_json(const models::JobReport& job) {
  Json json{{"name", job.name}};
  Json metrics = metrics_json(job.metrics);
  if (!job.is_beside_others()) {
    json["metrics"] = std::move(metrics);
    json["ledger"] = ledger_json(job.ledger);
    return json;
  }
  if (job.batch_load_time) add_load_time_quantiles(metrics, *job.batch_load_time);
  json["copies"] = job.copies;
  json["nodes"] = job.nodes;
  json["gpus"] = job.gpus;
  json["verdict"] = verdict_name(job.verdict);
  json["binding"] = binding_json(job.binding);
  json["metrics"] = std::move(metrics);
  json["gpu_states"] = states_json(job.gpu_states);
  json["blame"] = shares_json(job.blame, true);
  json["relief"] = shares_json(job.relief, false);
  json["windows"] = windows_json(job.windows);
  json["ledger"] = ledger_json(job.ledger);
  return json;
}

Json jobs_json(const std::vector<models::JobReport>& jobs) {
  Json json = Json::array();
  for (const models::JobReport& job : jobs) json.push_back(job_json(job));
  return json;
}

Json loads_json(const std::vector<models::LoadReport>& loads) {
  Json json = Json::array();
  for (const models::LoadReport& load : loads)
    json.push_back({{"name", load.name},
                    {"asked_bytes_per_s", load.asked_bytes_per_s},
                    {"served_bytes_per_s", load.served_bytes_per_s ? Json(*load.served_bytes_per_s) : Json(nullptr)}});
  return json;
}

Json warnings_json(const std::vector<models::Warning>& warnings) {
  Json json = Json::array();
  for (const models::Warning& warning : warnings)
    json.push_back({{"seen", warning.seen}, {"cause", warning.cause}, {"fix", warning.fix}});
  return json;
}

Json dimensions_json(const std::vector<models::ExtrapolatedDimension>& dimensions) {
  Json json = Json::array();
  for (const models::ExtrapolatedDimension& d : dimensions)
    json.push_back({{"dimension", d.dimension},
                    {"value", d.value},
                    {"validated", Json::array({d.low, d.high})},
                    {"factor", d.factor}});
  return json;
}

Json error_json(const models::ErrorBand& error) {
  return {{"metric", error.metric},
          {"unit", error.unit},
          {"mean", error.mean},
          {"largest", error.largest},
          {"cases", error.cases}};
}

}  // namespace

Json evidence_json(const models::EvidenceReport& evidence) {
  Json json = {{"nearest_case", evidence.nearest_case},
               {"error", evidence.error ? error_json(*evidence.error) : Json(nullptr)},
               {"extrapolates", dimensions_json(evidence.extrapolates)}};
  if (!evidence.measured.empty()) json["measured"] = Json::array();
  for (const models::MeasuredPart& part : evidence.measured)
    json["measured"].push_back(
        {{"part", part.part}, {"error", error_json(part.error)}, {"extrapolates", dimensions_json(part.extrapolates)}});
  json["not_validated"] = evidence.not_validated;
  return json;
}

namespace {

Json inputs_json(const models::InputReport& report) {
  Json drawn = Json::array();
  for (const models::DrawnInput& input : report.inputs)
    drawn.push_back({{"parameter", input.parameter},
                     {"value", input.value},
                     {"low", input.low},
                     {"high", input.high},
                     {"unit", input.unit == models::Unit::one || input.unit == models::Unit::fraction
                                  ? std::string_view("1")
                                  : scenarios::unit_symbol(input.unit)},
                     {"evidence", models::evidence_name(input.evidence)},
                     {"stated", input.stated}});
  Json drivers = Json::object();
  for (const models::MetricDrivers& metric : report.drivers) {
    Json& list = drivers[metric.metric] = Json::array();
    for (const models::InputEffect& effect : metric.effects)
      list.push_back({{"parameter", effect.parameter}, {"share", effect.share}});
  }
  Json tornado = Json::object();
  for (const models::MetricTornado& metric : report.tornado) {
    Json bars = Json::array();
    for (const models::InputBar& bar : metric.bars)
      bars.push_back({{"parameter", bar.parameter}, {"at_low", bar.at_low}, {"at_high", bar.at_high}});
    tornado[metric.metric] = {{"middle", metric.middle}, {"bars", std::move(bars)}};
  }
  Json verdicts = Json::object();
  for (std::size_t i = 0; i < report.verdicts.size(); ++i)
    if (report.verdicts[i] > 0.0) verdicts[std::string(models::kVerdictNames[i])] = report.verdicts[i];
  return {{"points", report.points},
          {"bound_points", report.bound_points},
          {"steps", report.steps},
          {"drawn", std::move(drawn)},
          {"drivers", std::move(drivers)},
          {"tornado", std::move(tornado)},
          {"measure_next", report.measure_next},
          {"verdicts", std::move(verdicts)}};
}

Json sizing_json(const models::SizingSheet& sheet) {
  Json json = Json::array();
  for (const models::SizingFigure& figure : sheet.figures) {
    Json inputs = Json::array();
    for (const models::SizingInput& input : figure.inputs)
      inputs.push_back({{"symbol", input.symbol}, {"from", input.from}, {"value", input.value}, {"unit", input.unit}});
    json.push_back({{"name", figure.description->name},
                    {"room", figure.room},
                    {"job", figure.job},
                    {"value", figure.value},
                    {"unit", figure.description->unit},
                    {"formula", figure.description->formula},
                    {"inputs", std::move(inputs)},
                    {"source", figure.description->source}});
  }
  return json;
}

Json sizing_missing_json(const models::SizingSheet& sheet) {
  Json json = Json::array();
  for (const models::SizingGap& gap : sheet.missing)
    json.push_back(
        {{"name", gap.description->name}, {"room", gap.room}, {"job", gap.job}, {"needs", gap.description->needs}});
  return json;
}

}  // namespace

Json outcome_json(const models::Outcome& outcome, const Provenance& provenance) {
  Json metrics = metrics_json(outcome.metrics);
  if (outcome.batch_load_time) add_load_time_quantiles(metrics, *outcome.batch_load_time);
  Json json;
  json["format_version"] = kOutcomeFormatVersion;
  json["model_version"] = models::kModelVersion;
  json["catalogue_version"] = provenance.catalogue_version;
  json["scenario_sha256"] = outcome.scenario_sha256;
  json["seed"] = outcome.seed;
  json["verdict"] = verdict_name(outcome.verdict);
  json["binding"] = binding_json(outcome.binding);
  json["stopped_by"] = outcome.stopped_by;
  json["steps"] = outcome.steps;
  json["precision"] = precision_json(outcome.precision);
  json["metrics"] = std::move(metrics);
  json["gpu_states"] = states_json(outcome.gpu_states);
  json["blame"] = shares_json(outcome.blame, true);
  json["relief"] = shares_json(outcome.relief, false);
  json["stations"] = stations_json(outcome.stations);
  json["windows"] = windows_json(outcome.windows);
  json["rare_stalls"] = stalls_json(outcome.rare_stalls);
  json["replications"] = replications_json(outcome.replications);
  json["ledger"] = ledger_json(outcome.ledger);
  json["jobs"] = jobs_json(outcome.jobs);
  if (!outcome.background.empty()) json["background"] = loads_json(outcome.background);
  json["evidence"] = evidence_json(outcome.evidence);
  if (outcome.estimate) {
    const std::optional<double>& error = outcome.estimate->certified_error;
    json["estimate"] = {{"certified_error", error ? Json(*error) : Json(nullptr)}};
  }
  if (outcome.inputs) json["inputs"] = inputs_json(*outcome.inputs);
  if (outcome.sizing) {
    json["sizing"] = sizing_json(*outcome.sizing);
    json["sizing_missing"] = sizing_missing_json(*outcome.sizing);
  }
  json["warnings"] = warnings_json(outcome.warnings);
  json["scenario"] = provenance.scenario;
  return json;
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headrace::reports
