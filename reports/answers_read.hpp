// What was understood of the answers that make a scenario, and what stands in it where nobody answered.
#pragma once

#include <string>

#include "models/spec/scenario.hpp"
#include "scenarios/document/questionnaire.hpp"

namespace headrace::reports {

/// Questions left open that have a value all the same, with it; what of a node's processors and of its loaders no
/// question asks; and what is left out.
std::string answers_left_open(const models::Scenario& scenario, const scenarios::Draft& draft,
                              const scenarios::Answers& answers);

/// The scenario in a sentence, what was read in more than one way, then what was left open.
std::string answers_read_as(const models::Scenario& scenario, const scenarios::Draft& draft,
                            const scenarios::Answers& answers);

}  // namespace headrace::reports
