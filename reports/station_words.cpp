#include "reports/station_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/hops/resource.hpp"
#include "models/outcome/evidence.hpp"

namespace headrace::reports {

using models::Outcome;
using models::StationReport;

namespace {

constexpr std::string_view kLeftByCollectives = " left by collectives";
constexpr std::string_view kReachedWithRequests = " reached with such requests";
constexpr std::string_view kLeftBySaves = " left by saves on average";
constexpr std::string_view kBetweenSaves = " between saves";
constexpr std::string_view kLeftByNewData = " left by writes of new data";
constexpr std::string_view kLeftByMoves = " left by moves between tiers";
constexpr std::string_view kWithDrives = " with its drives counted";

}  // namespace

std::string_view each_text(const Outcome& outcome, const StationReport& station) {
  const bool local = std::any_of(outcome.stations.begin(), outcome.stations.end(), [](const StationReport& other) {
    return other.resource == models::Resource::local_drive;
  });
  if (station.resource == models::Resource::store_requests && local) return " a node";
  switch (models::traits(station.resource).scope) {
    case models::Scope::loader:
      return " a loader";
    case models::Scope::node:
      return " a node";
    case models::Scope::leaf:
      return " a leaf";
    case models::Scope::cluster:
      break;
  }
  return {};
}

bool is_after_ramp(const Outcome& outcome) { return models::mean_in(outcome.metrics, "store_ramp_s") > 0.0; }

std::string_view capacity_reason(const Outcome& outcome, const StationReport& station) {
  if (station.resource == models::Resource::store_bandwidth) {
    if (models::is_not_validated(outcome.evidence, models::kStreamsNotValidated)) return kLeftByNewData;
    if (models::is_not_validated(outcome.evidence, models::kWritesNotValidated)) {
      const double writing = models::mean_in(outcome.metrics, "checkpoint_write_time_fraction");
      return writing > 0.0 && writing < models::kAlwaysWriting ? kBetweenSaves : kLeftBySaves;
    }
    if (models::mean_in(outcome.metrics, "migration_bytes_per_day") > 0.0) return kLeftByMoves;
    return models::is_not_validated(outcome.evidence, models::kDrivesNotValidated) ? kWithDrives : std::string_view();
  }
  if (models::traits(station.resource).side != models::ResourceSide::network) return {};
  if (models::is_not_validated(outcome.evidence, models::kCollectivesNotValidated)) return kLeftByCollectives;
  const bool sends_requests = station.resource == models::Resource::nic;
  return sends_requests && models::is_not_validated(outcome.evidence, models::kGoodputNotValidated)
             ? kReachedWithRequests
             : std::string_view();
}

std::string capacity_note(const Outcome& outcome) {
  std::string text;
  for (const std::string_view reason : {kLeftByCollectives, kReachedWithRequests, kLeftBySaves, kBetweenSaves,
                                        kLeftByNewData, kLeftByMoves, kWithDrives}) {
    std::string names;
    for (const StationReport& station : outcome.stations)
      if (capacity_reason(outcome, station) == reason) names += (names.empty() ? "" : ", ") + station.name;
    if (!names.empty())
      text += fmt::format("{}{}: the rate{}{}.", text.empty() ? "" : " ", names, reason,
                          reason == kBetweenSaves ? ", which take the rest while they last" : "");
  }
  return text;
}

}  // namespace headrace::reports
