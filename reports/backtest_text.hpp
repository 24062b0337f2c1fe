// A backtest for a person at a terminal: aims and errors first, then predicted against measured, row by row.
#pragma once

#include <string>
#include <vector>

#include "models/backtest/backtest.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

std::string backtest_text(const models::Backtest& backtest, const std::vector<models::MeasuredRun>& runs,
                          const std::string& title, const Style& style);

}  // namespace headrace::reports
