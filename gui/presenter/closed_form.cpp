#include "gui/presenter/closed_form.hpp"

#include "gui/presenter/slider_scale.hpp"
#include "models/flow_bound.hpp"

namespace headrace::gui {

ClosedForm closed_form(const ScenarioDocument& document) {
  ClosedForm answer;
  try {
    answer.outcome = models::flow_bound(document.scenario());
    answer.outcome->scenario_sha256 = document.loaded().sha256;
  } catch (const std::exception& error) {
    answer.error = error.what();
  }
  return answer;
}

Curve bound_curve(const ScenarioDocument& document, const ParameterValue& parameter, const std::string& metric,
                  int count) {
  Curve curve;
  const auto now = number_of(parameter, parameter.value);
  if (!parameter.can_slide() || !now) return curve;
  const SliderScale scale(parameter, *now);
  for (const double x : scale.spread(count)) {
    const auto varied = document.with(parameter.pointer, spelled(parameter, x));
    if (!varied) continue;
    const ClosedForm answer = closed_form(*varied);
    const models::Metric* found = answer.outcome ? answer.outcome->find(metric) : nullptr;
    if (found == nullptr) continue;
    curve.x.push_back(x);
    curve.y.push_back(found->mean);
  }
  return curve;
}

}  // namespace headrace::gui
