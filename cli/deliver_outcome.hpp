// An outcome on its way out: as text or JSON, with the exit status that it means.
#pragma once

#include "cli/console.hpp"
#include "cli/load.hpp"
#include "models/cluster/timeline.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::cli {

/// What goes out beside the outcome, and how.
struct OutcomeDelivery {
  bool sizing = false;                         ///< the text is the sizing sheet
  bool precision_asked = false;                ///< missing it is inconclusive
  const models::Timeline* timeline = nullptr;  ///< the page shows its time series
  std::string timeline_file;                   ///< --timeline; empty: none
};

/// Completes the outcome with the scenario's fingerprint and the age of its prices, and delivers it. Returns 0, 3 for
/// an inconclusive verdict or a precision that was asked for and missed, 130 after an interrupt, 2 when it cannot be
/// written. With --report the same goes into a page.
int deliver_outcome(models::Outcome outcome, const LoadedScenario& loaded, const ScenarioOptions& scenario,
                    const OutputOptions& output, const OutcomeDelivery& delivery, Console& console);

}  // namespace headrace::cli
