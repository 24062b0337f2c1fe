#include "models/interruptions/stream_ingest.hpp"

#include <algorithm>

#include "models/cluster/fair_share.hpp"
#include "models/interruptions/time_states.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/evidence.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

bool any_stream(const Scenario& scenario) {
  return std::any_of(scenario.datasets.begin(), scenario.datasets.end(),
                     [](const Dataset& dataset) { return dataset.stream.has_value(); });
}

void add_buffers(const Scenario& scenario, AnswerKind kind, std::vector<Metric>& metrics) {
  for (const Dataset& dataset : scenario.datasets) {
    if (!dataset.stream) continue;
    const twins::FluidBuffer buffer = stream_buffer(scenario, dataset);
    metrics.push_back({"fresh_bytes_per_s", buffer.passed_rate, {}, {}, kind});
    metrics.push_back({"stream_buffer_bytes", buffer.content, {}, {}, kind});
    metrics.push_back({"stream_full_fraction", buffer.full, {}, {}, kind});
    metrics.push_back({"stream_loss_fraction", buffer.loss, {}, {}, kind});
    metrics.push_back({"stream_smoothing", buffer.smoothing, {}, {}, kind});
    return;  // one stream speaks for itself; of several only the first is shown
  }
}

/// New samples per second that the job may train on; nothing if it does not wait for them.
std::optional<double> most_samples_per_s(const Scenario& scenario, std::size_t index) {
  const Job& job = scenario.jobs[index];
  const double packed = job.step.packing ? resolve_path(scenario, index, {}).samples_packed : 1.0;
  double all = 0.0;
  for (const DatasetShare& share : job.datasets) all += share.weight;
  std::optional<double> most;
  for (const DatasetShare& share : job.datasets) {  // of a mix, the one that is used up first holds up all
    const Dataset* dataset = detail::find_by_name(scenario.datasets, share.dataset);
    if (dataset == nullptr || !dataset->stream || !(dataset->stream->uses > 0.0)) continue;
    const double stored_bytes = mean_of(dataset->sample_bytes) / dataset->codec.ratio * share.weight / all;
    const double own = dataset->stream->uses * stream_buffer(scenario, *dataset).passed_rate / (stored_bytes * packed);
    most = std::min(own, most.value_or(own));
  }
  return most;
}

std::vector<Metric>& metrics_of(const std::string& job, Outcome& outcome) {
  for (JobReport& report : outcome.jobs)
    if (report.name == job && report.is_beside_others()) return report.metrics;
  return outcome.metrics;
}

/// A flow whose rate the source sets, whatever else the stores do.
Scenario less_mean_streams(const Scenario& scenario) {
  constexpr double kLeastLeft = 0.01;
  Scenario less = scenario;
  for (const Dataset& dataset : scenario.datasets) {
    if (!dataset.stream) continue;
    for (Store& store : less.stores) {
      if (store.name != dataset.store) continue;
      const double weight = store.write_bandwidth_bytes_per_s > 0.0
                                ? store.bandwidth_bytes_per_s / store.write_bandwidth_bytes_per_s
                                : 1.0;
      const double taken = stream_buffer(scenario, dataset).passed_rate * weight / store.bandwidth_bytes_per_s;
      const double left = std::max(kLeastLeft, 1.0 - taken);
      const double write_bytes_per_s = store.write_bandwidth_bytes_per_s;
      scale_store(store, left, 1.0);
      store.write_bandwidth_bytes_per_s = write_bytes_per_s;
    }
  }
  return less;
}

}  // namespace

twins::FluidBuffer stream_buffer(const Scenario& scenario, const Dataset& dataset) {
  const StreamSource& stream = *dataset.stream;
  const Store& store = store_of(scenario, dataset);
  twins::OnOffFluid fluid;
  fluid.on_rate = stream.bytes_per_s;
  fluid.off_rate = stream.bursts ? stream.quiet_bytes_per_s : stream.bytes_per_s;
  if (stream.bursts) {
    fluid.on_s = stream.bursts->on_s;
    fluid.off_s = stream.bursts->off_s;
  }
  const double writes =
      store.write_bandwidth_bytes_per_s > 0.0 ? store.write_bandwidth_bytes_per_s : store.bandwidth_bytes_per_s;
  fluid.drain_rate = stream.drain_bytes_per_s > 0.0 ? std::min(stream.drain_bytes_per_s, writes) : writes;
  fluid.buffer = stream.buffer_bytes;
  fluid.loses = stream.when_full == WhenFull::drop;
  return twins::fluid_buffer(fluid);
}

Outcome with_streams(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer) {
  if (!any_stream(scenario)) return answer(scenario);
  Outcome outcome = answer(less_mean_streams(scenario));
  const AnswerKind kind = outcome.metrics.front().kind;
  std::vector<Metric> waits;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const Job& job = scenario.jobs[j];
    const std::optional<double> most = most_samples_per_s(scenario, j);
    if (!most) continue;
    const double unbound = mean_in(metrics_of(job.name, outcome), "samples_per_s");
    const double wait = std::max(0.0, 1.0 - *most / unbound);
    if (wait > 0.0) let_wait(scenario, job.name, wait, Stage::fresh, outcome);
    waits.push_back({"fresh_wait_fraction", wait, {}, {}, kind});
  }
  outcome.evidence.not_validated.emplace_back(kStreamsNotValidated);
  add_buffers(scenario, kind, outcome.metrics);
  if (!waits.empty()) outcome.metrics.push_back(waits.front());
  outcome.restate_lone_job();
  return outcome;
}

}  // namespace headrace::models
