// What to do next: up to three changes that make the GPUs wait less, with gain and cost, as edits of the document.
#pragma once

#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/outcome/outcome.hpp"
#include "reports/next_changes.hpp"

namespace headrace::gui {

struct NextStep {
  std::string change;  ///< "double the workers of each loader"
  std::string gain;    ///< "+31.2 % GPU time"
  std::string cost;    ///< of an epoch: "$12.40 less per epoch"
  std::vector<Edit> edits;
  models::AnswerKind kind = models::AnswerKind::estimate;  ///< of the gain
  std::string worse_grade;                                 ///< of the changed configuration, where worse than today's
};

struct NextSteps {
  std::vector<NextStep> steps;
  std::string nothing;                 ///< instead of steps: why there is nothing to do
  std::string nothing_as_stated = {};  ///< the same where GPUs may wait over the ranges of the inputs
};

/// For a simulated answer of the scenario. Touches no document, so that it can run on another thread.
NextSteps next_steps(const models::Scenario& scenario, const models::Outcome& outcome);

}  // namespace headrace::gui
