#include "reports/html/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/outcome_metrics.hpp"
#include "reports/html/document.hpp"
#include "reports/html/gate_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/page.hpp"
#include "reports/html/plot.hpp"
#include "reports/html/range_notice.hpp"
#include "reports/html/sweep_script.hpp"
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
constexpr std::size_t kMostTableBytes = 2'400'000;  // of the rows, so that ten thousand points stay below 3 MB

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
  Json evidence;
  Json ranking;  ///< place and difference to the best; null without
};

/// A column of the table of points; cells are tags with their text.
struct PointColumn {
  std::string head;
  bool may_go = false;  ///< when the page becomes too large
  std::vector<std::string> cells;

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const std::string& cell : cells) sum += cell.size();
    return sum;
  }
};

/// Six digits decide a sort, and a third of the bytes of a double.
std::string short_number(double value) { return fmt::format("{:.6g}", value); }

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
    // Points of which none has an answer still have reasons to tell; a metric that only answers lack is a wrong wish.
    if (shown_.empty() && any_answer())
      return tl::unexpected(ExportError{fmt::format("no point has the metric '{}'", metric_), "name another metric"});
    std::stable_sort(shown_.begin(), shown_.end(),
                     [this](const PointFacts* a, const PointFacts* b) { return better(value(*a), value(*b)); });
    Page page;
    page.title = sweep_.title.empty() ? sweep_.name : sweep_.title;
    page.head = shown_.empty() ? head_without_answers() : head();
    page.sections = {{"curves", "What each axis does", curves()},
                     {"map", "Over two axes", map_section()},
                     {"points", "Every point", table()},
                     {"failed", "Points that failed", failures()},
                     {"models", "What the models take for granted", models_in_use()},
                     {"inputs", "Inputs beside the axes", inputs()},
                     {"repeat", "Repeat it", repeat()}};
    if (!shown_.empty()) page.script = sweep_script();
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
      point.evidence = at(outcome, "evidence");
      if (!row.ranking.empty()) point.ranking = Json::parse(row.ranking);
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

  bool any_answer() const {
    return std::any_of(points_.begin(), points_.end(), [](const PointFacts& point) { return !point.figures.empty(); });
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

  std::size_t failed_points() const {
    return static_cast<std::size_t>(
        std::count_if(points_.begin(), points_.end(), [](const PointFacts& point) { return !point.error.empty(); }));
  }

  std::string head_without_answers() const {
    return verdict_box("bad", "no point has an answer",
                       points_.empty() ? "Nothing was computed yet."
                                       : fmt::format("All {} points failed; the reasons stand below.", points_.size()));
  }

  std::string head() const {
    const PointFacts& best = *shown_.front();
    std::string html = fmt::format("<div class=\"verdict good\"><strong>{} {}: {}</strong>at {}</div>",
                                   description_->better == models::Better::neither ? "first by" : "best",
                                   escaped(spoken_name(metric_)), number(Json(value(best)), description_->unit),
                                   escaped(place_text(best)));
    const std::size_t failed = failed_points();
    html += range_text(best);
    html += fmt::format("<p>{} points over {} axes{}; answered by {}.</p>", points_.size(), axes_.size(),
                        failed > 0 ? fmt::format(", {} of them failed", failed) : "", escaped(sweep_.level));
    return html + ranking_text();
  }

  /// A sweep may leave the validated range where its best point does not.
  std::string range_text(const PointFacts& best) const {
    const auto outside = std::count_if(shown_.begin(), shown_.end(), [](const PointFacts* point) {
      return !at(point->evidence, "extrapolates").empty();
    });
    const std::string points = fmt::format("{} of {} points lie outside.", outside, shown_.size());
    const std::string notice = range_notice(best.evidence, "The best point", points);
    if (!notice.empty() || outside == 0) return notice;
    return "<p class=\"notice\"><b>Beyond the validated range.</b> " + points + "</p>";
  }

  std::string ranking_text() const {
    if (!is_ranked()) return {};
    const auto in_state = [this](const char* state) {
      return std::count_if(shown_.begin(), shown_.end(),
                           [state](const PointFacts* point) { return text_at(point->ranking, "state") == state; });
    };
    return fmt::format(
        "<p>Ranked by {} in paired runs: {} points are known to be worse, {} are known to within the width that was "
        "asked for, {} are undecided.</p>",
        escaped(spoken_name(text_at(shown_.front()->ranking, "metric"))), in_state("worse"), in_state("known"),
        in_state("undecided"));
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
    if (shown_.empty()) return {};
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

  /// The two axes with most values, each thinned to what a map can show.
  std::string map_section() const {
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      if (axes_[axis].values.size() > 1) order.push_back(axis);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return axes_[a].values.size() > axes_[b].values.size(); });
    if (order.size() < 2 || shown_.empty()) return {};
    const std::size_t down = order[0];
    const std::size_t across = order[1];
    std::map<std::pair<std::size_t, std::size_t>, const PointFacts*> best;
    for (const PointFacts* point : shown_) best.try_emplace({point->places[down], point->places[across]}, point);
    const double least = value(*shown_.front());
    double most = least;
    for (const auto& [cell, point] : best)
      most = description_->better == models::Better::higher ? std::min(most, value(*point))
                                                            : std::max(most, value(*point));
    const std::vector<std::size_t> lines = shown_values(down);
    const std::vector<std::size_t> places = shown_values(across);
    std::vector<std::string> heads;
    for (const std::size_t j : places) heads.push_back(axes_[across].name + " " + text_of(axes_[across].values[j]));
    std::vector<TableColumn> columns = {{axes_[down].name}};
    for (const std::string& head : heads) columns.push_back({head, true});
    std::vector<std::vector<std::string>> rows;
    for (const std::size_t i : lines) {
      std::vector<std::string> row{escaped(text_of(axes_[down].values[i]))};
      for (const std::size_t j : places) row.push_back(cell(best, {i, j}, least, most));
      rows.push_back(std::move(row));
    }
    const std::string attributes = fmt::format("class=\"heat\" data-down=\"{}\" data-across=\"{}\" data-most=\"{}\"",
                                               escaped(axes_[down].name), escaped(axes_[across].name), kMostMapCells);
    return fmt::format(
               "<p>The best {} in each cell, whatever the other axes are. The stronger the blue, the better; the frame "
               "marks the best of all. <span id=\"thinned\">{}</span></p>",
               escaped(spoken_name(metric_)), thinned_text({down, across})) +
           html_table(axes_[down].name + " by " + axes_[across].name, columns, rows, attributes);
  }

  std::vector<std::size_t> shown_values(std::size_t axis) const {
    return thinned(axes_[axis].values.size(), kMostMapCells, shown_.front()->places[axis]);
  }

  std::string thinned_text(const std::vector<std::size_t>& axes) const {
    std::string text;
    for (const std::size_t axis : axes)
      if (axes_[axis].values.size() > kMostMapCells)
        text += fmt::format("{}{} of {} values of {}", text.empty() ? "Shown are " : " and ", kMostMapCells,
                            axes_[axis].values.size(), escaped(axes_[axis].name));
    return text.empty() ? text : text + ".";
  }

  std::string cell(const std::map<std::pair<std::size_t, std::size_t>, const PointFacts*>& best,
                   std::pair<std::size_t, std::size_t> at, double least, double most) const {
    const auto found = best.find(at);
    if (found == best.end()) return "&ndash;";
    const double y = value(*found->second);
    const double share_of_range = most != least ? (y - least) / (most - least) : 0.0;
    const int step = std::clamp(static_cast<int>((1.0 - share_of_range) * kHeatSteps), 0, kHeatSteps - 1);
    return fmt::format("<span class=\"heat{}{}\">{}</span>", step, found->second == shown_.front() ? " best" : "",
                       escaped(shown(y)));
  }

  PointColumn axis_column(std::size_t axis) const {
    PointColumn column{axes_[axis].name, false, {}};
    for (const PointFacts* point : shown_) {
      const Json& at = axes_[axis].values[point->places[axis]];
      const auto number = at.is_number() ? std::nullopt : number_of(at);  // a bare number sorts as it stands
      column.cells.push_back(
          number ? fmt::format("<td data-v=\"{}\">{}</td>", short_number(number->value), escaped(text_of(at)))
                 : fmt::format("<td>{}</td>", escaped(text_of(at))));
    }
    return column;
  }

  /// Empty where no point has the metric, or every one has nothing of it, as of money without prices.
  PointColumn metric_column(const std::string& name) const {
    PointColumn column{spoken_name(name), name != metric_, {}};
    const models::MetricDescription* metric = models::find_metric(name);
    bool any = false;
    for (const PointFacts* point : shown_) {
      const auto found = point->figures.find(name);
      const bool known = found != point->figures.end();
      any = any || (known && (metric->unit != "USD" || found->second.mean != 0.0));
      column.cells.push_back(known ? fmt::format("<td data-v=\"{}\">{}</td>", short_number(found->second.mean),
                                                 escaped(humane(found->second.mean, metric->unit)))
                                   : std::string("<td></td>"));
    }
    if (!any && name != metric_) column.cells.clear();
    return column;
  }

  /// Half the width of the interval of the metric, beside it.
  PointColumn interval_column() const {
    PointColumn column{"95 % interval", false, {}};
    bool any = false;
    for (const PointFacts* point : shown_) {
      const Figure& y = figure(*point);
      const bool known = y.low && y.high;
      any = any || known;
      column.cells.push_back(
          known ? fmt::format("<td>\u00b1 {}</td>", escaped(humane(0.5 * (*y.high - *y.low), description_->unit, 2)))
                : std::string("<td></td>"));
    }
    if (!any) column.cells.clear();
    return column;
  }

  /// What a ranking says: the place, and the paired difference to the best with its interval.
  std::vector<PointColumn> ranking_columns() const {
    PointColumn place{"place", false, {}};
    PointColumn difference{"more than the best", false, {}};
    if (!is_ranked()) return {};
    for (const PointFacts* point : shown_) {
      const Json& ranking = point->ranking;
      const models::MetricDescription* metric = models::find_metric(text_at(ranking, "metric"));
      const double mean = number_at(ranking, "difference");
      if (metric == nullptr || !std::isfinite(mean)) {
        place.cells.emplace_back("<td></td>");
        difference.cells.emplace_back("<td></td>");
        continue;
      }
      std::string text = text_at(ranking, "state") == "best" ? "best" : humane(mean, metric->unit, 3);
      if (const auto ends = interval_ends_at(ranking, "ci95"))
        text += fmt::format(" \u00b1 {}", humane(0.5 * (ends->high - ends->low), metric->unit, 2));
      if (text_at(ranking, "state") == "undecided") text += ", undecided";
      place.cells.push_back(fmt::format("<td>{}</td>", at(ranking, "place").dump()));
      difference.cells.push_back(fmt::format("<td data-v=\"{}\">{}</td>", short_number(mean), escaped(text)));
    }
    return {place, difference};
  }

  bool is_ranked() const {
    return std::any_of(shown_.begin(), shown_.end(), [](const PointFacts* point) { return !point->ranking.is_null(); });
  }

  std::vector<std::string> figure_names() const {
    std::vector<std::string> names = {metric_};
    for (const char* name : kBeside)
      if (metric_ != name) names.emplace_back(name);
    return names;
  }

  std::vector<PointColumn> columns() const {
    std::vector<PointColumn> all;
    PointColumn number{"point", false, {}};
    for (const PointFacts* point : shown_) number.cells.push_back(fmt::format("<th>{}</th>", point->number));
    all.push_back(std::move(number));
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) all.push_back(axis_column(axis));
    all.push_back(metric_column(metric_));
    all.push_back(interval_column());
    for (PointColumn& column : ranking_columns()) all.push_back(std::move(column));
    for (const std::string& name : figure_names())
      if (name != metric_) all.push_back(metric_column(name));
    PointColumn verdict{"verdict", false, {}};
    for (const PointFacts* point : shown_)
      verdict.cells.push_back(fmt::format("<td>{}</td>", escaped(spoken_verdict(point->verdict))));
    all.push_back(std::move(verdict));
    std::erase_if(all, [](const PointColumn& column) { return column.cells.empty(); });
    return all;
  }

  /// Leaves figures out, the last ones first, until the rows are small enough; their names.
  static std::string fit(std::vector<PointColumn>& columns) {
    std::size_t bytes = 0;
    std::string left_out;
    for (const PointColumn& column : columns) bytes += column.bytes();
    for (std::size_t i = columns.size(); i-- > 0 && bytes > kMostTableBytes;) {
      if (!columns[i].may_go) continue;
      bytes -= columns[i].bytes();
      left_out = columns[i].head + (left_out.empty() ? "" : ", " + left_out);
      columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return left_out;
  }

  /// Set by style, not by classes on cells: of a large sweep the cells are most of the page.
  std::string table() const {
    if (shown_.empty()) return {};
    std::vector<PointColumn> all = columns();
    const std::string left_out = fit(all);
    std::string html = fmt::format(
        "<div class=\"scroll\"><table id=\"table\" class=\"points\" data-axes=\"{}\" data-better=\"{}\">"
        "<caption>Points</caption><thead><tr>",
        axes_.size(), description_->better == models::Better::higher ? "higher" : "lower");
    for (const PointColumn& column : all) html += fmt::format("<th scope=\"col\">{}</th>", escaped(column.head));
    html += "</tr></thead><tbody>\n";
    for (std::size_t row = 0; row < shown_.size(); ++row) {
      html += "<tr>";
      for (const PointColumn& column : all) html += column.cells[row];
      html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
    std::string notes;
    for (const std::string& name : figure_names()) notes += "<li>" + metric_head(name) + "</li>";
    return "<p>The best first. With scripts allowed, a click on a head sorts, and the box filters. The exact numbers "
           "are "
           "in the store (<code>headrace report</code>)." +
           (left_out.empty() ? "" : " Left out, because there are so many points: " + escaped(left_out) + ".") +
           "</p><details><summary>Why these figures?</summary><ul>" + notes +
           "</ul></details><p><label>Filter <input type=\"search\" id=\"filter\" autocomplete=\"off\"></label> "
           "<span id=\"filtered\" role=\"status\"></span></p>" +
           html;
  }

  std::string failures() const {
    constexpr std::size_t kMostShown = 50;
    std::vector<std::vector<std::string>> rows;
    for (const PointFacts& point : points_)
      if (!point.error.empty() && rows.size() < kMostShown)
        rows.push_back({std::to_string(point.number), escaped(place_text(point)), escaped(point.error)});
    return rows.empty() ? "" : html_table("The first of them", {{"point"}, {"at"}, {"why"}}, rows);
  }

  Json scenario_document() const {
    Json document = {{"scenario", Json::parse(sweep_.scenario)}};
    if (document["scenario"].empty()) document.clear();
    return document;
  }

  std::string models_in_use() const {
    const Json document = scenario_document();
    return document.empty() ? std::string() : models_section(document);
  }

  /// The store does not keep where each value came from.
  std::string inputs() const {
    const Json document = scenario_document();
    if (document.empty()) return {};
    return "<p>The scenario before the axes set their values; where a value came from is not kept in the store.</p>" +
           inputs_section(document, {});
  }

  /// The call that gave the store, as far as the store tells.
  std::string command() const {
    const Json options = Json::parse(sweep_.options);
    std::string text = fmt::format("headrace sweep {} --level {}", sweep_.name, sweep_.level);
    const Json& rank = at(options, "rank");
    if (rank.is_object())
      text = fmt::format("headrace sweep {} --rank {} --within {:g}%", sweep_.name, text_at(rank, "metric"),
                         100.0 * number_at(rank, "within"));
    const auto add = [&](const char* key, const char* flag, const Json& usual) {
      const Json& value = at(options, key);
      if (value.is_null() || value == usual) return;
      text += fmt::format(" {} {}", flag, text_of(value));
    };
    add("steps", "--steps", 0);
    add("seed", "--seed", 1);
    add("replications", "--replications", 1);
    add("precision", "--precision", 0.01);
    add("granularity", "--granularity", "batch");
    if (at(options, "contention") == false) text += " --contention off";
    if (at(options, "control") == false) text += " --no-control-variate";
    if (at(options, "relief") == true) text += " --relief";
    return text + " -o results.db";
  }

  std::string repeat() const {
    return command_block(command()) +
           "<p>With the same <code>--set</code>, if there were any: the store keeps the scenario as it was then.</p>" +
           html_table("Kept in the store", {{""}, {""}},
                      {{"sweep", "<code>" + escaped(sweep_.id) + "</code>"},
                       {"answered by", escaped(sweep_.level)},
                       {"model version", escaped(sweep_.model_version)},
                       {"options", "<code>" + escaped(sweep_.options) + "</code>"}}) +
           "<details><summary>Axes and conditions</summary><pre><code>" +
           escaped(Json::parse(sweep_.definition).dump(2)) + "</code></pre></details>";
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
