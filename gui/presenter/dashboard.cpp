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
  if (!metric.ci95 && metric.kind == models::AnswerKind::simulated) return "no interval";
  if (!metric.ci95) return std::string(models::kAnswerKindNames[static_cast<std::size_t>(metric.kind)]);
  return between(metric.ci95->low, metric.ci95->high, unit, metric.mean);
}

/// Shares differ by points of percent.
std::string change_text(double now, double before, std::string_view unit) {
  if (unit == "1") return now == before ? "0 pt" : fmt::format("{:+.2f} pt", 100.0 * (now - before));
  if (now == before) return "0 %";
  if (before == 0.0) return "new";
  return fmt::format("{:+.2f} %", 100.0 * (now / before - 1.0));
}

/// The outcomes that stand beside the one that is shown.
struct Beside {
  const models::Outcome* baseline;
  const models::Outcome* ranges;
};

/// The range of the closed form stands beside a simulated value only where it contains it: one that lies outside is due
/// to queues, and what the inputs leave open of it is not known.
void add_range(const models::Metric& metric, const models::Metric* other, const std::string& unit, MetricRow& row) {
  if (metric.input_range) {
    row.inputs = between(metric.input_range->low, metric.input_range->high, unit, metric.mean);
    return;
  }
  if (other == nullptr || !other->input_range) return;
  constexpr double kAlike = 1e-3;  // of the value: ends that are printed alike
  const auto [low, high] = *other->input_range;
  const std::string range = between(low, high, unit, metric.mean);
  const double beside = kAlike * std::abs(metric.mean);
  row.is_range_of_bound = metric.mean >= low - beside && metric.mean <= high + beside;
  row.inputs = row.is_range_of_bound ? range : "needs simulation";
  if (!row.is_range_of_bound)
    row.meaning += fmt::format(
        "\nOver the inputs the closed form, without queueing, gives {} (p10 to p90), beside this value. A range with "
        "queueing: headrace simulate --inputs ranges",
        range);
}

/// `before` is that of the baseline, `ranged` has input ranges; either may be nullptr.
MetricRow row_of(const models::Metric& metric, const models::Metric* before, const models::Metric* ranged) {
  const std::string unit(models::traits_of(metric.name).unit);
  MetricRow row;
  row.metric = metric.name;
  row.name = reports::spoken_name(metric.name);
  row.value = reports::humane(metric.mean, unit);
  row.interval = interval_text(metric, unit);
  row.meaning = meaning_of(metric.name);
  add_range(metric, ranged, unit, row);
  if (before == nullptr) return row;
  row.baseline = reports::humane(before->mean, unit);
  row.change = change_text(metric.mean, before->mean, unit);
  return row;
}

const models::Metric* metric_in(const models::Outcome* outcome, std::string_view name) {
  return outcome == nullptr ? nullptr : outcome->find(name);
}

/// Of the job of that name.
const models::Metric* metric_in(const models::Outcome* outcome, const std::string& job, std::string_view name) {
  if (outcome == nullptr) return nullptr;
  const auto found = std::find_if(outcome->jobs.begin(), outcome->jobs.end(),
                                  [&](const models::JobReport& report) { return report.name == job; });
  return found == outcome->jobs.end() ? nullptr : models::find_in(found->metrics, name);
}

/// Each of several jobs has steps and epochs of its own.
void add_jobs(const models::Outcome& outcome, const Beside& beside, std::vector<MetricRow>& rows) {
  for (const models::JobReport& job : outcome.jobs)
    for (const std::string_view name : reports::kJobFigures) {
      const models::Metric* metric = models::find_in(job.metrics, name);
      if (metric == nullptr) continue;
      rows.push_back(
          row_of(*metric, metric_in(beside.baseline, job.name, name), metric_in(beside.ranges, job.name, name)));
      rows.back().name = job.name + ": " + rows.back().name;
    }
}

std::vector<MetricRow> rows_of(const models::Outcome& outcome, const Beside& beside) {
  std::vector<MetricRow> rows;
  const bool several = reports::has_several_jobs(outcome);
  if (several) add_jobs(outcome, beside, rows);
  const auto add = [&](const models::Metric& metric) {
    if (reports::has_no_price(metric, outcome) || (several && reports::mixes_jobs(metric.name))) return;
    rows.push_back(row_of(metric, metric_in(beside.baseline, metric.name), metric_in(beside.ranges, metric.name)));
    rows.back().name = reports::figure_label(metric.name, outcome);
    if (several && metric.name == "gpu_idle_fraction") rows.back().name = "all GPUs: " + rows.back().name;
  };
  for (const std::string_view name : kFirst)
    if (const models::Metric* metric = outcome.find(name)) add(*metric);
  for (const models::Metric& metric : outcome.metrics)
    if (std::find(kFirst.begin(), kFirst.end(), metric.name) == kFirst.end()) add(metric);
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
  const auto half_of = [](const models::Metric& metric) {
    return metric.ci95 ? 0.5 * (metric.ci95->high - metric.ci95->low) / metric.mean : 0.0;
  };
  const bool several = reports::has_several_jobs(outcome);
  double half = several ? 0.0 : half_of(*step);
  for (const models::JobReport& job : outcome.jobs)  // the least known one
    if (const models::Metric* own = several ? models::find_in(job.metrics, "step_time_s") : nullptr)
      half = std::max(half, half_of(*own));
  if (!(half > 0.0)) return fmt::format("simulated, {} steps, none of which varies", outcome.steps);
  return fmt::format("simulated, {} steps, {} known to {} at 95 %", outcome.steps,
                     several ? "each step time" : "step time", reports::percent(half, half < 0.01 ? 2 : 1));
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
  const std::string_view open_wait = ranges != nullptr && reports::waits_over_inputs(*ranges) ? kOpenOverInputs : "";
  board.verdict = reports::verdict_line(outcome, open_wait);
  board.meaning = reports::verdict_meaning(outcome, ranges);
  board.mood = reports::mood_of(outcome, open_wait);
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

namespace {

/// `of`: " of job 'name'", or nothing.
std::string disagreement_of(const models::Metric* low, const models::Metric* step, const std::string& of) {
  if (low == nullptr || step == nullptr || !(low->mean > 0.0)) return {};
  const double high_end = step->ci95 ? step->ci95->high : step->mean;
  const double low_end = step->ci95 ? step->ci95->low : step->mean;
  constexpr double kRounding = 1e-6;
  if (high_end < low->mean * (1.0 - kRounding))
    return fmt::format("the simulated step{} ({}) is shorter than the bound ({}): do not trust this answer", of,
                       reports::humane(step->mean, "s"), reports::humane(low->mean, "s"));
  if (low_end > low->mean * (1.0 + kGap))
    return fmt::format("queueing adds {} to the closed form of the step time{}: use the simulated value",
                       reports::percent(step->mean / low->mean - 1.0, 0), of);
  return {};
}

}  // namespace

std::string disagreement(const models::Outcome& bound, const models::Outcome& simulated) {
  if (!reports::has_several_jobs(simulated))
    return disagreement_of(bound.find("step_time_s"), simulated.find("step_time_s"), "");
  for (const models::JobReport& job : simulated.jobs)
    if (std::string far = disagreement_of(metric_in(&bound, job.name, "step_time_s"),
                                          models::find_in(job.metrics, "step_time_s"), " of job '" + job.name + "'");
        !far.empty())
      return far;
  return {};
}

}  // namespace headrace::gui
