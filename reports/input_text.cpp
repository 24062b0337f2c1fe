#include "reports/input_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/humane.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/units.hpp"

namespace headrace::reports {
namespace {

using models::DrawnInput;
using models::InputReport;

/// The unit of a scenario's figure as text shows it.
std::string_view shown_unit(models::Unit unit) {
  if (unit == models::Unit::fraction) return "1";
  return unit == models::Unit::one ? std::string_view() : scenarios::unit_symbol(unit);
}

std::string range_text(const DrawnInput& input) {
  return fmt::format("{} .. {}", humane(input.low, shown_unit(input.unit), 3),
                     humane(input.high, shown_unit(input.unit), 3));
}

/// The end of a pointer tells more than its beginning.
std::string shortened(const std::string& pointer) {
  constexpr std::size_t kWidest = 32;
  return pointer.size() <= kWidest ? pointer : ".." + pointer.substr(pointer.size() - kWidest + 2);
}

std::string share_of(const InputReport& report, std::string_view metric, const std::string& parameter) {
  for (const models::MetricDrivers& drivers : report.drivers) {
    if (drivers.metric != metric) continue;
    for (const models::InputEffect& effect : drivers.effects)
      if (effect.parameter == parameter) return percent(effect.share, 0);
  }
  return "-";
}

std::string verdicts_text(const InputReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.verdicts.size(); ++i) {
    if (!(report.verdicts[i] > 0.0)) continue;
    text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", spoken_verdict(static_cast<models::Verdict>(i)),
                        percent(report.verdicts[i], 0));
  }
  return text;
}

}  // namespace

std::string input_text(const models::Outcome& outcome, const Style& style) {
  if (!outcome.inputs) return {};
  const InputReport& report = *outcome.inputs;
  std::string text = fmt::format("\n{}\n", style.bold("What the inputs leave open"));
  std::string sentence = fmt::format(
      "{} figures are assumed or from data sheets; {} points of their ranges were {}: {}.", report.inputs.size(),
      report.points, report.steps > 0 ? fmt::format("simulated for {} steps", report.steps) : std::string("answered"),
      verdicts_text(report));
  text += fmt::format("  {}\n", wrapped(sentence, style.width, 2));
  if (report.measure_next.empty()) return text + "  None of them moves the step time or the cost.\n";
  std::vector<std::vector<std::string>> rows{{"measure next", "step time", "cost", "drawn from", "known as"}};
  for (const std::string& parameter : report.measure_next) {
    const auto input = std::find_if(report.inputs.begin(), report.inputs.end(),
                                    [&](const DrawnInput& drawn) { return drawn.parameter == parameter; });
    if (input == report.inputs.end()) continue;
    rows.push_back({shortened(parameter), share_of(report, "step_time_s", parameter),
                    share_of(report, "cost_per_epoch_usd", parameter), range_text(*input),
                    input->stated ? std::string("stated") : std::string(models::evidence_name(input->evidence))});
  }
  text += table({{}, {true}, {true}, {}, {}}, rows);
  return text + "  \"step time\", \"cost\": the share of their variance that the figure alone causes\n";
}

}  // namespace headrace::reports
