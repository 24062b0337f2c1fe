#include "reports/html/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/outcome_metrics.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/page.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/axis.hpp"
#include "scenarios/edit_distance.hpp"
#include "scenarios/units.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::PointRow;
using scenarios::ResultsStore;
using scenarios::SweepRecord;

constexpr std::array<const char*, 4> kBeside = {"step_time_s", "gpu_idle_fraction", "epoch_time_s",
                                                "cost_per_epoch_usd"};
constexpr std::size_t kMostCurves = 6;
constexpr std::size_t kMostMapCells = 40;  // in one direction
constexpr int kHeatSteps = 8;

struct Figure {
  double mean = 0.0;
  std::optional<double> low;
  std::optional<double> high;
};

/// What the page keeps of a point.
struct PointFacts {
  std::uint64_t number = 0;
  std::vector<std::size_t> places;  ///< by axis: which of its values
  std::map<std::string, Figure, std::less<>> figures;
  std::string verdict;
  std::string error;
};

struct AxisFacts {
  std::string name;
  std::vector<Json> values;  ///< in the order in which points bring them

  std::size_t place_of(const Json& value) {
    const auto place = static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
    if (place == values.size()) values.push_back(value);
    return place;
  }
};

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// A coordinate as a number: of a number itself, of a quantity in its base unit.
std::optional<scenarios::ComparableNumber> number_of(const Json& value) {
  if (value.is_number()) return scenarios::ComparableNumber{value.get<double>(), models::Unit::one};
  if (!value.is_string()) return std::nullopt;
  scenarios::Node node;
  node.type = scenarios::Node::Type::string;
  node.text = value.get<std::string>();
  return scenarios::comparable_number(node);
}

class SweepPage {
 public:
  SweepPage(const ResultsStore& store, SweepRecord sweep) : sweep_(std::move(sweep)) {
    store.for_each_point(sweep_.id, [this](const PointRow& row) { add(row); });
  }

  tl::expected<std::string, ExportError> page(const std::string& metric) {
    metric_ = metric.empty() ? usual_metric() : metric;
    description_ = models::find_metric(metric_);
    if (description_ == nullptr) return tl::unexpected(unknown_metric());
    for (const PointFacts& point : points_)
      if (point.figures.count(metric_) > 0) shown_.push_back(&point);
    if (shown_.empty())
      return tl::unexpected(ExportError{fmt::format("no point has the metric '{}'", metric_), "name another metric"});
    std::stable_sort(shown_.begin(), shown_.end(),
                     [this](const PointFacts* a, const PointFacts* b) { return better(value(*a), value(*b)); });
    Page page;
    page.title = sweep_.title.empty() ? sweep_.name : sweep_.title;
    page.head = head();
    page.sections = {{"curves", "What each axis does", curves()},
                     {"map", "Over two axes", map_section()},
                     {"points", "Every point", table()},
                     {"failed", "Points that failed", failures()},
                     {"repeat", "Repeat it", repeat()}};
    page.script = script();
    return html_page(page);
  }

 private:
  void add(const PointRow& row) {
    PointFacts point;
    point.number = row.point;
    const Json coordinates = Json::parse(row.coordinates);
    for (const auto& [name, value] : coordinates.items()) {
      auto axis =
          std::find_if(axes_.begin(), axes_.end(), [&name = name](const AxisFacts& a) { return a.name == name; });
      if (axis == axes_.end()) axis = axes_.insert(axes_.end(), AxisFacts{name, {}});
      point.places.resize(axes_.size());
      point.places[static_cast<std::size_t>(axis - axes_.begin())] = axis->place_of(value);
    }
    point.error = row.result.error;
    if (!row.result.failed) {
      const Json outcome = Json::parse(row.result.outcome);
      point.verdict = outcome.value("verdict", std::string());
      for (const auto& [name, metric] : outcome["metrics"].items()) {
        if (!metric["mean"].is_number()) continue;
        Figure figure{metric["mean"].get<double>(), {}, {}};
        if (metric["ci95"].is_array()) {
          figure.low = metric["ci95"][0].get<double>();
          figure.high = metric["ci95"][1].get<double>();
        }
        point.figures.emplace(name, figure);
      }
    }
    points_.push_back(std::move(point));
  }

  std::string usual_metric() const {
    for (const PointFacts& point : points_)
      if (const auto cost = point.figures.find("cost_per_epoch_usd");
          cost != point.figures.end() && cost->second.mean > 0)
        return "cost_per_epoch_usd";
    return "step_time_s";
  }

  ExportError unknown_metric() const {
    std::vector<std::string_view> known;
    for (const models::MetricDescription& metric : models::kMetricDescriptions) known.push_back(metric.name);
    const std::string_view near = scenarios::nearest(metric_, known);
    return {fmt::format("there is no metric '{}'", metric_),
            near.empty() ? "headrace explain --reference metrics lists them" : fmt::format("did you mean '{}'?", near)};
  }

  bool better(double a, double b) const { return description_->better == models::Better::higher ? a > b : a < b; }
  const Figure& figure(const PointFacts& point) const { return point.figures.find(metric_)->second; }
  double value(const PointFacts& point) const { return figure(point).mean; }
  std::string shown(double number) const { return humane(number, description_->unit); }

  std::string place_text(const PointFacts& point) const {
    std::string text;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      text += fmt::format("{}{} {}", axis == 0 ? "" : ", ", axes_[axis].name,
                          text_of(axes_[axis].values[point.places[axis]]));
    return text;
  }

  std::string head() const {
    const PointFacts& best = *shown_.front();
    std::string html = fmt::format("<div class=\"verdict good\"><strong>{} {}: {}</strong>at {}</div>",
                                   description_->better == models::Better::neither ? "first by" : "best",
                                   escaped(spoken_name(metric_)), number(Json(value(best)), description_->unit),
                                   escaped(place_text(best)));
    const std::size_t failed = static_cast<std::size_t>(
        std::count_if(points_.begin(), points_.end(), [](const PointFacts& point) { return !point.error.empty(); }));
    return html + fmt::format("<p>{} points over {} axes{}; answered by {}.</p>", points_.size(), axes_.size(),
                              failed > 0 ? fmt::format(", {} of them failed", failed) : "", escaped(sweep_.level));
  }

  /// The best point at each value of an axis, whatever the others are.
  std::vector<const PointFacts*> best_along(std::size_t axis) const {
    std::vector<const PointFacts*> best(axes_[axis].values.size(), nullptr);
    for (const PointFacts* point : shown_) {
      const PointFacts*& at = best[point->places[axis]];
      if (at == nullptr) at = point;  // the best come first
    }
    return best;
  }

  std::string curves() const {
    std::string html;
    std::size_t drawn = 0;
    for (std::size_t axis = 0; axis < axes_.size() && drawn < kMostCurves; ++axis) {
      if (axes_[axis].values.size() < 2) continue;
      html += curve(axis);
      ++drawn;
    }
    if (html.empty()) return {};
    return "<p>The best point at each value of an axis, whatever the other axes are; the band is its 95 % interval, "
           "the "
           "large dot the best of all.</p><div class=\"plots\">" +
           html + "</div>";
  }

  std::string curve(std::size_t axis) const {
    const Scale scale = humane_scale(value(*shown_.front()), description_->unit);
    PlotSeries series{axes_[axis].name, {}, true, false};
    std::string unit;
    const std::vector<const PointFacts*> best = best_along(axis);
    bool all_numbers = true;
    for (const Json& at : axes_[axis].values) all_numbers = all_numbers && number_of(at).has_value();
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i] == nullptr) continue;
      const auto coordinate = number_of(axes_[axis].values[i]);
      const double x = all_numbers ? coordinate->value : static_cast<double>(i + 1);
      const Figure& y = figure(*best[i]);
      PlotPoint point{x, y.mean * scale.factor, {}, {}, text_of(axes_[axis].values[i]) + ": " + shown(y.mean)};
      if (y.low) point.low = *y.low * scale.factor;
      if (y.high) point.high = *y.high * scale.factor;
      point.marked = best[i] == shown_.front();
      series.points.push_back(std::move(point));
    }
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    scale_x(axis, all_numbers, series, unit);
    const bool wide = series.points.size() > 2 && series.points.front().x > 0.0 &&
                      series.points.back().x > 20.0 * series.points.front().x;
    Plot plot{axes_[axis].name,
              {all_numbers ? axes_[axis].name + unit : axes_[axis].name + ", in file order", wide},
              {spoken_name(metric_) + (scale.unit.empty() ? "" : ", " + scale.unit)},
              {series}};
    return plot_drawing(plot);
  }

  /// Shows quantities in a unit that people read: bytes per second as GB/s.
  void scale_x(std::size_t axis, bool all_numbers, PlotSeries& series, std::string& unit) const {
    if (!all_numbers || series.points.empty()) return;
    const auto first = number_of(axes_[axis].values.front());
    if (first->unit == models::Unit::one) return;
    const Scale scale = humane_scale(series.points.back().x, scenarios::unit_symbol(first->unit));
    for (PlotPoint& point : series.points) point.x *= scale.factor;
    unit = ", " + scale.unit;
  }

  /// The two axes with most values that fit a map.
  std::string map_section() const {
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      if (axes_[axis].values.size() > 1 && axes_[axis].values.size() <= kMostMapCells) order.push_back(axis);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return axes_[a].values.size() > axes_[b].values.size(); });
    if (order.size() < 2) return {};
    const std::size_t down = order[0];
    const std::size_t across = order[1];
    std::map<std::pair<std::size_t, std::size_t>, const PointFacts*> best;
    for (const PointFacts* point : shown_) best.try_emplace({point->places[down], point->places[across]}, point);
    const double least = value(*shown_.front());
    double most = least;
    for (const auto& [cell, point] : best)
      most = description_->better == models::Better::higher ? std::min(most, value(*point))
                                                            : std::max(most, value(*point));
    std::vector<TableColumn> columns = {{axes_[down].name}};
    std::vector<std::string> heads;
    for (const Json& at : axes_[across].values) heads.push_back(axes_[across].name + " " + text_of(at));
    for (const std::string& head : heads) columns.push_back({head, true});
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < axes_[down].values.size(); ++i) {
      std::vector<std::string> row{escaped(text_of(axes_[down].values[i]))};
      for (std::size_t j = 0; j < axes_[across].values.size(); ++j) row.push_back(cell(best, {i, j}, least, most));
      rows.push_back(std::move(row));
    }
    return fmt::format(
               "<p>The best {} in each cell, whatever the other axes are. Darker is better; the frame marks the best "
               "of all.</p>",
               escaped(spoken_name(metric_))) +
           html_table(axes_[down].name + " by " + axes_[across].name, columns, rows, "class=\"heat\"");
  }

  std::string cell(const std::map<std::pair<std::size_t, std::size_t>, const PointFacts*>& best,
                   std::pair<std::size_t, std::size_t> at, double least, double most) const {
    const auto found = best.find(at);
    if (found == best.end()) return "&ndash;";
    const double y = value(*found->second);
    const double share_of_range = most != least ? (y - least) / (most - least) : 0.0;
    const int step = std::clamp(static_cast<int>((1.0 - share_of_range) * kHeatSteps), 0, kHeatSteps - 1);
    return fmt::format("<span class=\"heat{}{}\">{}</span>", step, found->second == shown_.front() ? " best" : "",
                       number(Json(y), description_->unit));
  }

  std::string table() const {
    std::vector<TableColumn> columns = {{"point"}};
    for (const AxisFacts& axis : axes_) columns.push_back({axis.name, true});
    std::vector<std::string> names = {metric_};
    for (const char* name : kBeside)
      if (metric_ != name) names.emplace_back(name);
    std::vector<std::string> heads;
    for (const std::string& name : names) heads.push_back(spoken_name(name));
    for (const std::string& head : heads) columns.push_back({head, true});
    columns.push_back({"verdict"});
    std::vector<std::vector<std::string>> rows;
    for (const PointFacts* point : shown_) {
      std::vector<std::string> row{std::to_string(point->number)};
      for (std::size_t axis = 0; axis < axes_.size(); ++axis)
        row.push_back(escaped(text_of(axes_[axis].values[point->places[axis]])));
      for (const std::string& name : names) {
        const auto found = point->figures.find(name);
        const models::MetricDescription* metric = models::find_metric(name);
        row.push_back(found == point->figures.end() ? "" : number(Json(found->second.mean), metric->unit));
      }
      row.push_back(escaped(spoken_verdict(point->verdict)));
      rows.push_back(std::move(row));
    }
    return "<p>The best first. With scripts allowed, a click on a head sorts, and the box filters.</p>"
           "<p><label>Filter <input type=\"search\" id=\"filter\" autocomplete=\"off\"></label> "
           "<span id=\"filtered\" role=\"status\"></span></p>" +
           html_table("Points", columns, rows, "id=\"table\"");
  }

  std::string failures() const {
    constexpr std::size_t kMostShown = 50;
    std::vector<std::vector<std::string>> rows;
    for (const PointFacts& point : points_)
      if (!point.error.empty() && rows.size() < kMostShown)
        rows.push_back({std::to_string(point.number), escaped(place_text(point)), escaped(point.error)});
    return rows.empty() ? "" : html_table("The first of them", {{"point"}, {"at"}, {"why"}}, rows);
  }

  std::string repeat() const {
    return html_table("Kept in the store", {{""}, {""}},
                      {{"sweep", "<code>" + escaped(sweep_.id) + "</code>"},
                       {"answered by", escaped(sweep_.level)},
                       {"model version", escaped(sweep_.model_version)},
                       {"options", "<code>" + escaped(sweep_.options) + "</code>"}}) +
           "<details><summary>Axes and conditions</summary><pre><code>" +
           escaped(Json::parse(sweep_.definition).dump(2)) + "</code></pre></details>";
  }

  static std::string script() {
    return R"js(const table = document.getElementById('table'), body = table.tBodies[0], filter = document.getElementById('filter');
const key = cell => { const data = cell.querySelector('data'); if (data) return Number(data.value);
  const text = cell.textContent.trim(), n = parseFloat(text); return isNaN(n) ? text : n; };
[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement('button'); button.type = 'button'; button.textContent = head.textContent;
  head.textContent = ''; head.append(button); let up = true;
  button.addEventListener('click', () => {
    const rows = [...body.rows].map(row => [key(row.cells[column]), row]);
    rows.sort(([a], [b]) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1) * (up ? 1 : -1));
    up = !up; body.append(...rows.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach(other => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', up ? 'descending' : 'ascending');
  });
});
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean); let shown = 0;
  for (const row of body.rows) {
    const text = row.textContent.toLowerCase(); row.hidden = !words.every(word => text.includes(word)); shown += !row.hidden;
  }
  document.getElementById('filtered').textContent = words.length ? shown + ' of ' + body.rows.length + ' points' : '';
});
)js";
  }

  SweepRecord sweep_;
  std::vector<AxisFacts> axes_;
  std::vector<PointFacts> points_;
  std::string metric_;
  const models::MetricDescription* description_ = nullptr;
  std::vector<const PointFacts*> shown_;  ///< the best first
};

}  // namespace

tl::expected<std::string, ExportError> sweep_page(const ResultsStore& store, const SweepPageOptions& options) {
  std::optional<SweepRecord> chosen;
  for (SweepRecord& sweep : store.sweeps())
    if (sweep.id.starts_with(options.sweep) && (!chosen || sweep.points > chosen->points)) chosen = std::move(sweep);
  if (!chosen)
    return tl::unexpected(ExportError{fmt::format("no sweep in '{}' begins with '{}'", store.path(), options.sweep),
                                      "headrace report FILE --format json lists them"});
  return SweepPage(store, std::move(*chosen)).page(options.metric);
}

}  // namespace headrace::reports
