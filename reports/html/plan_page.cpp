#include "reports/html/plan_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html/confidence_notice.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/plan_sections.hpp"
#include "reports/humane.hpp"
#include "reports/plan_report.hpp"
#include "reports/plan_words.hpp"

namespace headrace::reports {
namespace {

std::string plan_tiles(const Document& plan) {
  const char* const cost = cost_figure(plan);
  const std::string cost_title = spoken_name(cost);
  const char* const tiles[][3] = {{cost, "USD", cost_title.c_str()},
                                  {"epoch_time_s", "s", "epoch"},
                                  {"step_time_s", "s", "step"},
                                  {"gpu_idle_fraction", "1", "GPUs wait for data"}};
  const Document& best = at(at(plan, "recommended"), "metrics");
  const Document& today = at(at(plan, "today"), "metrics");
  std::string html;
  for (const auto& [name, unit, title] : tiles) {
    const Document& figure = at(best, name);
    if (!at(figure, "mean").is_number() || (std::string_view(unit) == "USD" && number_at(figure, "mean") == 0.0))
      continue;
    html += fmt::format("<li><span>{}</span><b>{}</b>", title, number(at(figure, "mean"), unit));
    if (has_interval(figure, "ci95"))
      html += "<span>95 %: " + interval(at(figure, "ci95"), at(figure, "mean"), unit) + "</span>";
    if (at(at(today, name), "mean").is_number())
      html += "<span>today " + number(at(at(today, name), "mean"), unit) + "</span>";
    html += "</li>";
  }
  return html.empty() ? html : "<ul class=\"tiles\">" + html + "</ul>";
}

std::string plan_head(const Document& plan) {
  const PlanFinding found = plan_finding(plan);
  const std::string box = verdict_box(found.tone, found.line, found.meaning);
  if (!at(plan, "recommended").is_object()) return box;
  return box + confidence_notice(at(plan, "confidence"), "", "<a href=\"#evidence\">Validation</a>") + plan_tiles(plan);
}

}  // namespace

std::string plan_page(const Document& plan, const PageFacts& facts,
                      const std::function<std::string(const std::string&)>& origin_of) {
  Page page;
  const std::string own = text_at(at(plan, "scenario"), "title");
  page.title = !facts.title.empty() ? facts.title : own.empty() ? "Headrace plan" : own;
  page.head = plan_head(plan);
  page.sections = {
      {"warnings", "Mind", warnings_section(plan)},
      {"recommended", "The recommended configuration", recommended_section(plan)},
      {"ranges", "Over the ranges of the inputs", plan_ranges_section(plan)},
      {"steps", "One step less or more", plan_steps_section(plan)},
      {"options", "Options compared", plan_options_section(plan)},
      {"tradeoff", at(plan, "pareto_front").is_array() ? "The Pareto front" : "Alternatives", tradeoff_section(plan)},
      {"events", "On bad days", events_section(plan)},
      {"rivals", "Runner-up and cheaper machines", rivals_section(plan)},
      {"changes", "Changes from today", changes_section(plan)},
      {"elasticities", "Effect of more of each resource", elasticities_section(plan)},
      {"constraints", "Limits and decisions", constraints_section(plan)},
      {"formulas", "Beside closed forms", closed_forms_section(plan)},
      {"search", "Search and confidence", search_section(plan)},
      {"evidence", "Validation", at(plan, "evidence").is_object() ? evidence_section(plan) : std::string()},
      {"models", "Assumptions of the models", models_section(plan)},
      {"inputs", "Today's inputs", inputs_section(plan, {facts.title, facts.command, origin_of})},
      {"repeat", "Repeat it",
       command_block(facts.command) +
           html_table("The same scenario, seed and models give the same bytes on any machine", {{""}, {""}},
                      {{"scenario, SHA-256", "<code>" + escaped(text_at(plan, "scenario_sha256")) + "</code>"},
                       {"seed", count(at(plan, "seed"))},
                       {"models", escaped(text_at(plan, "model_version"))}})}};
  return html_page(page);
}

}  // namespace headrace::reports
