// The documents of campaigns, of one job and of many, as CSV and as Markdown.
#pragma once

#include <string>
#include <vector>

#include "reports/document.hpp"

namespace headrace::reports {

/// One row per figure, cause and line of the ledger, below a header.
std::vector<std::vector<std::string>> campaign_rows(const Document& document);

std::string campaign_markdown(const Document& document);

/// One row per figure, pool, class of jobs, cause and line of the ledger, below a header.
std::vector<std::vector<std::string>> fleet_rows(const Document& document);

std::string fleet_markdown(const Document& document);

}  // namespace headrace::reports
