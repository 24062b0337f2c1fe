#include "reports/html/measured_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

double value_of(const Document& number) {
  return number.is_number() ? number.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// Shares of 1 are told in points too.
double points_factor(const MeasuredComparison& comparison) { return comparison.unit == "1" ? 100.0 : 1.0; }

std::string error_unit(const MeasuredComparison& comparison) { return comparison.in_points ? "points" : "%"; }

std::string scatter(const MeasuredComparison& comparison) {
  PlotSeries predicted{"predicted", {}, false};
  PlotSeries guess{comparison.guess_named, {}, false};
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const MeasuredPoint& point : comparison.points) {
    const double measured = value_of(point.measured);
    for (const auto& [series, number] : {std::pair(&predicted, &point.predicted), std::pair(&guess, &point.guess)}) {
      const double shown = value_of(*number);
      if (!std::isfinite(measured) || !std::isfinite(shown)) continue;
      low = std::min({low, measured, shown});
      high = std::max({high, measured, shown});
      series->points.push_back(
          {measured,
           shown,
           {},
           {},
           point.name + ": " + humane(shown, comparison.unit) + ", measured " + humane(measured, comparison.unit)});
    }
  }
  const Scale scale = humane_scale(high, comparison.unit);
  for (PlotSeries* series : {&predicted, &guess})
    for (PlotPoint& point : series->points) {
      point.x *= scale.factor;
      point.y *= scale.factor;
    }
  const double room = comparison.log ? 0.0 : (high - low) * 0.05 + std::abs(high) * 0.01;
  low = (comparison.log ? low / 1.1 : low - room) * scale.factor;
  high = (comparison.log ? high * 1.1 : high + room) * scale.factor;
  PlotSeries exact{"exact", {{low, low}, {high, high}}, true};
  exact.dashed = true;
  const std::string unit = scale.unit.empty() ? "" : ", " + scale.unit;
  Plot plot{comparison.title + ": predicted against measured",
            {"measured" + unit, comparison.log, false, low, high},
            {"predicted" + unit, comparison.log, false, low, high},
            {predicted}};
  if (!guess.points.empty()) plot.series.push_back(guess);
  plot.series.push_back(exact);
  return plot_drawing(plot);
}

PlotSeries cumulative(std::string name, std::vector<double> errors) {
  PlotSeries series{std::move(name), {}, true, true};
  std::sort(errors.begin(), errors.end());
  const double count = static_cast<double>(errors.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double share = 100.0 * static_cast<double>(i + 1) / count;
    series.points.push_back({errors[i], share, {}, {}, fmt::format("{:.0f} % within {:.3g}", share, errors[i])});
  }
  return series;
}

std::string distribution(const MeasuredComparison& comparison) {
  std::vector<double> predicted;
  std::vector<double> guess;
  for (const MeasuredPoint& point : comparison.points) {
    const double error = std::abs(error_of(comparison, point.predicted, point.measured));
    const double simple = std::abs(error_of(comparison, point.guess, point.measured));
    if (std::isfinite(error)) predicted.push_back(error);
    if (std::isfinite(simple)) guess.push_back(simple);
  }
  if (predicted.size() < 3) return {};
  Plot plot{"Errors",
            {"absolute error up to, " + error_unit(comparison), false, true, {}, {}},
            {"share of the points, %", false, true, {}, 100.0},
            {cumulative("predicted", std::move(predicted))}};
  if (guess.size() > 2) plot.series.push_back(cumulative(comparison.guess_named, std::move(guess)));
  return plot_drawing(plot);
}

std::string table(const MeasuredComparison& comparison) {
  std::vector<std::vector<std::string>> rows;
  const auto cell = [&](const Document& value) {
    if (!value.is_number()) return std::string("&ndash;");
    return comparison.unit.empty() ? count(value) : number(value, comparison.unit);
  };
  bool notes = false;
  for (const MeasuredPoint& point : comparison.points) notes = notes || !point.note.empty();
  for (const MeasuredPoint& point : comparison.points) {
    if (!point.predicted.is_number() || !point.measured.is_number()) continue;
    std::vector<std::string> row{
        escaped(point.name), cell(point.measured), cell(point.predicted),
        fmt::format("{:+.2f} {}", error_of(comparison, point.predicted, point.measured), error_unit(comparison))};
    if (!comparison.guess_named.empty()) row.push_back(cell(point.guess));
    if (notes) row.push_back(escaped(point.note));
    rows.push_back(std::move(row));
  }
  std::vector<TableColumn> columns = {{"point"}, {"measured", true}, {"predicted", true}, {"error", true}};
  if (!comparison.guess_named.empty()) columns.push_back({comparison.guess_named, true});
  if (notes) columns.push_back({"from"});
  const std::string head = fmt::format("{} points", rows.size());
  return "<details><summary>" + head + "</summary>" + html_table(comparison.title, columns, rows) + "</details>";
}

}  // namespace

double error_of(const MeasuredComparison& comparison, const Document& predicted, const Document& measured) {
  const double is = value_of(predicted);
  const double was = value_of(measured);
  return comparison.in_points ? (is - was) * points_factor(comparison) : (is / was - 1.0) * 100.0;
}

std::string measured_section(const MeasuredComparison& comparison) {
  const bool any = std::any_of(comparison.points.begin(), comparison.points.end(), [](const MeasuredPoint& point) {
    return point.predicted.is_number() && point.measured.is_number();
  });
  if (!any) return {};
  return "<div class=\"plots\">" + scatter(comparison) + distribution(comparison) + "</div>" + table(comparison);
}

}  // namespace headrace::reports
