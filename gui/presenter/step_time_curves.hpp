// How step times spread: those that a training loop measured, beside those of the recorded prediction. Means can agree
// where the spread does not.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/closed_form.hpp"
#include "models/verification/verify.hpp"

namespace headrace::gui {

struct StepTimeCurves {
  Curve measured;     ///< share of the steps (of 1) that are at most so long (s)
  Curve predicted;    ///< the same of the recorded prediction
  std::string words;  ///< how many steps of what
};

/// A value with its weight, in any order, as shares of the weight up to each of some values.
Curve cumulative(std::vector<std::pair<double, double>> weighted);

/// Without the first tenth of the measured steps, as the compared means, and the first quarter of each recording. Every
/// window of the epoch is recorded, and counts as much as it does there. Throws what the recording throws.
StepTimeCurves step_time_curves(const ScenarioDocument& document,
                                const std::vector<models::verification::MeasuredStep>& steps,
                                const std::stop_token& stop);

}  // namespace headrace::gui
