// What leaves an object store costs money at most providers: a price that nobody gave is not a price of nothing.
#pragma once

#include <string>

#include "cli/load.hpp"

namespace headrace::cli {

/// "no egress price stated for store 'lake': set /stores/0/price/egress"; empty where every object store that a job
/// reads has a price of egress, be it $0, or nothing has a price at all.
std::string unpriced_egress(const LoadedScenario& loaded);

}  // namespace headrace::cli
