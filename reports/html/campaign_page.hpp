// The report of a campaign: goodput, hours lost by cause, restarts, phases, cost.
#pragma once

#include <string>

#include "reports/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// From the document of `headrace campaign --json`.
std::string campaign_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
