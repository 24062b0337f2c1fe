#include "reports/html/sweep_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "reports/html/gate_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostCurves = 6;
constexpr std::size_t kMostMapCells = 40;  // in one direction
constexpr int kHeatSteps = 8;

/// The first, the last and what lies between them in even strides, at most `most` of `count` places, `kept` among them.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most, std::size_t kept) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    places.push_back(count <= most ? i : (i * (count - 1) + (most - 1) / 2) / (most - 1));
  if (std::find(places.begin(), places.end(), kept) == places.end() && kept < count)
    *std::min_element(places.begin(), places.end(), [kept](std::size_t a, std::size_t b) {
      return std::max(a, kept) - std::min(a, kept) < std::max(b, kept) - std::min(b, kept);
    }) = kept;
  return places;
}

/// The best point at each value of an axis, whatever the others are.
std::vector<const PointFacts*> best_along(const SweepFacts& facts, std::size_t axis) {
  std::vector<const PointFacts*> best(facts.axes()[axis].values.size(), nullptr);
  for (const PointFacts* point : facts.shown()) {
    const PointFacts*& at = best[point->places[axis]];
    if (at == nullptr) at = point;  // the best come first
  }
  return best;
}

/// Shows quantities in a unit that people read: bytes per second as GB/s.
void scale_x(const SweepFacts& facts, std::size_t axis, bool all_numbers, PlotSeries& series, std::string& unit) {
  if (!all_numbers || series.points.empty()) return;
  const auto first = number_of(facts.axes()[axis].values.front());
  if (first->unit == models::Unit::one) return;
  const Scale scale = humane_scale(series.points.back().x, scenarios::unit_symbol(first->unit));
  for (PlotPoint& point : series.points) point.x *= scale.factor;
  unit = ", " + scale.unit;
}

std::string curve(const SweepFacts& facts, std::size_t axis) {
  const Scale scale = humane_scale(facts.value(*facts.shown().front()), facts.description().unit);
  PlotSeries series{facts.axes()[axis].name, {}, true, false};
  std::string unit;
  const std::vector<const PointFacts*> best = best_along(facts, axis);
  bool all_numbers = true;
  for (const Json& at : facts.axes()[axis].values) all_numbers = all_numbers && number_of(at).has_value();
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i] == nullptr) continue;
    const auto coordinate = number_of(facts.axes()[axis].values[i]);
    const double x = all_numbers ? coordinate->value : static_cast<double>(i + 1);
    const SweepFigure& y = facts.figure(*best[i]);
    PlotPoint point{
        x, y.mean * scale.factor, {}, {}, text_of(facts.axes()[axis].values[i]) + ": " + facts.text(y.mean)};
    if (y.low) point.low = *y.low * scale.factor;
    if (y.high) point.high = *y.high * scale.factor;
    point.marked = best[i] == facts.shown().front();
    series.points.push_back(std::move(point));
  }
  std::stable_sort(series.points.begin(), series.points.end(),
                   [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  scale_x(facts, axis, all_numbers, series, unit);
  const bool wide = series.points.size() > 2 && series.points.front().x > 0.0 &&
                    series.points.back().x > 20.0 * series.points.front().x;
  Plot plot{facts.axes()[axis].name,
            {all_numbers ? facts.axes()[axis].name + unit : facts.axes()[axis].name + ", in file order", wide},
            {spoken_name(facts.metric()) + (scale.unit.empty() ? "" : ", " + scale.unit)},
            {series}};
  return plot_drawing(plot);
}

std::vector<std::size_t> shown_values(const SweepFacts& facts, std::size_t axis) {
  return thinned(facts.axes()[axis].values.size(), kMostMapCells, facts.shown().front()->places[axis]);
}

std::string thinned_text(const SweepFacts& facts, const std::vector<std::size_t>& axes) {
  std::string text;
  for (const std::size_t axis : axes)
    if (facts.axes()[axis].values.size() > kMostMapCells)
      text += fmt::format("{}{} of {} values of {}", text.empty() ? "Shown are " : " and ", kMostMapCells,
                          facts.axes()[axis].values.size(), escaped(facts.axes()[axis].name));
  return text.empty() ? text : text + ".";
}

std::string cell(const SweepFacts& facts, const std::map<std::pair<std::size_t, std::size_t>, const PointFacts*>& best,
                 std::pair<std::size_t, std::size_t> at, double least, double most) {
  const auto found = best.find(at);
  if (found == best.end()) return "&ndash;";
  const double y = facts.value(*found->second);
  const double share_of_range = most != least ? (y - least) / (most - least) : 0.0;
  const int step = std::clamp(static_cast<int>(share_of_range * kHeatSteps), 0, kHeatSteps - 1);
  return fmt::format("<span class=\"heat{}{}\">{}</span>", step, found->second == facts.shown().front() ? " best" : "",
                     escaped(facts.text(y)));
}

}  // namespace

std::string sweep_curves(const SweepFacts& facts) {
  if (facts.shown().empty()) return {};
  std::string html;
  std::size_t drawn = 0;
  for (std::size_t axis = 0; axis < facts.axes().size() && drawn < kMostCurves; ++axis) {
    if (facts.axes()[axis].values.size() < 2) continue;
    html += curve(facts, axis);
    ++drawn;
  }
  if (html.empty()) return {};
  return "<p>The best point at each value of an axis, whatever the other axes are; the band is its 95 % interval "
         "(simulation noise), the large dot the best of all.</p><div class=\"plots\">" +
         html + "</div>";
}

/// The two axes with most values, each thinned to what a map can show.
std::string sweep_map(const SweepFacts& facts) {
  std::vector<std::size_t> order;
  for (std::size_t axis = 0; axis < facts.axes().size(); ++axis)
    if (facts.axes()[axis].values.size() > 1) order.push_back(axis);
  std::stable_sort(order.begin(), order.end(), [&facts](std::size_t a, std::size_t b) {
    return facts.axes()[a].values.size() > facts.axes()[b].values.size();
  });
  if (order.size() < 2 || facts.shown().empty()) return {};
  const std::size_t down = order[0];
  const std::size_t across = order[1];
  std::map<std::pair<std::size_t, std::size_t>, const PointFacts*> best;
  for (const PointFacts* point : facts.shown()) best.try_emplace({point->places[down], point->places[across]}, point);
  const double least = facts.value(*facts.shown().front());
  double most = least;
  for (const auto& [cell, point] : best)
    most = facts.description().better == models::Better::higher ? std::min(most, facts.value(*point))
                                                                : std::max(most, facts.value(*point));
  const std::vector<std::size_t> lines = shown_values(facts, down);
  const std::vector<std::size_t> places = shown_values(facts, across);
  std::vector<std::string> heads;
  for (const std::size_t j : places)
    heads.push_back(facts.axes()[across].name + " " + text_of(facts.axes()[across].values[j]));
  std::vector<TableColumn> columns = {{facts.axes()[down].name}};
  for (const std::string& head : heads) columns.push_back({head, true});
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t i : lines) {
    std::vector<std::string> row{escaped(text_of(facts.axes()[down].values[i]))};
    for (const std::size_t j : places) row.push_back(cell(facts, best, {i, j}, least, most));
    rows.push_back(std::move(row));
  }
  const std::string attributes =
      fmt::format("class=\"heat\" data-down=\"{}\" data-across=\"{}\" data-most=\"{}\"",
                  escaped(facts.axes()[down].name), escaped(facts.axes()[across].name), kMostMapCells);
  return fmt::format(
             "<p>The best {} in each cell, whatever the other axes are. The darker a cell, the worse; the frame "
             "marks the best of all. <span id=\"thinned\">{}</span></p>",
             escaped(spoken_name(facts.metric())), thinned_text(facts, {down, across})) +
         html_table(facts.axes()[down].name + " by " + facts.axes()[across].name, columns, rows, attributes);
}

}  // namespace headrace::reports
