// Pages of `headrace bakeoff` and `headrace tco`.
#pragma once

#include <string>

#include "reports/html/page.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::reports {

std::string bakeoff_page(const scenarios::Bakeoff& bakeoff, const PageFacts& facts);
std::string total_cost_page(const scenarios::TotalCostDocument& document, const PageFacts& facts);

}  // namespace headrace::reports
