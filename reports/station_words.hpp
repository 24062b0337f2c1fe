// What the figures of a station are of: one node or leaf of many, a link that collectives share or requests do not
// fill.
#pragma once

#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

/// What a station's figures are of: " a node", " a leaf"; empty where the cluster has one of it.
std::string_view each_text(const models::Outcome& outcome, const models::StationReport& station);

/// Whether stations are those after the ramp of a store that grows with its load.
bool is_after_ramp(const models::Outcome& outcome);

/// " left by collectives" or " reached with such requests", where a station carries at most that; empty elsewhere.
std::string_view capacity_reason(const models::Outcome& outcome, const models::StationReport& station);

/// "nic, spine: left by collectives." of all such stations; empty where there are none.
std::string capacity_note(const models::Outcome& outcome);

}  // namespace headrace::reports
