// headrace bound: answers without simulation, in microseconds to milliseconds.
#include "cli/deliver_outcome.hpp"
#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/verbs.hpp"
#include "models/flow_bound.hpp"
#include "models/queueing_estimate.hpp"

namespace headrace::cli {

int bound(const Invocation& call, Console& console) {
  const std::optional<LoadedScenario> loaded = load(call, console);
  if (!loaded) return kBadInput;
  if (call.dry_run) return show_resolved(*loaded, call, console);
  models::Outcome outcome =
      call.level == "flow" ? models::flow_bound(loaded->value) : models::queueing_estimate(loaded->value, call.seed);
  return deliver_outcome(std::move(outcome), *loaded, call, console);
}

}  // namespace headrace::cli
