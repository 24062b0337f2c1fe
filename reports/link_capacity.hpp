// Links that carry less than their rate: collectives share them with the data, or small requests do not fill them.
#pragma once

#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

/// " left by collectives" or " reached with such requests", where a station carries at most that; empty elsewhere.
std::string_view capacity_reason(const models::Outcome& outcome, const models::StationReport& station);

/// "nic, spine: left by collectives." of all such stations; empty where there are none.
std::string capacity_note(const models::Outcome& outcome);

}  // namespace headrace::reports
