// The part of an outcome's text about uncertain inputs: what they leave open and what to measure next.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// A figure of a scenario as these tables show it: "569 us"; and a range: "300 us .. 5.00 ms".
std::string input_value_text(double value, models::Unit unit);
std::string input_range_text(double low, double high, models::Unit unit);

/// Every figure that has a range, whether the scenario states it or it is the usual one of such a figure.
std::string every_input_text(const models::Outcome& outcome, const Style& style);

/// "<what> hangs most on A (40 % of the variance) and B (20 %): measure these first."
std::string hangs_most_on(const std::string& what, const std::vector<models::InputEffect>& inputs);

/// Empty without --inputs ranges.
std::string input_text(const models::Outcome& outcome, const Style& style);

}  // namespace headrace::reports
