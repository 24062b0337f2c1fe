// An outcome on its way out: as text or JSON, with the exit status that it means.
#pragma once

#include "cli/console.hpp"
#include "cli/invocation.hpp"
#include "cli/load.hpp"
#include "models/outcome.hpp"

namespace headrace::cli {

/// Completes the outcome with the scenario's fingerprint and the age of its prices, and delivers it. Returns 0, 3 for
/// an inconclusive verdict or a --precision that was asked for and missed, 130 after an interrupt, 2 when it cannot be
/// written.
int deliver_outcome(models::Outcome outcome, const LoadedScenario& loaded, const Invocation& call, Console& console);

}  // namespace headrace::cli
