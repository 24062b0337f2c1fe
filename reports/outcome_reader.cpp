#include "reports/outcome_reader.hpp"

#include <algorithm>

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::uint64_t count(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

std::string text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<models::Interval> interval(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->size() != 2) return std::nullopt;
  if (!(*found)[0].is_number() || !(*found)[1].is_number()) return std::nullopt;
  return models::Interval{(*found)[0].get<double>(), (*found)[1].get<double>()};
}

template <class E, std::size_t N>
E named(const std::array<std::string_view, N>& names, const std::string& name, E otherwise) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? otherwise : static_cast<E>(found - names.begin());
}

std::vector<models::Metric> metrics(const Json& json) {
  std::vector<models::Metric> all;
  for (const auto& [name, entry] : json.items()) {
    if (!entry.is_object() || !entry.contains("mean") || !entry["mean"].is_number()) continue;
    models::Metric metric;
    metric.name = name;
    metric.mean = number(entry, "mean");
    metric.ci95 = interval(entry, "ci95");
    metric.input_range = interval(entry, "input_range");
    metric.kind = named(models::kAnswerKindNames, text(entry, "kind"), models::AnswerKind::simulated);
    all.push_back(std::move(metric));
  }
  return all;
}

std::optional<models::LoadTimeQuantiles> quantiles(const Json& metrics) {
  const auto found = metrics.find("batch_load_time_s");
  if (found == metrics.end() || !found->is_object() || !found->contains("p99")) return std::nullopt;
  return models::LoadTimeQuantiles{number(*found, "p50"), number(*found, "p90"), number(*found, "p99"),
                                   number(*found, "p999")};
}

std::vector<models::StageShare> shares(const Json& json) {
  std::vector<models::StageShare> all;
  for (const auto& [name, entry] : json.items()) {
    const auto found = std::find(models::kStageNames.begin(), models::kStageNames.end(), name);
    if (found == models::kStageNames.end() || !entry.is_object()) continue;
    all.push_back({static_cast<models::Stage>(found - models::kStageNames.begin()), number(entry, "mean"),
                   interval(entry, "ci95"), number(entry, "queueing")});
  }
  return all;
}

std::vector<models::WindowReport> windows(const Json& json) {
  std::vector<models::WindowReport> all;
  for (const Json& entry : json) {
    models::WindowReport window;
    window.position = number(entry, "position");
    window.weight = number(entry, "weight");
    window.hit_ratio = number(entry, "hit_ratio");
    window.step_time_s = number(entry, "step_time_s");
    window.warm_up_steps = count(entry, "warm_up_steps");
    window.measured_steps = count(entry, "measured_steps");
    all.push_back(window);
  }
  return all;
}

/// The document does not say which lines grow with time: those that are counted in hours and months do.
std::vector<models::LedgerLine> ledger(const Json& json) {
  std::vector<models::LedgerLine> all;
  for (const Json& entry : json) {
    models::LedgerLine line{text(entry, "item"), number(entry, "quantity"), text(entry, "unit"), number(entry, "usd")};
    line.by_time = line.unit == "h" || line.unit == "B month";
    all.push_back(std::move(line));
  }
  return all;
}

std::vector<models::ReplicationReport> replications(const Json& json) {
  std::vector<models::ReplicationReport> all;
  for (const Json& entry : json) {
    models::ReplicationReport run;
    if (entry.contains("window") && entry["window"].is_number_unsigned())
      run.window = entry["window"].get<std::uint32_t>();
    run.replication = static_cast<std::uint32_t>(count(entry, "replication"));
    run.steps = count(entry, "steps");
    run.warm_up_steps = count(entry, "warm_up_steps");
    run.elapsed_s = number(entry, "elapsed_s");
    run.step_time_s = number(entry, "step_time_s");
    run.gpu_utilization = number(entry, "gpu_utilization");
    run.gpu_idle_fraction = number(entry, "gpu_idle_fraction");
    run.job = text(entry, "job");
    all.push_back(std::move(run));
  }
  return all;
}

const Json& part(const Json& json, const char* key) {
  static const Json kNothing = Json::object();
  const auto found = json.find(key);
  return found == json.end() || !found->is_structured() ? kNothing : *found;
}

models::Verdict verdict_of(const Json& json) {
  return named(models::kVerdictNames, text(json, "verdict"), models::Verdict::inconclusive);
}

std::optional<models::Stage> binding_of(const Json& json) {
  const auto found = std::find(models::kStageNames.begin(), models::kStageNames.end(), text(json, "binding"));
  if (found == models::kStageNames.end()) return std::nullopt;
  return static_cast<models::Stage>(found - models::kStageNames.begin());
}

std::vector<models::JobReport> jobs(const Json& json) {
  std::vector<models::JobReport> all;
  for (const Json& entry : json) {
    models::JobReport job;
    job.name = text(entry, "name");
    job.metrics = metrics(part(entry, "metrics"));
    job.ledger = ledger(part(entry, "ledger"));
    job.gpus = count(entry, "gpus");
    job.nodes = count(entry, "nodes");
    job.copies = std::max<std::uint64_t>(1, count(entry, "copies"));
    job.verdict = verdict_of(entry);
    job.binding = binding_of(entry);
    job.batch_load_time = quantiles(part(entry, "metrics"));
    job.blame = shares(part(entry, "blame"));
    job.relief = shares(part(entry, "relief"));
    job.windows = windows(part(entry, "windows"));
    all.push_back(std::move(job));
  }
  return all;
}

}  // namespace

bool is_outcome(const Json& document) {
  return document.is_object() && document.contains("metrics") && document.contains("model_version");
}

models::Outcome outcome_of(const Json& document) {
  models::Outcome outcome;
  outcome.scenario_sha256 = text(document, "scenario_sha256");
  outcome.seed = count(document, "seed");
  outcome.verdict = verdict_of(document);
  outcome.binding = binding_of(document);
  outcome.stopped_by = text(document, "stopped_by");
  outcome.steps = count(document, "steps");
  outcome.metrics = metrics(part(document, "metrics"));
  outcome.batch_load_time = quantiles(part(document, "metrics"));
  outcome.blame = shares(part(document, "blame"));
  outcome.relief = shares(part(document, "relief"));
  outcome.windows = windows(part(document, "windows"));
  outcome.replications = replications(part(document, "replications"));
  outcome.ledger = ledger(part(document, "ledger"));
  outcome.jobs = jobs(part(document, "jobs"));
  for (const Json& warning : part(document, "warnings"))
    outcome.warnings.push_back({text(warning, "seen"), text(warning, "cause"), text(warning, "fix")});
  return outcome;
}

tl::expected<RecordedOutcome, std::string> read_outcome(const Json& document) {
  if (!document.is_object()) return tl::unexpected(std::string("it is not a JSON object"));
  for (const char* key : {"metrics", "model_version", "verdict", "scenario"})
    if (!document.contains(key)) return tl::unexpected(std::string("it has no \"") + key + "\"");
  RecordedOutcome recorded{outcome_of(document), text(document, "model_version"), text(document, "catalogue_version"),
                           document["scenario"]};
  if (recorded.outcome.metrics.empty()) return tl::unexpected(std::string("it has no metrics"));
  return recorded;
}

}  // namespace headrace::reports
