// A timeline in the trace format of Chrome (JSON array format, "X", "C", "i" and "M" events), which ui.perfetto.dev and
// chrome://tracing open: a process for every watched node, in it a track for every GPU and every worker; then processes
// for what models report beside batches and steps, whose slices say on what they rest (args.basis). Times are
// microseconds of simulated time.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/cluster/timeline.hpp"

namespace headrace::reports {

nlohmann::ordered_json timeline_json(const models::Timeline& timeline);
nlohmann::ordered_json timeline_schema();

}  // namespace headrace::reports
