// The report of a campaign of many jobs: use of pools, jobs by class, hours lost by cause, cost.
#pragma once

#include <string>

#include "reports/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// From the document of `headrace campaign --json` about many jobs.
std::string fleet_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
