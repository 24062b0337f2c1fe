#include "gui/presenter/dashboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gui/presenter/interval_words.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::gui {
namespace {

/// Those that a first look needs, in this order; the others follow as they come.
constexpr std::array<std::string_view, 6> kFirst = {"step_time_s",  "gpu_idle_fraction",  "samples_per_s",
                                                    "epoch_time_s", "cost_per_epoch_usd", "idle_cost_per_epoch_usd"};

std::string interval_text(const models::Metric& metric, const std::string& unit) {
  if (!metric.ci95) return std::string(models::kAnswerKindNames[static_cast<std::size_t>(metric.kind)]);
  return between(metric.ci95->low, metric.ci95->high, unit);
}

std::string change_text(double now, double before) {
  if (now == before) return "0 %";
  if (before == 0.0) return "new";
  return fmt::format("{:+.2f} %", 100.0 * (now / before - 1.0));
}

/// The outcomes that stand beside the one that is shown.
struct Beside {
  const models::Outcome* baseline;
  const models::Outcome* ranges;
};

std::string inputs_text(const models::Metric& metric, const models::Outcome* ranges, const std::string& unit) {
  std::optional<models::Interval> range = metric.input_range;
  const models::Metric* other = ranges == nullptr ? nullptr : ranges->find(metric.name);
  const bool by_bound = !range && other != nullptr && other->input_range;
  if (by_bound) range = other->input_range;
  if (!range) return {};
  return between(range->low, range->high, unit) + (by_bound ? " (closed form)" : "");
}

MetricRow row_of(const models::Metric& metric, const Beside& beside) {
  const std::string unit(models::traits_of(metric.name).unit);
  MetricRow row;
  row.metric = metric.name;
  row.name = reports::spoken_name(metric.name);
  row.value = reports::humane(metric.mean, unit);
  row.interval = interval_text(metric, unit);
  row.inputs = inputs_text(metric, beside.ranges, unit);
  row.meaning = meaning_of(metric.name);
  const models::Metric* before = beside.baseline == nullptr ? nullptr : beside.baseline->find(metric.name);
  if (before == nullptr) return row;
  row.baseline = reports::humane(before->mean, unit);
  row.change = change_text(metric.mean, before->mean);
  return row;
}

std::vector<MetricRow> rows_of(const models::Outcome& outcome, const Beside& beside) {
  std::vector<MetricRow> rows;
  for (const std::string_view name : kFirst)
    if (const models::Metric* metric = outcome.find(name);
        metric != nullptr && !reports::has_no_price(*metric, outcome))
      rows.push_back(row_of(*metric, beside));
  for (const models::Metric& metric : outcome.metrics)
    if (std::find(kFirst.begin(), kFirst.end(), metric.name) == kFirst.end() && !reports::has_no_price(metric, outcome))
      rows.push_back(row_of(metric, beside));
  return rows;
}

void sort_largest_first(std::vector<Share>& shares) {
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.value > b.value; });
}

std::string how_sure(const models::Outcome& outcome) {
  const models::Metric* step = outcome.find("step_time_s");
  if (step == nullptr) return {};
  if (step->kind == models::AnswerKind::bound) return "closed form: no run is faster; queueing is not included";
  if (step->kind == models::AnswerKind::estimate) return "estimate";
  if (!step->ci95) return fmt::format("simulated, {} steps, no interval yet", outcome.steps);
  const double half = 0.5 * (step->ci95->high - step->ci95->low) / step->mean;
  if (!(half > 0.0)) return fmt::format("simulated, {} steps, none of which varies", outcome.steps);
  return fmt::format("simulated, {} steps, step time known to {} at 95 %", outcome.steps,
                     reports::percent(half, half < 0.01 ? 2 : 1));
}

Dashboard::Mood mood_of(models::Verdict verdict) {
  if (verdict == models::Verdict::fed) return Dashboard::Mood::good;
  return verdict == models::Verdict::inconclusive ? Dashboard::Mood::unsure : Dashboard::Mood::bad;
}

}  // namespace

std::string verdict_word(models::Verdict verdict) {
  return verdict == models::Verdict::fed ? "compute-bound" : reports::spoken_verdict(verdict);
}

std::string meaning_of(const std::string& metric) {
  const models::MetricDescription* description = models::find_metric(metric);
  return description == nullptr ? std::string()
                                : fmt::format("{}\n= {}", description->meaning, description->how.formula);
}

Dashboard dashboard(const models::Outcome& outcome, const models::Outcome* baseline, const models::Outcome* ranges) {
  Dashboard board;
  board.verdict = reports::verdict_line(outcome);
  board.meaning = reports::verdict_meaning(outcome, ranges);
  board.mood = mood_of(outcome.verdict);
  board.how_sure = how_sure(outcome);
  board.metrics = rows_of(outcome, {baseline, ranges});
  for (const models::StageShare& stage : outcome.blame)
    if (stage.mean > 0.0)
      board.blame.push_back({std::string(name(stage.stage)), stage.mean, reports::percent(stage.mean)});
  for (const models::StationReport& station : outcome.stations)
    board.stations.push_back(
        {reports::words(station.name), station.utilization, reports::percent(station.utilization)});
  for (const models::LedgerLine& line : outcome.ledger)
    if (line.usd > 0.0) board.cost.push_back({line.item, line.usd, reports::humane(line.usd, "USD")});
  sort_largest_first(board.blame);
  sort_largest_first(board.stations);
  sort_largest_first(board.cost);
  for (const models::Warning& warning : outcome.warnings)
    board.warnings.push_back(warning.seen + (warning.fix.empty() ? "" : "; " + warning.fix));
  return board;
}

std::string disagreement(const models::Outcome& bound, const models::Outcome& simulated) {
  const models::Metric* low = bound.find("step_time_s");
  const models::Metric* step = simulated.find("step_time_s");
  if (low == nullptr || step == nullptr || !(low->mean > 0.0)) return {};
  const double high_end = step->ci95 ? step->ci95->high : step->mean;
  const double low_end = step->ci95 ? step->ci95->low : step->mean;
  constexpr double kRounding = 1e-6;
  if (high_end < low->mean * (1.0 - kRounding))
    return fmt::format("the simulated step ({}) is shorter than the bound ({}): do not trust this answer",
                       reports::humane(step->mean, "s"), reports::humane(low->mean, "s"));
  if (low_end > low->mean * (1.0 + kGap))
    return fmt::format("queueing adds {} to the closed form: use the simulated value",
                       reports::percent(step->mean / low->mean - 1.0, 0));
  return {};
}

}  // namespace headrace::gui
