// The ranking of offers and a total cost as tables, which Markdown and pages share.
#pragma once

#include "reports/gate_report.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::reports {

GateReport bakeoff_report(const scenarios::Bakeoff& bakeoff);
GateReport total_cost_report(const scenarios::TotalCostDocument& document);

/// A row per contender, by rank: RFC 4180, plain numbers.
std::string bakeoff_csv(const scenarios::Bakeoff& bakeoff);

}  // namespace headrace::reports
