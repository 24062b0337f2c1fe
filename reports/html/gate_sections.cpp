#include "reports/html/gate_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/gate_cases.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/figure_notes.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/prices.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

std::string_view mood(const std::string& decision) {
  if (decision == "pass") return "good";
  return decision == "fail" ? "bad" : "unsure";
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

std::vector<std::string> threshold_row(const Document& item) {
  const std::string unit = text_at(item, "unit");
  const auto interval_ends = interval_ends_at(item, "interval");
  const double value = number_at(item, "value");
  const double limit = number_at(item, "limit");
  const bool known = at(item, "value").is_number();
  return {metric_head(text_at(item, "metric")),
          known ? limit_drawing(value, interval_ends, limit, scale_of(value, interval_ends, limit)) : "",
          known ? number(at(item, "value"), unit) : "unknown",
          interval(at(item, "interval"), at(item, "value"), unit),
          escaped(text_at(item, "condition").substr(0, text_at(item, "condition").find_first_of("0123456789.-"))) +
              number(at(item, "limit"), unit),
          decision_cell(item),
          escaped(text_at(item, "reason"))};
}

bool is_share(const Document& difference) {
  const std::string unit = text_at(difference, "unit");
  return unit == "1" || unit == "%";
}

/// A change on the common scale: relative, of shares in points of 1.
struct Change {
  double mean = 0.0;
  std::optional<Ends> ci;
};

Change change_of(const Document& difference) {
  const Document& part = at(difference, is_share(difference) ? "difference" : "relative");
  const double factor = text_at(difference, "unit") == "%" ? 0.01 : 1.0;
  Change change{number_at(part, "mean") * factor, interval_ends_at(part, "ci")};
  if (change.ci) change.ci = Ends{change.ci->low * factor, change.ci->high * factor};
  return change;
}

bool is_same(const Document& difference) {
  const auto ci = interval_ends_at(at(difference, "difference"), "ci");
  return number_at(at(difference, "difference"), "mean") == 0.0 && (!ci || (ci->high == 0.0 && ci->low == 0.0));
}

/// What the change means: words, and the class that colours them.
std::pair<std::string_view, std::string_view> meaning_of(const Document& difference, const Change& change) {
  if (!change.ci) return {"no interval", "unclear"};
  if (change.ci->low <= 0.0 && change.ci->high >= 0.0) return {"no change seen", "unclear"};
  const models::Better better = metric_better(text_at(difference, "metric"));
  if (better == models::Better::neither) return {"changes", ""};
  return (change.mean < 0.0) == (better == models::Better::lower) ? std::pair("better", "better")
                                                                  : std::pair("worse", "worse");
}

std::string change_cell(const Document& difference) {
  const Document& part = at(difference, "difference");
  if (!is_share(difference)) {
    const std::string text = figure_text(number_at(part, "mean"), text_at(difference, "unit"));
    return spelled_number(at(part, "mean"), number_at(part, "mean") > 0.0 ? "+" + text : text);
  }
  const double factor = text_at(difference, "unit") == "%" ? 1.0 : 100.0;
  return spelled_number(at(part, "mean"), signed_hundredths(number_at(part, "mean") * factor) + " points");
}

/// A change by so much of A; where B is many times A, how many.
std::string relative_text(const Document& value) {
  constexpr double kManyTimes = 10.0;
  const double change = value.get<double>();
  return spelled_number(value,
                        change >= kManyTimes ? factor_text(change + 1.0) : signed_hundredths(100.0 * change) + " %");
}

/// Nothing of shares, whose change stands in points: a percentage of a percentage misleads.
std::string relative_cell(const Document& difference) {
  const Document& value = at(at(difference, "relative"), "mean");
  return value.is_number() && !is_share(difference) ? relative_text(value) : "&ndash;";
}

std::string interval_cell(const Document& difference) {
  if (is_share(difference)) {
    if (!has_interval(at(difference, "difference"), "ci")) return "&ndash;";
    const Document& ends = at(at(difference, "difference"), "ci");
    const double factor = text_at(difference, "unit") == "%" ? 1.0 : 100.0;
    const auto end = [&](const Document& value) {
      return spelled_number(value, signed_hundredths(value.get<double>() * factor));
    };
    return number_span(end(ends[0]), end(ends[1])) + " points";
  }
  if (!has_interval(at(difference, "relative"), "ci")) return "&ndash;";
  const Document& ends = at(at(difference, "relative"), "ci");
  return number_span(relative_text(ends[0]), relative_text(ends[1]));
}

}  // namespace

std::string decision_box(const Document& document) {
  const std::string decision = text_at(document, "decision");
  const std::string headline = text_at(document, "headline");
  // A comparison that was asked for no limit has nothing to pass.
  const bool judged = decision != "pass" || !document.contains("limits") || !at(document, "limits").empty();
  if (!judged && !headline.empty()) return verdict_box("plain", headline, "");
  return verdict_box(mood(decision), headline.empty() ? decision : decision + ": " + headline, "");
}

std::string decision_cell(const Document& item) {
  const std::string decision = escaped(text_at(item, "decision"));
  return fmt::format("<span class=\"{0}\">{0}</span>", decision);
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

std::string thresholds_section(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& item : at(document, "thresholds")) rows.push_back(threshold_row(item));
  if (rows.empty()) return {};
  return "<p><span class=\"key limit\"></span>the limit<span aria-hidden=\"true\">; </span>"
         "<span class=\"key one\"></span>95 % interval of the figure (simulation noise), widened for the number of "
         "looks. A threshold "
         "passes or fails where the whole interval lies on one side.</p>" +
         html_table("Thresholds",
                    {{"figure"}, {""}, {"is", true}, {"interval"}, {"must be", true}, {"result"}, {"why"}}, rows);
}

std::string differences_section(const Document& differences, std::string_view caption) {
  double full = 0.0;
  for (const Document& difference : differences) {
    const Change change = change_of(difference);
    if (std::isfinite(change.mean)) full = std::max(full, std::abs(change.mean));
    if (change.ci) full = std::max({full, std::abs(change.ci->low), std::abs(change.ci->high)});
  }
  constexpr double kMostDrawn = 2.0;  // a change from next to nothing must not flatten the others
  const bool cut = full > kMostDrawn;
  full = std::min(full > 0.0 ? full : 1.0, kMostDrawn);
  const bool a_unpriced = has_no_prices(differences, "a");
  const bool b_unpriced = has_no_prices(differences, "b");
  std::vector<std::vector<std::string>> rows;
  std::string same;
  const bool paired = std::none_of(differences.begin(), differences.end(), [](const Document& difference) {
    return text_at(difference, "pairing") == "independent";
  });
  for (const Document& difference : differences) {
    const std::string metric = text_at(difference, "metric");
    if (is_same(difference)) {
      same +=
          "<li>" + escaped(spoken_name(metric)) + ": " + side_cell(difference, "a", a_unpriced && b_unpriced) + "</li>";
      continue;
    }
    const Change change = change_of(difference);
    const auto [words_of, kind] = meaning_of(difference, change);
    const std::string_view colour = kind == "better" ? "three" : kind == "worse" ? "six" : "gray";
    const bool priced = text_at(difference, "unit") != "USD" || (!a_unpriced && !b_unpriced);
    rows.push_back({metric_head(metric), side_cell(difference, "a", a_unpriced), side_cell(difference, "b", b_unpriced),
                    priced ? change_cell(difference) : "&ndash;", relative_cell(difference),
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

std::string changed_inputs_section(const Document& inputs) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& input : inputs) {
    const auto side = [&](const char* key) {
      return at(input, key).is_string() ? escaped(text_at(input, key)) : std::string("&ndash;");
    };
    rows.push_back(
        {"<code>" + escaped(text_at(input, "pointer")) + "</code>", side("a"), side("b"),
         escaped(text_at(input, "origin")) + (input.value("catalogue", false) ? " (the catalogue changed)" : "")});
  }
  if (rows.empty()) return "<p>No input differs.</p>";
  return html_table("Values that differ", {{"parameter"}, {"A"}, {"B"}, {"B has it from"}}, rows);
}

std::string notes_section(const Document& document) {
  std::string html;
  for (const Document& note : at(document, "notes"))
    if (note.is_string()) html += "<li>" + escaped(note.get<std::string>()) + "</li>";
  return html.empty() ? html : "<ul>" + html + "</ul>";
}

}  // namespace headrace::reports
