// Curves of kept runs beside that of the present scenario. They do not depend on what the hand moves: those that are
// known stay.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/kept_run.hpp"

namespace headrace::gui {

struct GhostCurve {
  std::string name;                                  ///< "closed form of the baseline"
  std::string of;                                    ///< scenario, metric and axis: the same text is the same curve
  std::shared_ptr<const ScenarioDocument> document;  ///< nullptr once the curve is there
  Curve curve;
};

/// A curve for each run over the parameter: those among `known` that are of the same, the others to be computed.
std::vector<GhostCurve> wanted_ghosts(const std::vector<const KeptRun*>& runs, const KeptRun* baseline,
                                      const ParameterValue& parameter, const std::string& metric,
                                      const std::vector<GhostCurve>& known);

/// Those that are not known yet. A stop request ends it early.
void compute_ghosts(std::vector<GhostCurve>& ghosts, const ParameterValue& parameter, const std::string& metric,
                    int count, const std::stop_token& stop);

}  // namespace headrace::gui
