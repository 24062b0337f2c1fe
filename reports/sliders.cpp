#include "reports/sliders.hpp"

#include <algorithm>
#include <cmath>

#include "models/outcome/largest_parts.hpp"
#include "reports/slider_scale.hpp"

namespace headrace::reports {
namespace {

constexpr std::size_t kMostSliders = 7;

/// Where the first job trains and what it reads.
struct FirstJob {
  std::string pool;
  std::string store;
  std::string dataset;
};

template <class T>
std::string place_in(const std::vector<T>& list, const std::string& name, const std::string& at) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return at + std::to_string(i);
  return {};
}

FirstJob first_job(const models::Scenario& scenario) {
  FirstJob first;
  if (scenario.jobs.empty()) return first;
  const models::Job& job = scenario.jobs.front();
  first.pool = place_in(scenario.cluster.pools, job.pool, "/cluster/pools/");
  if (job.datasets.empty()) return first;
  first.dataset = place_in(scenario.datasets, job.datasets.front().dataset, "/datasets/");
  for (const models::Dataset& data : scenario.datasets)
    if (data.name == job.datasets.front().dataset) first.store = place_in(scenario.stores, data.store, "/stores/");
  return first;
}

std::vector<std::string> sliders_of_stage(models::Stage stage, const FirstJob& at) {
  using models::Stage;
  const std::string job = "/jobs/0";
  switch (stage) {
    case Stage::throttle:
      return {at.store + "/limit/prefixes", at.store + "/limit/requests_per_prefix"};
    case Stage::request:
      return {at.store + "/drives/count", at.store + "/drives/positioning", at.store + "/requests",
              at.store + "/latency", job + "/loader/workers"};
    case Stage::metadata:
      return {at.store + "/metadata/latency", at.store + "/metadata/servers"};
    case Stage::transfer:
      return {at.store + "/bandwidth", at.pool + "/nic/bandwidth", at.store + "/stream"};
    case Stage::cache:
    case Stage::peer:
      return {at.pool + "/cache/bandwidth", at.pool + "/cache/bytes"};
    case Stage::shared_cache:
      return {at.store + "/cache/bytes", at.store + "/cache/bandwidth"};
    case Stage::decode:
      return {job + "/loader/workers", at.pool + "/host/cores", job + "/loader/cpu_per_sample"};
    case Stage::memory:
      return {at.pool + "/host/memory_bandwidth"};
    case Stage::protocol:
      return {"/fabric/transport/per_core", at.pool + "/host/cores"};
    case Stage::copy:
      return {at.pool + "/host/copy"};
    case Stage::transport:
      return {job + "/loader/transport/bandwidth"};
    case Stage::receive:
      return {job + "/loader/receive/bandwidth"};
    default:
      return {};
  }
}

/// Of the resource that is the fullest, which may not be the first of its stage.
std::vector<std::string> sliders_of_resource(models::Resource resource, const FirstJob& at) {
  using models::Resource;
  switch (resource) {
    case Resource::nic:
      return {at.pool + "/nic/bandwidth"};
    case Resource::spine:
      return {"/fabric/spine_oversubscription"};
    case Resource::leaf_uplink:
      return {"/fabric/leaf_oversubscription"};
    case Resource::store_front_end:
      return {at.store + "/front_end"};
    case Resource::cores:
      return {at.pool + "/host/cores"};
    default:
      return {};
  }
}

/// Most of the time of these hangs on queues, which the closed form does not see.
bool is_for_queues(const std::string& pointer) {
  return pointer.ends_with("/loader/prefetch") || pointer.ends_with("/loader/workers") ||
         pointer.find("/latency") != std::string::npos;
}

bool same_bound(const models::Outcome& a, const models::Outcome& b) {
  constexpr double kRounding = 1e-9;
  const auto near = [](double x, double y) {
    return std::abs(x - y) <= kRounding * std::max(std::abs(x), std::abs(y));
  };
  return a.verdict == b.verdict &&
         std::equal(a.metrics.begin(), a.metrics.end(), b.metrics.begin(), b.metrics.end(),
                    [&](const models::Metric& x, const models::Metric& y) { return near(x.mean, y.mean); }) &&
         std::equal(a.stations.begin(), a.stations.end(), b.stations.begin(), b.stations.end(),
                    [&](const models::StationReport& x, const models::StationReport& y) {
                      return near(x.utilization, y.utilization);
                    });
}

/// Whether any figure of the answer moves between the ends of its slider.
bool is_alive(const models::Scenario& scenario, const scenarios::ParameterValue& parameter,
              const models::Outcome& bound, const VariedBound& varied, SliderAnswer answer) {
  const auto now = scenarios::number_of(parameter, parameter.value);
  const bool automatic = parameter.pointer.ends_with("/interval");  // 0 stands for the best one
  if (!now || (!(*now > 0.0) && !automatic)) return false;          // 0 stands for none
  if (answer == SliderAnswer::simulation && is_for_queues(parameter.pointer))
    return !scenario.jobs.front().loader.synchronous;
  const SliderScale scale(parameter, *now);
  for (const double end : {scale.low(), scale.high()}) {
    const auto other = varied(parameter.pointer, scenarios::spelled(parameter, end));
    if (other && !same_bound(*other, bound)) return true;
  }
  return false;
}

std::vector<std::string> wanted_sliders(const models::Scenario& scenario, const models::Outcome& bound) {
  const FirstJob at = first_job(scenario);
  std::vector<std::string> wanted;
  const bool checkpoints = bound.verdict == models::Verdict::checkpoint_bound;
  const std::vector<std::string> of_checkpoints = {"/jobs/0/checkpoint/interval", "/jobs/0/checkpoint/bytes",
                                                   "/jobs/0/checkpoint/snapshot_bandwidth",
                                                   at.store + "/write_bandwidth", "/faults/node_mtbf"};
  if (checkpoints) wanted = of_checkpoints;
  if (bound.binding) {
    if (const models::StationReport* fullest = models::busiest_station(bound, bound.binding); fullest != nullptr)
      wanted = sliders_of_resource(fullest->resource, at);
    const std::vector<std::string> of_stage = sliders_of_stage(*bound.binding, at);
    wanted.insert(wanted.end(), of_stage.begin(), of_stage.end());
  }
  for (const std::string& pointer : {std::string("/jobs/0/loader/workers"), std::string("/jobs/0/loader/prefetch"),
                                     at.store + "/bandwidth", at.pool + "/nic/bandwidth"})
    wanted.push_back(pointer);
  if (!checkpoints) wanted.insert(wanted.end(), of_checkpoints.begin(), of_checkpoints.end());
  for (const std::string& pointer :
       {at.pool + "/cache/bytes", std::string("/jobs/0/step/step_time"), at.pool + "/nodes"})
    wanted.push_back(pointer);
  return wanted;
}

}  // namespace

std::vector<std::string> sliders_of(const models::Scenario& scenario,
                                    const std::vector<scenarios::ParameterValue>& sheet, const models::Outcome& bound,
                                    const VariedBound& varied, SliderAnswer answer) {
  std::vector<std::string> sliders;
  for (const std::string& pointer : wanted_sliders(scenario, bound)) {
    const auto found = std::find_if(sheet.begin(), sheet.end(), [&](const scenarios::ParameterValue& value) {
      return value.can_slide() &&
             (value.pointer == pointer || value.pointer == pointer + "/lognormal/mean" ||
              value.pointer == pointer + "/exponential/mean" || value.pointer == pointer + "/constant");
    });
    if (found == sheet.end() || sliders.size() == kMostSliders) continue;
    if (std::find(sliders.begin(), sliders.end(), found->pointer) != sliders.end()) continue;
    if (is_alive(scenario, *found, bound, varied, answer)) sliders.push_back(found->pointer);
  }
  return sliders;
}

}  // namespace headrace::reports
