#include "gui/presenter/step_time_curves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gui/presenter/recording.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr std::uint64_t kStepsInAll = 1200;   // recorded, over all windows
constexpr std::uint64_t kLeastOfWindow = 60;  // so that a window has a spread of its own
constexpr double kNs = 1e-9;

}  // namespace

Curve cumulative(std::vector<std::pair<double, double>> weighted) {
  constexpr int kPoints = 100;
  Curve curve;
  double whole = 0.0;
  for (const auto& [value, weight] : weighted) whole += weight;
  if (!(whole > 0.0)) return curve;
  std::sort(weighted.begin(), weighted.end());
  curve.x.push_back(weighted.front().first);
  curve.y.push_back(0.0);
  double until = 0.0;
  int next = 1;
  for (const auto& [value, weight] : weighted) {
    until += weight;
    constexpr double kRounding = 1e-12;
    if (until < whole * (next - kRounding) / kPoints) continue;
    curve.x.push_back(value);
    curve.y.push_back(std::min(1.0, until / whole));
    while (next <= kPoints && until >= whole * (next - kRounding) / kPoints) ++next;
  }
  return curve;
}

StepTimeCurves step_time_curves(const ScenarioDocument& document,
                                const std::vector<models::verification::MeasuredStep>& steps,
                                const std::stop_token& stop) {
  StepTimeCurves curves;
  std::vector<std::pair<double, double>> measured;
  for (std::size_t i = steps.size() / 10; i < steps.size(); ++i) measured.emplace_back(steps[i].step_time_s, 1.0);
  const std::size_t measured_steps = measured.size();
  curves.measured = cumulative(std::move(measured));
  const ClosedForm bound = closed_form(document);
  std::vector<models::WindowReport> windows = bound.outcome ? windows_of(*bound.outcome) : decltype(windows){};
  if (windows.empty()) windows.emplace_back().weight = 1.0;
  const std::uint64_t wanted = std::max<std::uint64_t>(kLeastOfWindow, kStepsInAll / windows.size());
  std::vector<std::pair<double, double>> predicted;
  std::string job;
  for (std::size_t window = 0; window < windows.size(); ++window) {
    const models::Timeline timeline = recorded_timeline(document, window, wanted, stop);
    if (timeline.jobs.empty()) continue;
    job = timeline.jobs.front().name;
    const models::StepLog& log = timeline.jobs.front().steps;
    const std::size_t first = log.steps() / 4;
    for (std::size_t step = first; step < log.steps(); ++step)
      predicted.emplace_back(static_cast<double>(log.duration_ns(step)) * kNs,
                             windows[window].weight / static_cast<double>(log.steps() - first));
  }
  curves.words = fmt::format("{} measured, {} of {} recorded", reports::counted(measured_steps, "step"),
                             reports::counted(predicted.size(), "step"), job);
  if (windows.size() > 1) curves.words += fmt::format(" in {} windows of the epoch", windows.size());
  curves.predicted = cumulative(std::move(predicted));
  return curves;
}

}  // namespace headrace::gui
