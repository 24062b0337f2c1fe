// The cases and measurements that stand behind an answer, part by part, for a terminal.
#pragma once

#include <string>

#include "models/outcome/outcome.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// Every measurement of a part of the model in use with system, source, date and error; the nearest computed cases; how
/// far the scenario lies outside of each; and the parts that nothing was compared with. Lines are indented by two.
std::string evidence_text(const models::Outcome& outcome, const Style& style);

}  // namespace headrace::reports
