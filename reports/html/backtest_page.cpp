#include "reports/html/backtest_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"
#include "reports/html/measured_section.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

struct Observable {
  const char* key;
  const char* summary;
  const char* title;
  const char* unit;
  bool in_points;
  bool log;
};

constexpr Observable kObservables[] = {
    {"au_percent", "au", "Accelerator utilization (AU)", "%", true, false},
    {"samples_per_s", "samples_per_s", "Samples per second", "1/s", false, true},
    {"max_accelerators", "max_accelerators", "Largest count of accelerators", "", false, true}};

std::string row_name(const Document& row) {
  return fmt::format("{} {}, {} on {} {}", text_at(row, "submitter"), text_at(row, "system"), text_at(row, "workload"),
                     at(row, "accelerators").dump(), text_at(row, "accelerator"));
}

MeasuredComparison comparison_of(const Document& document, const Observable& observable) {
  MeasuredComparison comparison{
      observable.title, observable.unit, observable.in_points, observable.log, "guess from the calibrating rows", {}};
  for (const Document& row : at(document, "rows")) {
    if (text_at(row, "status") != "predicted") continue;
    comparison.points.push_back({row_name(row), at(at(row, "predicted"), observable.key),
                                 at(at(row, "measured"), observable.key), at(at(row, "guess"), observable.key),
                                 words(text_at(row, "basis"))});
  }
  return comparison;
}

std::string unit_text(const std::string& unit) { return unit == "points" ? " points" : " " + unit; }

std::string in_unit(const Document& value, const std::string& unit) {
  return value.is_number() ? spelled_number(value, fmt::format("{:.2f}{}", value.get<double>(), unit_text(unit)))
                           : std::string("&ndash;");
}

std::string backtest_tiles(const Document& summary) {
  std::string html;
  for (const Observable& observable : kObservables) {
    const Document& errors = at(summary, observable.summary);
    if (!(number_at(errors, "count") > 0.0)) continue;
    const std::string unit = text_at(errors, "unit");
    html += fmt::format(
        "<li><span>{}, mean error</span><b>{}</b><span>guess: {}</span><span>skill {} of {} rows</span></li>",
        escaped(observable.title), in_unit(at(errors, "mean_abs_error"), unit),
        in_unit(at(errors, "baseline_mean_abs_error"), unit),
        at(errors, "skill").is_number() ? number(at(errors, "skill"), "", 3) : "unknown", count(at(errors, "count")));
  }
  return html.empty() ? html : "<ul class=\"tiles\">" + html + "</ul>";
}

std::string backtest_head(const Document& document) {
  const Document& summary = at(document, "summary");
  std::size_t met = 0;
  const Document& bars = at(document, "bars");
  for (const Document& bar : bars) met += bar.value("met", false) ? 1 : 0;
  const std::string line =
      bars.empty() ? "No aim speaks of these rows" : fmt::format("{} of {} aims met", met, bars.size());
  const std::string meaning = fmt::format(
      "{} rows calibrate their systems, {} are predicted without their own figures, {} cannot be predicted.",
      at(summary, "calibrated").dump(), at(summary, "predicted").dump(), at(summary, "not_predicted").dump());
  return verdict_box(bars.empty()         ? "unsure"
                     : met == bars.size() ? "good"
                                          : "bad",
                     line, meaning) +
         backtest_tiles(summary);
}

std::string aims_section(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& bar : at(document, "bars")) {
    const std::string unit = text_at(bar, "unit");
    rows.push_back({escaped(text_at(bar, "id")), escaped(text_at(bar, "meaning")), count(at(bar, "count")),
                    escaped(text_at(bar, "statistic")), in_unit(at(bar, "value"), unit),
                    in_unit(at(bar, "limit"), unit), in_unit(at(bar, "guess"), unit),
                    bar.value("met", false) ? "met" : "missed"});
  }
  if (rows.empty()) return {};
  return html_table(
      "Errors are absolute",
      {{"aim"}, {"about"}, {"rows", true}, {"statistic"}, {"error", true}, {"aim", true}, {"guess", true}, {"result"}},
      rows);
}

std::string errors_section(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  for (const Observable& observable : kObservables) {
    const Document& errors = at(at(document, "summary"), observable.summary);
    if (!(number_at(errors, "count") > 0.0)) continue;
    const std::string unit = text_at(errors, "unit");
    const auto cell = [&](const char* key) { return in_unit(at(errors, key), unit); };
    rows.push_back({escaped(observable.title), count(at(errors, "count")), cell("median_abs_error"),
                    cell("mean_abs_error"), cell("p90_abs_error"), cell("largest_abs_error"), cell("mean_error"),
                    cell("baseline_median_abs_error"), cell("baseline_mean_abs_error"),
                    at(errors, "skill").is_number() ? number(at(errors, "skill"), "", 3) : "&ndash;"});
  }
  if (rows.empty()) return {};
  return "<p>Skill is 1 - mean error / mean error of the guess: 0 is no better than the guess, 1 is exact. The guess "
         "takes the utilization of the calibrating rows, and scales their count by the demand per accelerator.</p>" +
         html_table("Absolute errors, and the signed mean",
                    {{"figure"},
                     {"rows", true},
                     {"median", true},
                     {"mean", true},
                     {"p90", true},
                     {"largest", true},
                     {"signed mean", true},
                     {"guess, median", true},
                     {"guess, mean", true},
                     {"skill", true}},
                    rows);
}

std::string folded(const std::string& head, const std::string& table) {
  return "<details><summary>" + escaped(head) + "</summary>" + table + "</details>";
}

std::string calibrating_section(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& row : at(document, "rows"))
    if (text_at(row, "status") == "calibrated") {
      const Document& measured = at(row, "measured");
      const auto cell = [&](const char* key, const char* unit) {
        return at(measured, key).is_number() ? number(at(measured, key), unit) : std::string("&ndash;");
      };
      rows.push_back(
          {escaped(row_name(row)), count(at(row, "line")), cell("au_percent", "%"), cell("samples_per_s", "1/s")});
    }
  if (rows.empty()) return {};
  return "<p>Their figures describe their systems; none of them is predicted.</p>" +
         folded(counted(rows.size(), "row"),
                html_table("Rows that calibrate", {{"row"}, {"line", true}, {"AU", true}, {"samples/s", true}}, rows));
}

std::vector<std::string> reason_row(const Document& row, const char* key) {
  return {escaped(row_name(row)), count(at(row, "line")), escaped(text_at(row, key))};
}

std::string reasons(const std::string& head, const char* caption, const std::vector<std::vector<std::string>>& rows) {
  return rows.empty() ? "" : folded(head, html_table(caption, {{"row"}, {"line", true}, {"why"}}, rows));
}

/// Rows that cannot be predicted, apart from those that are and only lack a largest count to hold against the measured
/// one.
std::string open_section(const Document& document) {
  std::vector<std::vector<std::string>> open;
  std::vector<std::vector<std::string>> unused;
  std::vector<std::vector<std::string>> no_count;
  for (const Document& row : at(document, "rows")) {
    const std::string status = text_at(row, "status");
    if (status == "not_predicted")
      open.push_back(reason_row(row, "reason"));
    else if (!text_at(row, "reason").empty())
      unused.push_back(reason_row(row, "reason"));
    if (status == "predicted" && !text_at(row, "max_accelerators_reason").empty() &&
        at(at(row, "measured"), "max_accelerators").is_number())
      no_count.push_back(reason_row(row, "max_accelerators_reason"));
  }
  return reasons(counted(open.size(), "row") + " not predicted", "Not predicted", open) +
         reasons(counted(unused.size(), "unused row"), "Unused", unused) +
         reasons(counted(no_count.size(), "predicted row") + " without a largest count", "No largest count", no_count);
}

}  // namespace

std::string backtest_page(const Document& document, const PageFacts& facts) {
  Page page;
  page.title = facts.title.empty() ? "Backtest" : facts.title;
  page.head = backtest_head(document);
  page.sections = {{"aims", "Aims", aims_section(document)}};
  for (const Observable& observable : kObservables)
    page.sections.push_back({observable.key, observable.title, measured_section(comparison_of(document, observable))});
  page.sections.push_back({"errors", "Errors and skill", errors_section(document)});
  page.sections.push_back({"open", "Not predicted", open_section(document)});
  page.sections.push_back({"calibrating", "Basis", calibrating_section(document)});
  page.sections.push_back({"repeat", "Repeat it",
                           command_block(facts.command) + "<p>Models " + escaped(text_at(document, "model_version")) +
                               ". A prediction is no result of the benchmark.</p>"});
  return html_page(page);
}

}  // namespace headrace::reports
