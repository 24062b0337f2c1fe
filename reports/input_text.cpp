#include "reports/input_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

using models::DrawnInput;
using models::InputReport;

/// The unit of a scenario's figure as text shows it.
std::string_view shown_unit(models::Unit unit) {
  if (unit == models::Unit::fraction) return "1";
  return unit == models::Unit::one ? std::string_view() : scenarios::unit_symbol(unit);
}

/// The end of a pointer tells more than its beginning.
std::string shortened(const std::string& pointer, const Style& style) {
  constexpr std::size_t kWidest = 26;
  return style.whole || pointer.size() <= kWidest ? pointer : ".." + pointer.substr(pointer.size() - kWidest + 2);
}

std::string share_of(const InputReport& report, std::string_view metric, const std::string& parameter) {
  for (const models::MetricDrivers& drivers : report.drivers) {
    if (drivers.metric != metric) continue;
    for (const models::InputEffect& effect : drivers.effects)
      if (effect.parameter == parameter) return percent(effect.share, 0);
  }
  return "-";
}

/// What lies between the ends of a bar, on a line of `kTornadoWidth` places with the middle marked.
constexpr int kTornadoWidth = 26;
std::string tornado_line(const models::InputBar& bar, double middle, models::Interval scale) {
  const auto place = [&](double value) {
    const double share = (value - scale.low) / (scale.high - scale.low);
    return std::clamp(static_cast<int>(std::lround(share * (kTornadoWidth - 1))), 0, kTornadoWidth - 1);
  };
  const auto [first, last] = std::minmax({place(bar.at_low), place(bar.at_high), place(middle)});
  std::string line(static_cast<std::size_t>(last) + 1, ' ');
  for (int i = first; i <= last; ++i) line[static_cast<std::size_t>(i)] = '#';
  line[static_cast<std::size_t>(place(middle))] = '|';
  return line;
}

/// Of several jobs there is no one step.
std::string figure_of(const models::Outcome& outcome, std::string_view metric) {
  return has_several_jobs(outcome) && metric == "step_time_s" ? "mean step time of the jobs" : spoken_name(metric);
}

std::string tornado_text(const models::Outcome& outcome, std::string_view metric, std::string_view unit,
                         const Style& style) {
  const InputReport& report = *outcome.inputs;
  constexpr std::size_t kMostLines = 5;
  std::string text;
  for (const models::MetricTornado& tornado : report.tornado) {
    if (tornado.metric != metric || tornado.bars.empty()) continue;
    models::Interval scale{tornado.middle, tornado.middle};
    for (const models::InputBar& bar : tornado.bars)
      scale = {std::min({scale.low, bar.at_low, bar.at_high}), std::max({scale.high, bar.at_low, bar.at_high})};
    std::vector<std::vector<std::string>> rows{
        {fmt::format("{}, {}", figure_of(outcome, tornado.metric), humane(tornado.middle, unit)), "at low", "at high",
         ""}};
    for (std::size_t i = 0; i < std::min(kMostLines, tornado.bars.size()); ++i) {
      const models::InputBar& bar = tornado.bars[i];
      const bool named = metric == "step_time_s" && std::find(report.measure_next.begin(), report.measure_next.end(),
                                                              bar.parameter) != report.measure_next.end();
      if (!named && std::abs(bar.at_high - bar.at_low) * kTornadoWidth < scale.high - scale.low)
        continue;  // narrower than a place
      rows.push_back({shortened(bar.parameter, style), humane(bar.at_low, unit, 3), humane(bar.at_high, unit, 3),
                      tornado_line(bar, tornado.middle, scale)});
    }
    text += table({{}, {true}, {true}, {}}, rows);
  }
  return text;
}

/// One figure at the ends of its range: direction and reach, where a share of variance says how much it matters.
std::string tornado_text(const models::Outcome& outcome, const Style& style) {
  const std::string text =
      tornado_text(outcome, "step_time_s", "s", style) + tornado_text(outcome, "cost_per_epoch_usd", "USD", style);
  if (text.empty()) return text;
  return text + "  \"at low\", \"at high\": the figure at that end of its range, others as they are\n";
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

/// "From p10 to p90 of them: GPU idle time 0.0 % to 62 %, step time 144 ms to 377 ms."
std::string spread_text(const models::Outcome& outcome) {
  std::string text;
  for (const std::string_view name : {"gpu_idle_fraction", "step_time_s", "cost_per_epoch_usd"}) {
    const models::Metric* metric = outcome.find(name);
    if (metric == nullptr || !metric->input_range || !(metric->input_range->high > 0.0)) continue;
    const std::string unit(models::traits_of(metric->name).unit);
    const auto value = [&](double of) { return unit == "1" ? percent(of) : humane(of, unit, 3); };
    text += fmt::format("{}{} {} to {}", text.empty() ? "" : ", ", figure_of(outcome, metric->name),
                        value(metric->input_range->low), value(metric->input_range->high));
  }
  return text.empty() ? text : fmt::format(" From p10 to p90 of them: {}.", text);
}

}  // namespace

std::string input_value_text(double value, models::Unit unit) { return humane(value, shown_unit(unit), 3); }

std::string input_range_text(double low, double high, models::Unit unit) {
  return fmt::format("{} .. {}", input_value_text(low, unit), input_value_text(high, unit));
}

std::string hangs_most_on(const std::string& what, const std::vector<models::InputEffect>& inputs) {
  std::string named;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i > 0) named += i + 1 == inputs.size() ? " and " : ", ";
    named +=
        fmt::format("{} ({}{})", inputs[i].parameter, percent(inputs[i].share, 0), i == 0 ? " of the variance" : "");
  }
  return fmt::format("{} hangs most on {}: measure {} first.", what, named, inputs.size() > 1 ? "these" : "it");
}

std::string every_input_text(const models::Outcome& outcome, const Style& style) {
  if (!outcome.inputs || outcome.inputs->inputs.empty()) return {};
  std::vector<std::vector<std::string>> rows{{"figure", "value", "range", "range is", "known as"}};
  for (const DrawnInput& input : outcome.inputs->inputs)
    rows.push_back({input.parameter, input_value_text(input.value, input.unit),
                    input_range_text(input.low, input.high, input.unit), input.stated ? "stated" : "usual",
                    std::string(models::evidence_name(input.evidence))});
  return fmt::format("\n{}\n{}", style.bold("Every figure with a range"), table({{}, {true}, {}, {}, {}}, rows));
}

std::string input_text(const models::Outcome& outcome, const Style& style) {
  if (!outcome.inputs) return {};
  const InputReport& report = *outcome.inputs;
  std::string text = fmt::format("\n{}\n", style.bold("Range over uncertain inputs"));
  const auto stated =
      std::count_if(report.inputs.begin(), report.inputs.end(), [](const DrawnInput& input) { return input.stated; });
  std::string sentence = fmt::format(
      "Assumed or from data sheets: {}{}. Of their ranges, {} {} {}: {}.", counted(report.inputs.size(), "figure"),
      stated == 0 ? "" : fmt::format(", {} of them with a range that the scenario or its catalogue states", stated),
      counted(report.points, "point"), report.points == 1 ? "was" : "were",
      report.steps > 0 ? "simulated for " + counted(report.steps, "step") : std::string("answered"),
      verdicts_text(report));
  text += fmt::format("  {}\n", wrapped(sentence + spread_text(outcome), style.width, 2));
  if (report.measure_next.empty()) return text + "  None of them moves the step time or the cost.\n";
  std::vector<std::vector<std::string>> rows{{"measure next", "step time", "cost", "drawn from", "known as"}};
  for (const std::string& parameter : report.measure_next) {
    const auto input = std::find_if(report.inputs.begin(), report.inputs.end(),
                                    [&](const DrawnInput& drawn) { return drawn.parameter == parameter; });
    if (input == report.inputs.end()) continue;
    rows.push_back({shortened(parameter, style), share_of(report, "step_time_s", parameter),
                    share_of(report, "cost_per_epoch_usd", parameter),
                    input_range_text(input->low, input->high, input->unit),
                    std::string(models::evidence_name(input->evidence))});
  }
  text += table({{}, {true}, {true}, {}, {}}, rows);
  text += "  \"step time\", \"cost\": the share of their variance that the figure alone causes\n";
  return text + tornado_text(outcome, style);
}

}  // namespace headrace::reports
