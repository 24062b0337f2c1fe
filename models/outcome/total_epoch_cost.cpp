#include "models/outcome/total_epoch_cost.hpp"

#include <algorithm>

#include "models/outcome/ledger.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kCost = "cost_per_epoch_usd";

/// The cost of an epoch with the interval of its time, over which it is a straight line.
Metric cost_of(const std::vector<LedgerLine>& ledger, const Metric& epoch_time) {
  double by_time_usd = 0.0;
  for (const LedgerLine& line : ledger)
    if (line.by_time) by_time_usd += line.usd;
  const double usd_per_s = epoch_time.mean > 0.0 ? by_time_usd / epoch_time.mean : 0.0;
  Metric cost{std::string(kCost), total_usd(ledger), {}, {}, epoch_time.kind};
  if (epoch_time.ci95)
    cost.ci95 = Interval{cost.mean + usd_per_s * (epoch_time.ci95->low - epoch_time.mean),
                         cost.mean + usd_per_s * (epoch_time.ci95->high - epoch_time.mean)};
  return cost;
}

void put(Metric metric, std::vector<Metric>& metrics) {
  const auto there = std::find_if(metrics.begin(), metrics.end(), [](const Metric& one) { return one.name == kCost; });
  if (there == metrics.end())
    metrics.push_back(std::move(metric));
  else
    *there = std::move(metric);
}

/// The job's cost of an epoch; nothing where it trains none.
std::optional<Metric> restate(const SitePayments& site, double share, std::vector<Metric>& metrics,
                              std::vector<LedgerLine>& ledger) {
  const Metric* epoch_time = find_in(metrics, "epoch_time_s");
  if (epoch_time == nullptr || !(epoch_time->mean > 0.0)) return std::nullopt;
  ledger = total_cost_ledger(site, ledger, epoch_time->mean, share);
  Metric cost = cost_of(ledger, *epoch_time);
  put(cost, metrics);
  return cost;
}

/// Costs of jobs add up, and so do their intervals: jobs that share a store are late together.
void add(double times, const Metric& cost, std::optional<Metric>& sum) {
  if (!sum) {
    sum = Metric{cost.name, 0.0, Interval{}, {}, cost.kind};
  }
  if (!cost.ci95) sum->ci95.reset();
  sum->mean += times * cost.mean;
  if (sum->ci95) {
    sum->ci95->low += times * cost.ci95->low;
    sum->ci95->high += times * cost.ci95->high;
  }
}

}  // namespace

std::vector<LedgerLine> total_cost_ledger(const SitePayments& site, const std::vector<LedgerLine>& ledger,
                                          double epoch_time_s, double share) {
  std::vector<LedgerLine> lines{{"machines, room and staff over the horizon", epoch_time_s / 3600.0, "h",
                                 share * site.usd_per_s() * epoch_time_s, true}};
  for (LedgerLine line : ledger) {
    if (is_machine_line(line)) continue;
    line.usd *= paid_share(line, site.used) / site.used;
    lines.push_back(std::move(line));
  }
  return lines;
}

void restate_at_total_cost(const SitePayments& site, Outcome& outcome) {
  double gpus = 0.0;
  for (const JobReport& job : outcome.jobs) gpus += static_cast<double>(job.gpus);
  std::optional<Metric> sum;
  for (JobReport& job : outcome.jobs) {
    if (!job.is_beside_others()) continue;
    const auto copies = static_cast<double>(job.copies);
    const double share = static_cast<double>(job.gpus) / copies / gpus;
    if (const auto cost = restate(site, share, job.metrics, job.ledger)) add(copies, *cost, sum);
  }
  if (sum)
    put(*sum, outcome.metrics);
  else
    restate(site, 1.0, outcome.metrics, outcome.ledger);
}

HorizonCost horizon_cost(const Scenario& scenario, const EpochFigures& epoch, const Outcome& bound) {
  const TotalCost terms = scenario.prices.total_cost.value_or(TotalCost{});
  const SitePayments site = site_payments(scenario);
  HorizonCost cost{terms.horizon_s / kSecondsPerYear, terms.discount_rate, 0.0, 0.0};
  const EpochFigures bounds = epoch_figures(bound);
  const std::vector<double> goodput = goodput_by_job(bound);
  double useful_hours = 0.0;
  for (std::size_t j = 0; j < epoch.jobs.size(); ++j) {
    const JobFigures& job = epoch.jobs[j];
    const double epochs = job.epoch_time_s > 0.0 ? job.copies * site.present_used_s / job.epoch_time_s : 0.0;
    cost.present_value_usd += epochs * (job.by_time_usd + job.fixed_usd);
    useful_hours += epochs * bounds.jobs[j].gpu_hours * goodput[j];
  }
  if (useful_hours > 0.0) cost.usd_per_useful_gpu_hour = cost.present_value_usd / useful_hours;
  return cost;
}

}  // namespace headrace::models
