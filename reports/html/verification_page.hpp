// The report of a verification: what was predicted for a real pipeline, or for a job that ran, and what it did.
#pragma once

#include <string>

#include "reports/html/page.hpp"
#include "reports/verification_json.hpp"

namespace headrace::reports {

/// Of what a saved document says, or a fresh one.
std::string verification_page(const RecordedVerification& recorded, const PageFacts& facts);

}  // namespace headrace::reports
