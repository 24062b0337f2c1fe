// A saved document of a gate as what its writers show, so that JUnit XML and Markdown can be made from it later.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/gate_report.hpp"

namespace headrace::reports {

/// From the document of `headrace check --json`. Where a threshold stands in a file is not part of it.
GateReport check_report_of(const nlohmann::ordered_json& document);

/// From the document of `headrace compare --json`.
GateReport compare_report_of(const nlohmann::ordered_json& document);

}  // namespace headrace::reports
