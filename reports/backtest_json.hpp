// A backtest as the JSON document that programs read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/backtest/backtest.hpp"

namespace headrace::reports {

/// rows[] in the order of the table, summary, bars[]. What is not known is null. No clock, date or host.
nlohmann::ordered_json backtest_json(const models::Backtest& backtest, const std::vector<models::MeasuredRun>& runs);

}  // namespace headrace::reports
