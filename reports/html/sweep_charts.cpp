#include "reports/html/sweep_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

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
constexpr std::string_view kOwnMark = "\u25c6 ";  // before the figure of the scenario's own values

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

/// The unit that every value of an axis is written in: "Gb/s" of "50 Gb/s", "100 Gb/s"; nothing where they differ.
std::optional<Scale> written_scale(const std::vector<Json>& values) {
  std::optional<Scale> common;
  for (const Json& value : values) {
    const std::string text = text_of(value);
    const std::size_t blank = text.find(' ');
    const double base = number_of(value)->value;
    if (blank == std::string::npos || base == 0.0) return std::nullopt;
    const Scale scale{std::strtod(text.c_str(), nullptr) / base, text.substr(blank + 1)};
    if (common && common->unit != scale.unit) return std::nullopt;
    common = scale;
  }
  return common;
}

/// Shows quantities in the unit of the values, or else in one that people read: bytes per second as GB/s.
void scale_x(const SweepFacts& facts, std::size_t axis, bool all_numbers, PlotSeries& series, std::string& unit) {
  if (!all_numbers || series.points.empty()) return;
  const std::vector<Json>& values = facts.axes()[axis].values;
  const models::Unit base = number_of(values.front())->unit;
  if (base == models::Unit::one) return;
  const std::optional<Scale> written = written_scale(values);
  const Scale scale = written ? *written : humane_scale(series.points.back().x, scenarios::unit_symbol(base));
  for (PlotPoint& point : series.points) point.x *= scale.factor;
  unit = ", " + scale.unit;
}

/// Whether an interval of a curve is wide enough to be drawn as a band.
bool has_band(const SweepFacts& facts, std::size_t axis) {
  constexpr double kSeen = 0.05;  // of the height of the chart
  const std::vector<const PointFacts*> best = best_along(facts, axis);
  double least = facts.value(*facts.shown().front());
  double most = least;
  double widest = 0.0;
  for (const PointFacts* point : best) {
    if (point == nullptr) continue;
    const SweepFigure& y = facts.figure(*point);
    least = std::min(least, y.mean);
    most = std::max(most, y.mean);
    if (y.low && y.high) widest = std::max(widest, *y.high - *y.low);
  }
  return widest > 0.0 && widest >= kSeen * (most - least);
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
    point.marked = facts.is_tie(*best[i]);
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

/// The scenario's own value of each axis as a cell of the table has it, for the script; null where it has none there.
std::string own_values(const SweepFacts& facts) {
  Json values = Json::array();
  for (std::size_t axis = 0; axis < facts.axes().size(); ++axis) {
    const std::optional<std::size_t> place = facts.own_place(axis);
    values.push_back(place ? Json(text_of(facts.axes()[axis].values[*place])) : Json());
  }
  return values.dump();
}

std::string cell(const SweepFacts& facts, const std::map<std::pair<std::size_t, std::size_t>, const PointFacts*>& best,
                 std::pair<std::size_t, std::size_t> at, double least, double most, bool own) {
  const auto found = best.find(at);
  if (found == best.end()) return "&ndash;";
  const double y = facts.value(*found->second);
  const double share_of_range = most != least ? (y - least) / (most - least) : 0.0;
  const int step = std::clamp(static_cast<int>(share_of_range * kHeatSteps), 0, kHeatSteps - 1);
  return fmt::format("<span class=\"heat{}{}\">{}{}</span>", step, facts.is_tie(*found->second) ? " best" : "",
                     own ? kOwnMark : "", escaped(facts.text(y)));
}

}  // namespace

std::string sweep_curves(const SweepFacts& facts) {
  if (facts.shown().empty()) return {};
  std::string html;
  bool band = false;
  std::size_t drawn = 0;
  for (std::size_t axis = 0; axis < facts.axes().size() && drawn < kMostCurves; ++axis) {
    if (facts.axes()[axis].values.size() < 2) continue;
    html += curve(facts, axis);
    band = band || has_band(facts, axis);
    ++drawn;
  }
  if (html.empty()) return {};
  return fmt::format(
             "<p>The best point at each value of an axis, whatever the other axes are. {}{}.</p>"
             "<div class=\"plots\">",
             facts.ties() == 1      ? "The large dot is the best of all"
             : facts.is_simulated() ? "Large dots: as good as the best of all, as far as the runs can tell"
                                    : "Large dots: as good as the best of all",
             band ? ", and the band is the 95 % interval (simulation noise)"
             : facts.is_simulated()
                 ? ", and no 95 % interval (simulation noise) is wide enough to be seen"
                 : fmt::format(". Answered by {}, without the queues of a simulation", escaped(facts.sweep().level))) +
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
  const std::optional<std::size_t> own_down = facts.own_place(down);
  const std::optional<std::size_t> own_across = facts.own_place(across);
  const bool has_own = own_down && own_across && best.count({*own_down, *own_across}) > 0;
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t i : lines) {
    std::vector<std::string> row{escaped(text_of(facts.axes()[down].values[i]))};
    for (const std::size_t j : places)
      row.push_back(cell(facts, best, {i, j}, least, most, own_down == i && own_across == j));
    rows.push_back(std::move(row));
  }
  const std::string attributes =
      fmt::format("class=\"heat\" data-down=\"{}\" data-across=\"{}\" data-most=\"{}\" data-own=\"{}\" data-tie=\"{}\"",
                  escaped(facts.axes()[down].name), escaped(facts.axes()[across].name), kMostMapCells,
                  escaped(own_values(facts)), facts.tie_value());
  return fmt::format(
             "<p>The best {} in each cell, whatever the other axes are. The darker a cell, the worse; {} {} "
             "<span id=\"thinned\">{}</span></p>",
             escaped(spoken_name(facts.metric())),
             facts.ties() == 1      ? "the frame marks the best."
             : facts.is_simulated() ? "frames mark the best, which the runs do not tell apart."
                                    : "frames mark the best.",
             has_own ? fmt::format("{}marks the values of the scenario that was varied.", kOwnMark)
                     : std::string("The values of the scenario that was varied are not on the grid."),
             thinned_text(facts, {down, across})) +
         html_table(facts.axes()[down].name + " by " + facts.axes()[across].name, columns, rows, attributes);
}

}  // namespace headrace::reports
