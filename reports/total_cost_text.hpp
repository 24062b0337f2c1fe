// What a cluster costs over years, as text.
#pragma once

#include <string>
#include <vector>

#include "reports/gate_report.hpp"
#include "reports/style.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::reports {

/// Dollars as people say them: "$1.23 M", "-$45,300".
std::string dollars(double usd);

/// Name and value of each figure that there is, with a column for doing nothing where that was asked.
std::vector<std::vector<std::string>> cost_rows(const scenarios::TotalCostDocument& document);

/// "A useful GPU hour costs $3.2 over 3 years at 8 % interest a year: 128 GPUs, simulated."
std::string total_cost_sentence(const scenarios::TotalCostDocument& document);

/// What is paid for, in all: "capital $1.2 M, energy $45,300".
std::string paid_for_text(const models::TotalCostAnswer& answer);

/// "Assumed: 3 years ...", "Without a price, so free here: staff.", where there is such a thing.
std::vector<std::string> beside_the_cost(const scenarios::TotalCostDocument& document);

std::string gain_over_nothing_text(const scenarios::NothingDone& nothing);

/// A row per period, of the kinds of payment that there are.
GateTable cash_flow_table(const models::TotalCostAnswer& answer);

/// The first screen; with `all` the cash flow behind it.
std::string total_cost_text(const scenarios::TotalCostDocument& document, bool all, const Style& style);

}  // namespace headrace::reports
