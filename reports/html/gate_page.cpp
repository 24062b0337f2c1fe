#include "reports/html/gate_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/gate_cases.hpp"
#include "reports/html/confidence_notice.hpp"
#include "reports/html/gate_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/prices.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

std::string input_draws_section(const CheckedInputs& inputs) {
  const models::InputGate& gate = inputs.gate;
  std::string html =
      html_table("Draws of the assumed and data sheet figures over their ranges", {{""}, {""}},
                 {{"draws", count(gate.draws)},
                  {"pass", count(gate.passed)},
                  {"fail", count(gate.failed)},
                  {"share that passes, 99 % interval", share(gate.share.low) + " to " + share(gate.share.high)},
                  {"required", share(gate.required)},
                  {"result", decision_cell(gate.decision)}});
  constexpr std::size_t kMostShown = 10;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(inputs.failing.size(), kMostShown); ++i) {
    std::string values;
    for (const auto& [pointer, value] : inputs.failing[i].items())
      values += "<code>" + escaped(pointer) + "</code> = " + number(value, "") + "<br>";
    rows.push_back({std::to_string(i + 1), values});
  }
  if (!rows.empty())
    html += html_table(fmt::format("{} of {} that fail", rows.size(), counted(gate.failed, "draw")),
                       {{""}, {"values, SI units"}}, rows);
  return html;
}

std::string baseline_section(const CheckedBaseline& baseline) {
  std::vector<std::vector<std::string>> rows;
  std::vector<models::PairedDifference> differences;
  for (const Regression& item : baseline.regressions) {
    const models::PairedDifference& difference = item.difference;
    const std::string_view unit = metric_unit(difference.metric);
    rows.push_back({metric_head(difference.metric), number(difference.before, unit), number(difference.after, unit),
                    spelled_number(item.limit.limit, fmt::format("{:+.2f} {}", item.limit.limit * 100.0,
                                                                 item.limit.relative ? "%" : "points")),
                    decision_cell(item.decision)});
    differences.push_back(difference);
  }
  std::string html;
  if (!rows.empty())
    html = html_table("Difference from the baseline (A)",
                      {{"figure"}, {"accepted", true}, {"now", true}, {"allowed change", true}, {"result"}}, rows);
  html += differences_section(differences, "Changes");
  if (!baseline.model_change.empty())
    html += "<p>The models have changed since. Effect on the baseline scenario:</p>" +
            differences_section(baseline.model_change, "Change of the models");
  return html;
}

std::string sides_table(const RecordedComparison& comparison) {
  const auto row = [&](const char* title, const auto& cell) {
    return std::vector<std::string>{title, cell(comparison.a), cell(comparison.b)};
  };
  const auto plain = [&](const char* title, std::string ComparedSide::*text) {
    return row(title, [text](const ComparedSide& side) { return "<code>" + escaped(side.*text) + "</code>"; });
  };
  const auto binding = [](const ComparedSide& side) {
    return side.binding ? escaped(words(models::name(*side.binding))) : std::string();
  };
  std::vector<std::vector<std::string>> rows{
      plain("name", &ComparedSide::name), row("verdict", [](const ComparedSide& side) {
        return side.verdict == models::Verdict::fed ? "compute-bound" : escaped(spoken_verdict(side.verdict));
      })};
  if (comparison.a.binding || comparison.b.binding) rows.push_back(row("bottleneck", binding));
  for (std::vector<std::string>& more :
       std::vector{row("kind", [](const ComparedSide& side) { return side.is_result ? "result" : "scenario"; }),
                   plain("scenario, SHA-256", &ComparedSide::scenario_sha256),
                   plain("models", &ComparedSide::model_version), plain("catalogue", &ComparedSide::catalogue_version)})
    rows.push_back(std::move(more));
  return html_table("Both sides", {{""}, {"A"}, {"B"}}, rows);
}

std::string limits_section(const std::vector<LimitedChange>& limits) {
  std::vector<std::vector<std::string>> rows;
  for (const LimitedChange& limit : limits)
    rows.push_back({metric_head(limit.asked.metric), "<code>" + escaped(limit.asked.text) + "</code>",
                    decision_cell(limit.decision)});
  return rows.empty() ? "" : html_table("Must not be", {{"figure"}, {"fails if"}, {"result"}}, rows);
}

std::string parts_section(const std::vector<ChangePart>& parts) {
  std::string html;
  for (const ChangePart& part : parts) {
    if (part.name == "scenario" && html.empty()) break;  // all of the change, shown above
    if (!part.note.empty()) html += fmt::format("<p>{}: {}.</p>", escaped(part.name), escaped(part.note));
    if (!part.differences.empty())
      html += fmt::format("<h3>By the {}</h3>", escaped(part.name)) + differences_section(part.differences, "Changes");
  }
  return html;
}

std::string gained_section(const std::optional<models::GainedEpochs>& gained) {
  if (!gained || !(gained->before_usd_per_hour + gained->after_usd_per_hour > 0.0)) return {};
  const auto cost = [](double usd) { return usd == 0.0 ? spelled_number(usd, kNoPrices) : number(usd, "USD"); };
  return html_table("Gain of the change", {{""}, {"A", true}, {"B", true}},
                    {{"epochs per hour", number(gained->before_per_hour, ""), number(gained->after_per_hour, "")},
                     {"cost per hour", cost(gained->before_usd_per_hour), cost(gained->after_usd_per_hour)}}) +
         (gained->usd_per_epoch ? "<p>Each additional epoch costs " + number(*gained->usd_per_epoch, "USD") + " (" +
                                      interval(interval_json(gained->usd_per_epoch_ci), *gained->usd_per_epoch, "USD") +
                                      " by the noise of the runs); below zero it saves.</p>"
                                : std::string());
}

/// Sides in the first screen: each figure from A to B.
std::string compare_tiles(const std::vector<models::PairedDifference>& differences) {
  std::string html;
  constexpr auto kA = &models::PairedDifference::before;
  constexpr auto kB = &models::PairedDifference::after;
  const bool a_unpriced = has_no_prices(differences, kA);
  const bool b_unpriced = has_no_prices(differences, kB);
  for (const models::PairedDifference& difference : differences) {
    if (!models::is_headline(difference.metric)) continue;
    const bool is_cost = metric_unit(difference.metric) == "USD";
    if (is_cost && difference.before == 0.0 && difference.after == 0.0) continue;
    html +=
        fmt::format("<li><span>B: {}</span><b>{}</b><span>A: {}</span></li>", escaped(spoken_name(difference.metric)),
                    side_cell(difference, kB, b_unpriced), side_cell(difference, kA, a_unpriced));
  }
  return html.empty() ? html : "<ul class=\"tiles\">" + html + "</ul>";
}

}  // namespace

namespace {

/// Where the scenario's values pass and the ranges of the inputs do not.
std::string nothing_but_ranges(const RecordedCheck& check) {
  if (!check.inputs || check.inputs->gate.decision == models::Ruling::pass) return {};
  return fmt::format(
      "At the scenario's values no change is needed. Over the ranges of the inputs {} are required and {} of {} draws "
      "pass: headrace plan finds a configuration that is fed over them and names the inputs to measure.",
      percent(check.inputs->gate.required, 0), check.inputs->gate.passed, check.inputs->gate.draws);
}

}  // namespace

std::string check_page(const RecordedCheck& check, const OutcomePageFacts& facts) {
  Document outcome = check.outcome;
  if (!check.stopped_by.empty() && outcome.contains("stopped_by")) outcome["stopped_by"] = check.stopped_by;
  Page page;
  page.title = facts.title;
  if (page.title.empty()) page.title = text_at(at(outcome, "scenario"), "title");
  if (page.title.empty()) page.title = "Headrace check";
  page.head = decision_box(check.decision, check.headline, true) +
              verdict_head(outcome, nothing_but_ranges(check), facts.open_wait);
  page.sections = {{"thresholds", "Thresholds", thresholds_section(check.thresholds)},
                   {"draws", "Over the ranges of the inputs", check.inputs ? input_draws_section(*check.inputs) : ""},
                   {"baseline", "Against the baseline", check.baseline ? baseline_section(*check.baseline) : ""},
                   {"notes", "Notes", notes_section(check.notes)}};
  for (PageSection& section : outcome_sections(outcome, facts)) page.sections.push_back(std::move(section));
  return html_page(page);
}

std::string compare_page(const RecordedComparison& comparison, const PageFacts& facts) {
  Page page;
  const std::string& a = comparison.a.name;
  const std::string& b = comparison.b.name;
  const bool is_judged = comparison.decision != models::Ruling::pass || !comparison.limits.empty();
  page.title = !facts.title.empty() ? facts.title : a == b ? "Two variants of " + a : "A: " + a + ", B: " + b;
  page.head = decision_box(comparison.decision, comparison.headline, is_judged) +
              confidence_notice(confidence_json(comparison.a.confidence), "A", "") +
              confidence_notice(confidence_json(comparison.b.confidence), "B", "") +
              compare_tiles(comparison.differences);
  page.sections = {
      {"inputs", "Inputs that differ", changed_inputs_section(comparison.inputs)},
      {"limits", "Limits", limits_section(comparison.limits)},
      {"differences", "Outcome differences",
       differences_section(comparison.differences, fmt::format("Differences, {:g} % intervals of simulation noise",
                                                               100.0 * comparison.confidence))},
      {"parts", "Causes of the change", parts_section(comparison.parts)},
      {"gained", "Gain", gained_section(comparison.gained)},
      {"notes", "Notes", notes_section(comparison.notes)},
      {"sides", "A and B", sides_table(comparison)},
      {"repeat", "Repeat it",
       command_block(facts.command) +
           html_table("The same scenarios, seed and models give the same bytes on any machine", {{""}, {""}},
                      {{"seed", comparison.seed ? count(*comparison.seed) : "unknown"},
                       {"steps of each", count(comparison.steps)},
                       {"models", escaped(comparison.model_version)},
                       {"ended", escaped(ended_text(comparison.stopped_by))}})}};
  return html_page(page);
}

}  // namespace headrace::reports
