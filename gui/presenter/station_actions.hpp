// What can be added and removed at a station of the data path: the elements of the scenario that it stands for.
#pragma once

#include <string>
#include <vector>

#include "gui/presenter/station_facts.hpp"

namespace headrace::gui {

struct StationAction {
  enum class What { copy, remove, add } what = What::copy;
  std::string pointer;  ///< of the element; of the list where one is added to it
  std::string text;     ///< "Add a copy of store 'objects'"
};

/// Copies and removals of each element, then the lists in it that take one more.
std::vector<StationAction> station_actions(const ScenarioDocument& document, const StationRef& station);

}  // namespace headrace::gui
