#include "models/outcome/workers_load.hpp"

#include <algorithm>
#include <exception>

#include "models/hops/resource_floors.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

std::optional<double> workers_load(const Scenario& scenario, const Outcome& outcome, std::size_t job) {
  const bool beside_others = job < outcome.jobs.size() && outcome.jobs[job].is_beside_others();
  const Metric* step = beside_others ? find_in(outcome.jobs[job].metrics, "step_time_s") : outcome.find("step_time_s");
  if (job >= scenario.jobs.size() || scenario.jobs[job].loader.synchronous || step == nullptr || !(step->mean > 0.0))
    return std::nullopt;
  try {
    const IngestPath path = resolve_path(scenario, job, Granularity{});
    const Metric* load = outcome.find("batch_load_time_s");
    if (load != nullptr && !beside_others && path.workers > 0)
      return std::min(1.0, load->mean / (static_cast<double>(path.workers) * step->mean));
    for (const ResourceFloor& floor : resource_floors(path))
      if (floor.resource == Resource::workers) return std::min(1.0, floor.step_time_s / step->mean);
  } catch (const std::exception&) {  // no path, no workers
  }
  return std::nullopt;
}

std::vector<std::optional<double>> workers_loads(const Scenario& scenario, const Outcome& outcome) {
  std::vector<std::optional<double>> loads;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) loads.push_back(workers_load(scenario, outcome, job));
  return loads;
}

std::optional<double> busiest_workers(const Scenario& scenario, const Outcome& outcome) {
  std::optional<double> busiest;
  for (const std::optional<double>& load : workers_loads(scenario, outcome))
    if (load && (!busiest || *load > *busiest)) busiest = load;
  return busiest;
}

}  // namespace headrace::models
