// An outcome on its way out: as text or JSON, with the exit status that it means.
#pragma once

#include "cli/console.hpp"
#include "cli/invocation.hpp"
#include "cli/load.hpp"
#include "models/outcome.hpp"
#include "models/timeline.hpp"

namespace headrace::cli {

/// Completes the outcome with the scenario's fingerprint and the age of its prices, and delivers it. Returns 0, 3 for
/// an inconclusive verdict or a --precision that was asked for and missed, 130 after an interrupt, 2 when it cannot be
/// written. With --report the same goes into a page, with the time series of `timeline`, and --timeline writes that.
int deliver_outcome(models::Outcome outcome, const LoadedScenario& loaded, const Invocation& call, Console& console,
                    const models::Timeline* timeline = nullptr);

/// Whether all files that the call asks for can be written; a message says which not.
bool can_deliver_all(const Invocation& call, Console& console);

}  // namespace headrace::cli
