// What a plan's page says of uncertain inputs, of steps from the recommendation, and of its named options.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"
#include "reports/html/plan_sections.hpp"
#include "reports/humane.hpp"
#include "reports/plan_ranges_text.hpp"
#include "reports/plan_report.hpp"

namespace headrace::reports {
namespace {

constexpr const char* kNoEffect = "no difference that can be told";

std::string change_cell(const Document& change, const char* unit) {
  if (!at(change, "mean").is_number()) return kNoEffect;
  const double mean = number_at(change, "mean");
  return spelled_number(at(change, "mean"), (mean > 0.0 ? "+" : "") + humane(mean, unit));
}

std::vector<std::string> ranged_row(const Document& plan, const char* name, const Document& point) {
  const char* unit = goal_unit(plan);
  return {name,
          number(at(at(at(point, "as_stated"), goal_metric(plan)), "mean"), unit),
          number(at(at(at(point, "expected"), "objective"), "mean"), unit),
          share(at(at(point, "fed_share"), "mean")),
          interval(at(at(point, "fed_share"), "ci95"), at(at(point, "fed_share"), "mean"), "1"),
          escaped(configuration_text(plan, point))};
}

std::string steps_table(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  const char* unit = goal_unit(plan);
  for (const Document& step : at(plan, "steps")) {
    const std::string name = fmt::format("{} {} to {}", escaped(text_at(step, "name")), escaped(text_at(step, "from")),
                                         escaped(text_at(step, "to")));
    if (at(step, "infeasible").is_string()) {
      rows.push_back({name, "not feasible: " + escaped(text_at(step, "infeasible")), "", "", ""});
      continue;
    }
    const bool is_told = at(at(step, "change"), "mean").is_number();
    rows.push_back({name, change_cell(at(step, "change"), unit),
                    is_told ? share(at(step, "gpu_idle_fraction")) : std::string("same"),
                    at(step, "fed_share").is_object() ? change_cell(at(step, "expected_change"), unit) : "&ndash;",
                    at(step, "fed_share_change").is_object() ? share(at(at(step, "fed_share"), "mean"))
                    : at(step, "fed_share").is_object()      ? "same"
                                                             : "&ndash;"});
  }
  if (rows.empty()) return {};
  return html_table("One step less or more of each decision",
                    {{"step"},
                     {escaped(text_at(plan, "objective")) + ", inputs as stated", true},
                     {"idle", true},
                     {"expected over the ranges", true},
                     {"P(fed)", true}},
                    rows);
}

std::string errors_table(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& one : at(plan, "input_errors"))
    rows.push_back({"<code>" + escaped(text_at(one, "parameter")) + "</code>", escaped(text_at(one, "value")),
                    spelled_number(at(one, "error"), input_error_text(number_at(one, "error"))),
                    change_cell(at(one, "change"), goal_unit(plan)), share(at(one, "gpu_idle_fraction"))});
  if (rows.empty()) return {};
  return html_table("If one input is wrong, towards more " + escaped(text_at(plan, "objective")),
                    {{"input"},
                     {"stated", true},
                     {"in truth", true},
                     {"added " + escaped(text_at(plan, "objective")), true},
                     {"idle", true}},
                    rows);
}

}  // namespace

const char* goal_unit(const Document& plan) {
  const std::string objective = text_at(plan, "objective");
  return objective == "epoch time" ? "s" : objective == "idle GPUs" ? "1" : "USD";
}

std::string plan_ranges_section(const Document& plan) {
  const Document& ranges = at(plan, "ranges");
  if (!ranges.is_object()) return {};
  std::string html = "<p>" + prose_html(text_at(ranges, "explanation")) + "</p>";
  if (!at(ranges, "recommended").is_object()) return html;
  std::vector<std::vector<std::string>> rows;
  const bool same = at(ranges, "nominal_is_recommended") == true;
  if (at(ranges, "today").is_object()) rows.push_back(ranged_row(plan, "today", at(ranges, "today")));
  if (!same) rows.push_back(ranged_row(plan, "best for the inputs as stated", at(ranges, "nominal")));
  rows.push_back(ranged_row(plan, "recommended", at(ranges, "recommended")));
  html += html_table(
      "As stated, and over the ranges of the inputs",
      {{""}, {"as stated", true}, {"expected", true}, {"P(fed)", true}, {"95 % interval"}, {"configuration"}}, rows);
  if (same) return html;
  const Document& adds = at(ranges, "robustness_adds");
  const bool told = at(adds, "mean").is_number();
  return html + "<p>Against the best for the inputs as stated, the expected " + escaped(text_at(plan, "objective")) +
         " changes by " + (told ? change_cell(adds, goal_unit(plan)) : std::string("nothing measurable")) + ".</p>";
}

std::string plan_steps_section(const Document& plan) { return steps_table(plan) + errors_table(plan); }

std::string plan_options_section(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  const char* unit = goal_unit(plan);
  for (const Document& one : at(plan, "options"))
    rows.push_back({escaped(text_at(one, "decision")),
                    at(one, "recommended") == true ? "<b>" + escaped(text_at(one, "value")) + "</b>"
                                                   : escaped(text_at(one, "value")),
                    at(one, "mean").is_number() ? number(at(one, "mean"), unit) : "&ndash;",
                    at(one, "bound").is_number() ? number(at(one, "bound"), unit) : "&ndash;",
                    escaped(text_at(one, "result")), escaped(text_at(one, "configuration"))});
  if (rows.empty()) return {};
  return html_table("Every named option, with the best of the other decisions",
                    {{"decision"}, {"option"}, {"simulated", true}, {"bound", true}, {"result"}, {"configuration"}},
                    rows);
}

}  // namespace headrace::reports
