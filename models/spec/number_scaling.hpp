// Multiplies numbers of a record by factors, found by JSON pointer: what growth does to a scenario. Counts are rounded
// to the nearest and stay at least 1; a distribution is stretched.
#pragma once

#include <map>
#include <set>
#include <string>

#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Factors by JSON pointer: "/datasets/0/files".
using NumberFactors = std::map<std::string, double, std::less<>>;

/// The first relation between parameters that the result violates; empty: none.
std::string scale_numbers(const NumberFactors& factors, Scenario& scenario);

/// Those of the pointers that name no number of the scenario.
std::set<std::string> without_number(const NumberFactors& factors, const Scenario& scenario);

}  // namespace headrace::models
