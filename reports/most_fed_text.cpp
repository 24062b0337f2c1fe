#include "reports/most_fed_text.hpp"

#include <fmt/format.h>

#include "models/base/model_version.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/requirements_json.hpp"
#include "reports/requirements_text.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using scenarios::Most;
using scenarios::MostFed;

std::string size_text(const MostFed& found, double size) {
  const double gpus = size * found.gpus_of_one;
  if (found.what == Most::gpus)
    return fmt::format("{} GPUs ({})", humane_number(gpus, 1), counted(static_cast<std::uint64_t>(size), "node"));
  if (found.what == Most::jobs)
    return fmt::format("{} of '{}' ({} GPUs)", size == 1.0 ? "1 copy" : humane_number(size, 1) + " copies", found.job,
                       humane_number(gpus, 1));
  return fmt::format("{} times the demand of today", humane_number(size, 3));
}

std::vector<std::string> most_row(const MostFed& found, std::string name, double size,
                                  const scenarios::Standing& standing) {
  const scenarios::LimitValue& one = standing.limits[found.limit];
  const char* word = one.decision == models::Ruling::pass   ? "met"
                     : one.decision == models::Ruling::fail ? "missed"
                                                            : "undecided";
  return {std::move(name), size_text(found, size), limit_value_text(found.limits[found.limit], one), word};
}

std::string stop_text(const MostFed& found) {
  std::string text;
  if (!found.resource.empty())
    text = fmt::format("What stops it: {}, {} used", found.resource, percent(found.utilization));
  if (!found.stage.empty())
    text += text.empty() ? fmt::format("GPUs wait for {}", found.stage)
                         : fmt::format("; GPUs wait most for {}", found.stage);
  return text.empty() ? text : text + ".";
}

}  // namespace

std::string most_fed_text(const MostFed& found, const std::string& title, const nlohmann::ordered_json& confidence,
                          const Style& style) {
  std::string text = style.bold(wrapped(fmt::format("The most that can be fed: {}", title), style.width, 0)) + "\n";
  const std::string today = size_text(found, found.today);
  if (found.none) {
    text += style.bad("Nothing") + ": the limits do not hold at " + size_text(found, found.above) + ".\n";
  } else if (found.open) {
    text += fmt::format("{} and more: every limit holds up to where the search ends.\n", size_text(found, found.most));
  } else {
    text += fmt::format("{}{}\n", style.bold(size_text(found, found.most)),
                        found.what == Most::growth ? "" : fmt::format("; today {}", today));
    text += table({{}, {}, {}, {}}, {most_row(found, "at the answer", found.most, found.at_most),
                                     most_row(found, "one step above", found.above, found.at_above)});
  }
  if (!found.open) {
    text += wrapped("The limit: " + found.limit_texts[found.limit] + ".", style.width, 0) + "\n";
    if (const std::string stop = stop_text(found); !stop.empty()) text += wrapped(stop, style.width, 0) + "\n";
  }
  const char* sure = found.sure() ? "Both sides are decided by 95 % intervals"
                                  : "Not sure: an interval lies on both sides of the limit";
  if (!found.none) text += fmt::format("{} ({} runs).\n", sure, found.runs);
  if (const std::string line = confidence_line(confidence, "the scenario as it is"); !line.empty())
    text += wrapped(line, style.width, 2) + "\n";
  return text;
}

nlohmann::ordered_json most_fed_json(const MostFed& found, const nlohmann::ordered_json& confidence,
                                     const scenarios::LoadedScenario& loaded) {
  nlohmann::ordered_json json = {
      {"kind", kMostFedKind},
      {"format_version", "1.0"},
      {"model_version", models::kModelVersion},
      {"scenario_sha256", loaded.sha256},
      {"seed", found.seed},
      {"title", loaded.value.title},
      {"what", scenarios::kMostNames[static_cast<std::size_t>(found.what)]},
      {"job", found.what == Most::growth ? nlohmann::ordered_json() : nlohmann::ordered_json(found.job)},
      {"possible", !found.none},
      {"sure", found.sure()},
      {"open", found.open},
      {"today", found.today},
      {"most", nullptr},
      {"one_step_above", nullptr},
      {"unit", found.what == Most::gpus   ? "nodes"
               : found.what == Most::jobs ? "copies"
                                          : "1"},
      {"gpus", nullptr},
      {"limits", limits_json(found.limits, loaded.value, {})},
      {"at_most", standing_json(found.at_most)},
      {"at_above", standing_json(found.at_above)},
      {"stopped_by", nullptr},
      {"runs", {{"simulated", found.runs}, {"estimated", found.estimates}}},
      {"confidence", confidence},
      {"scenario", loaded.resolved}};
  if (!found.none) json["most"] = found.most;
  if (!found.none && found.what != Most::growth) json["gpus"] = found.most * found.gpus_of_one;
  if (!found.open) {
    json["one_step_above"] = found.above;
    json["stopped_by"] = {{"limit", found.limit_texts[found.limit]},
                          {"stage", found.stage},
                          {"resource", found.resource},
                          {"utilization", found.utilization}};
  }
  return json;
}

}  // namespace headrace::reports
