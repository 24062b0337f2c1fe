// Where flow bounds are loose: successive halving over a spread of starts, then a surrogate of the gap between bound
// and simulation that says where a better point could still be.
#pragma once

#include "scenarios/planner/search_state.hpp"

namespace headrace::scenarios {

/// Runs points until the surrogate gives all others together less than half the error budget of being better than the
/// best by more than the indifference zone, or the budget of points is used up. Returns what is left of that
/// probability.
double search_by_surrogate(SearchState& state);

}  // namespace headrace::scenarios
