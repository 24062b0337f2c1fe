#include "scenarios/results/paired_record.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace headrace::scenarios {
namespace {

using RecordJson = nlohmann::json;
using models::Interval;

RecordJson interval_json(const std::optional<Interval>& interval) {
  return interval ? RecordJson::array({interval->low, interval->high}) : RecordJson();
}
std::optional<Interval> interval_of(const RecordJson& json) {
  if (json.is_null()) return std::nullopt;
  return Interval{json.at(0).get<double>(), json.at(1).get<double>()};
}

RecordJson metrics_json(const std::vector<models::Metric>& metrics) {
  RecordJson list = RecordJson::array();
  for (const models::Metric& m : metrics)
    list.push_back(RecordJson::array({m.name, m.mean, interval_json(m.ci95), static_cast<int>(m.kind)}));
  return list;
}
std::vector<models::Metric> metrics_of(const RecordJson& list) {
  std::vector<models::Metric> metrics;
  for (const RecordJson& m : list) {
    models::Metric metric;
    metric.name = m.at(0).get<std::string>();
    metric.mean = m.at(1).get<double>();
    metric.ci95 = interval_of(m.at(2));
    metric.kind = static_cast<models::AnswerKind>(m.at(3).get<int>());
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

RecordJson ledger_json(const std::vector<models::LedgerLine>& lines) {
  RecordJson list = RecordJson::array();
  for (const models::LedgerLine& l : lines) list.push_back(RecordJson::array({l.usd, l.by_time}));
  return list;
}
std::vector<models::LedgerLine> ledger_of(const RecordJson& list) {
  std::vector<models::LedgerLine> lines;
  for (const RecordJson& l : list) {
    models::LedgerLine line;
    line.usd = l.at(0).get<double>();
    line.by_time = l.at(1).get<bool>();
    lines.push_back(line);
  }
  return lines;
}

RecordJson windows_json(const std::vector<models::WindowReport>& windows) {
  RecordJson list = RecordJson::array();
  for (const models::WindowReport& w : windows) list.push_back(w.weight);
  return list;
}
std::vector<models::WindowReport> windows_of(const RecordJson& list) {
  std::vector<models::WindowReport> windows;
  for (const RecordJson& w : list) {
    models::WindowReport window;
    window.weight = w.get<double>();
    windows.push_back(window);
  }
  return windows;
}

RecordJson run_json(const models::ReplicationReport& r) {
  return RecordJson::array({r.window ? RecordJson(*r.window) : RecordJson(), r.replication, r.steps, r.warm_up_steps,
                            r.step_time_s, r.gpu_utilization, r.gpu_idle_fraction, r.job, r.series.batch_steps,
                            r.series.duration_s, r.series.wait_s, r.series.compute_s});
}
models::ReplicationReport run_of(const RecordJson& r) {
  models::ReplicationReport run;
  if (!r.at(0).is_null()) run.window = r.at(0).get<std::uint32_t>();
  run.replication = r.at(1).get<std::uint32_t>();
  run.steps = r.at(2).get<std::uint64_t>();
  run.warm_up_steps = r.at(3).get<std::uint64_t>();
  run.step_time_s = r.at(4).get<double>();
  run.gpu_utilization = r.at(5).get<double>();
  run.gpu_idle_fraction = r.at(6).get<double>();
  run.job = r.at(7).get<std::string>();
  run.series.batch_steps = r.at(8).get<std::uint64_t>();
  run.series.duration_s = r.at(9).get<std::vector<double>>();
  run.series.wait_s = r.at(10).get<std::vector<double>>();
  run.series.compute_s = r.at(11).get<std::vector<double>>();
  return run;
}

RecordJson job_json(const models::JobReport& j) {
  return RecordJson::array(
      {j.name, metrics_json(j.metrics), ledger_json(j.ledger), windows_json(j.windows), j.copies, j.nodes, j.gpus});
}
models::JobReport job_of(const RecordJson& j) {
  models::JobReport job;
  job.name = j.at(0).get<std::string>();
  job.metrics = metrics_of(j.at(1));
  job.ledger = ledger_of(j.at(2));
  job.windows = windows_of(j.at(3));
  job.copies = j.at(4).get<std::uint64_t>();
  job.nodes = j.at(5).get<std::uint64_t>();
  job.gpus = j.at(6).get<std::uint64_t>();
  return job;
}

RecordJson stall_json(const models::StallReport& s) {
  return RecordJson::array({s.stalled_steps, s.delay_s, interval_json(s.delay_ci95)});
}
models::StallReport stall_of(const RecordJson& s) {
  models::StallReport stall;
  stall.stalled_steps = s.at(0).get<double>();
  stall.delay_s = s.at(1).get<double>();
  stall.delay_ci95 = interval_of(s.at(2));
  return stall;
}

template <class Item, class Write>
RecordJson list_json(const std::vector<Item>& items, const Write& write) {
  RecordJson list = RecordJson::array();
  for (const Item& item : items) list.push_back(write(item));
  return list;
}

models::Outcome read(std::string_view bytes) {
  const RecordJson json = RecordJson::from_cbor(bytes.begin(), bytes.end());
  models::Outcome outcome;
  outcome.seed = json.at("seed").get<std::uint64_t>();
  outcome.steps = json.at("steps").get<std::uint64_t>();
  outcome.metrics = metrics_of(json.at("metrics"));
  outcome.ledger = ledger_of(json.at("ledger"));
  outcome.windows = windows_of(json.at("windows"));
  for (const RecordJson& run : json.at("runs")) outcome.replications.push_back(run_of(run));
  for (const RecordJson& job : json.at("jobs")) outcome.jobs.push_back(job_of(job));
  for (const RecordJson& stall : json.at("stalls")) outcome.rare_stalls.push_back(stall_of(stall));
  return outcome;
}

}  // namespace

std::string paired_record(const models::Outcome& outcome) {
  const RecordJson json = {{"seed", outcome.seed},
                           {"steps", outcome.steps},
                           {"metrics", metrics_json(outcome.metrics)},
                           {"ledger", ledger_json(outcome.ledger)},
                           {"windows", windows_json(outcome.windows)},
                           {"runs", list_json(outcome.replications, run_json)},
                           {"jobs", list_json(outcome.jobs, job_json)},
                           {"stalls", list_json(outcome.rare_stalls, stall_json)}};
  std::string bytes;
  RecordJson::to_cbor(json, bytes);
  return bytes;
}

models::Outcome outcome_of_paired_record(std::string_view bytes) {
  try {
    return read(bytes);
  } catch (const RecordJson::exception& error) {
    throw std::runtime_error(std::string("a stored run cannot be read: ") + error.what());
  }
}

}  // namespace headrace::scenarios
