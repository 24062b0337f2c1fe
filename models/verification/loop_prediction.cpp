#include "models/verification/loop_prediction.hpp"

#include <algorithm>
#include <cmath>

#include "models/study/study.hpp"

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

Outcome simulate_loop(const LoopPoint& point, const LoopFigures& figures, const LoopDelays& delays, std::uint64_t steps,
                      std::uint64_t seed) {
  return simulate_steps(loop_scenario(point, figures, delays), steps, seed);
}

/// Step time of workers that never wait for the consumer.
double unhindered_step_s(LoopPoint point, const LoopFigures& figures, double wake_s, std::uint64_t seed) {
  constexpr std::uint64_t kSteps = 1500;
  point.outstanding = 4 * point.workers;
  point.in_order = false;
  point.step_s = 1e-7;
  return mean_in(simulate_loop(point, figures, {0.0, wake_s}, kSteps, seed).metrics, "step_time_s");
}

/// The step that reads, cores and workers allow where nothing else hinders them.
double ideal_step_s(const LoopPoint& point, const LoopFigures& figures) {
  const ReadLaw law = read_law(figures.read_rates);
  const double cores = worker_cores(point, figures);
  const double slowed = std::pow(std::min<double>(cores, point.workers), decode_contention(figures));
  const double on_cores_s = point.batch * block_cpu_s(point, figures) * slowed / std::min<double>(cores, point.workers);
  return std::max({batch_time_s(point, figures) / point.workers, on_cores_s, point.batch * law.queue_s});
}

}  // namespace

Outcome simulate_steps(const Scenario& scenario, std::uint64_t steps, std::uint64_t seed) {
  StudyOptions options;
  options.seed = seed;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  options.control = false;
  options.granularity = Granularity{};  // one model for all runs of a fit
  return simulate(scenario, options);
}

std::array<double, kWaitParts> wait_parts_of(const Outcome& outcome) {
  std::array<double, kWaitParts> parts{};
  for (const StageShare& share : outcome.blame) {
    const bool hands_over =
        share.stage == Stage::lock || share.stage == Stage::transport || share.stage == Stage::receive;
    const WaitPart part = share.stage == Stage::decode ? WaitPart::decode
                          : hands_over                 ? WaitPart::hand_over
                                                       : WaitPart::read;
    parts[static_cast<std::size_t>(part)] += share.mean;
  }
  return parts;
}

Scenario machine_scenario(const LoopPoint& point, double overrun_s) {
  Scenario scenario;
  Pool pool;
  pool.name = "machine";
  pool.nodes = 1;
  pool.gpus_per_node = 1;
  pool.nic.bandwidth_bytes_per_s = 1e12;  // no byte passes it
  scenario.cluster.pools = {pool};
  Store store;
  store.name = "storage";
  store.kind = StoreKind::nvme;
  store.bandwidth_bytes_per_s = 1e12;
  store.latency_s = DistributionSpec::constant(0.0);
  scenario.stores = {store};
  Dataset dataset;
  dataset.name = "samples";
  dataset.store = store.name;
  dataset.files = 1000000;
  scenario.datasets = {dataset};
  Job job;
  job.name = "loop";
  job.pool = pool.name;
  job.datasets = {{dataset.name, 1.0}};
  job.loader.workers = point.workers;
  job.loader.outstanding = point.outstanding;
  job.loader.order = point.in_order ? DeliveryOrder::in_order : DeliveryOrder::any_order_shared;
  job.step.batch = point.batch;
  job.step.step_time_s = DistributionSpec::constant(point.step_s);
  job.step.overhead_s = DistributionSpec::constant(overrun_s);
  job.epochs = 1;
  scenario.jobs = {job};
  return scenario;
}

Scenario loop_scenario(const LoopPoint& point, const LoopFigures& figures, const LoopDelays& delays) {
  const ReadLaw law = read_law(figures.read_rates);
  Scenario scenario = machine_scenario(point, delays.overrun_s);
  scenario.title = "closed loop on this machine: " + point_text(point);
  Host& host = scenario.cluster.pools[0].host;
  host.cores = worker_cores(point, figures);
  host.contention.exponent = host.cores > 1 ? decode_contention(figures) : 0.0;
  Store& store = scenario.stores[0];
  if (law.queue_s > 0.0) store.bandwidth_bytes_per_s = figures.block_bytes / law.queue_s;
  store.latency_s =
      delay_law(figures, std::max(0.0, figures.read_s - law.queue_s - figures.read_cpu_s) + delays.wake_s);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(figures.block_bytes);
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(block_cpu_s(point, figures));
  return scenario;
}

double batch_time_s(const LoopPoint& point, const LoopFigures& figures) {
  return point.batch * (figures.read_s + figures.decode_s);
}

double least_step_s(const LoopPoint& point, const LoopFigures& figures) {
  return figures.workers_batch_s > 0.0 ? figures.workers_batch_s : ideal_step_s(point, figures);
}

double wake_delay_s(const LoopPoint& point, const LoopFigures& figures, std::uint64_t seed) {
  if (!(figures.workers_batch_s > 0.0) || unhindered_step_s(point, figures, 0.0, seed) >= figures.workers_batch_s)
    return 0.0;
  double low_s = 0.0;
  double high_s = point.workers * figures.workers_batch_s / point.batch;  // nothing but waiting
  for (int i = 0; i < 10; ++i) {
    const double middle_s = 0.5 * (low_s + high_s);
    (unhindered_step_s(point, figures, middle_s, seed) < figures.workers_batch_s ? low_s : high_s) = middle_s;
  }
  return 0.5 * (low_s + high_s);
}

LoopPrediction predict_loop(const LoopPoint& point, const LoopFigures& figures, std::uint64_t steps,
                            std::uint64_t seed) {
  LoopPrediction prediction;
  LoopDelays delays{figures.overrun_s, wake_delay_s(point, figures, seed)};
  Outcome outcome = simulate_loop(point, figures, delays, steps, seed);
  const double more_s = figures.busy_overrun_s - figures.overrun_s;
  // The overrun moves the step, and the step how much of the time workers work: a few rounds settle it.
  for (int i = 0; i < 4 && more_s > 0.0; ++i) {
    const double step_s = std::max(mean_in(outcome.metrics, "step_time_s"), 1e-9);
    delays.overrun_s = figures.overrun_s + more_s * std::min(1.0, least_step_s(point, figures) / step_s);
    outcome = simulate_loop(point, figures, delays, steps, seed);
  }
  prediction.overrun_s = delays.overrun_s;
  prediction.wake_s = delays.wake_s;
  prediction.step_time_s = mean_in(outcome.metrics, "step_time_s");
  prediction.idle_fraction = mean_in(outcome.metrics, "gpu_idle_fraction");
  prediction.wait_parts = wait_parts_of(outcome);
  return prediction;
}

}  // namespace headrace::models::verification
