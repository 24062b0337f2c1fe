// The report of a verification: what was predicted for a real pipeline, or for a job that ran, and what it did.
#pragma once

#include <string>

#include "reports/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// From the document of `headrace verify --json`.
std::string verification_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
