#include "gui/presenter/workers_load.hpp"

#include <algorithm>
#include <exception>

#include "models/hops/resource_floors.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::gui {

std::optional<double> workers_load(const ScenarioDocument& document, const models::Outcome& outcome, std::size_t job) {
  const models::Scenario& scenario = document.scenario();
  const bool beside_others = job < outcome.jobs.size();
  const models::Metric* step =
      beside_others ? models::find_in(outcome.jobs[job].metrics, "step_time_s") : outcome.find("step_time_s");
  if (job >= scenario.jobs.size() || scenario.jobs[job].loader.synchronous || step == nullptr || !(step->mean > 0.0))
    return std::nullopt;
  try {
    const models::IngestPath path = models::resolve_path(scenario, job, models::Granularity{});
    const models::Metric* load = outcome.find("batch_load_time_s");
    if (load != nullptr && outcome.jobs.empty() && path.workers > 0)
      return std::min(1.0, load->mean / (static_cast<double>(path.workers) * step->mean));
    for (const models::ResourceFloor& floor : models::resource_floors(path))
      if (floor.resource == models::Resource::workers) return std::min(1.0, floor.step_time_s / step->mean);
  } catch (const std::exception&) {  // no path, no workers
  }
  return std::nullopt;
}

std::vector<std::optional<double>> workers_loads(const ScenarioDocument& document, const models::Outcome& outcome) {
  std::vector<std::optional<double>> loads;
  for (std::size_t job = 0; job < document.scenario().jobs.size(); ++job)
    loads.push_back(workers_load(document, outcome, job));
  return loads;
}

}  // namespace headrace::gui
