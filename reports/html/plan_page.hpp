// The report of a plan: the configuration to take, how sure that is, what stands next to it, and how it was found.
#pragma once

#include <string>

#include "reports/html/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// From the document of `headrace plan --json`.
std::string plan_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
