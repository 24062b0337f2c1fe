#include "models/verification/loop_prediction.hpp"

#include <algorithm>
#include <cmath>

#include "models/study.hpp"

namespace headrace::models::verification {
namespace {

/// Cores that the workers have: a consumer that computes has one of its own.
unsigned worker_cores(const LoopPoint& point, const LoopFigures& figures) {
  return point.consumer == Consumer::spins ? std::max(1U, figures.cores - 1) : figures.cores;
}

/// Processor time of one block where nothing else runs.
double block_cpu_s(const LoopPoint& point, const LoopFigures& figures) {
  // A consumer that computes slows the workers as another busy core does.
  const double beside = point.consumer == Consumer::spins
                            ? std::pow(static_cast<double>(figures.cores), decode_contention(figures))
                            : 1.0;
  return beside * (figures.decode_s + figures.read_cpu_s);
}

/// The quantiles of a read at depth 1, moved so that their mean is `mean_s`.
DistributionSpec delay_law(const LoopFigures& figures, double mean_s) {
  DistributionSpec law;
  law.family = Family::empirical;
  law.quantiles = figures.read_quantiles;
  const double measured_s = law.quantiles.empty() ? 0.0 : mean_of(law);
  if (!(measured_s > 0.0) || !(mean_s > 1e-9)) return DistributionSpec::constant(std::max(mean_s, 0.0));
  // What moves to the station and to the cores is nearly the same for every read: shift, and scale only the rest.
  const double shift = std::min(measured_s - mean_s, law.quantiles.front().value);
  for (QuantilePoint& point : law.quantiles) point.value = std::max(0.0, point.value - std::max(shift, 0.0));
  const double left_s = mean_of(law);
  return left_s > 0.0 ? scaled(law, mean_s / left_s) : DistributionSpec::constant(mean_s);
}

/// How likely it is that all cores are at work for the workers when the consumer wakes after a step of `step_s`.
///
/// A worker that found the queue full, as it always does where K is at most N, begins its batch when the consumer takes
/// one. When the consumer wakes the batches under way are of the ages Tc, Tc and a step, ...: one is on a core between
/// the end of its reads and its own. Ages are blurred by a fifth either way. Where the workers never wait their ages
/// are anything (`step_s` 0: so they do).
double all_busy(const LoopPoint& point, const LoopFigures& figures, double step_s) {
  const unsigned cores = worker_cores(point, figures);
  const double read_s = point.batch * figures.read_s;
  const double slowed = std::pow(std::min<double>(cores, point.workers), decode_contention(figures));
  const double batch_s = read_s + point.batch * figures.decode_s * slowed;
  constexpr double kBlur = 0.2;
  std::vector<double> chances(1, 1.0);  // of 0, 1, 2, ... workers on a core
  for (unsigned k = 1; k <= point.workers; ++k) {
    double busy = 1.0 - read_s / batch_s;
    const bool begins_when_taken = batch_s < point.workers * step_s || point.outstanding <= point.workers;
    if (step_s > 0.0 && begins_when_taken) {
      const double age_s = point.step_s + (k - 1) * step_s;
      const double low = age_s * (1.0 - kBlur);
      const double high = age_s * (1.0 + kBlur);
      busy = std::max(0.0, std::min(high, batch_s) - std::max(low, read_s)) / (high - low);
    }
    chances.push_back(0.0);
    for (std::size_t n = chances.size() - 1; n > 0; --n) chances[n] = chances[n] * (1.0 - busy) + chances[n - 1] * busy;
    chances[0] *= 1.0 - busy;
  }
  double sum = 0.0;
  for (std::size_t n = cores; n < chances.size(); ++n) sum += chances[n];
  return std::clamp(sum, 0.0, 1.0);
}

/// The overrun of a step that takes `step_s` without it. Beside workers that never wait it is measured; it falls with
/// the chance that all cores are busy, which falls when steps get longer, so that a point in between holds.
double overrun_at(const LoopPoint& point, const LoopFigures& figures, double step_s) {
  const double always = all_busy(point, figures, 0.0);
  const double more_s = std::max(0.0, figures.busy_overrun_s - figures.overrun_s);
  double low_s = figures.overrun_s;
  double high_s = figures.overrun_s + more_s;
  if (!(always > 0.0)) return low_s;  // there is always a free core
  for (int i = 0; i < 30; ++i) {
    const double overrun_s = 0.5 * (low_s + high_s);
    const double longer_s = std::max({step_s, point.step_s + overrun_s, least_step_s(point, figures)});
    const double follows_s = figures.overrun_s + more_s * std::min(1.0, all_busy(point, figures, longer_s) / always);
    (follows_s > overrun_s ? low_s : high_s) = overrun_s;
  }
  return 0.5 * (low_s + high_s);
}

Outcome simulate_loop(const LoopPoint& point, const LoopFigures& figures, double overrun_s, std::uint64_t steps,
                      std::uint64_t seed) {
  StudyOptions options;
  options.seed = seed;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  options.control = false;
  return simulate(loop_scenario(point, figures, overrun_s), options);
}

double metric(const Outcome& outcome, std::string_view name) {
  const Metric* found = outcome.find(name);
  return found == nullptr ? 0.0 : found->mean;
}

}  // namespace

Scenario loop_scenario(const LoopPoint& point, const LoopFigures& figures, double overrun_s) {
  const ReadLaw law = read_law(figures.read_rates);
  Scenario scenario;
  scenario.title = "closed loop on this machine: " + point_text(point);
  Pool pool;
  pool.name = "machine";
  pool.nodes = 1;
  pool.gpus_per_node = 1;
  pool.host.cores = worker_cores(point, figures);
  pool.host.contention = pool.host.cores > 1 ? decode_contention(figures) : 0.0;
  pool.nic.bandwidth_bytes_per_s = 1e12;  // no byte passes it
  scenario.cluster.pools = {pool};
  Store store;
  store.name = "storage";
  store.kind = StoreKind::nvme;
  store.bandwidth_bytes_per_s = law.queue_s > 0.0 ? figures.block_bytes / law.queue_s : 1e12;
  store.latency_s = delay_law(figures, std::max(0.0, figures.read_s - law.queue_s - figures.read_cpu_s));
  scenario.stores = {store};
  Dataset dataset;
  dataset.name = "blocks";
  dataset.store = store.name;
  dataset.files = 1000000;
  dataset.sample_bytes = DistributionSpec::constant(figures.block_bytes);
  scenario.datasets = {dataset};
  Job job;
  job.name = "loop";
  job.pool = pool.name;
  job.datasets = {{dataset.name, 1.0}};
  job.loader.workers = point.workers;
  job.loader.outstanding = point.outstanding;
  job.loader.order = point.in_order ? DeliveryOrder::in_order : DeliveryOrder::any_order_shared;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(block_cpu_s(point, figures));
  job.step.batch = point.batch;
  job.step.step_time_s = DistributionSpec::constant(point.step_s);
  job.step.overhead_s = DistributionSpec::constant(overrun_s);
  job.epochs = 1;
  scenario.jobs = {job};
  return scenario;
}

double batch_time_s(const LoopPoint& point, const LoopFigures& figures) {
  return point.batch * (figures.read_s + figures.decode_s);
}

double least_step_s(const LoopPoint& point, const LoopFigures& figures) {
  const ReadLaw law = read_law(figures.read_rates);
  const double cores = worker_cores(point, figures);
  const double slowed = std::pow(std::min<double>(cores, point.workers), decode_contention(figures));
  const double on_cores_s = point.batch * block_cpu_s(point, figures) * slowed / std::min<double>(cores, point.workers);
  return std::max({batch_time_s(point, figures) / point.workers, on_cores_s, point.batch * law.queue_s});
}

LoopPrediction predict_loop(const LoopPoint& point, const LoopFigures& figures, std::uint64_t steps,
                            std::uint64_t seed) {
  LoopPrediction prediction;
  prediction.overrun_s = figures.overrun_s;
  if (point.consumer == Consumer::sleeps) {
    const Outcome first = simulate_loop(point, figures, figures.overrun_s, steps, seed);
    const double step_s = std::max(metric(first, "step_time_s"), 1e-9);
    prediction.overrun_s = overrun_at(point, figures, step_s);
  }
  const Outcome outcome = simulate_loop(point, figures, prediction.overrun_s, steps, seed);
  prediction.step_time_s = metric(outcome, "step_time_s");
  prediction.idle_fraction = metric(outcome, "gpu_idle_fraction");
  for (const StageShare& share : outcome.blame) {
    const WaitPart part = share.stage == Stage::decode ? WaitPart::decode
                          : share.stage == Stage::lock ? WaitPart::hand_over
                                                       : WaitPart::read;
    prediction.wait_parts[static_cast<std::size_t>(part)] += share.mean;
  }
  return prediction;
}

}  // namespace headrace::models::verification
