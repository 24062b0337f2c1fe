// The page of `headrace growth`: dates, orders, regret, and busy shares over the quarters.
#pragma once

#include <string>

#include "reports/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

std::string growth_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
