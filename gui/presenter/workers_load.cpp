#include "gui/presenter/workers_load.hpp"

#include "models/outcome/workers_load.hpp"

namespace headrace::gui {

std::optional<double> workers_load(const ScenarioDocument& document, const models::Outcome& outcome, std::size_t job) {
  return models::workers_load(document.scenario(), outcome, job);
}

std::vector<std::optional<double>> workers_loads(const ScenarioDocument& document, const models::Outcome& outcome) {
  return models::workers_loads(document.scenario(), outcome);
}

}  // namespace headrace::gui
