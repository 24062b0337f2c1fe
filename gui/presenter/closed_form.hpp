// What the window shows while a slider moves: bounds and estimates, in the time of a frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/parameter_sheet.hpp"
#include "models/outcome.hpp"

namespace headrace::gui {

/// The flow bound of the document's scenario; with an error text instead where the scenario has none.
struct ClosedForm {
  std::optional<models::Outcome> outcome;
  std::string error;
};
ClosedForm closed_form(const ScenarioDocument& document);

/// A metric over the values of one parameter.
struct Curve {
  std::vector<double> x;  ///< in the parameter's base unit
  std::vector<double> y;
};

/// The flow bound of `metric` over the range of a parameter, `count` points at most; points without an answer are left
/// out.
Curve bound_curve(const ScenarioDocument& document, const ParameterValue& parameter, const std::string& metric,
                  int count);

}  // namespace headrace::gui
