#include "reports/most_fed_text.hpp"

#include <fmt/format.h>

#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
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

}  // namespace headrace::reports
