#include "reports/link_capacity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/hops/resource.hpp"
#include "models/outcome/evidence.hpp"

namespace headrace::reports {

using models::Outcome;
using models::StationReport;

namespace {

constexpr std::string_view kLeft = " left by collectives";
constexpr std::string_view kReached = " reached with such requests";

bool has(const Outcome& outcome, std::string_view in_use) {
  const auto& unknown = outcome.evidence.not_validated;
  return std::find(unknown.begin(), unknown.end(), in_use) != unknown.end();
}

}  // namespace

std::string_view capacity_reason(const Outcome& outcome, const StationReport& station) {
  if (models::traits(station.resource).side != models::ResourceSide::network) return {};
  if (has(outcome, models::kCollectivesNotValidated)) return kLeft;
  const bool sends_requests = station.resource == models::Resource::nic;
  return sends_requests && has(outcome, models::kGoodputNotValidated) ? kReached : std::string_view();
}

std::string capacity_note(const Outcome& outcome) {
  std::string text;
  for (const std::string_view reason : {kLeft, kReached}) {
    std::string names;
    for (const StationReport& station : outcome.stations)
      if (capacity_reason(outcome, station) == reason) names += (names.empty() ? "" : ", ") + station.name;
    if (!names.empty()) text += fmt::format("{}{}:{}.", text.empty() ? "" : " ", names, reason);
  }
  return text;
}

}  // namespace headrace::reports
