#include "reports/gate_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

constexpr double kShownHundredths = 0.005;  ///< what rounds to 0.00 in a table

bool is_share(std::string_view metric) {
  const std::string_view unit = metric_unit(metric);
  return unit == "1" || unit == "%";
}

double points_of(std::string_view metric, double value) { return metric_unit(metric) == "%" ? value : 100.0 * value; }

std::string signed_text(const std::string& text, double value) { return value > 0.0 ? "+" + text : text; }

}  // namespace

std::string signed_hundredths(double value) {
  if (!std::isfinite(value)) return "unknown";
  return std::abs(value) < kShownHundredths ? "0.00" : fmt::format("{:+.2f}", value);
}

std::string_view metric_unit(std::string_view metric) { return models::traits_of(metric).unit; }

models::Better metric_better(std::string_view metric) {
  if (metric.starts_with("blame/")) return models::Better::lower;
  return models::traits_of(metric).better;
}

std::string missed_text(const models::MissedThreshold& missed) {
  const models::Threshold& threshold = missed.threshold;
  const bool high_is_worse =
      threshold.relation == models::Relation::less || threshold.relation == models::Relation::at_most;
  std::string text = fmt::format("{} {} {} {}: it is {} {}", counted(missed.draws, "draw"),
                                 missed.draws == 1 ? "misses" : "miss", threshold.metric, threshold.condition,
                                 high_is_worse ? "at least" : "at most", metric_text(threshold.metric, missed.median));
  if (missed.draws > 1)
    text += fmt::format(" in half of them, {} in the worst", metric_text(threshold.metric, missed.worst));
  return text + ".";
}

std::string metric_text(std::string_view metric, double value) { return humane(value, metric_unit(metric)); }

std::string interval_text(std::string_view metric, const models::Interval& interval) {
  return span_text(metric_text(metric, interval.low), metric_text(metric, interval.high));
}

/// From twice as much on as a factor: "+101.2 %" is easily read as 1.2 % more.
std::string relative_text(double relative) {
  return relative >= 1.0 && std::isfinite(relative) ? factor_text(1.0 + relative)
                                                    : signed_hundredths(100.0 * relative) + " %";
}

std::string change_text(const models::PairedDifference& difference) {
  if (is_share(difference.metric)) return signed_hundredths(points_of(difference.metric, difference.mean)) + " points";
  return signed_text(metric_text(difference.metric, difference.mean), difference.mean);
}

GateCase gate_case(const models::Judgement& judgement) {
  GateCase item;
  item.group = "slo";
  item.name = judgement.threshold.metric + " " + judgement.threshold.condition;
  item.decision = judgement.decision;
  if (judgement.value) item.value = metric_text(judgement.threshold.metric, *judgement.value);
  if (judgement.interval) item.interval = interval_text(judgement.threshold.metric, *judgement.interval);
  item.reason = judgement.reason;
  if (item.decision == models::Ruling::undecided && item.reason.empty())
    item.reason = "the interval contains the limit: use more time (--max-wall, --nightly)";
  return item;
}

namespace {

/// The label of a figure, of one job with the job's name before it.
std::string label_of(const std::string& metric) {
  if (metric.starts_with("jobs/")) {
    const std::size_t end = metric.rfind('/');
    return fmt::format("{}: {}", metric.substr(5, end - 5), spoken_name(metric.substr(end + 1)));
  }
  if (metric.starts_with("blame/")) return "waits in " + words(metric.substr(6));
  return models::find_metric(metric) == nullptr ? metric : spoken_name(metric);
}

/// One column for the change, so that a line fits a terminal: of shares in points, else relative.
std::string short_change(const models::PairedDifference& difference) {
  if (!is_share(difference.metric) && difference.relative) return relative_text(*difference.relative);
  if (is_share(difference.metric)) return signed_hundredths(points_of(difference.metric, difference.mean)) + " pt";
  return change_text(difference);
}

/// In the unit of the change beside it, which ends it.
std::string short_interval(const models::PairedDifference& difference) {
  const auto ends = [](double low, double high, const char* unit) {
    return span_text(signed_hundredths(low), signed_hundredths(high), "..") + unit;
  };
  if (is_share(difference.metric) && difference.ci)
    return ends(points_of(difference.metric, difference.ci->low), points_of(difference.metric, difference.ci->high),
                " pt");
  const models::Interval& ci = *difference.relative_ci;
  if (ci.low >= 1.0) return span_text(fmt::format("{:.2f}", 1.0 + ci.low), factor_text(1.0 + ci.high), "..");
  return ends(100.0 * ci.low, 100.0 * ci.high, " %");
}

/// No change at the precision of the table.
bool looks_the_same(const models::PairedDifference& difference) {
  if (difference.mean == 0.0) return !difference.ci || difference.ci->high == 0.0;
  if (difference.ci) return false;
  if (is_share(difference.metric)) return std::abs(points_of(difference.metric, difference.mean)) < kShownHundredths;
  return difference.relative && std::abs(100.0 * *difference.relative) < kShownHundredths;
}

}  // namespace

GateTable difference_table(const std::vector<models::PairedDifference>& differences,
                           const std::vector<std::string>& asked) {
  GateTable table{"Outcome differences", {"figure", "A", "B", "change", "its interval"}, {}};
  const bool several = std::any_of(differences.begin(), differences.end(),
                                   [](const auto& difference) { return difference.metric.starts_with("jobs/"); });
  for (const models::PairedDifference& difference : differences) {
    const bool named = std::find(asked.begin(), asked.end(), difference.metric) != asked.end();
    if (!named && several && mixes_jobs(difference.metric)) continue;
    if (!named &&
        (looks_the_same(difference) || models::traits_of(difference.metric).prominence == models::Prominence::asked))
      continue;
    std::string interval = "unknown";
    if (difference.relative_ci || (is_share(difference.metric) && difference.ci))
      interval = short_interval(difference);
    else if (difference.ci)
      interval = interval_text(difference.metric, *difference.ci);
    table.rows.push_back({label_of(difference.metric), metric_text(difference.metric, difference.before),
                          metric_text(difference.metric, difference.after), short_change(difference), interval});
  }
  return table;
}

}  // namespace headrace::reports
