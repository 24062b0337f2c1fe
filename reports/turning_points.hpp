// Where an answer turns, one uncertain figure at a time: "fed below 751 us".
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"
#include "models/study/uncertain_input.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

struct TurningPoint {
  const models::UncertainInput* input = nullptr;
  double value = 0.0;                                       ///< of the input, to a hundredth of it
  bool below = false;                                       ///< the other verdict lies below the value, else above
  models::Verdict verdict = models::Verdict::inconclusive;  ///< the other one
};

/// Of every input at an end of whose range the queueing estimate has another verdict than `verdict`, all other figures
/// as they are. Bisection: it takes a few estimates for each input. The points refer to `inputs`.
std::vector<TurningPoint> turning_points(const models::Scenario& scenario,
                                         const std::vector<models::UncertainInput>& inputs, models::Verdict verdict);

/// A section of its own; empty where nothing turns the verdict.
std::string turning_text(const std::vector<TurningPoint>& points, const Style& style);
nlohmann::ordered_json turning_json(const std::vector<TurningPoint>& points);

}  // namespace headrace::reports
