// The report of a plan: the configuration to take, how sure that is, what stands next to it, and how it was found.
#pragma once

#include <functional>
#include <string>

#include "reports/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// From the document of `headrace plan --json`.
/// `origin_of` tells where the value at a JSON pointer of the scenario comes from.
std::string plan_page(const Document& document, const PageFacts& facts,
                      const std::function<std::string(const std::string& pointer)>& origin_of = {});

}  // namespace headrace::reports
