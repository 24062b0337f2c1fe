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

/// To each other thing of its kind that there is: a dataset to a store, a job to a pool.
template <class Thing>
void add_moves(const ScenarioDocument& document, const std::string& element, const char* key, const char* kind,
               const std::vector<Thing>& places, std::vector<StationAction>& actions) {
  const std::string pointer = element + key;
  const std::optional<std::string> now = document.value_at(pointer);
  for (const Thing& place : places)
    if (now && place.name != *now)
      actions.push_back({StationAction::What::move, pointer,
                         "Move " + place_name(document, element) + " to " + kind + " '" + place.name + "'",
                         place.name});
}

/// Tiers of checkpoints are written in their order.
void add_tier_moves(const ScenarioDocument& document, const std::string& job, std::vector<StationAction>& actions) {
  const std::string list = job + "/checkpoint/tiers";
  for (std::size_t i = 1; document.value_at(list + "/" + std::to_string(i) + "/store"); ++i)
    if (const auto edit = moved_up(document, {list, i}))
      actions.push_back({StationAction::What::move, list,
                         "Write checkpoints to " + place_name(document, list + "/" + std::to_string(i)) + " earlier",
                         edit->value});
}

void add_moves(const ScenarioDocument& document, const std::string& element, std::vector<StationAction>& actions) {
  const models::Scenario& scenario = document.scenario();
  if (element.starts_with("/datasets/")) add_moves(document, element, "/store", "store", scenario.stores, actions);
  if (element.starts_with("/jobs/")) {
    add_moves(document, element, "/pool", "pool", scenario.cluster.pools, actions);
    add_tier_moves(document, element, actions);
  }
}

}  // namespace

std::vector<StationAction> station_actions(const ScenarioDocument& document, const StationRef& station) {
  using What = StationAction::What;
  std::vector<std::string> elements = elements_of(document, station);
  std::erase_if(elements, [](const std::string& element) { return element.empty(); });
  std::vector<StationAction> actions;
  for (const std::string& element : elements)
    actions.push_back({What::copy, element, "Add a copy of " + place_name(document, element)});
  for (const std::string& element : elements) add_moves(document, element, actions);
  for (const std::string& element : elements)
    actions.push_back({What::remove, element, "Remove " + place_name(document, element)});
  for (const std::string& list : open_lists(document))
    if (takes_one_more(list, elements)) actions.push_back({What::add, list, "Add to " + place_name(document, list)});
  return actions;
}

}  // namespace headrace::gui
