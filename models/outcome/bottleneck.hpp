// The stage that binds: one rule for every answer that knows what GPUs wait for, whoever shows it.
#pragma once

#include <optional>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// Stages whose removal gains as much as that of any other, as far as the runs tell them apart: those that gain less by
/// no more than the root of the squares of both arms, or than a fiftieth of the largest gain. The largest first; empty
/// where nothing is gained or was measured.
std::vector<Stage> stages_that_gain_most(const std::vector<StageShare>& relief);

/// Of the stages that gain most, the one that most waits arise in; where no gain was measured, the one that most waits
/// arise in. Nothing where there are no waits.
std::optional<Stage> binding_stage(const std::vector<StageShare>& relief, const std::vector<StageShare>& blame);

/// The rule for an outcome: nothing unless it is ingest-bound. Answers in closed form have found theirs. Where no gain
/// was measured, a full resource says what binds.
std::optional<Stage> binding_stage(const Outcome& outcome);

/// A resource that is full, the busiest; null where none is.
const StationReport* full_station(const Outcome& outcome);

/// The busiest resource that serves the stage that binds; null where none does, such as for the latency of requests.
const StationReport* binding_station(const Outcome& outcome);

}  // namespace headrace::models
