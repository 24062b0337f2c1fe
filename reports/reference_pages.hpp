// Reference pages in Markdown, made from the same tables that the program works with.
#pragma once

#include <string>
#include <vector>

#include "scenarios/document/explain_visitor.hpp"

namespace headrace::reports {

/// Every parameter of a scenario, one table per record.
std::string parameters_page(const std::vector<scenarios::Parameter>& parameters);

/// Every metric of an outcome, the stages, the states of GPU time and the verdicts.
std::string metrics_page();

}  // namespace headrace::reports
