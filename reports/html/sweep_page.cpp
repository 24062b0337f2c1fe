#include "reports/html/sweep_page.hpp"
#include "reports/html/confidence_notice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "reports/confidence_text.hpp"
#include "reports/document.hpp"
#include "reports/html/gate_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/page.hpp"
#include "reports/html/sweep_script.hpp"
#include "reports/html/sweep_sections.hpp"
#include "reports/humane.hpp"
#include "reports/ranked_by.hpp"
#include "scenarios/results/stored_json.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::ResultsStore;
using scenarios::SweepRecord;

std::size_t failed_points(const SweepFacts& facts) {
  return static_cast<std::size_t>(std::count_if(facts.points().begin(), facts.points().end(),
                                                [](const PointFacts& point) { return !point.error.empty(); }));
}

std::string head_without_answers(const SweepFacts& facts) {
  return verdict_box("bad", "no point has an answer",
                     facts.points().empty()
                         ? "Nothing was computed yet."
                         : fmt::format("All {} points failed; the reasons are below.", facts.points().size()));
}

/// The verdict of some points may be wrong where that of the best does not.
std::string caution_text(const SweepFacts& facts, const PointFacts& best) {
  const auto open = std::count_if(facts.shown().begin(), facts.shown().end(),
                                  [](const PointFacts* point) { return !verdict_caution(point->confidence).empty(); });
  const std::string points = fmt::format("The verdict of {} of {} points may be wrong.", open, facts.shown().size());
  const std::string notice = confidence_notice(best.confidence, "the best point", points);
  if (!notice.empty() || open == 0) return notice;
  return "<p class=\"notice\">" + points + "</p>";
}

std::string ranking_text(const SweepFacts& facts) {
  if (!facts.is_ranked()) return {};
  const auto in_state = [&facts](const char* state) {
    return std::count_if(facts.shown().begin(), facts.shown().end(),
                         [state](const PointFacts* point) { return text_at(point->ranking, "state") == state; });
  };
  RankedBy by;
  for (const PointFacts* point : facts.shown()) by.add(point->ranking);
  const std::string stands_by = by.text();
  return fmt::format(
      "<p>Ranked by {} in paired runs: {} points are known to be worse, {} are known to within the width that was "
      "asked for, {} are undecided.{}{}</p>",
      escaped(spoken_name(text_at(facts.shown().front()->ranking, "metric"))), in_state("worse"), in_state("known"),
      in_state("undecided"), stands_by.empty() ? "" : " ", stands_by);
}

/// Not "best": an axis may be a figure that nobody chooses.
const char* rank_word(models::Better better) {
  if (better == models::Better::neither) return "first by";
  return better == models::Better::lower ? "least" : "most";
}

std::string head(const SweepFacts& facts) {
  const PointFacts& best = *facts.shown().front();
  std::string html =
      fmt::format("<div class=\"verdict good\"><strong>{} {}: {}</strong>at {}{}</div>",
                  rank_word(facts.description().better), escaped(spoken_name(facts.metric())),
                  number(Json(facts.value(best)), facts.description().unit), escaped(facts.place_text(best)),
                  facts.ties() > 1 ? fmt::format("; as good at {} more of the points{}", facts.ties() - 1,
                                                 facts.is_simulated() ? ", as far as the runs can tell" : "")
                                   : "");
  const std::size_t failed = failed_points(facts);
  html += caution_text(facts, best);
  const bool some = !at(scenarios::stored_json(facts.sweep().definition), "conditions").empty();
  html += fmt::format("<p>{} points over {} axes{}{}; answered by {}.</p>", facts.points().size(), facts.axes().size(),
                      some ? ", without those that conditions of the space leave out" : "",
                      failed > 0 ? fmt::format(", {} of them failed", failed) : "", escaped(facts.sweep().level));
  return html + ranking_text(facts);
}

std::string failures(const SweepFacts& facts) {
  constexpr std::size_t kMostShown = 50;
  std::vector<std::vector<std::string>> rows;
  for (const PointFacts& point : facts.points())
    if (!point.error.empty() && rows.size() < kMostShown)
      rows.push_back({std::to_string(point.number), escaped(facts.place_text(point)), escaped(point.error)});
  return rows.empty() ? "" : html_table("The first of them", {{"point"}, {"at"}, {"why"}}, rows);
}

Json scenario_document(const SweepFacts& facts) {
  Json document = {{"scenario", scenarios::stored_json(facts.sweep().scenario)}};
  if (document["scenario"].empty()) document.clear();
  return document;
}

std::string models_in_use(const SweepFacts& facts) {
  const Json document = scenario_document(facts);
  return document.empty() ? std::string() : models_section(document);
}

/// The store does not keep where each value came from.
std::string inputs(const SweepFacts& facts) {
  const Json document = scenario_document(facts);
  if (document.empty()) return {};
  return "<p>The scenario before the axes set their values; where a value came from is not kept with the results.</p>" +
         inputs_section(document, {});
}

/// The call that gave the store, as far as the store tells.
std::string command(const SweepFacts& facts) {
  const Json options = scenarios::stored_json(facts.sweep().options);
  std::string text = fmt::format("headrace sweep {} --level {}", facts.sweep().name, facts.sweep().level);
  const Json& rank = at(options, "rank");
  if (rank.is_object())
    text = fmt::format("headrace sweep {} --rank {} --within {:g}%", facts.sweep().name, text_at(rank, "metric"),
                       100.0 * number_at(rank, "within"));
  const auto add = [&](const char* key, const char* flag, const Json& usual) {
    const Json& value = at(options, key);
    if (value.is_null() || value == usual) return;
    text += fmt::format(" {} {}", flag, text_of(value));
  };
  add("steps", "--steps", 0);
  add("seed", "--seed", 1);
  add("replications", "--replications", 1);
  add("precision", "--precision", 0.01);
  add("granularity", "--granularity", "batch");
  if (at(options, "contention") == false) text += " --contention off";
  if (at(options, "control") == false) text += " --no-control-variate";
  if (at(options, "relief") == true) text += " --relief";
  return text + " -o results.db";
}

std::string repeat(const SweepFacts& facts) {
  return command_block(command(facts)) +
         "<p>With the same <code>--set</code>, if there were any: the results keep the scenario as it was then.</p>" +
         html_table("Kept with the results", {{""}, {""}},
                    {{"sweep", "<code>" + escaped(facts.sweep().id) + "</code>"},
                     {"answered by", escaped(facts.sweep().level)},
                     {"model version", escaped(facts.sweep().model_version)},
                     {"options", "<code>" + escaped(facts.sweep().options) + "</code>"}}) +
         "<details><summary>Axes and conditions</summary><pre tabindex=\"0\"><code>" +
         escaped(scenarios::stored_json(facts.sweep().definition).dump(2)) + "</code></pre></details>";
}

std::string page_of(const SweepFacts& facts) {
  const bool answered = !facts.shown().empty();
  Page page;
  page.title = facts.sweep().title.empty() ? facts.sweep().name : facts.sweep().title;
  page.head = answered ? head(facts) : head_without_answers(facts);
  page.sections = {{"curves", "Effect of each axis", sweep_curves(facts)},
                   {"map", "Over two axes", sweep_map(facts)},
                   {"points", "Every point", sweep_table(facts)},
                   {"failed", "Points that failed", failures(facts)},
                   {"models", "Assumptions of the models", models_in_use(facts)},
                   {"inputs", "The scenario that was varied", inputs(facts)},
                   {"repeat", "Repeat it", repeat(facts)}};
  if (answered) page.script = sweep_script();
  return html_page(page);
}

}  // namespace

tl::expected<std::string, ExportError> sweep_page(const ResultsStore& store, const SweepPageOptions& options) {
  std::optional<SweepRecord> chosen;
  for (SweepRecord& sweep : store.sweeps())
    if (sweep.id.starts_with(options.sweep) && (!chosen || sweep.points > chosen->points)) chosen = std::move(sweep);
  if (!chosen)
    return tl::unexpected(ExportError{fmt::format("no sweep in '{}' begins with '{}'", store.path(), options.sweep),
                                      "headrace report FILE --format json lists them"});
  SweepFacts facts(store, std::move(*chosen));
  if (auto error = facts.order_by(options.metric)) return tl::unexpected(std::move(*error));
  return page_of(facts);
}

}  // namespace headrace::reports
