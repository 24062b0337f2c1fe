// The report of a backtest: predictions against the measurements that they did not see.
#pragma once

#include <string>

#include "reports/backtest_json.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// Of what a saved document says, or a fresh one.
std::string backtest_page(const RecordedBacktest& recorded, const PageFacts& facts);

}  // namespace headrace::reports
