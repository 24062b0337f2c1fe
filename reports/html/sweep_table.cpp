#include "reports/html/sweep_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/document.hpp"
#include "reports/html/gate_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostTableBytes = 2'400'000;  // of the rows, so that ten thousand points stay below 3 MB

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

PointColumn axis_column(const SweepFacts& facts, std::size_t axis) {
  PointColumn column{facts.axes()[axis].name, false, {}};
  for (const PointFacts* point : facts.shown()) {
    const Json& at = facts.axes()[axis].values[point->places[axis]];
    const auto number = at.is_number() ? std::nullopt : number_of(at);  // a bare number sorts as it stands
    column.cells.push_back(
        number ? fmt::format("<td data-v=\"{}\">{}</td>", short_number(number->value), escaped(text_of(at)))
               : fmt::format("<td>{}</td>", escaped(text_of(at))));
  }
  return column;
}

/// Empty where no point has the metric, or every one has nothing of it, as of money without prices.
PointColumn metric_column(const SweepFacts& facts, const std::string& name) {
  PointColumn column{spoken_name(name), name != facts.metric(), {}};
  const models::MetricDescription* metric = models::find_metric(name);
  bool any = false;
  for (const PointFacts* point : facts.shown()) {
    const auto found = point->figures.find(name);
    const bool known = found != point->figures.end();
    any = any || (known && (metric->unit != "USD" || found->second.mean != 0.0));
    column.cells.push_back(known ? fmt::format("<td data-v=\"{}\">{}</td>", short_number(found->second.mean),
                                               escaped(humane(found->second.mean, metric->unit)))
                                 : std::string("<td></td>"));
  }
  if (!any && name != facts.metric()) column.cells.clear();
  return column;
}

/// Half the width of the interval of the metric, beside it.
PointColumn interval_column(const SweepFacts& facts) {
  PointColumn column{"95 % interval (simulation noise)", false, {}};
  bool any = false;
  for (const PointFacts* point : facts.shown()) {
    const SweepFigure& y = facts.figure(*point);
    const bool known = y.low && y.high;
    any = any || known;
    column.cells.push_back(known ? fmt::format("<td>\u00b1 {}</td>",
                                               escaped(humane(0.5 * (*y.high - *y.low), facts.description().unit, 2)))
                                 : std::string("<td></td>"));
  }
  if (!any) column.cells.clear();
  return column;
}

/// What a ranking says: the place, and the paired difference to the best with its interval.
std::vector<PointColumn> ranking_columns(const SweepFacts& facts) {
  PointColumn place{"place", false, {}};
  PointColumn difference{"more than the best", false, {}};
  if (!facts.is_ranked()) return {};
  for (const PointFacts* point : facts.shown()) {
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

std::vector<std::string> figure_names(const SweepFacts& facts) {
  std::vector<std::string> names = {facts.metric()};
  for (const std::string_view name : models::headline_metrics())
    if (facts.metric() != name) names.emplace_back(name);
  return names;
}

std::vector<PointColumn> columns(const SweepFacts& facts) {
  std::vector<PointColumn> all;
  PointColumn number{"point", false, {}};
  for (const PointFacts* point : facts.shown()) number.cells.push_back(fmt::format("<th>{}</th>", point->number));
  all.push_back(std::move(number));
  for (std::size_t axis = 0; axis < facts.axes().size(); ++axis) all.push_back(axis_column(facts, axis));
  all.push_back(metric_column(facts, facts.metric()));
  all.push_back(interval_column(facts));
  for (PointColumn& column : ranking_columns(facts)) all.push_back(std::move(column));
  for (const std::string& name : figure_names(facts))
    if (name != facts.metric()) all.push_back(metric_column(facts, name));
  PointColumn verdict{"verdict", false, {}};
  for (const PointFacts* point : facts.shown())
    verdict.cells.push_back(fmt::format("<td>{}</td>", escaped(spoken_verdict(point->verdict))));
  all.push_back(std::move(verdict));
  std::erase_if(all, [](const PointColumn& column) { return column.cells.empty(); });
  return all;
}

/// Leaves figures out, the last ones first, until the rows are small enough; their names.
std::string fit(std::vector<PointColumn>& columns) {
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

}  // namespace

/// Set by style, not by classes on cells: of a large sweep the cells are most of the page.
std::string sweep_table(const SweepFacts& facts) {
  if (facts.shown().empty()) return {};
  std::vector<PointColumn> all = columns(facts);
  const std::string left_out = fit(all);
  std::vector<TableColumn> heads;
  for (const PointColumn& column : all) heads.push_back({column.head});
  std::string html =
      open_table("Points", heads,
                 fmt::format("id=\"table\" class=\"points\" data-axes=\"{}\" data-better=\"{}\"", facts.axes().size(),
                             facts.description().better == models::Better::higher ? "higher" : "lower"));
  for (std::size_t row = 0; row < facts.shown().size(); ++row) {
    html += "<tr>";
    for (const PointColumn& column : all) html += column.cells[row];
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  std::string notes;
  for (const std::string& name : figure_names(facts)) notes += "<li>" + metric_head(name) + "</li>";
  return "<p>The best first. With scripts allowed, a click on a head sorts, and the box filters. The exact numbers "
         "are "
         "in the results file (<code>headrace report</code>)." +
         (left_out.empty() ? "" : " Left out, because there are so many points: " + escaped(left_out) + ".") +
         "</p><details><summary>Why these figures?</summary><ul>" + notes +
         "</ul></details><p><label>Filter <input type=\"search\" id=\"filter\" autocomplete=\"off\"></label> "
         "<span id=\"filtered\" role=\"status\"></span></p>" +
         html;
}

}  // namespace headrace::reports
