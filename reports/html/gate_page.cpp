#include "reports/html/gate_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/html/confidence_notice.hpp"
#include "reports/html/gate_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/prices.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

std::string input_draws_section(const Document& document) {
  const Document& inputs = at(document, "inputs");
  if (!inputs.is_object()) return {};
  const Document& interval_ends = at(inputs, "share");
  std::string html = html_table(
      "Draws of the assumed and data sheet figures over their ranges", {{""}, {""}},
      {{"draws", count(at(inputs, "draws"))},
       {"pass", count(at(inputs, "passed"))},
       {"fail", count(at(inputs, "failed"))},
       {"share that passes, 95 % interval",
        has_interval(inputs, "share") ? share(interval_ends[0]) + " to " + share(interval_ends[1]) : "unknown"},
       {"required", share(at(inputs, "required"))},
       {"result", decision_cell(inputs)}});
  const Document& failing = at(inputs, "failing");
  constexpr std::size_t kMostShown = 10;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(failing.size(), kMostShown); ++i) {
    std::string values;
    for (const auto& [pointer, value] : element_at(failing, i).items())
      values += "<code>" + escaped(pointer) + "</code> = " + number(value, "") + "<br>";
    rows.push_back({std::to_string(i + 1), values});
  }
  if (!rows.empty()) html += html_table("Draws that fail", {{""}, {"values, SI units"}}, rows);
  return html;
}

std::string baseline_section(const Document& document) {
  const Document& baseline = at(document, "baseline");
  if (!baseline.is_object()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const Document& item : at(baseline, "regressions"))
    rows.push_back(
        {metric_head(text_at(item, "metric")), number(at(item, "a"), text_at(item, "unit")),
         number(at(item, "b"), text_at(item, "unit")),
         spelled_number(at(item, "allowed"), fmt::format("{:+.2f} {}", number_at(item, "allowed") * 100.0,
                                                         item.value("relative_limit", false) ? "%" : "points")),
         decision_cell(item)});
  std::string html;
  if (!rows.empty())
    html = html_table("Difference from the baseline (A)",
                      {{"figure"}, {"accepted", true}, {"now", true}, {"allowed change", true}, {"result"}}, rows);
  html += differences_section(at(baseline, "regressions"), "Changes");
  if (!at(baseline, "model_change").empty())
    html += "<p>The models have changed since. Effect on the baseline scenario:</p>" +
            differences_section(at(baseline, "model_change"), "Change of the models");
  return html;
}

std::string sides_table(const Document& document) {
  const auto row = [&](const char* title, const char* key) {
    const auto side = [&](const char* which) { return escaped(spoken_verdict(text_at(at(document, which), key))); };
    return std::vector<std::string>{title, side("a"), side("b")};
  };
  const auto plain = [&](const char* title, const char* key) {
    const auto side = [&](const char* which) {
      return "<code>" + escaped(text_at(at(document, which), key)) + "</code>";
    };
    return std::vector<std::string>{title, side("a"), side("b")};
  };
  const auto binding = [&](const char* which) { return escaped(words(text_at(at(document, which), "binding"))); };
  std::vector<std::vector<std::string>> rows{plain("name", "name"), row("verdict", "verdict")};
  std::vector<std::string> bound_by{"bottleneck", binding("a"), binding("b")};
  if (!bound_by[1].empty() || !bound_by[2].empty()) rows.push_back(std::move(bound_by));
  for (std::vector<std::string>& more :
       std::vector{row("kind", "kind"), plain("scenario, SHA-256", "scenario_sha256"), plain("models", "model_version"),
                   plain("catalogue", "catalogue_version")})
    rows.push_back(std::move(more));
  return html_table("Both sides", {{""}, {"A"}, {"B"}}, rows);
}

std::string limits_section(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& limit : at(document, "limits"))
    rows.push_back({metric_head(text_at(limit, "metric")), "<code>" + escaped(text_at(limit, "fail_if")) + "</code>",
                    decision_cell(limit)});
  return rows.empty() ? "" : html_table("Must not be", {{"figure"}, {"fails if"}, {"result"}}, rows);
}

std::string parts_section(const Document& document) {
  const Document& parts = at(document, "parts");
  std::string html;
  for (const auto& [name, part] : parts.items()) {
    if (name == "scenario" && html.empty()) break;  // all of the change, shown above
    if (!text_at(part, "note").empty())
      html += fmt::format("<p>{}: {}.</p>", escaped(name), escaped(text_at(part, "note")));
    if (!at(part, "differences").empty())
      html +=
          fmt::format("<h3>By the {}</h3>", escaped(name)) + differences_section(at(part, "differences"), "Changes");
  }
  return html;
}

std::string gained_section(const Document& document) {
  const Document& gained = at(document, "gained_epochs");
  if (!(number_at(gained, "a_usd_per_hour") + number_at(gained, "b_usd_per_hour") > 0.0)) return {};
  const Document& price = at(gained, "usd_per_epoch_gained");
  const auto cost = [&](const char* key) {
    return number_at(gained, key) == 0.0 ? spelled_number(at(gained, key), kNoPrices) : number(at(gained, key), "USD");
  };
  return html_table("Gain of the change", {{""}, {"A", true}, {"B", true}},
                    {{"epochs per hour", number(at(gained, "a_epochs_per_hour"), ""),
                      number(at(gained, "b_epochs_per_hour"), "")},
                     {"cost per hour", cost("a_usd_per_hour"), cost("b_usd_per_hour")}}) +
         (price.is_number() ? "<p>Each epoch more costs " + number(price, "USD") + " (" +
                                  interval(at(gained, "ci"), price, "USD") + "); below zero it saves.</p>"
                            : std::string());
}

/// Sides in the first screen: each figure from A to B.
std::string compare_tiles(const Document& document) {
  std::string html;
  const Document& differences = at(document, "differences");
  const bool a_unpriced = has_no_prices(differences, "a");
  const bool b_unpriced = has_no_prices(differences, "b");
  for (const Document& difference : differences) {
    const std::string metric = text_at(difference, "metric");
    if (!models::is_headline(metric)) continue;
    const std::string unit = text_at(difference, "unit");
    if (unit == "USD" && number_at(difference, "a") == 0.0 && number_at(difference, "b") == 0.0) continue;
    html += fmt::format("<li><span>{}</span><b>{}</b><span>{} {}</span></li>", escaped(spoken_name(metric)),
                        side_cell(difference, "b", b_unpriced), unit == "USD" && a_unpriced ? "A:" : "was",
                        side_cell(difference, "a", a_unpriced));
  }
  return html.empty() ? html : "<ul class=\"tiles\">" + html + "</ul>";
}

}  // namespace

std::string check_page(const Document& document, const OutcomePageFacts& facts) {
  const Document& outcome = at(document, "outcome");
  Page page;
  page.title = facts.title;
  if (page.title.empty()) page.title = text_at(at(outcome, "scenario"), "title");
  if (page.title.empty()) page.title = "Headrace check";
  page.head = decision_box(document) + verdict_head(outcome);
  page.sections = {{"thresholds", "Thresholds", thresholds_section(document)},
                   {"draws", "Over the ranges of the inputs", input_draws_section(document)},
                   {"baseline", "Against the baseline", baseline_section(document)},
                   {"notes", "Notes", notes_section(document)}};
  for (PageSection& section : outcome_sections(outcome, facts)) page.sections.push_back(std::move(section));
  return html_page(page);
}

std::string compare_page(const Document& document, const PageFacts& facts) {
  Page page;
  const std::string a = text_at(at(document, "a"), "name");
  const std::string b = text_at(at(document, "b"), "name");
  page.title = !facts.title.empty() ? facts.title : a == b ? "Two variants of " + a : "A: " + a + ", B: " + b;
  page.head = decision_box(document) + confidence_notice(at(at(document, "a"), "confidence"), "A", "") +
              confidence_notice(at(at(document, "b"), "confidence"), "B", "") + compare_tiles(document);
  page.sections = {
      {"inputs", "Inputs that differ", changed_inputs_section(at(document, "inputs"))},
      {"limits", "Limits", limits_section(document)},
      {"differences", "Outcome differences",
       differences_section(at(document, "differences"), fmt::format("Differences, {:g} % intervals of simulation noise",
                                                                    100.0 * number_at(document, "confidence")))},
      {"parts", "Causes of the change", parts_section(document)},
      {"gained", "Gain", gained_section(document)},
      {"notes", "Notes", notes_section(document)},
      {"sides", "A and B", sides_table(document)},
      {"repeat", "Repeat it",
       command_block(facts.command) +
           html_table("The same scenarios, seed and models give the same bytes on any machine", {{""}, {""}},
                      {{"seed", count(at(document, "seed"))},
                       {"steps of each", count(at(document, "steps"))},
                       {"models", escaped(text_at(document, "model_version"))},
                       {"ended by", escaped(words(text_at(document, "stopped_by")))}})}};
  return html_page(page);
}

}  // namespace headrace::reports
