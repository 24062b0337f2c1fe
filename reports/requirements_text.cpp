#include "reports/requirements_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/outcome/outcome_metrics.hpp"
#include "models/study/metric_value.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/text_layout.hpp"
#include "scenarios/requirements/critical.hpp"
#include "scenarios/requirements/store_axis.hpp"

namespace headrace::reports {
namespace {

using scenarios::JobLimit;
using scenarios::LimitValue;
using scenarios::Requirements;
using scenarios::Settled;
using scenarios::StoreAxis;
using scenarios::StoreRequirement;

using Rows = std::vector<std::vector<std::string>>;

std::string head(const Requirements& found, const std::string& title, const Style& style) {
  const std::string what = fmt::format("What the store '{}' must deliver: {}", found.store, title);
  return style.bold(wrapped(what, style.width, 0)) + "\n";
}

/// Why no store is enough, limit by limit.
std::string impossible_text(const Requirements& found, const Style& style) {
  std::string text = style.bad("No store is enough.") + " Even with an ample one a limit is missed:\n";
  for (std::size_t i = 0; i < found.limits.size(); ++i)
    if (found.at_ample.limits[i].decision == models::Ruling::fail)
      text += "  " +
              wrapped(found.limit_texts[i] + ": " + limit_value_text(found.limits[i], found.at_ample.limits[i]),
                      style.width, 4) +
              "\n";
  std::string advice = "Change the jobs or their hosts first (headrace plan), or state another limit (--slo)";
  if (!found.ample_waits.empty()) advice = fmt::format("GPUs then wait for {}. {}", found.ample_waits, advice);
  return text + wrapped(advice + ".", style.width, 0) + "\n";
}

std::string figures_text(const Requirements& found) {
  const bool joint = found.joint.has_value();
  Rows rows{{"", fmt::format("ask for (+{})", percent(found.margin, 0)), joint ? "needed together" : "needed",
             joint ? "needed alone" : ""}};
  for (const StoreRequirement& one : found.figures) {
    const scenarios::AxisTraits& traits = scenarios::traits_of(one.axis);
    std::string name(traits.name);
    if (one.axis == StoreAxis::requests) name += " of " + humane(found.profile.request_bytes(), "B", 3);
    if (!one.required) {
      rows.push_back({std::move(name), "not required", "", ""});
      continue;
    }
    const char* relation = traits.less_is_better ? "<= " : ">= ";
    rows.push_back({std::move(name), relation + axis_figure(one.axis, one.asked), axis_figure(one.axis, one.least),
                    joint ? axis_figure(one.axis, one.alone) : ""});
  }
  rows.push_back({"capacity", ">= " + humane(found.asked_capacity_bytes, "B", 3),
                  humane(found.profile.capacity_bytes(), "B", 3), ""});
  rows.push_back({"clients", fmt::format("{:.0f}", found.profile.clients), "", ""});
  return table({{}, {true, 0}, {true, 0}, {true, 0}}, rows);
}

std::string sure_text(const Requirements& found, const Style& style) {
  std::size_t sure = 0;
  std::size_t all = found.joint ? 1 : 0;
  if (found.joint && found.joint->sure()) ++sure;
  for (const StoreRequirement& one : found.figures) {
    if (!one.required) continue;
    ++all;
    if (one.settled.sure()) ++sure;
  }
  if (all == 0) return "";
  const std::string text = fmt::format(
      "Verified: simulated at the answer every limit is met, and 5 % below it is not, by 95 % intervals, "
      "for {} of {} answers ({} runs).",
      sure, all, found.runs);
  return wrapped(text, style.width, 0) + "\n";
}

/// Which limit is the source of the answer, and what is read at most.
std::string because_text(const Requirements& found, const Style& style) {
  std::string text;
  std::vector<std::size_t> seen;
  const auto add = [&](std::size_t limit) {
    if (std::find(seen.begin(), seen.end(), limit) == seen.end()) seen.push_back(limit);
  };
  if (found.joint) add(found.joint_limit);
  for (const StoreRequirement& one : found.figures)
    if (one.required) add(one.limit);
  for (const std::size_t i : seen) text += (text.empty() ? "" : "; ") + found.limit_texts[i];
  if (!text.empty()) text = wrapped("Because of " + text + ".", style.width, 0) + "\n";
  const auto& profile = found.profile;
  if (profile.read_bytes_per_s > 0.0)
    text += wrapped(fmt::format("Even an unlimited store is read at no more than {} in {}/s of {} on average.",
                                humane(profile.read_bytes_per_s, "B/s", 3), humane_number(profile.requests_per_s, 3),
                                humane(profile.request_bytes(), "B", 3)),
                    style.width, 0) +
            "\n";
  return text;
}

std::string why_not_text(const Requirements& found, const Style& style) {
  std::string text;
  for (const StoreRequirement& one : found.figures)
    if (!one.required)
      text += "  " + wrapped(fmt::format("{}: {}", scenarios::traits_of(one.axis).name, one.why_not), style.width, 4) +
              "\n";
  return text.empty() ? text : style.bold("Not required") + "\n" + text + "\n";
}

/// Figures of the joint set of which 5 % less alone breaks no limit.
std::string room_text(const Requirements& found, const Style& style) {
  std::string names;
  for (const StoreRequirement& one : found.figures)
    if (one.required && !one.binds())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", scenarios::traits_of(one.axis).name);
  if (names.empty()) return names;
  return wrapped("All together, 5 % less of one figure breaks no limit for certain: " + names + ".", style.width, 0) +
         "\n";
}

std::string checks_text(const Requirements& found, const Style& style) {
  Rows rows{{"", "at the answer", "5 % below it", "limit"}};
  const auto add = [&](std::string name, const Settled& settled, std::size_t limit) {
    const auto cell = [&](const scenarios::Standing& standing) {
      const LimitValue& one = standing.limits[limit];
      const auto unit = models::traits_of(found.limits[limit].threshold.metric).unit;
      const char* word = one.decision == models::Ruling::pass   ? "met"
                         : one.decision == models::Ruling::fail ? "missed"
                                                                : "undecided";
      return fmt::format("{} {}", humane(one.value, unit, 3), word);
    };
    const auto unit = models::traits_of(found.limits[limit].threshold.metric).unit;
    rows.push_back(
        {std::move(name), cell(settled.at), cell(settled.below), humane(settled.at.limits[limit].limit, unit, 3)});
  };
  for (const StoreRequirement& one : found.figures)
    if (one.required) add(std::string(scenarios::traits_of(one.axis).name) + " alone", one.settled, one.limit);
  if (found.joint) add("all together", *found.joint, found.joint_limit);
  return style.bold("Verified by simulation") + "\n" + table({{}, {true, 0}, {true, 0}, {true, 0}}, rows) +
         room_text(found, style) + "\n";
}

std::string curves_text(const Requirements& found, const Style& style) {
  std::string text;
  for (const scenarios::TradeCurve& curve : found.curves) {
    text += style.bold(fmt::format("{} against {}, all others ample", scenarios::traits_of(curve.across).name,
                                   scenarios::traits_of(curve.up).name)) +
            "\n";
    Rows rows;
    for (const auto& point : curve.points)
      rows.push_back({"<= " + axis_figure(curve.across, point.across), ">= " + axis_figure(curve.up, point.up)});
    text += table({{true, 0}, {true, 0}}, rows) + "\n";
  }
  return text;
}

/// A limit that is easier to meet may ask for more of one figure together, because it asks for less of another.
std::string together_text(const Requirements& found, const Style& style) {
  const bool raised = std::any_of(found.figures.begin(), found.figures.end(), [](const StoreRequirement& one) {
    return one.required && scenarios::strength_of(one.axis, one.least) >
                               (1.0 + scenarios::kStepBelow) * scenarios::strength_of(one.axis, one.alone);
  });
  if (!raised) return {};
  return wrapped(
             "Alone: with all else unlimited. Together: one of many sets that hold; more of one figure allows less of "
             "another.",
             style.width, 0) +
         "\n";
}

}  // namespace

std::string axis_figure(StoreAxis axis, double figure) {
  const std::string_view unit = scenarios::traits_of(axis).unit;
  return unit == "1/s" ? humane_number(figure, 3) + "/s" : humane(figure, unit, 3);
}

std::string limit_value_text(const JobLimit& limit, const LimitValue& value) {
  const auto unit = limit.threshold.metric == scenarios::kFirstStep ? std::string_view("s")
                                                                    : models::traits_of(limit.threshold.metric).unit;
  std::string text = humane(value.value, unit, 3);
  if (value.ci95)
    text += fmt::format(" ({} to {})", humane(value.ci95->low, unit, 3), humane(value.ci95->high, unit, 3));
  return text;
}

std::string requirements_text(const Requirements& found, const std::string& title, const Document& confidence, bool all,
                              const Style& style) {
  std::string text = head(found, title, style);
  if (!found.possible) return text + impossible_text(found, style);
  if (found.any_required())
    text += figures_text(found);
  else
    text += "Nothing is required of its speed: every limit holds however slow it is.\n" + figures_text(found);
  text += sure_text(found, style) + together_text(found, style) + because_text(found, style);
  if (const std::string line = requirements_confidence_line(confidence, all); !line.empty())
    text += wrapped(line, style.width, 2) + "\n";
  if (!all) return text + style.faint("--verbose: each check, trade curves, what is not required\n");
  text += "\n" + why_not_text(found, style);
  if (found.any_required()) text += checks_text(found, style) + curves_text(found, style);
  if (found.tail_assumed)
    text += wrapped(
                "The latency of the scenario's store does not vary; a log-normal law with coefficient of variation "
                "1 is assumed.",
                style.width, 0) +
            "\n";
  return text;
}

}  // namespace headrace::reports
