// A station of the data path for the hand that points at it: its figures, and the parameters that change it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gui/presenter/parameter_sheet.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

/// What a box of the path stands for: a resource of the answer, the workers of the loader, or the GPUs.
struct StationRef {
  enum class What { resource, workers, gpus } what = What::resource;
  models::Resource resource = models::Resource::store_bandwidth;
  std::string owner;  ///< store, pool or job, where several jobs run
  std::string name;
};

/// Pointers of what a station belongs to: the job of its owner's name, or the first that uses its pool or store; empty
/// where the scenario has none.
struct StationPlace {
  std::string job = "/jobs/0";
  std::string pool;
  std::string store;
  std::string data;
};
StationPlace station_place(const models::Scenario& scenario, const std::string& owner);

struct StationFacts {
  std::string title;  ///< "store bandwidth"
  std::vector<std::pair<std::string, std::string>> figures;
  std::string note;                     ///< what two of them seem to contradict; empty: nothing
  std::vector<std::string> parameters;  ///< pointers that the scenario has, those that change most first
};

StationFacts station_facts(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet,
                           const models::Outcome& outcome, const StationRef& station);

}  // namespace headrace::gui
