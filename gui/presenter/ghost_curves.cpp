#include "gui/presenter/ghost_curves.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headrace::gui {

std::vector<GhostCurve> wanted_ghosts(const std::vector<const KeptRun*>& runs, const KeptRun* baseline,
                                      const ParameterValue& parameter, const std::string& metric,
                                      const std::vector<GhostCurve>& known) {
  std::vector<GhostCurve> ghosts;
  for (const KeptRun* run : runs) {
    GhostCurve ghost;
    ghost.name = "closed form of " + (run == baseline ? std::string("the baseline") : run->name());
    ghost.of = fmt::format("{}|{}|{}|{}", run->document.loaded().sha256, metric, parameter.pointer,
                           parameter.today.value_or(0.0));  // the axis goes around today
    const auto there = std::find_if(known.begin(), known.end(), [&](const GhostCurve& other) {
      return other.of == ghost.of && other.document == nullptr;
    });
    if (there != known.end())
      ghost.curve = there->curve;
    else
      ghost.document = std::make_shared<const ScenarioDocument>(run->document);
    ghosts.push_back(std::move(ghost));
  }
  return ghosts;
}

void compute_ghosts(std::vector<GhostCurve>& ghosts, const ParameterValue& parameter, const std::string& metric,
                    int count, const std::stop_token& stop) {
  for (GhostCurve& ghost : ghosts) {
    if (ghost.document == nullptr || stop.stop_requested()) continue;
    ghost.curve = bound_curve(*ghost.document, parameter, metric, count, stop);
    ghost.document.reset();
  }
}

}  // namespace headrace::gui
