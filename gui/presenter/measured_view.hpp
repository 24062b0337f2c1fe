// Predicted against measured: what `headrace verify --json` wrote, read for a drawing.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "gui/presenter/step_time_curves.hpp"

namespace headrace::gui {

struct MeasuredPair {
  std::string name;
  double predicted_idle = 0.0;  ///< of 1
  double measured_idle = 0.0;
  std::vector<std::string> cells;  ///< of the table: name, idle and step time predicted and measured, errors, verdict
};

struct MeasuredView {
  std::string headline;
  std::vector<std::string> header;
  std::vector<MeasuredPair> pairs;
  double bar_points = 0.0;              ///< errors up to this agree
  std::optional<StepTimeCurves> steps;  ///< of a job that ran
  std::string why_no_steps;             ///< what is missing where there are none
};

/// The error says in words what is missing.
tl::expected<MeasuredView, std::string> measured_view(const std::string& text);

/// What the layers under the document say about having been held against a machine: a line for each.
std::vector<std::string> verified_lines(const ScenarioDocument& document);

}  // namespace headrace::gui
