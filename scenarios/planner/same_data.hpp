// Whether the configurations of a plan can be compared by an epoch at all: an epoch of each must read the same data,
// and what is decided must change what it is weighed by.
#pragma once

#include "models/outcome/outcome.hpp"
#include "scenarios/planner/space.hpp"

namespace headrace::scenarios {

/// Where the size of shards is decided and their number is not, the number goes in step, so that a dataset keeps its
/// samples; a note says so.
void keep_samples(const LoadedScenario& loaded, std::vector<PlanAxis>& axes, std::vector<models::Warning>& notes);

/// E0508 where an axis changes both the samples and the bytes (before any codec) that an epoch reads: such an epoch is
/// another one, and the smallest would always win. One of the two may differ: samples of another format, or of another
/// length over the same data.
tl::expected<void, Diagnostics> check_same_data(const LoadedScenario& loaded, const Space& space);

/// Decisions whose effect the scenario leaves out: a batch or a GPU that no step time follows, a GPU without a price.
std::vector<models::Warning> one_sided_decisions(const LoadedScenario& loaded, const Space& space);

}  // namespace headrace::scenarios
