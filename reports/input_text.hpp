// The part of an outcome's text about uncertain inputs: what they leave open and what to measure next.
#pragma once

#include <string>

#include "models/outcome/outcome.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// Empty without --inputs ranges.
std::string input_text(const models::Outcome& outcome, const Style& style);

}  // namespace headrace::reports
