// The range of an answer over its uncertain inputs as rows, in the words of the window.
#pragma once

#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

struct InputRows {
  std::string summary;                         ///< how many figures, and with what verdicts
  std::vector<std::vector<std::string>> rows;  ///< figure, share of the step time's variance, of the cost's, value,
                                               ///< range, evidence; those to measure first come first
};
inline const std::vector<std::string> kInputHeads = {"measure next", "step time", "cost",    "now",
                                                     "from",         "to",        "evidence"};

/// Nothing where no figure is uncertain.
InputRows input_rows(const ScenarioDocument& document, const models::Outcome& outcome);

}  // namespace headrace::gui
