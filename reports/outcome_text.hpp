// An outcome in full for a person at a terminal: the first screen, then the numbers behind it.
#pragma once

#include <string>

#include "models/outcome/outcome.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// The whole report, lines of at most style.width characters.
std::string outcome_text(const models::Outcome& outcome, const SummaryFacts& facts, const Style& style);

}  // namespace headrace::reports
