// The first screen: verdict, the figures that matter, and what limits how far they can be trusted.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "models/outcome/outcome.hpp"
#include "reports/figure_table.hpp"
#include "reports/html/confidence_notice.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/next_changes.hpp"
#include "reports/outcome_reader.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

std::string_view class_of(Mood mood) {
  if (mood == Mood::unsure) return "unsure";
  return mood == Mood::good ? "good" : "bad";
}

std::string tile(const Document& metrics, const char* name, std::string_view title) {
  const auto found = metrics.find(name);
  if (found == metrics.end()) return {};
  if (number_at(*found, "mean") == 0.0 && found->value("unit", std::string()) == "USD") return {};  // no prices given
  const std::string unit = found->value("unit", std::string("1"));
  std::string html = fmt::format("<li><span>{}</span><b>{}</b>", escaped(title), number(at(*found, "mean"), unit));
  if (has_interval(*found, "ci95"))
    html += at(*found, "ci95")[0] == at(*found, "ci95")[1]
                ? "<span>no noise</span>"
                : "<span>noise, 95 %: " + interval(at(*found, "ci95"), at(*found, "mean"), unit) + "</span>";
  else if (found->value("kind", std::string()) != "simulated")
    html += "<span>" + escaped(kind_text(found->value("kind", std::string()), name)) + "</span>";
  if (has_interval(*found, "input_range"))
    html += "<span>over inputs: " + interval(at(*found, "input_range"), at(*found, "mean"), unit) + "</span>";
  return html + "</li>";
}

/// With what stands beside the bottleneck where stages tie.
std::string meaning_of(const models::Outcome& outcome) {
  const std::string difference = difference_of_gain(outcome);
  return verdict_meaning(outcome) + (difference.empty() ? "" : " " + difference);
}

std::string options_html(const models::RemedyReport& change) {
  return change.options.empty() ? std::string() : " " + command_html(change.options);
}

/// The card of what to do next: changes to choose from, or why there is none.
std::string next_card(const models::Outcome& outcome, const std::string& nothing, const std::string& open_wait) {
  std::string html = "<div class=\"next\"><h3>What to do next</h3>";
  if (!outcome.remedy) {
    const std::string reason = nothing.empty() ? why_no_change(outcome, open_wait) : nothing;
    html += "<p>" + prose_html(reason.empty() ? std::string(kNoChangeGains) : reason) + "</p>";
    for (const std::string& more : {open_wait, large_cost_text(outcome)})
      if (!more.empty()) html += "<p>" + prose_html(more) + "</p>";
    return html + "</div>";
  }
  html += "<p>" + escaped(remedy_sentence(outcome)) + options_html(*outcome.remedy) + "</p>";
  for (const models::RemedyReport& change : outcome.more_remedies)
    html += fmt::format("<p>Or {} ({}).{}</p>", escaped(change_text(change, outcome)), gain_basis(change, outcome),
                        options_html(change));
  return html + "</div>";
}

}  // namespace

std::string evidence_notice(const Document& outcome) {
  return confidence_notice(at(outcome, "confidence"), "", "<a href=\"#evidence\">Validation</a>");
}

/// Steps, epochs and samples of several jobs are not alike: each job has its own, below.
std::string outcome_tiles(const Document& outcome) {
  constexpr std::pair<const char*, const char*> kTiles[] = {{"gpu_idle_fraction", "GPUs wait for data"},
                                                            {"goodput_fraction", "goodput"},
                                                            {"step_time_s", "step"},
                                                            {"epoch_time_s", "epoch"},
                                                            {"samples_per_s", "samples"},
                                                            {"cost_per_epoch_usd", "cost per epoch"},
                                                            {"idle_cost_per_epoch_usd", "of it for idle GPUs"}};
  const bool several = at(outcome, "jobs").size() > 1;
  const std::string scope = cost_scope(outcome_of(outcome).ledger);
  std::string html;
  for (const auto& [metric, label] : kTiles)
    if (!several || !mixes_jobs(metric))
      html += tile(
          at(outcome, "metrics"), metric,
          label == std::string_view("cost per epoch") && !scope.empty() ? fmt::format("{}, {}", label, scope) : label);
  return "<ul class=\"tiles\">" + html + "</ul>";
}

std::string verdict_head(const Document& outcome, const std::string& nothing, const std::string& open_wait) {
  const models::Outcome spoken = outcome_of(outcome);
  return verdict_box(class_of(mood_of(spoken, open_wait)), verdict_line(spoken, open_wait), meaning_of(spoken)) +
         next_card(spoken, nothing, open_wait) + evidence_notice(outcome) + outcome_tiles(outcome);
}

}  // namespace headrace::reports
