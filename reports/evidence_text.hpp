// The cases and measurements that stand behind an answer, part by part, for a terminal.
#pragma once

#include <string>

#include "models/outcome/outcome.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// The nearest reference cases with their error, every published or own measurement of a part of the model in use, how
/// far the scenario lies outside of each, and the parts that nothing was compared with. Lines are indented by two.
std::string evidence_text(const models::Outcome& outcome, const Style& style);

}  // namespace headrace::reports
