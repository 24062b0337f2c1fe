#include "reports/html/gate_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/gate_cases.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/figure_notes.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/prices.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::PairedDifference;

constexpr auto kBefore = &PairedDifference::before;
constexpr auto kAfter = &PairedDifference::after;

std::optional<Ends> ends_of(const std::optional<models::Interval>& interval) {
  return interval ? std::optional(Ends{interval->low, interval->high}) : std::nullopt;
}

/// From zero or below to above all that is drawn, so that the distance to the limit can be seen.
Ends scale_of(double value, const std::optional<Ends>& interval, double limit) {
  Ends scale{std::min(0.0, value), std::max({0.0, value, limit})};
  scale.low = std::min(scale.low, limit);
  if (interval) {
    scale.low = std::min(scale.low, interval->low);
    scale.high = std::max(scale.high, interval->high);
  }
  const double room = 0.1 * (scale.high - scale.low);
  return {scale.low < 0.0 ? scale.low - room : scale.low, scale.high + (room > 0.0 ? room : 1.0)};
}

std::vector<std::string> threshold_row(const models::Judgement& judgement) {
  const models::Threshold& threshold = judgement.threshold;
  const std::string unit(metric_unit(threshold.metric));
  const auto ends = ends_of(judgement.interval);
  const double value = judgement.value.value_or(0.0);
  return {metric_head(threshold.metric),
          judgement.value ? limit_drawing(value, ends, threshold.limit, scale_of(value, ends, threshold.limit)) : "",
          judgement.value ? number(value, unit) : "unknown",
          interval(interval_json(judgement.interval), value, unit),
          escaped(threshold.condition.substr(0, threshold.condition.find_first_of("0123456789.-"))) +
              number(threshold.limit, unit),
          decision_cell(judgement.decision),
          escaped(judgement.reason)};
}

bool is_share(const PairedDifference& difference) {
  const std::string_view unit = metric_unit(difference.metric);
  return unit == "1" || unit == "%";
}

/// Of a share, which has points of 1 or of 100.
double points_in(const PairedDifference& difference) { return metric_unit(difference.metric) == "%" ? 1.0 : 100.0; }

/// A change on the common scale: relative, of shares in points of 1.
struct Change {
  double mean = 0.0;
  std::optional<Ends> ci;
};

Change change_of(const PairedDifference& difference) {
  if (!is_share(difference))
    return {difference.relative.value_or(std::numeric_limits<double>::quiet_NaN()), ends_of(difference.relative_ci)};
  const double factor = points_in(difference) / 100.0;
  Change change{difference.mean * factor, ends_of(difference.ci)};
  if (change.ci) change.ci = Ends{change.ci->low * factor, change.ci->high * factor};
  return change;
}

bool is_same(const PairedDifference& difference) {
  return difference.mean == 0.0 && (!difference.ci || (difference.ci->high == 0.0 && difference.ci->low == 0.0));
}

/// What the change means: words, and the class that colours them.
std::pair<std::string_view, std::string_view> meaning_of(const PairedDifference& difference, const Change& change) {
  if (!change.ci) return {"no interval", "unclear"};
  if (change.ci->low <= 0.0 && change.ci->high >= 0.0) return {"no change seen", "unclear"};
  const models::Better better = metric_better(difference.metric);
  if (better == models::Better::neither) return {"changes", ""};
  return (change.mean < 0.0) == (better == models::Better::lower) ? std::pair("better", "better")
                                                                  : std::pair("worse", "worse");
}

std::string change_cell(const PairedDifference& difference) {
  const double mean = difference.mean;
  if (is_share(difference)) return spelled_number(mean, signed_hundredths(mean * points_in(difference)) + " points");
  const std::string text = shown_figure(mean, metric_unit(difference.metric));
  return spelled_number(mean, mean > 0.0 ? "+" + text : text);
}

/// A change by so much of A; where B is many times A, how many.
std::string relative_number(double change) {
  constexpr double kManyTimes = 10.0;
  return spelled_number(change,
                        change >= kManyTimes ? factor_text(change + 1.0) : signed_hundredths(100.0 * change) + " %");
}

/// Nothing of shares, whose change stands in points: a percentage of a percentage misleads.
std::string relative_cell(const PairedDifference& difference) {
  return difference.relative && !is_share(difference) ? relative_number(*difference.relative) : "&ndash;";
}

std::string interval_cell(const PairedDifference& difference) {
  const auto& ci = is_share(difference) ? difference.ci : difference.relative_ci;
  if (!ci) return "&ndash;";
  if (!is_share(difference)) return number_span(relative_number(ci->low), relative_number(ci->high));
  const auto end = [&](double value) {
    return spelled_number(value, signed_hundredths(value * points_in(difference)));
  };
  return number_span(end(ci->low), end(ci->high)) + " points";
}

}  // namespace

std::string decision_box(models::Ruling decision, const std::string& headline, bool is_judged) {
  static constexpr std::string_view kMoods[] = {"good", "bad", "unsure"};
  const std::string word(models::kRulingNames[static_cast<std::size_t>(decision)]);
  if (!is_judged && !headline.empty()) return verdict_box("plain", headline, "");
  return verdict_box(kMoods[static_cast<std::size_t>(decision)], headline.empty() ? word : word + ": " + headline, "");
}

std::string decision_cell(models::Ruling decision) {
  return fmt::format("<span class=\"{0}\">{0}</span>", models::kRulingNames[static_cast<std::size_t>(decision)]);
}

nlohmann::ordered_json interval_json(const std::optional<models::Interval>& interval) {
  if (!interval) return nullptr;
  return nlohmann::ordered_json::array({interval->low, interval->high});
}

std::string metric_head(const std::string& metric) {
  const std::size_t slash = metric.rfind('/');
  const std::string own = metric.starts_with("jobs/") && slash != std::string::npos ? metric.substr(slash + 1) : metric;
  const std::string note = figure_note(own.substr(0, own.find('.')));
  const std::size_t dot = own.find('.');
  std::string name = spoken_name(own.substr(0, dot));
  if (dot != std::string::npos) name += ", " + own.substr(dot + 1);
  if (own != metric) name += " of " + metric.substr(5, slash - 5);
  if (own == "total_cost_per_epoch_usd") return escaped(name);  // of plans alone, which say what it is
  return note.empty() ? "<code>" + escaped(metric) + "</code>" : note_behind(escaped(name), note);
}

std::string thresholds_section(const std::vector<models::Judgement>& thresholds) {
  std::vector<std::vector<std::string>> rows;
  for (const models::Judgement& judgement : thresholds) rows.push_back(threshold_row(judgement));
  if (rows.empty()) return {};
  return "<p><span class=\"key limit\"></span>the limit<span aria-hidden=\"true\">; </span>"
         "<span class=\"key one\"></span>95 % interval of the figure (simulation noise), widened for the number of "
         "looks. A threshold "
         "passes or fails where the whole interval lies on one side.</p>" +
         html_table("Thresholds",
                    {{"figure"}, {""}, {"is", true}, {"interval"}, {"must be", true}, {"result"}, {"why"}}, rows);
}

std::string differences_section(const std::vector<PairedDifference>& differences, std::string_view caption) {
  double full = 0.0;
  for (const PairedDifference& difference : differences) {
    const Change change = change_of(difference);
    if (std::isfinite(change.mean)) full = std::max(full, std::abs(change.mean));
    if (change.ci) full = std::max({full, std::abs(change.ci->low), std::abs(change.ci->high)});
  }
  constexpr double kMostDrawn = 2.0;  // a change from next to nothing must not flatten the others
  const bool cut = full > kMostDrawn;
  full = std::min(full > 0.0 ? full : 1.0, kMostDrawn);
  const bool a_unpriced = has_no_prices(differences, kBefore);
  const bool b_unpriced = has_no_prices(differences, kAfter);
  std::vector<std::vector<std::string>> rows;
  std::string same;
  const bool paired = std::none_of(differences.begin(), differences.end(), [](const PairedDifference& difference) {
    return difference.pairing == models::Pairing::independent;
  });
  for (const PairedDifference& difference : differences) {
    const std::string& metric = difference.metric;
    if (is_same(difference)) {
      same += "<li>" + escaped(spoken_name(metric)) + ": " + side_cell(difference, kBefore, a_unpriced && b_unpriced) +
              "</li>";
      continue;
    }
    const Change change = change_of(difference);
    const auto [words_of, kind] = meaning_of(difference, change);
    const std::string_view colour = kind == "better" ? "three" : kind == "worse" ? "six" : "gray";
    const bool priced = metric_unit(metric) != "USD" || (!a_unpriced && !b_unpriced);
    rows.push_back({metric_head(metric), side_cell(difference, kBefore, a_unpriced),
                    side_cell(difference, kAfter, b_unpriced), priced ? change_cell(difference) : "&ndash;",
                    relative_cell(difference),
                    std::isfinite(change.mean) ? change_drawing(change.mean, change.ci, full, colour) : "",
                    interval_cell(difference), fmt::format("<span class=\"{}\">{}</span>", kind, words_of)});
  }
  std::string html;
  if (!rows.empty())
    html = fmt::format(
               "<p>{}. The bars have one scale, from -{:.3g} to {:.3g}: relative changes in %, changes of shares in "
               "points, "
               "with their intervals of simulation noise.{}</p>",
               paired ? "B against A with the same random numbers, so that what differs is the change"
                      : "B against A by the intervals of two runs, as if they had no random number in common",
               full * 100.0, full * 100.0, cut ? " Longer bars are cut at its end." : "") +
           html_table(caption,
                      {{"figure"},
                       {"A", true},
                       {"B", true},
                       {"change", true},
                       {"relative", true},
                       {""},
                       {"interval"},
                       {"B against A"}},
                      rows);
  if (!same.empty()) html += "<details><summary>Unchanged</summary><ul>" + same + "</ul></details>";
  return html;
}

std::string changed_inputs_section(const std::vector<InputDifference>& inputs) {
  std::vector<std::vector<std::string>> rows;
  const auto side = [](const std::string& text) { return text == "-" ? std::string("&ndash;") : escaped(text); };
  for (const InputDifference& input : inputs)
    rows.push_back({"<code>" + escaped(input.pointer) + "</code>", side(input.before_text()), side(input.after_text()),
                    escaped(input.origin_text()) + (input.catalogue ? " (the catalogue changed)" : "")});
  if (rows.empty()) return "<p>No input differs.</p>";
  return html_table("Values that differ", {{"parameter"}, {"A"}, {"B"}, {"B has it from"}}, rows);
}

std::string notes_section(const std::vector<std::string>& notes) {
  std::string html;
  for (const std::string& note : notes) html += "<li>" + escaped(note) + "</li>";
  return html.empty() ? html : "<ul>" + html + "</ul>";
}

}  // namespace headrace::reports
