// The reports of `headrace check` and `headrace compare`: every limit with its interval, what differs in the inputs and
// the outcome, and for a check the whole outcome behind it.
#pragma once

#include <string>

#include "reports/gate_json.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// Of what a saved document says, or a fresh one.
std::string check_page(const RecordedCheck& check, const OutcomePageFacts& facts);
std::string compare_page(const RecordedComparison& comparison, const PageFacts& facts);

}  // namespace headrace::reports
