// What to change first in a scenario whose GPUs wait for data or lose time to checkpoints and failures, and what else
// would help.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"
#include "scenarios/remedies/remedy_judge.hpp"

namespace headrace::scenarios {

/// A value at its place in a scenario, as --set takes it.
struct ChangedValue {
  std::string pointer;
  std::string value;
};

/// What makes `after` of `before`: every value that differs, in the order of the document.
std::vector<ChangedValue> changed_values(const models::Scenario& before, const models::Scenario& after);

struct Remedy {
  models::RemedyReport report;
  models::Scenario changed;  ///< the scenario with the change
};

/// The first remedy, then the other changes that gain a point of GPU time or more, the largest gain first; `most` at
/// most.
///
/// The first is the easiest of the changes that gain at least four fifths of what the best one gains, or half of it
/// where they need no other machines: more workers before more hardware. What nobody can buy (the latency of a remote
/// store), and what the machines do not hold (more workers than cores, which the change then says), comes last: only
/// where nothing else gains. Where it gains less than half of the wait, and a second change beside it twice as much,
/// both: two limits that lie close together. Nothing where no change gains one point of GPU time. `idle_fraction` is
/// the share of GPU time that waits for data now. A gain is the share of today's GPU time that the same work takes
/// less, as the relief of a stage is; by queueing estimates; where a simulation with `simulated_seed` gave the share,
/// and the estimate is off by more than a tenth of it, now or with the first remedy, by short simulations on the same
/// draws. Of interruptions `idle_fraction` is the share that checkpoints and failures take, and gains are by their
/// formulas.
std::vector<Remedy> remedies(const models::Scenario& scenario, double idle_fraction, std::size_t most,
                             std::optional<std::uint64_t> simulated_seed = std::nullopt,
                             RemedyGoal goal = RemedyGoal::waits);

/// Share of its own GPU time that is lost after a change of a scenario that loses `idle_fraction`.
double idle_after(const models::RemedyReport& change, double idle_fraction);

}  // namespace headrace::scenarios
