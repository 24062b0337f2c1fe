#include "gui/presenter/station_actions.hpp"

#include <algorithm>

#include "gui/presenter/short_name.hpp"
#include "gui/presenter/structure_edits.hpp"

namespace headrace::gui {
namespace {

std::vector<std::string> elements_of(const ScenarioDocument& document, const StationRef& station) {
  const StationPlace at = station_place(document.scenario(), station.owner);
  if (station.what == StationRef::What::workers) return {at.job};
  if (station.what == StationRef::What::gpus) return {at.pool, at.job};
  switch (models::traits(station.resource).side) {
    case models::ResourceSide::store:
      return {at.store, at.data};
    case models::ResourceSide::loader:
      return {at.job};
    default:
      return {at.pool};
  }
}

bool takes_one_more(const std::string& list, const std::vector<std::string>& elements) {
  return std::any_of(elements.begin(), elements.end(), [&](const std::string& element) {
    return list.starts_with(element + "/") || element.substr(0, element.rfind('/')) == list;
  });
}

}  // namespace

std::vector<StationAction> station_actions(const ScenarioDocument& document, const StationRef& station) {
  using What = StationAction::What;
  std::vector<std::string> elements = elements_of(document, station);
  std::erase_if(elements, [](const std::string& element) { return element.empty(); });
  std::vector<StationAction> actions;
  for (const std::string& element : elements)
    actions.push_back({What::copy, element, "Add a copy of " + place_name(document, element)});
  for (const std::string& element : elements)
    actions.push_back({What::remove, element, "Remove " + place_name(document, element)});
  for (const std::string& list : open_lists(document))
    if (takes_one_more(list, elements)) actions.push_back({What::add, list, "Add to " + place_name(document, list)});
  return actions;
}

}  // namespace headrace::gui
