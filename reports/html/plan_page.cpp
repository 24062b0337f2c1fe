#include "reports/html/plan_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html/confidence_notice.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/plan_sections.hpp"
#include "reports/humane.hpp"
#include "reports/plan_json.hpp"

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

/// "; uses 128 cores of 96": rooms that the recommendation does not fit; empty where it fits.
std::string exceeded_rooms(const Document& plan) {
  std::string text;
  for (const Document& room : at(plan, "rooms"))
    if (number_at(room, "needed") > number_at(room, "available") * (1.0 + 1e-9))
      text += fmt::format("; uses {} {} of {}", humane(number_at(room, "needed"), text_at(room, "unit")),
                          text_at(room, "name"), humane(number_at(room, "available"), text_at(room, "unit")));
  return text;
}

std::string plan_head(const Document& plan) {
  const Document& best = at(plan, "recommended");
  const Document& search = at(plan, "search");
  const std::string sure = text_at(search, "explanation");
  const std::string stopped = text_at(plan, "stopped");
  if (!best.is_object()) {
    if (!stopped.empty()) return verdict_box("unsure", "No configuration was found in time", stopped);
    std::string line = "No configuration meets every limit";
    if (!at(plan, "obstacles").empty()) line += ": " + text_at(at(plan, "obstacles").front(), "name");
    return verdict_box("bad", line, sure);
  }
  const bool unmet = at(at(plan, "ranges"), "reached") == false;
  const bool proved = text_at(search, "proof") != "none" && stopped.empty();
  const std::string exceeded = exceeded_rooms(plan);
  return verdict_box(
             unmet                        ? "bad"
             : proved && exceeded.empty() ? "good"
                                          : "unsure",
             (unmet ? "Not fed often enough; the nearest: " : "Take ") + configuration_text(plan, best) + exceeded,
             (at(at(plan, "ranges"), "nominal_is_recommended") == false
                  ? text_at(at(plan, "ranges"), "explanation") + " Of "
                  : "The least " + text_at(plan, "objective") + " of ") +
                 at(search, "points").dump() + " configurations; " + sure + "." +
                 (stopped.empty() ? "" : " " + stopped)) +
         confidence_notice(at(plan, "confidence"), "", "<a href=\"#evidence\">Validation</a>") + plan_tiles(plan);
}

}  // namespace

std::string plan_page(const Document& plan, const PageFacts& facts,
                      const std::function<std::string(const std::string&)>& origin_of) {
  Page page;
  page.title = facts.title.empty() ? "Headrace plan" : facts.title;
  page.head = plan_head(plan);
  page.sections = {
      {"warnings", "Mind", warnings_section(plan)},
      {"recommended", "The recommended configuration", recommended_section(plan)},
      {"ranges", "Over the ranges of the inputs", plan_ranges_section(plan)},
      {"steps", "One step less or more", plan_steps_section(plan)},
      {"options", "Options compared", plan_options_section(plan)},
      {"tradeoff", at(plan, "pareto_front").is_array() ? "The Pareto front" : "Alternatives", tradeoff_section(plan)},
      {"events", "On bad days", events_section(plan)},
      {"rivals", "Nearest alternatives", rivals_section(plan)},
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
