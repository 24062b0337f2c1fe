#include "scenarios/remedies/levers.hpp"

#include <algorithm>
#include <cmath>

#include "models/path/ingest_path.hpp"

namespace headrace::scenarios {
namespace {

using models::Scenario;

/// Changes every job, the pools that they train on, or the stores that they read; true if any of them was changed.
template <class Change>
bool each_job(Scenario& scenario, const Change& change) {
  bool any = false;
  for (models::Job& job : scenario.jobs) any = change(job) || any;
  return any;
}

template <class Change>
bool each_pool(Scenario& scenario, const Change& change) {
  bool any = false;
  for (models::Pool& pool : scenario.cluster.pools) {
    const bool used = std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                                  [&](const models::Job& job) { return job.pool == pool.name; });
    any = (used && change(pool)) || any;
  }
  return any;
}

template <class Change>
bool each_store(Scenario& scenario, const Change& change) {
  bool any = false;
  for (models::Store& store : scenario.stores) {
    const bool used = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const models::Job& job) {
      return dataset_of(scenario, job).store == store.name;
    });
    any = (used && change(store)) || any;
  }
  return any;
}

bool more(double& value, double factor) {
  if (!(value > 0.0)) return false;
  value *= factor;
  return true;
}

bool more(std::optional<double>& limit, double factor) {
  if (!limit) return false;
  *limit *= factor;
  return true;
}

bool less(models::DistributionSpec& law, double factor) {
  if (!(mean_of(law) > 0.0)) return false;
  law = scaled(law, 1.0 / factor);
  return true;
}

bool faster(models::Job& job, double factor) {
  models::TrainingStep& step = job.step;
  if (step.arithmetic || !(mean_of(step.step_time_s) > 0.0)) return false;
  step.step_time_s = scaled(step.step_time_s, 1.0 / factor);
  return true;
}

bool chooses_workers(const models::Job& job) { return !job.loader.synchronous && job.loader.outstanding == 0; }

/// At least one more.
void raise(std::uint64_t& count, double factor) {
  count = static_cast<std::uint64_t>(std::ceil(static_cast<double>(count) * factor));
}

/// With the drives or the memory that hold it.
bool larger_cache(models::Pool& pool, double factor) {
  if (pool.cache.policy == models::CachePolicy::none || !more(pool.cache.bytes, factor)) return false;
  double& device = pool.cache.medium == models::CacheMedium::nvme ? pool.drives.capacity_bytes : pool.host.memory_bytes;
  if (device > 0.0) device = std::max(device, pool.cache.bytes);
  return true;
}

bool more_leaf_uplinks(Scenario& scenario, double factor) {
  const bool leaves = each_pool(scenario, [](models::Pool& pool) { return pool.nodes_per_leaf > 0; });
  if (leaves) scenario.fabric.leaf_oversubscription /= factor;
  return leaves;
}

}  // namespace

const std::array<Lever, 16> kLevers{{
    {"store bandwidth +10 %", "double the bandwidth of the store", "stores/bandwidth",
     [](Scenario& s, double f) {
       return each_store(s, [f](models::Store& x) {
         if (x.schedule) x.schedule->usd_per_hour *= f;  // the price of the stated figures
         return more(x.bandwidth_bytes_per_s, f);
       });
     }},
    {"store requests +10 %", "double the requests per second of the store", "stores/requests",
     [](Scenario& s, double f) { return each_store(s, [f](models::Store& x) { return more(x.requests_per_s, f); }); }},
    {"drives of the store +10 % (at least 1)", "double the drives of the store", "stores/drives/count",
     [](Scenario& s, double f) {
       return each_store(s, [f](models::Store& x) {
         if (x.drives) raise(x.drives->count, f);
         return x.drives.has_value();
       });
     }},
    {"store latency / 1.1", "halve the latency of the store", "stores/latency",
     [](Scenario& s, double f) { return each_store(s, [f](models::Store& x) { return less(x.latency_s, f); }); }},
    {"metadata time / 1.1", "halve the time to open a file", "stores/metadata/latency",
     [](Scenario& s, double f) {
       return each_store(s, [f](models::Store& x) { return less(x.metadata.latency_s, f); });
     }},
    {"request limit +10 %", "spread the objects over twice the prefixes", "stores/limit/prefixes",
     [](Scenario& s, double f) {
       return each_store(s, [f](models::Store& x) { return more(x.limit.requests_per_s_per_prefix, f); });
     }},
    {"one connection +10 %", "double the rate of one connection to the store", "stores/stream",
     [](Scenario& s, double f) {
       return each_store(s, [f](models::Store& x) { return more(x.stream_bytes_per_s, f); });
     }},
    {"node network +10 %", "double the network bandwidth of each node", "pools/nic/bandwidth",
     [](Scenario& s, double f) {
       return each_pool(s, [f](models::Pool& x) { return more(x.nic.bandwidth_bytes_per_s, f); });
     }},
    {"leaf uplinks +10 %", "double the uplinks of each leaf, and the spine with them", "fabric/leaf_oversubscription",
     more_leaf_uplinks},
    {"node cache +10 %", "double the cache of each node", "pools/cache/bytes",
     [](Scenario& s, double f) { return each_pool(s, [f](models::Pool& x) { return larger_cache(x, f); }); }},
    {"cores +10 %", "double the cores of each node", "pools/host/cores",
     [](Scenario& s, double f) {
       return each_pool(s, [f](models::Pool& x) {
         if (x.host.cores) raise(*x.host.cores, f);
         return x.host.cores.has_value();
       });
     }},
    {"CPU time per sample / 1.1", "halve the CPU time of a sample", "loader/cpu_per_sample",
     [](Scenario& s, double f) {
       return each_job(s, [f](models::Job& x) { return less(x.loader.cpu_s_per_sample, f); });
     }},
    {"workers +10 % (at least 1)", "double the workers of each loader", "loader/workers",
     [](Scenario& s, double f) {
       return each_job(s, [f](models::Job& x) {
         if (chooses_workers(x)) raise(x.loader.workers, f);
         return chooses_workers(x);
       });
     }},
    {"prefetch +10 % (at least 1)", "double the prefetch of each worker", "loader/prefetch",
     [](Scenario& s, double f) {
       return each_job(s, [f](models::Job& x) {
         if (chooses_workers(x)) raise(x.loader.prefetch, f);
         return chooses_workers(x);
       });
     }},
    {"GPUs 10 % faster", "", "step/step_time",
     [](Scenario& s, double f) { return each_job(s, [f](models::Job& x) { return faster(x, f); }); }},
    {"GPUs twice as fast", "", "step/step_time",
     [](Scenario& s, double) { return each_job(s, [](models::Job& x) { return faster(x, 2.0); }); }},
}};

}  // namespace headrace::scenarios
