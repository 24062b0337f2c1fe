#include "gui/presenter/swings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/interval_words.hpp"
#include "gui/presenter/parameter_sheet.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

/// The number that a figure is, or that stands for its law.
const ParameterValue* number_at(const std::vector<ParameterValue>& sheet, const std::string& pointer) {
  const auto found = std::find_if(sheet.begin(), sheet.end(), [&](const ParameterValue& value) {
    return value.is_number() && number_of(value, value.value) &&
           (value.pointer == pointer || value.pointer.starts_with(pointer + "/"));
  });
  return found == sheet.end() ? nullptr : &*found;
}

std::optional<double> metric_with(const ScenarioDocument& document, const ParameterValue& parameter, double number,
                                  const std::string& metric) {
  const auto varied = document.with(parameter.pointer, spelled(parameter, number));
  if (!varied) return std::nullopt;
  const ClosedForm answer = closed_form(*varied);
  const models::Metric* found = answer.outcome ? answer.outcome->find(metric) : nullptr;
  return found == nullptr ? std::nullopt : std::optional(found->mean);
}

}  // namespace

double Swing::size() const { return std::max({at_low, at_high, 0.0}) - std::min({at_low, at_high, 0.0}); }

std::vector<Swing> swings(const ScenarioDocument& document, const models::Outcome& ranges, const std::string& metric,
                          const std::stop_token& stop) {
  std::vector<Swing> all;
  const ClosedForm present = closed_form(document);
  const models::Metric* now = present.outcome ? present.outcome->find(metric) : nullptr;
  if (now == nullptr || !(now->mean > 0.0) || !ranges.inputs) return all;
  const std::vector<ParameterValue> sheet = parameter_sheet(document);
  for (const models::DrawnInput& input : ranges.inputs->inputs) {
    if (stop.stop_requested()) break;
    const ParameterValue* figure = number_at(sheet, input.parameter);
    if (figure == nullptr) continue;
    const auto low = metric_with(document, *figure, input.low, metric);
    const auto high = metric_with(document, *figure, input.high, metric);
    if (!low || !high) continue;
    Swing swing{input.parameter,
                spelled(*figure, input.low),
                spelled(*figure, input.high),
                between(input.low, input.high, scenarios::unit_symbol(input.unit)),
                *low / now->mean - 1.0,
                *high / now->mean - 1.0};
    constexpr double kLeast = 1e-6;
    if (swing.size() > kLeast) all.push_back(std::move(swing));
  }
  std::stable_sort(all.begin(), all.end(), [](const Swing& a, const Swing& b) { return a.size() > b.size(); });
  return all;
}

}  // namespace headrace::gui
