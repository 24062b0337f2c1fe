// What a gate found as its writers show it: when it is made, and later from a saved document.
#pragma once

#include "reports/gate_json.hpp"
#include "reports/gate_report.hpp"

namespace headrace::reports {

/// Where a threshold stands in a file is not part of it, nor which inputs differ from the baseline.
GateReport check_report_of(const RecordedCheck& check);

/// Without the table of waits and that of causes.
GateReport compare_report_of(const RecordedComparison& comparison);

}  // namespace headrace::reports
