// Links that collectives share with the data: what a station of them can carry is what collectives leave.
#pragma once

#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

/// " left by collectives", where a station carries at most what collectives on the same links leave to the data.
std::string_view left_text(const models::Outcome& outcome, const models::StationReport& station);

/// "What collectives leave: nic, spine." of all such stations; empty where there are none.
std::string left_note(const models::Outcome& outcome);

}  // namespace headrace::reports
