// The reports of `headrace check` and `headrace compare`: every limit with its interval, what differs in the inputs and
// the outcome, and for a check the whole outcome behind it.
#pragma once

#include <string>

#include "reports/document.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// From the document of `headrace check --json`.
std::string check_page(const Document& document, const OutcomePageFacts& facts);

/// From the document of `headrace compare --json`.
std::string compare_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
