// Metrics of an outcome as a table for a terminal: value with its unit, interval, range over uncertain inputs.
#pragma once

#include <functional>
#include <string>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

/// Rows of those metrics that `shown` accepts, under a line of headings. Figures that are certainly 0 are left out,
/// except the idle time, which answers the question.
std::string figure_table(const models::Outcome& outcome, const std::function<bool(const models::Metric&)>& shown);

}  // namespace headrace::reports
