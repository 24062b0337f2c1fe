// States of GPU time, and the waits by the stage that caused them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/hops/stage.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/figure_notes.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_reader.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

// No two states share one.
constexpr std::array<std::string_view, models::kGpuStateCount> kStateColours = {"three", "six", "two",   "five", "four",
                                                                                "gray",  "one", "seven", "eight"};

std::string meaning_of_state(const std::string& name, bool closed_form) {
  if (closed_form && name == models::kGpuStateNames[models::index(models::GpuState::ingest_wait_own)])
    return "Waiting for a batch, the GPU's own or that of a peer at the barrier: closed forms do not tell them apart.";
  for (std::size_t i = 0; i < models::kGpuStateCount; ++i)
    if (models::kGpuStateNames.at(i) == name) return gpu_state_explanation(static_cast<models::GpuState>(i));
  return {};
}

std::string meaning_of_stage(const std::string& name) {
  for (std::size_t i = 0; i < models::kStageNames.size(); ++i)
    if (models::kStageNames.at(i) == name) return stage_explanation(static_cast<models::Stage>(i));
  return {};
}

}  // namespace

std::string gpu_time_section(const Document& outcome) {
  const Document& states = at(outcome, "gpu_states");
  if (states.empty()) return {};
  std::vector<Part> parts;
  std::vector<std::vector<std::string>> rows;
  double sum = 0.0;
  const bool closed_form = text_at(outcome, "stopped_by") == "closed_form";
  for (const auto& [name, value] : states.items()) {
    if (closed_form && name == models::kGpuStateNames[models::index(models::GpuState::ingest_wait_peer)]) continue;
    const double state_share = value.is_number() ? value.get<double>() : 0.0;
    const auto state = std::find(models::kGpuStateNames.begin(), models::kGpuStateNames.end(), name);
    const auto place = static_cast<std::size_t>(state - models::kGpuStateNames.begin());
    const std::string said = place < kStateColours.size()
                                 ? state_words(static_cast<models::GpuState>(place), text_at(outcome, "stopped_by"))
                                 : words(name);
    parts.push_back({state_share, place < kStateColours.size() ? kStateColours.at(place) : "gray", said});
    const std::string_view colour = place < kStateColours.size() ? kStateColours.at(place) : "gray";
    rows.push_back({escaped(said), step_drawing({sum, sum + state_share}, colour), share(value),
                    escaped(meaning_of_state(name, closed_form))});
    sum += state_share;
  }
  rows.push_back({"sum", "", fmt::format("{:.2f} %", sum * 100.0), ""});
  return stacked_drawing(parts, "States of GPU time") + part_note("gpu_states") +
         html_table("Shares of elapsed GPU time, one after the other up to 100 %",
                    {{"state"}, {""}, {"share", true}, {"meaning"}}, rows);
}

std::string blame_section(const Document& outcome) {
  const Document& blame = at(outcome, "blame");
  const Document& relief = at(outcome, "relief");
  if (blame.empty() && relief.empty()) return {};
  double full = 0.0;
  for (const Document* shares : {&blame, &relief})
    for (const auto& [name, entry] : shares->items()) {
      full = std::max(full, number_at(entry, "mean"));
      if (const auto interval_ends = interval_ends_at(entry, "ci95")) full = std::max(full, interval_ends->high);
    }
  if (!(full > 0.0)) return "<p>Nothing: no GPU waited for data.</p>";
  std::vector<std::vector<std::string>> rows;
  const std::string binding = at(outcome, "binding").is_string() ? at(outcome, "binding").get<std::string>() : "";
  for (const std::string_view stage : models::kStageNames) {
    const std::string name(stage);
    const Document* caused = blame.contains(name) ? &blame[name] : nullptr;
    const Document* won = relief.contains(name) ? &relief[name] : nullptr;
    const double caused_share = caused != nullptr ? number_at(*caused, "mean") : 0.0;
    const double won_share = won != nullptr ? number_at(*won, "mean") : 0.0;
    if (caused_share == 0.0 && won_share == 0.0) continue;
    std::string drawing =
        caused != nullptr ? bar_drawing(caused_share, full, interval_ends_at(*caused, "ci95"), "six") : "";
    if (won != nullptr) drawing += bar_drawing(won_share, full, interval_ends_at(*won, "ci95"), "three");
    rows.push_back({fmt::format("<details><summary>{}{}</summary><p>{}</p></details>", escaped(words(name)),
                                name == binding ? " <b>(bottleneck)</b>" : "", escaped(meaning_of_stage(name))),
                    drawing, caused != nullptr ? share(at(*caused, "mean")) : "&ndash;",
                    caused != nullptr ? share(at(*caused, "queueing")) : "&ndash;",
                    caused != nullptr ? share(at(*caused, "service")) : "&ndash;",
                    won != nullptr ? share(at(*won, "mean")) : "&ndash;"});
  }
  const models::Outcome spoken = outcome_of(outcome);
  std::string told;
  for (const std::string& sentence : {other_largest_wait(spoken), unsettled_waits(spoken)})
    if (!sentence.empty()) told += " " + escaped(sentence);
  return "<p>Each wait of a GPU is cut along the timeline of the batch that ended it, and each piece is charged to its "
         "stage. <span class=\"key six\"></span>caused by the stage (sums to the idle share); "
         "<span class=\"key three\"></span>won back if the stage were infinitely fast, which is what a fix buys. "
         "Whiskers: 95 % intervals of simulation noise." +
         told + "</p>" + part_note("blame") + part_note("relief") +
         html_table(
             "Shares of GPU time",
             {{"stage"}, {""}, {"caused", true}, {"of it queueing", true}, {"of it service", true}, {"won", true}},
             rows);
}

}  // namespace headrace::reports
