#include "gui/presenter/input_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gui/presenter/dashboard.hpp"
#include "gui/presenter/short_name.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

double share_in(const models::InputReport& report, std::string_view metric, const std::string& parameter) {
  for (const models::MetricDrivers& drivers : report.drivers) {
    if (drivers.metric != metric) continue;
    for (const models::InputEffect& effect : drivers.effects)
      if (effect.parameter == parameter) return effect.share;
  }
  return 0.0;
}

std::string share_cell(double share) { return share > 0.0 ? reports::percent(share, 0) : std::string("none"); }

std::string figure_cell(const models::DrawnInput& input, double value) {
  const std::string_view unit = input.unit == models::Unit::fraction ? std::string_view("1")
                                : input.unit == models::Unit::one    ? std::string_view()
                                                                     : scenarios::unit_symbol(input.unit);
  return reports::humane(value, unit, 3);
}

std::string summary_of(const models::InputReport& report) {
  std::string text = fmt::format("{} are not measured; over their ranges the answer is",
                                 reports::counted(report.inputs.size(), "figure"));
  std::string verdicts;
  for (std::size_t i = 0; i < report.verdicts.size(); ++i)
    if (report.verdicts[i] > 0.0)
      verdicts += fmt::format("{} {} in {}", verdicts.empty() ? "" : ",", verdict_word(static_cast<models::Verdict>(i)),
                              reports::percent(report.verdicts[i], 0));
  return verdicts.empty() ? fmt::format("{} are not measured.", reports::counted(report.inputs.size(), "figure"))
                          : text + verdicts + ".";
}

}  // namespace

InputRows input_rows(const ScenarioDocument& document, const models::Outcome& outcome) {
  InputRows rows;
  if (!outcome.inputs || outcome.inputs->inputs.empty()) return rows;
  const models::InputReport& report = *outcome.inputs;
  rows.summary = summary_of(report);
  std::vector<const models::DrawnInput*> order;
  for (const models::DrawnInput& input : report.inputs) order.push_back(&input);
  const auto weight = [&](const models::DrawnInput* input) {
    return std::max(share_in(report, "step_time_s", input->parameter),
                    share_in(report, "cost_per_epoch_usd", input->parameter));
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* x, const auto* y) { return weight(x) > weight(y); });
  for (const models::DrawnInput* input : order)
    rows.rows.push_back(
        {place_name(document, input->parameter), share_cell(share_in(report, "step_time_s", input->parameter)),
         share_cell(share_in(report, "cost_per_epoch_usd", input->parameter)), figure_cell(*input, input->value),
         figure_cell(*input, input->low), figure_cell(*input, input->high),
         std::string(models::kEvidenceNames[static_cast<std::size_t>(input->evidence)].name)});
  return rows;
}

}  // namespace headrace::gui
