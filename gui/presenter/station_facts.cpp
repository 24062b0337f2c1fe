#include "gui/presenter/station_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/presenter/banner.hpp"
#include "models/outcome/largest_parts.hpp"
#include "reports/data_path.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/station_words.hpp"

namespace headrace::gui {
namespace {

using models::Resource;

template <class T>
std::string element_of(const std::vector<T>& list, const std::string& name, const std::string& at) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return at + std::to_string(i);
  return {};
}

bool reads(const models::Scenario& scenario, const models::Job& job, const std::string& store) {
  return std::any_of(job.datasets.begin(), job.datasets.end(), [&](const models::DatasetShare& share) {
    return std::any_of(scenario.datasets.begin(), scenario.datasets.end(),
                       [&](const models::Dataset& data) { return data.name == share.dataset && data.store == store; });
  });
}

}  // namespace

StationPlace station_place(const models::Scenario& scenario, const std::string& owner) {
  StationPlace place;
  if (scenario.jobs.empty()) return place;
  std::size_t at = 0;
  for (std::size_t i = scenario.jobs.size(); i-- > 0;) {
    const models::Job& job = scenario.jobs[i];
    if (job.name == owner || job.pool == owner || reads(scenario, job, owner)) at = i;
  }
  const models::Job& job = scenario.jobs[at];
  place.job = "/jobs/" + std::to_string(at);
  place.pool = element_of(scenario.cluster.pools, job.pool, "/cluster/pools/");
  if (job.datasets.empty()) return place;
  const std::string& dataset = job.datasets.front().dataset;
  place.data = element_of(scenario.datasets, dataset, "/datasets/");
  for (const models::Dataset& data : scenario.datasets)
    if (data.name == dataset) place.store = element_of(scenario.stores, data.store, "/stores/");
  if (const std::string named = element_of(scenario.stores, owner, "/stores/"); !named.empty()) place.store = named;
  return place;
}

namespace {

/// Of a node: what its parts can do.
std::vector<std::string> of_node(Resource resource, const StationPlace& at) {
  const std::string loader = at.job + "/loader";
  switch (resource) {
    case Resource::cache:
      return {at.pool + "/cache/bytes", at.pool + "/cache/bandwidth"};
    case Resource::nic:
      return {at.pool + "/nic/bandwidth", at.pool + "/nic/rails", at.pool + "/nic/efficiency"};
    case Resource::cores:
      return {at.pool + "/host/cores", loader + "/cpu_per_sample", loader + "/workers", loader + "/lanes"};
    case Resource::host_memory:
      return {at.pool + "/host/memory_bandwidth", at.pool + "/host/receive_passes", at.pool + "/host/batch_passes"};
    case Resource::remote_pool:
      return {loader + "/remote/workers", loader + "/remote/rate", loader + "/cpu_per_sample"};
    case Resource::pin_thread:
      return {at.pool + "/host/copy", loader + "/transport/bandwidth"};
    default:
      return {loader + "/workers", loader + "/prefetch", loader + "/lanes", loader + "/cpu_per_sample"};
  }
}

std::vector<std::string> of_resource(Resource resource, const StationPlace& at) {
  switch (resource) {
    case Resource::metadata:
      return {at.store + "/metadata/servers", at.store + "/metadata/latency", at.data + "/samples_per_file"};
    case Resource::request_limit:
      return {at.store + "/limit/prefixes", at.store + "/limit/requests_per_prefix", at.data + "/request_bytes"};
    case Resource::store_requests:
    case Resource::local_drive:
      return {at.store + "/drives/count", at.store + "/drives/positioning", at.store + "/requests",
              at.store + "/latency",      at.store + "/bandwidth",          at.data + "/request_bytes"};
    case Resource::store_bandwidth:
      return {at.store + "/bandwidth", at.store + "/stream", at.store + "/latency", at.data + "/sample_bytes"};
    case Resource::store_front_end:
      return {at.store + "/front_end", at.store + "/bandwidth"};
    case Resource::shared_cache:
      return {at.store + "/cache/bytes", at.store + "/cache/bandwidth"};
    case Resource::spine:
      return {"/fabric/spine_oversubscription", "/fabric/efficiency", at.pool + "/nic/bandwidth"};
    case Resource::leaf_uplink:
      return {"/fabric/leaf_oversubscription", at.pool + "/nodes_per_leaf", "/fabric/efficiency"};
    default:
      return of_node(resource, at);
  }
}

std::vector<std::string> wanted_of(const StationRef& station, const StationPlace& at) {
  if (station.what == StationRef::What::workers) return of_node(Resource::workers, at);
  if (station.what == StationRef::What::gpus)
    return {at.job + "/step/step_time", at.job + "/step/batch", at.job + "/step/overhead", at.pool + "/nodes",
            at.pool + "/gpus_per_node"};
  return of_resource(station.resource, at);
}

const ParameterValue* in_sheet(const std::vector<ParameterValue>& sheet, const std::string& pointer) {
  const auto found = std::find_if(sheet.begin(), sheet.end(), [&](const ParameterValue& value) {
    return value.pointer == pointer || value.pointer == pointer + "/lognormal/mean" ||
           value.pointer == pointer + "/exponential/mean" || value.pointer == pointer + "/constant";
  });
  return found == sheet.end() ? nullptr : &*found;
}

/// 0 stands for no limit or none of it, from which no slider leads anywhere.
bool is_none(const ParameterValue& parameter) {
  const auto now = scenarios::number_of(parameter, parameter.value);
  return now && *now == 0.0 && !parameter.pointer.ends_with("/overhead");
}

/// Of a stage whose wait and gain lie apart.
std::string note_on_gain(double wait, double gain) {
  constexpr double kNotable = 5e-4;  // of GPU time: both are printed to a tenth of a percent
  if (std::abs(gain - wait) < std::max(kNotable, 0.25 * wait)) return {};
  return gain > wait
             ? "A wait counts for the stage that a late batch is in. Batches also lose time here before that, so "
               "the gain is larger than the wait."
             : "Without it, later stages would make the GPUs wait: the gain is smaller than the wait.";
}

void add_resource(const models::Outcome& outcome, const StationRef& station, StationFacts& facts) {
  for (const models::StationReport& report : outcome.stations) {
    if (report.name != station.name) continue;
    const std::string each(reports::each_text(outcome, report));
    facts.figures.emplace_back("utilization", reports::percent(report.utilization));
    const bool counts = report.unit == "servers" || report.unit == "cores";
    facts.figures.emplace_back(counts ? "in use" : "carries", reports::humane(report.throughput, report.unit) + each);
    facts.figures.emplace_back(
        counts ? "there are" : "can carry",
        reports::humane(report.capacity, report.unit) + each + std::string(reports::capacity_reason(outcome, report)));
    if (report.queue_time_mean_s > 0.0)
      facts.figures.emplace_back("queueing of a batch", reports::humane(report.queue_time_mean_s, "s"));
    if (report.floor_step_time_s > 0.0)
      facts.figures.emplace_back("step time if it alone were the limit",
                                 reports::humane(report.floor_step_time_s, "s"));
    if (!blame_known(outcome)) return;
    for (const models::StageShare& stage : outcome.blame)
      if (stage.stage == report.stage)
        facts.figures.emplace_back("GPU time that waits for " + std::string(models::name(stage.stage)),
                                   reports::percent(stage.mean));
    const models::StationReport* limit = models::busiest_station(outcome, report.stage);
    if (limit != nullptr && report.utilization < limit->utilization - reports::kAsFull) {
      facts.note = fmt::format("The stage {} is limited by {}, not here.", models::name(report.stage), limit->name);
      return;
    }
    for (const models::StageShare& stage : outcome.relief)
      if (stage.stage == report.stage)
        facts.figures.emplace_back(
            fmt::format("GPU time gained if {} took no time", reports::words(models::name(stage.stage))),
            models::is_noise(stage) ? "hidden by noise" : reports::percent(std::max(0.0, stage.mean)));
    if (!outcome.relief.empty())
      facts.note =
          note_on_gain(models::share_of(outcome.blame, report.stage), models::share_of(outcome.relief, report.stage));
    return;
  }
}

void add_metrics(const models::Outcome& outcome, const std::vector<std::pair<const char*, const char*>>& wanted,
                 StationFacts& facts) {
  for (const auto& [metric, unit] : wanted)
    if (const models::Metric* found = outcome.find(metric))
      facts.figures.emplace_back(reports::spoken_name(metric), reports::humane(found->mean, unit));
}

}  // namespace

StationFacts station_facts(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet,
                           const models::Outcome& outcome, const StationRef& station) {
  StationFacts facts;
  facts.title = reports::words(station.name);
  if (station.what == StationRef::What::resource) add_resource(outcome, station, facts);
  if (station.what == StationRef::What::workers)
    add_metrics(outcome, {{"batch_load_time_s", "s"}, {"samples_per_s", "1/s"}}, facts);
  if (station.what == StationRef::What::gpus)
    add_metrics(outcome,
                {{"gpu_utilization", "1"}, {"gpu_idle_fraction", "1"}, {"step_time_s", "s"}, {"samples_per_s", "1/s"}},
                facts);
  for (const std::string& pointer : wanted_of(station, station_place(document.scenario(), station.owner)))
    if (const ParameterValue* value = in_sheet(sheet, pointer); value != nullptr && !is_none(*value))
      facts.parameters.push_back(value->pointer);
  return facts;
}

}  // namespace headrace::gui
