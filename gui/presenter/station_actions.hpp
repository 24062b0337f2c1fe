// What can be added, moved and removed at a station of the data path: the elements of the scenario that it stands for.
#pragma once

#include <string>
#include <vector>

#include "gui/presenter/station_facts.hpp"

namespace headrace::gui {

struct StationAction {
  enum class What { copy, move, remove, add } what = What::copy;
  std::string pointer;     ///< of the element; of the list where one is added to it; of what a move sets
  std::string text;        ///< "Add a copy of store 'objects'"
  std::string value = {};  ///< that a move sets there
};

/// Copies, moves and removals of each element, then the lists in it that take one more.
std::vector<StationAction> station_actions(const ScenarioDocument& document, const StationRef& station);

}  // namespace headrace::gui
