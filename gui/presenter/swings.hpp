// A tornado: how far the answer moves when each uncertain figure alone goes to either end of what is plausible.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

struct Swing {
  std::string parameter;  ///< JSON pointer of the figure, or of its law
  std::string from;       ///< as a file spells the ends
  std::string to;
  std::string text;     ///< both for people: "66.7 ms to 150 ms"
  double at_low = 0.0;  ///< change of the metric against the present one, of 1, with the figure at its lower end
  double at_high = 0.0;

  double size() const;
};

/// By the flow bound, the largest first; figures that move nothing are left out, and so are ends that the scenario
/// refuses. `ranges` is an answer with input ranges.
std::vector<Swing> swings(const ScenarioDocument& document, const models::Outcome& ranges, const std::string& metric,
                          const std::stop_token& stop = {});

}  // namespace headrace::gui
