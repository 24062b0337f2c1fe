#include "reports/data_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "models/outcome/bottleneck.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/station_words.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

using models::JobReport;
using models::Outcome;
using models::StationReport;

/// From the store over the network to the node and its loaders. An outcome lists the cache of a node first, because a
/// batch asks there first; its data come from there last.
std::vector<const StationReport*> along_the_path(const Outcome& outcome) {
  std::vector<const StationReport*> stations;
  for (const StationReport& station : outcome.stations) stations.push_back(&station);
  std::stable_sort(stations.begin(), stations.end(), [](const StationReport* a, const StationReport* b) {
    return models::traits(a->resource).side < models::traits(b->resource).side;
  });
  return stations;
}

/// The lane that a station stands in; nothing where jobs share it.
std::optional<std::size_t> lane_of(const Outcome& outcome, const StationReport& station) {
  if (!has_several_jobs(outcome)) return 0;
  if (models::traits(station.resource).owner != models::Owner::job) return std::nullopt;
  for (std::size_t job = 0; job < outcome.jobs.size(); ++job)
    if (outcome.jobs[job].name == station.owner) return job;
  return std::nullopt;
}

/// "nic" for "nic (job vision)" in the lane of that job.
std::string name_in_lane(const StationReport& station) {
  const std::string of_job = " (job " + station.owner + ")";
  const std::string name = words(station.name);
  return name.ends_with(of_job) ? name.substr(0, name.size() - of_job.size()) : name;
}

/// Up to the nodes what the store sends, in them what the loaders take in.
double bytes_through(const StationReport& station, const std::vector<models::Metric>& metrics) {
  const models::ResourceSide side = models::traits(station.resource).side;
  const bool in_node = side == models::ResourceSide::node || side == models::ResourceSide::loader;
  return models::mean_in(metrics, in_node ? "ingest_bytes_per_s" : "store_bytes_per_s");
}

/// Of a pool, or of one of several stores, what it carries itself: the rest of the jobs' data pass others.
double shared_bytes(const Outcome& outcome, const StationReport& station) {
  const auto beside = [&](const StationReport& other) {
    return other.resource == station.resource && other.owner != station.owner;
  };
  if (std::none_of(outcome.stations.begin(), outcome.stations.end(), beside))
    return bytes_through(station, outcome.metrics);
  for (const StationReport& other : outcome.stations)
    if (other.owner == station.owner && other.unit == "B/s" &&
        models::traits(other.resource).scope == models::Scope::cluster)
      return other.throughput;
  return bytes_through(station, outcome.metrics);
}

void add_shared(DataPath& path, const Outcome& outcome, const StationReport& station) {
  PathStation drawn{PathStation::What::resource,
                    &station,
                    words(station.name),
                    station.utilization,
                    shared_bytes(outcome, station),
                    bytes_through(station, outcome.metrics)};
  const auto step = std::find_if(path.shared.begin(), path.shared.end(), [&](const std::vector<PathStation>& beside) {
    return beside.front().report->resource == station.resource;
  });
  if (step == path.shared.end())
    path.shared.push_back({std::move(drawn)});
  else
    step->push_back(std::move(drawn));
}

const std::vector<models::Metric>& metrics_of(const Outcome& outcome, const PathLane& lane) {
  return lane.job == nullptr ? outcome.metrics : lane.job->metrics;
}

void add_ends(PathLane& lane, const Outcome& outcome, std::optional<double> workers) {
  const std::vector<models::Metric>& metrics = metrics_of(outcome, lane);
  const double ingest = models::mean_in(metrics, "ingest_bytes_per_s");
  if (workers) lane.stations.push_back({PathStation::What::workers, nullptr, "workers", *workers, ingest, ingest});
  if (models::find_in(metrics, "gpu_utilization") != nullptr)
    lane.stations.push_back(
        {PathStation::What::gpus, nullptr, "GPUs", models::mean_in(metrics, "gpu_utilization"), ingest});
}

/// Whether the GPUs of a job, or of the only one, wait for a stage that its workers spend time in.
bool waits_for_workers(const Outcome& outcome, const JobReport* job) {
  if ((job == nullptr ? outcome.verdict : job->verdict) != models::Verdict::ingest_bound) return false;
  const std::optional<models::Stage> stage =
      job == nullptr ? models::binding_stage(outcome)
                     : (job->binding ? job->binding : models::binding_stage(job->relief, job->blame));
  return stage && *stage != models::Stage::receive && *stage != models::Stage::fresh;
}

/// What the path is limited by: the resource of the stage that binds, where it is full or busy for 70 % of the time.
const StationReport* binding_resource(const Outcome& outcome) {
  constexpr double kQueues = 0.7;  // from where on a shared resource that is not full makes others wait
  const StationReport* station = models::binding_station(outcome);
  return station == nullptr || is_full(*station) || station->utilization >= kQueues ? station : nullptr;
}

bool any_binds(const std::vector<PathStation>& stations) {
  return std::any_of(stations.begin(), stations.end(), [](const PathStation& station) { return station.binds; });
}

/// In the lane of each job that has the resource full. Else also the workers of the jobs that wait, where they are
/// busier: their time goes to the stage that binds.
void mark_binding(DataPath& path, const Outcome& outcome) {
  const StationReport* full = binding_resource(outcome);
  for (std::vector<PathStation>& beside : path.shared)
    for (PathStation& station : beside) station.binds = full != nullptr && station.report == full;
  for (PathLane& lane : path.lanes) {
    for (PathStation& station : lane.stations) {
      const bool alike = full != nullptr && lane.job != nullptr && station.report != nullptr &&
                         station.report->resource == full->resource && is_full(*station.report);
      station.binds = (full != nullptr && station.report == full) || alike;
    }
    if (full != nullptr && is_full(*full)) continue;
    for (PathStation& station : lane.stations)
      if (station.what == PathStation::What::workers && (full == nullptr || station.utilization > full->utilization))
        station.binds = waits_for_workers(outcome, lane.job);
  }
}

}  // namespace

bool DataPath::binds() const {
  return std::any_of(shared.begin(), shared.end(), any_binds) ||
         std::any_of(lanes.begin(), lanes.end(), [](const PathLane& lane) { return any_binds(lane.stations); });
}

double DataPath::most_bytes_per_s() const {
  double most = 0.0;
  const auto look = [&most](const std::vector<PathStation>& stations) {
    for (const PathStation& station : stations) most = std::max(most, station.bytes_in_per_s);
  };
  for (const std::vector<PathStation>& beside : shared) look(beside);
  for (const PathLane& lane : lanes) look(lane.stations);
  return most;
}

std::string_view share_text(const models::Outcome& outcome) {
  if (is_bound(outcome)) return "time in use, of workers without waits in queues";
  return is_after_ramp(outcome) ? "time in use after the ramp of the store, of workers with their waits"
                                : "time in use, of workers with their waits";
}

std::string flows_text(const Outcome& outcome) {
  const bool caches = std::any_of(outcome.stations.begin(), outcome.stations.end(), [](const StationReport& station) {
    return station.resource == models::Resource::cache || station.resource == models::Resource::shared_cache;
  });
  std::string text = caches ? "The number on an arrow is what all stores send, and from the nodes on what all loaders "
                              "take in; what caches and other nodes send or write comes on top of it in the stations "
                              "that carry it."
                            : "";
  if (!outcome.background.empty())
    text +=
        fmt::format("{}Background load is on no arrow, only in the stations that serve it.", text.empty() ? "" : " ");
  return text;
}

namespace {

/// No bytes enter where the path begins: at the first stations, and behind the metadata, which sends none.
void begin_path(DataPath& path) {
  std::vector<std::span<PathStation>> steps(path.shared.begin(), path.shared.end());
  if (steps.empty())
    for (PathStation& station : path.lanes.front().stations) steps.emplace_back(&station, 1);
  for (const std::span<PathStation> step : steps) {
    for (PathStation& station : step) station.bytes_in_per_s = 0.0;
    const bool is_data = std::any_of(step.begin(), step.end(), [](const PathStation& station) {
      return station.report == nullptr || station.report->resource != models::Resource::metadata;
    });
    if (is_data) return;
    for (PathStation& station : step) station.bytes_out_per_s = 0.0;
  }
}

}  // namespace

DataPath data_path(const Outcome& outcome, const std::vector<std::optional<double>>& workers) {
  DataPath path;
  path.lanes.resize(has_several_jobs(outcome) ? outcome.jobs.size() : 1);
  for (std::size_t job = 0; has_several_jobs(outcome) && job < path.lanes.size(); ++job)
    path.lanes[job].job = &outcome.jobs[job];
  for (const StationReport* station : along_the_path(outcome)) {
    const std::optional<std::size_t> at = lane_of(outcome, *station);
    if (!at) {
      add_shared(path, outcome, *station);
      continue;
    }
    PathLane& lane = path.lanes[*at];
    const double bytes_per_s = bytes_through(*station, metrics_of(outcome, lane));
    lane.stations.push_back(
        {PathStation::What::resource, station, name_in_lane(*station), station->utilization, bytes_per_s, bytes_per_s});
  }
  for (std::size_t job = 0; job < path.lanes.size(); ++job)
    add_ends(path.lanes[job], outcome, job < workers.size() ? workers[job] : std::nullopt);
  begin_path(path);
  mark_binding(path, outcome);
  const auto tell_each = [&outcome](std::vector<PathStation>& stations) {
    for (PathStation& station : stations)
      if (station.report != nullptr) station.each = each_text(outcome, *station.report);
  };
  std::for_each(path.shared.begin(), path.shared.end(), tell_each);
  for (PathLane& lane : path.lanes) tell_each(lane.stations);
  return path;
}

}  // namespace headrace::reports
