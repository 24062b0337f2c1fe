// What a cluster costs over years, as text.
#pragma once

#include <string>

#include "reports/style.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::reports {

/// Dollars as people say them: "$1.23 M", "-$45,300".
std::string dollars(double usd);

/// The first screen; with `all` the cash flow behind it.
std::string total_cost_text(const scenarios::TotalCostDocument& document, bool all, const Style& style);

}  // namespace headrace::reports
