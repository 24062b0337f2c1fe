#include "scenarios/planner/levers.hpp"

#include <algorithm>
#include <cmath>

#include "models/path/ingest_path.hpp"

namespace headrace::scenarios {
namespace {

using models::Scenario;

constexpr double kMore = 1.1;

/// Changes every job, the pools that they train on, or the stores that they read; true if any of them was changed.
bool each_job(Scenario& scenario, bool (*change)(models::Job&)) {
  bool any = false;
  for (models::Job& job : scenario.jobs) any = change(job) || any;
  return any;
}

bool each_pool(Scenario& scenario, bool (*change)(models::Pool&)) {
  bool any = false;
  for (models::Pool& pool : scenario.cluster.pools) {
    const bool used = std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                                  [&](const models::Job& job) { return job.pool == pool.name; });
    any = (used && change(pool)) || any;
  }
  return any;
}

bool each_store(Scenario& scenario, bool (*change)(models::Store&)) {
  bool any = false;
  for (models::Store& store : scenario.stores) {
    const bool used = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const models::Job& job) {
      return dataset_of(scenario, job).store == store.name;
    });
    any = (used && change(store)) || any;
  }
  return any;
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

bool faster(models::Job& job, double factor) {
  models::TrainingStep& step = job.step;
  if (step.arithmetic || !(mean_of(step.step_time_s) > 0.0)) return false;
  step.step_time_s = scaled(step.step_time_s, 1.0 / factor);
  return true;
}

bool chooses_workers(const models::Job& job) { return !job.loader.synchronous && job.loader.outstanding == 0; }

std::uint64_t tenth_more(std::uint64_t count) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(count) * kMore));
}

bool more_leaf_uplinks(Scenario& scenario) {
  const bool leaves = each_pool(scenario, [](models::Pool& pool) { return pool.nodes_per_leaf > 0; });
  if (leaves) scenario.fabric.leaf_oversubscription /= kMore;
  return leaves;
}

}  // namespace

const std::array<Lever, 15> kLevers{{
    {"store bandwidth +10 %",
     [](Scenario& s) { return each_store(s, [](models::Store& x) { return more(x.bandwidth_bytes_per_s); }); }},
    {"store requests +10 %",
     [](Scenario& s) { return each_store(s, [](models::Store& x) { return more(x.requests_per_s); }); }},
    {"store latency / 1.1",
     [](Scenario& s) { return each_store(s, [](models::Store& x) { return less(x.latency_s); }); }},
    {"metadata time / 1.1",
     [](Scenario& s) { return each_store(s, [](models::Store& x) { return less(x.metadata.latency_s); }); }},
    {"request limit +10 %",
     [](Scenario& s) {
       return each_store(s, [](models::Store& x) { return more(x.limit.requests_per_s_per_prefix); });
     }},
    {"one connection +10 %",
     [](Scenario& s) { return each_store(s, [](models::Store& x) { return more(x.stream_bytes_per_s); }); }},
    {"node network +10 %",
     [](Scenario& s) { return each_pool(s, [](models::Pool& x) { return more(x.nic.bandwidth_bytes_per_s); }); }},
    {"leaf uplinks +10 %", more_leaf_uplinks},
    {"node cache +10 %",
     [](Scenario& s) {
       return each_pool(
           s, [](models::Pool& x) { return x.cache.policy != models::CachePolicy::none && more(x.cache.bytes); });
     }},
    {"cores +10 %",
     [](Scenario& s) {
       return each_pool(s, [](models::Pool& x) {
         x.host.cores = tenth_more(x.host.cores);
         return x.host.cores > 0;
       });
     }},
    {"CPU time per sample / 1.1",
     [](Scenario& s) { return each_job(s, [](models::Job& x) { return less(x.loader.cpu_s_per_sample); }); }},
    {"workers +10 % (at least 1)",
     [](Scenario& s) {
       return each_job(s, [](models::Job& x) {
         if (chooses_workers(x)) x.loader.workers = tenth_more(x.loader.workers);
         return chooses_workers(x);
       });
     }},
    {"prefetch +1",
     [](Scenario& s) {
       return each_job(s, [](models::Job& x) {
         if (chooses_workers(x)) ++x.loader.prefetch;
         return chooses_workers(x);
       });
     }},
    {"GPUs 10 % faster", [](Scenario& s) { return each_job(s, [](models::Job& x) { return faster(x, kMore); }); }},
    {"GPUs twice as fast", [](Scenario& s) { return each_job(s, [](models::Job& x) { return faster(x, 2.0); }); }},
}};

}  // namespace headrace::scenarios
