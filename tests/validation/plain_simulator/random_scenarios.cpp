#include "tests/validation/plain_simulator/random_scenarios.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tests/validation/plain_simulator/draws.hpp"

namespace headrace::plain {
namespace {

using models::DistributionSpec;

constexpr double kStepS = 0.1;
constexpr double kSampleBytes = 1e6;

/// Of a quantity that is never exactly the same.
DistributionSpec varied(Draws& draws, double mean) {
  switch (draws.one_of(0, 3)) {
    case 0:
      return DistributionSpec::exponential(mean);
    case 1:
      return DistributionSpec::lognormal(mean, draws.between(0.2, 1.5));
    case 2:
      return DistributionSpec::weibull(mean, draws.between(0.7, 3.0));
    default:
      return DistributionSpec::uniform(0.2 * mean, 1.8 * mean);
  }
}

/// How many samples a second the GPUs take when they never wait, and how long one may take its worker.
struct Demand {
  double of_node_per_s;
  double of_job_per_s;
  double sample_s;
};

/// Servers whose load by fed GPUs is about `load`.
std::uint64_t servers_for(double per_s, double service_s, double load) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(per_s * service_s / load)));
}

void draw_store(Draws& draws, const Demand& demand, const std::array<double, 4>& part, models::Scenario& scenario) {
  models::Store& store = scenario.stores.front();
  store.stream_bytes_per_s = kSampleBytes / (part[0] * demand.sample_s);
  store.bandwidth_bytes_per_s =
      std::max(demand.of_job_per_s * kSampleBytes / draws.between(0.3, 1.1), *store.stream_bytes_per_s);
  const double request_s = part[1] * demand.sample_s;
  const bool serves_few = draws.chance(0.5);
  store.latency_s = serves_few ? DistributionSpec::exponential(request_s) : varied(draws, request_s);
  if (serves_few)
    store.requests_per_s =
        static_cast<double>(servers_for(demand.of_job_per_s, request_s, draws.between(0.3, 1.1))) / request_s;
  const double open_s = part[2] * demand.sample_s;
  store.metadata.latency_s = DistributionSpec::exponential(open_s);
  if (draws.chance(0.7)) store.metadata.servers = servers_for(demand.of_job_per_s, open_s, draws.between(0.3, 1.1));
}

/// An epoch lasts many times as long as a loader looks ahead.
void draw_cache(Draws& draws, const Demand& demand, models::Scenario& scenario) {
  models::Pool& pool = scenario.cluster.pools.front();
  models::Job& job = scenario.jobs.front();
  models::Dataset& dataset = scenario.datasets.front();
  const std::uint64_t steps = std::max<std::uint64_t>(200, 80 * job.loader.workers * job.loader.prefetch);
  dataset.files = steps * pool.nodes * pool.gpus_per_node * job.step.batch;
  job.epochs = draws.one_of(2, 3);
  constexpr std::array kPolicies{models::CachePolicy::lru, models::CachePolicy::fifo, models::CachePolicy::pinned};
  pool.cache.policy = kPolicies[draws.one_of(0, 2)];
  if (draws.chance(0.3)) pool.cache.fidelity = models::CacheFidelity::statistical;
  pool.cache.bytes = std::round(draws.between(0.1, 0.9) * static_cast<double>(dataset.files)) * kSampleBytes;
  pool.cache.bandwidth_bytes_per_s = demand.of_node_per_s * kSampleBytes / draws.between(0.05, 0.5);
  pool.cache.latency_s = DistributionSpec::exponential(0.02 * demand.sample_s);
}

void draw_checkpoint(Draws& draws, models::Scenario& scenario) {
  models::Store& store = scenario.stores.front();
  models::Checkpoint checkpoint;
  checkpoint.store = store.name;
  const models::Loader& loader = scenario.jobs.front().loader;
  checkpoint.interval_s = std::max(200.0, 80.0 * static_cast<double>(loader.workers * loader.prefetch)) * kStepS;
  checkpoint.mode = draws.chance(0.5) ? models::CheckpointMode::sync : models::CheckpointMode::async;
  store.write_bandwidth_bytes_per_s = draws.between(0.3, 1.0) * store.bandwidth_bytes_per_s;
  checkpoint.bytes = draws.between(0.02, 0.2) * checkpoint.interval_s * store.write_bandwidth_bytes_per_s;
  const double ranks = static_cast<double>(scenario.cluster.pools[0].nodes * scenario.cluster.pools[0].gpus_per_node);
  checkpoint.writer_bytes_per_s = store.write_bandwidth_bytes_per_s / ranks * draws.between(0.5, 2.0);
  checkpoint.snapshot_bytes_per_s = checkpoint.bytes / ranks / (kStepS * draws.between(0.2, 3.0));
  scenario.jobs.front().checkpoint = checkpoint;
}

}  // namespace

models::Scenario random_scenario(std::uint64_t number) {
  Draws draws(number);
  models::Scenario scenario;
  scenario.title = "random scenario " + std::to_string(number);
  models::Pool pool;
  pool.name = "pool";
  pool.nodes = draws.one_of(1, 4);
  pool.gpus_per_node = draws.one_of(1, 4);
  models::Job job;
  job.name = "job";
  job.pool = "pool";
  job.datasets = {{"files", 1.0}};
  job.loader.workers = draws.one_of(1, 4);
  job.loader.prefetch = draws.one_of(1, 3);
  job.step.batch = draws.one_of(1, 8);
  job.step.step_time_s =
      draws.chance(0.5) ? DistributionSpec::constant(kStepS) : DistributionSpec::lognormal(kStepS, 0.2);
  if (draws.chance(0.5)) job.step.overhead_s = DistributionSpec::constant(draws.between(0.0, 0.1) * kStepS);
  models::Store store;
  store.name = "store";
  models::Dataset dataset;
  dataset.name = "files";
  dataset.store = "store";
  dataset.files = 1'000'000;
  dataset.sample_bytes = varied(draws, kSampleBytes);

  // A sample takes a worker so long in all that the workers of a rank are busy from half to one and a half.
  Demand demand{};
  demand.of_node_per_s = static_cast<double>(pool.gpus_per_node * job.step.batch) / kStepS;
  demand.of_job_per_s = static_cast<double>(pool.nodes) * demand.of_node_per_s;
  demand.sample_s =
      draws.between(0.5, 1.5) * kStepS * static_cast<double>(job.loader.workers) / static_cast<double>(job.step.batch);
  std::array<double, 4> part{};  // transfer, request, open, decode
  double all = 0.0;
  for (double& one : part) {
    one = draws.between(0.05, 1.0);
    all += one;
  }
  for (double& one : part) one /= all;
  const double core_s = part[3] * demand.sample_s;
  job.loader.cpu_s_per_sample = varied(draws, core_s);
  if (draws.chance(0.5)) pool.host.cores = servers_for(demand.of_node_per_s, core_s, draws.between(0.3, 1.1));

  scenario.cluster.pools = {pool};
  scenario.stores = {store};
  scenario.datasets = {dataset};
  scenario.jobs = {job};
  draw_store(draws, demand, part, scenario);
  // Never so little that one stream fills it.
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s =
      std::max(demand.of_node_per_s * kSampleBytes / draws.between(0.3, 1.1), *scenario.stores[0].stream_bytes_per_s);
  const double kind = draws.uniform();
  if (kind < 0.3) draw_cache(draws, demand, scenario);
  if (kind > 0.75) draw_checkpoint(draws, scenario);
  return scenario;
}

}  // namespace headrace::plain
