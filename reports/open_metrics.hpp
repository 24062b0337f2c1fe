// An outcome as OpenMetrics text (openmetrics.io, 1.0), for dashboards that read what exporters write: one gauge per
// metric, share and station.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headrace::reports {

std::string open_metrics(const nlohmann::ordered_json& outcome);

}  // namespace headrace::reports
