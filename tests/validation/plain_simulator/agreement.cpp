#include "tests/validation/plain_simulator/agreement.hpp"

#include <algorithm>
#include <cmath>

#include "models/study/study.hpp"
#include "tests/validation/plain_simulator/plain_simulator.hpp"

namespace headrace::plain {
namespace {

constexpr std::uint64_t kRuns = 10;
constexpr std::uint64_t kSteps = 250;

Figures product_figures(const models::Scenario& scenario, std::uint64_t seed,
                        std::optional<models::Granularity> granularity) {
  models::StudyOptions options;
  options.seed = seed;
  options.steps = kSteps;
  options.threads = 1;
  options.granularity = granularity;
  options.relief = options.control = options.courses = false;
  const models::Outcome outcome = models::simulate(scenario, options);
  Figures figures;
  for (const models::Metric& metric : outcome.metrics) figures[metric.name] = metric.mean;
  for (const models::StationReport& station : outcome.stations)
    figures["utilization: " + station.name] = station.utilization;
  return figures;
}

struct Spread {
  double mean = 0.0;
  double variance = 0.0;  ///< of the mean
};

Spread spread_of(const std::vector<Figures>& runs, const std::string& metric) {
  const auto n = static_cast<double>(runs.size());
  Spread spread;
  for (const Figures& run : runs) spread.mean += run.at(metric) / n;
  for (const Figures& run : runs) spread.variance += std::pow(run.at(metric) - spread.mean, 2) / (n - 1.0) / n;
  return spread;
}

/// A t statistic as that of a normal law with the same tails (D. L. Wallace, Annals of Mathematical Statistics 30(4),
/// 1959), within 1 % from 9 degrees of freedom on.
double as_normal(double t, double freedom) {
  return (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0) * std::sqrt(freedom * std::log1p(t * t / freedom));
}

/// What the product does not say of a scenario: figures of batches and stations are those of the time without
/// background writes.
bool is_said(const models::Scenario& scenario, const std::string& metric) {
  const auto& checkpoint = scenario.jobs.front().checkpoint;
  if (!checkpoint || checkpoint->mode == models::CheckpointMode::sync) return true;
  return metric != "batch_load_time_s" && !metric.starts_with("utilization");
}

/// Beside noise: rounding to nanoseconds, ends of windows and epochs, and what the product leaves out of a save. While
/// training stops, loaders refill their queues; the slowest writer opens its file later than the mean one; the
/// background flow is counted in whole requests, of which a short run sees few.
double tolerance_of(const models::Scenario& scenario, const std::string& metric, double value) {
  constexpr double kOfValue = 0.001;
  constexpr double kOfBackgroundSave = 0.1;
  if (metric == "gpu_idle_fraction") return kOfValue;
  if (metric != "checkpoint_save_s") return kOfValue * value;
  const models::Job& job = scenario.jobs.front();
  const models::Store& store = scenario.stores.front();
  const models::Pool& pool = scenario.cluster.pools.front();
  if (job.checkpoint->mode == models::CheckpointMode::async) return kOfBackgroundSave * value;
  const double ranks = static_cast<double>(pool.nodes * pool.gpus_per_node);
  const double samples = ranks * static_cast<double>(job.loader.workers * job.loader.prefetch * job.step.batch);
  const double refill_s = samples * mean_of(scenario.datasets.front().sample_bytes) / store.bandwidth_bytes_per_s;
  return refill_s + (mean_of(store.metadata.latency_s) + mean_of(store.latency_s)) * std::log(1.0 + ranks);
}

Comparison compared(const models::Scenario& scenario, const std::string& metric, const Spread& product,
                    const Spread& plain) {
  Comparison result{metric, product.mean, plain.mean, std::sqrt(product.variance + plain.variance), 0.0, 0.0};
  result.tolerance = tolerance_of(scenario, metric, plain.mean);
  const double beyond = std::abs(product.mean - plain.mean) - result.tolerance;
  if (!(beyond > 0.0)) return result;
  if (!(result.standard_error > 0.0)) {
    result.excess = HUGE_VAL;
    return result;
  }
  const double variance = std::pow(result.standard_error, 2);
  const double freedom =  // B. L. Welch, Biometrika 34, 1947
      (kRuns - 1) * variance * variance / (std::pow(product.variance, 2) + std::pow(plain.variance, 2));
  result.excess = as_normal(beyond / result.standard_error, freedom);
  return result;
}

}  // namespace

std::vector<Comparison> compare(const models::Scenario& scenario, std::optional<models::Granularity> granularity) {
  models::StudyOptions options;
  options.granularity = granularity;
  granularity = models::chosen_granularity(options, scenario);  // once for all runs
  std::vector<Figures> product;
  std::vector<Figures> plain;
  for (std::uint64_t run = 1; run <= kRuns; ++run) {
    product.push_back(product_figures(scenario, run, granularity));
    plain.push_back(simulate(scenario, run, kSteps));
  }
  std::vector<Comparison> all;
  for (const auto& [metric, value] : plain.front())
    if (product.front().contains(metric) && is_said(scenario, metric))
      all.push_back(compared(scenario, metric, spread_of(product, metric), spread_of(plain, metric)));
  return all;
}

}  // namespace headrace::plain
