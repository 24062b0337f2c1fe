// The sections of a sweep's page.
#pragma once

#include <string>

#include "reports/html/sweep_facts.hpp"

namespace headrace::reports {

/// What each axis does to the metric: the best point at each of its values. Empty without two values on an axis.
std::string sweep_curves(const SweepFacts& facts);

/// The two axes with most values as a map, each thinned to what a map can show. Empty without two such axes.
std::string sweep_map(const SweepFacts& facts);

/// Every point with an answer, the best first; columns are left out when the page becomes too large.
std::string sweep_table(const SweepFacts& facts);

}  // namespace headrace::reports
