// A store of results that cannot be used, as every verb tells it.
#pragma once

#include "cli/refusal.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace::cli {

int refuse(const scenarios::StoreError& error, Console& console);

}  // namespace headrace::cli
