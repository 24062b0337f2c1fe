// The report of a backtest: predictions against the measurements that they did not see.
#pragma once

#include <string>

#include "reports/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// From the document of `headrace backtest --json`.
std::string backtest_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
