// The last step of a search: those that could still be the best run on until they differ, or differ by less than
// anybody cares for.
#pragma once

#include "scenarios/planner/search_state.hpp"

namespace headrace::scenarios {

/// By paired differences on common random numbers where the field has them, over lengths that double. Returns the
/// probability left that one of the last is better than the best by more than the indifference zone, the errors of the
/// comparisons included.
double select_among_last(SearchState& state);

/// Replaces the best by the least of what costs nothing and brings nothing: along each axis that the field calls
/// trimmable, the smallest value whose goal is as good within a tenth of the indifference zone, by bisection. What is
/// taken in the end has had the long run that every best has. False where the search was told to end before.
bool trim(SearchState& state);

}  // namespace headrace::scenarios
