#include "reports/left_by_collectives.hpp"

#include <algorithm>

#include "models/hops/resource.hpp"
#include "models/outcome/evidence.hpp"

namespace headrace::reports {

using models::Outcome;
using models::StationReport;

std::string_view left_text(const Outcome& outcome, const StationReport& station) {
  const auto& unknown = outcome.evidence.not_validated;
  const bool shared = std::find(unknown.begin(), unknown.end(), models::kCollectivesNotValidated) != unknown.end();
  const bool on_the_way = models::traits(station.resource).side == models::ResourceSide::network;
  return shared && on_the_way ? " left by collectives" : "";
}

std::string left_note(const Outcome& outcome) {
  std::string names;
  for (const StationReport& station : outcome.stations)
    if (!left_text(outcome, station).empty()) names += (names.empty() ? "" : ", ") + station.name;
  return names.empty() ? names : "What collectives leave: " + names + ".";
}

}  // namespace headrace::reports
