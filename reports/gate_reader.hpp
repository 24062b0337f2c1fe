// The document of a gate as what its writers show: when it is made, and later from a saved one.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/gate_report.hpp"

namespace headrace::reports {

/// From the document of `headrace check --json`. Where a threshold stands in a file is not part of it, nor which
/// inputs differ from the baseline.
GateReport check_report_of(const nlohmann::ordered_json& document);

/// From the document of `headrace compare --json`, without the table of waits and that of causes.
GateReport compare_report_of(const nlohmann::ordered_json& document);

}  // namespace headrace::reports
