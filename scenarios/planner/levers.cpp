#include "scenarios/planner/levers.hpp"

#include <cmath>

#include "models/ingest_path.hpp"

namespace headrace::scenarios {
namespace {

using models::Scenario;

constexpr double kMore = 1.1;

models::Pool& pool_in(Scenario& scenario) {
  for (models::Pool& pool : scenario.cluster.pools)
    if (pool.name == scenario.jobs.front().pool) return pool;
  return scenario.cluster.pools.front();
}

models::Store& store_in(Scenario& scenario) {
  const std::string name = dataset_of(scenario, scenario.jobs.front()).store;
  for (models::Store& store : scenario.stores)
    if (store.name == name) return store;
  return scenario.stores.front();
}

bool more(double& value) {
  if (!(value > 0.0)) return false;
  value *= kMore;
  return true;
}

bool less(models::DistributionSpec& law) {
  if (!(mean_of(law) > 0.0)) return false;
  law = scaled(law, 1.0 / kMore);
  return true;
}

bool faster(Scenario& scenario, double factor) {
  models::TrainingStep& step = scenario.jobs.front().step;
  if (step.arithmetic || !(mean_of(step.step_time_s) > 0.0)) return false;
  step.step_time_s = scaled(step.step_time_s, 1.0 / factor);
  return true;
}

bool more_oversubscription(double& oversubscription) {
  oversubscription /= kMore;
  return true;
}

}  // namespace

const std::array<Lever, 15> kLevers{{
    {"store bandwidth +10 %", [](Scenario& s) { return more(store_in(s).bandwidth_bytes_per_s); }},
    {"store requests +10 %", [](Scenario& s) { return more(store_in(s).requests_per_s); }},
    {"store latency / 1.1", [](Scenario& s) { return less(store_in(s).latency_s); }},
    {"metadata time / 1.1", [](Scenario& s) { return less(store_in(s).metadata.latency_s); }},
    {"request limit +10 %", [](Scenario& s) { return more(store_in(s).limit.requests_per_s_per_prefix); }},
    {"one connection +10 %", [](Scenario& s) { return more(store_in(s).stream_bytes_per_s); }},
    {"node network +10 %", [](Scenario& s) { return more(pool_in(s).nic.bandwidth_bytes_per_s); }},
    {"leaf uplinks +10 %",
     [](Scenario& s) {
       return pool_in(s).nodes_per_leaf > 0 && more_oversubscription(s.fabric.leaf_oversubscription);
     }},
    {"node cache +10 %",
     [](Scenario& s) { return pool_in(s).cache.policy != models::CachePolicy::none && more(pool_in(s).cache.bytes); }},
    {"cores +10 %",
     [](Scenario& s) {
       std::uint64_t& cores = pool_in(s).host.cores;
       if (cores == 0) return false;
       cores = static_cast<std::uint64_t>(std::ceil(static_cast<double>(cores) * kMore));
       return true;
     }},
    {"CPU time per sample / 1.1", [](Scenario& s) { return less(s.jobs.front().loader.cpu_s_per_sample); }},
    {"workers +10 % (at least 1)",
     [](Scenario& s) {
       std::uint64_t& workers = s.jobs.front().loader.workers;
       if (s.jobs.front().loader.synchronous || s.jobs.front().loader.outstanding > 0) return false;
       workers = static_cast<std::uint64_t>(std::ceil(static_cast<double>(workers) * kMore));
       return true;
     }},
    {"prefetch +1",
     [](Scenario& s) {
       if (s.jobs.front().loader.synchronous || s.jobs.front().loader.outstanding > 0) return false;
       ++s.jobs.front().loader.prefetch;
       return true;
     }},
    {"GPUs 10 % faster", [](Scenario& s) { return faster(s, kMore); }},
    {"GPUs twice as fast", [](Scenario& s) { return faster(s, 2.0); }},
}};

}  // namespace headrace::scenarios
