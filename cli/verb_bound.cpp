// headrace bound: answers without simulation, in microseconds to milliseconds.
#include <utility>

#include "cli/deliver_outcome.hpp"
#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/verbs.hpp"
#include "models/flow_bound.hpp"
#include "models/input_study.hpp"
#include "models/queueing_estimate.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::cli {
namespace {

models::Outcome answer(const LoadedScenario& loaded, const Invocation& call) {
  const bool flow = call.level == "flow";
  if (call.input_mode == "fixed")
    return flow ? models::flow_bound(loaded.value) : models::queueing_estimate(loaded.value, call.seed);
  const auto inputs = uncertain_inputs(loaded);
  return flow ? models::flow_bound_over(loaded.value, inputs, call.seed)
              : models::estimate_over(loaded.value, inputs, call.seed);
}

}  // namespace

int bound(const Invocation& call, Console& console) {
  const std::optional<LoadedScenario> loaded = load(call, console);
  if (!loaded) return kBadInput;
  if (call.dry_run) return show_resolved(*loaded, call, console);
  if (!can_deliver_all(call, console)) return kBadInput;
  models::Outcome outcome = answer(*loaded, call);
  outcome.sizing = models::sizing_sheet(loaded->value, call.sizing_room);
  return deliver_outcome(std::move(outcome), *loaded, call, console);
}

}  // namespace headrace::cli
