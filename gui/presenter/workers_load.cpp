#include "gui/presenter/workers_load.hpp"

#include <algorithm>
#include <exception>

#include "models/hops/resource_floors.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::gui {

std::optional<double> workers_load(const ScenarioDocument& document, const models::Outcome& outcome) {
  const models::Scenario& scenario = document.scenario();
  const models::Metric* step = outcome.find("step_time_s");
  if (scenario.jobs.empty() || scenario.jobs.front().loader.synchronous || step == nullptr || !(step->mean > 0.0))
    return std::nullopt;
  try {
    const models::IngestPath path = models::resolve_path(scenario, 0, models::Granularity{});
    const models::Metric* load = outcome.find("batch_load_time_s");
    if (load != nullptr && outcome.jobs.empty() && path.workers > 0)
      return std::min(1.0, load->mean / (static_cast<double>(path.workers) * step->mean));
    for (const models::ResourceFloor& floor : models::resource_floors(path))
      if (floor.resource == models::Resource::workers) return std::min(1.0, floor.step_time_s / step->mean);
  } catch (const std::exception&) {  // no path, no workers
  }
  return std::nullopt;
}

}  // namespace headrace::gui
