// Reference pages in Markdown, made from the same tables that the program works with.
#pragma once

#include <string>

namespace headrace::reports {

/// Every metric of an outcome, the stages, the states of GPU time and the verdicts.
std::string metrics_page();

}  // namespace headrace::reports
