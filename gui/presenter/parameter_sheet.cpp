#include "gui/presenter/parameter_sheet.hpp"

#include <algorithm>
#include <string_view>

#include "scenarios/document/input_ranges.hpp"

namespace headrace::gui {
namespace {

constexpr std::string_view kStated = "stated";

bool is_figure(const ParameterValue& value) {
  return value.is_number() || value.facts.type == "choice" || value.facts.type == "flag";
}

}  // namespace

std::vector<ParameterValue> parameter_sheet(const ScenarioDocument& document) {
  std::vector<ParameterValue> sheet = scenarios::parameter_sheet(document.loaded());
  const auto inputs = scenarios::uncertain_inputs(document.scenario(), document.loaded().composition);
  if (!inputs) return sheet;
  for (ParameterValue& value : sheet) {
    if (value.evidence != kStated) continue;
    const auto drawn = std::find_if(inputs->begin(), inputs->end(), [&](const models::UncertainInput& input) {
      return value.pointer == input.pointer || value.pointer.starts_with(input.pointer + "/");
    });
    value.evidence = drawn != inputs->end() ? models::evidence_name(drawn->evidence)
                     : is_figure(value)     ? std::string_view("decided")
                                            : std::string_view();
  }
  return sheet;
}

}  // namespace headrace::gui
