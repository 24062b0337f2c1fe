#include "models/outcome/unused_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "models/outcome/unused_training_inputs.hpp"

namespace headrace::models {

namespace {

/// Traffic of a store and who causes it.
struct Traffic {
  std::string who;
  TrafficClass its;
};

const Store* store_read_by(const Scenario& scenario, const Job& job) {
  if (job.datasets.empty()) return nullptr;
  const Dataset* data = detail::find_by_name(scenario.datasets, job.datasets.front().dataset);
  return data == nullptr ? nullptr : detail::find_by_name(scenario.stores, data->store);
}

bool writes_to(const Checkpoint& checkpoint, const std::string& store) {
  return checkpoint.store == store || std::any_of(checkpoint.tiers.begin(), checkpoint.tiers.end(),
                                                  [&](const CheckpointTier& tier) { return tier.store == store; });
}

std::vector<Traffic> traffic_of(const Scenario& scenario, const Store& store) {
  std::vector<Traffic> all;
  for (const Job& job : scenario.jobs) {
    if (store_read_by(scenario, job) == &store) all.push_back({"job '" + job.name + "'", job.traffic});
    if (job.checkpoint && writes_to(*job.checkpoint, store.name))
      all.push_back({"checkpoints of '" + job.name + "'", job.checkpoint->traffic});
  }
  for (const Background& load : scenario.background)
    if (load.store == store.name) all.push_back({"background '" + load.name + "'", load.traffic});
  return all;
}

/// Often a layer whose store has another name than the one that it is meant to change.
void check_store(const Scenario& scenario, const Store& store, std::vector<Warning>& unused) {
  const bool holds_data = std::any_of(scenario.datasets.begin(), scenario.datasets.end(),
                                      [&](const Dataset& data) { return data.store == store.name; });
  const bool is_source = std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                                     [&](const Job& job) { return job.staging && job.staging->from == store.name; });
  if (holds_data || is_source || !traffic_of(scenario, store).empty()) return;
  std::string fix = "remove it";
  if (!scenario.datasets.empty())
    fix = "a layer changes the store whose name it has: name it '" + scenario.datasets.front().store + "', or " + fix;
  unused.push_back({"store '" + store.name + "' has no effect",
                    "no dataset, copy, checkpoint or background load uses it", std::move(fix)});
}

/// Only checkpoints are written to a store at a rate that falls.
void check_write_cache(const Scenario& scenario, const Store& store, std::vector<Warning>& unused) {
  const bool written = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const Job& job) {
    return job.checkpoint && writes_to(*job.checkpoint, store.name);
  });
  if (store.write_cache && !written)
    unused.push_back({"write_cache of store '" + store.name + "' has no effect", "no checkpoint is written there",
                      "remove it; what the cache of a node writes has its own (pools/cache/write_cache)"});
}

bool states_classes(const Scenario& scenario) {
  const auto stated = [](const TrafficClass& its) { return its != TrafficClass{}; };
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                     [&](const Job& job) {
                       return stated(job.traffic) || (job.checkpoint && stated(job.checkpoint->traffic));
                     }) ||
         std::any_of(scenario.background.begin(), scenario.background.end(),
                     [&](const Background& load) { return stated(load.traffic); });
}

/// Weights and priorities that meet no other traffic, or a queue that knows none.
void check_classes(const Scenario& scenario, const Store& store, std::vector<Warning>& unused) {
  const std::vector<Traffic> all = traffic_of(scenario, store);
  const auto stated =
      std::find_if(all.begin(), all.end(), [](const Traffic& traffic) { return traffic.its != TrafficClass{}; });
  if (stated == all.end()) return;
  const std::string place = "store '" + store.name + "'";
  const std::string seen = "weight and priority of " + stated->who + " have no effect at " + place;
  const bool alike = std::all_of(all.begin(), all.end(), [&](const Traffic& t) { return t.its == stated->its; });
  const bool by_number = stated->its.weight_of == WeightOf::all && all.size() > 1;
  if (!store.is_shared())
    unused.push_back({seen, "the drives of a node serve all requests equally", "remove them"});
  else if (alike && !by_number)
    unused.push_back(
        {seen, "all traffic there has the same weight and priority", "give other traffic another weight or priority"});
  else if (store.limit.requests_per_s_per_prefix)
    unused.push_back({"the request limit of " + place + " ignores weights and priorities",
                      "it answers in order of arrival, with 503 to any class",
                      "spread the data over more prefixes, or give the other traffic a limit"});
}

/// Partitions split under the LIST requests of a start.
void check_splits(const Scenario& scenario, const Store& store, std::vector<Warning>& unused) {
  if (!(store.limit.split_s > 0.0)) return;
  const bool limited = store.limit.requests_per_s_per_prefix.has_value();
  const bool listed = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const Job& job) {
    return store_read_by(scenario, job) == &store && job.index && job.index->mode != IndexMode::manifest;
  });
  if (limited && listed) return;
  unused.push_back(
      {"limit/split of store '" + store.name + "' has no effect",
       limited ? "partitions split only while a job lists objects, and no job does: training has `prefixes` of them"
               : "without limit/requests_per_prefix there is no limit",
       limited ? "give the job an index, or set prefixes to the number after the splits"
               : "give limit/requests_per_prefix"});
}

void check_collectives(const Scenario& scenario, std::vector<Warning>& unused) {
  const Fabric& fabric = scenario.fabric;
  const bool shared = fabric.collectives == CollectiveTraffic::shared;
  if (!shared && fabric.collective_bytes > 0.0)
    unused.push_back({"the exchange of fabric/collective_bytes takes no time",
                      "collectives have separate links (fabric/collectives: separate)",
                      "set collectives to shared, or give jobs/step/collective_exposed or jobs/collective"});
  if (!shared && fabric.ingest_weight != Fabric{}.ingest_weight)
    unused.push_back({"fabric/ingest_weight has no effect",
                      "collectives have separate links (fabric/collectives: separate)", "set collectives to shared"});
  if (!shared) return;
  const auto crosses = [&](const Job& job) {
    const Pool* pool = detail::find_by_name(scenario.cluster.pools, job.pool);
    const Store* store = store_read_by(scenario, job);
    return store != nullptr && store->is_shared() &&
           (job.nodes > 0     ? job.nodes
            : pool == nullptr ? 1
                              : pool->nodes) > 1;
  };
  if (std::none_of(scenario.jobs.begin(), scenario.jobs.end(), crosses))
    unused.push_back(
        {"fabric/collectives: shared has no effect",
         "a job on one node, or with a store local to its nodes, has no ingest on the links of collectives",
         "remove it"});
}

/// What lies between stores and nodes, where no byte comes that way.
void check_fabric(const Scenario& scenario, std::vector<Warning>& unused) {
  const auto over_fabric = [&](const Job& job) {
    const Store* store = store_read_by(scenario, job);
    const Pool* pool = detail::find_by_name(scenario.cluster.pools, job.pool);
    return store == nullptr || store->is_shared() ||
           (pool != nullptr && pool->cache.policy != CachePolicy::none && pool->cache.scope == CacheScope::partitioned);
  };
  if (scenario.jobs.empty() || std::any_of(scenario.jobs.begin(), scenario.jobs.end(), over_fabric)) return;
  const Fabric& fabric = scenario.fabric;
  const Transport& transport = fabric.transport;
  std::string stated;
  const auto add = [&stated](bool is_stated, const char* what) {
    if (!is_stated) return;
    if (!stated.empty()) stated += ", ";
    stated += what;
  };
  add(transport.efficiency != 1.0 || transport.latency_s > 0.0 || transport.core_bytes_per_s ||
          transport.cpu_s_per_request > 0.0 || !transport.by_request.empty() || !transport.by_connections.empty(),
      "transport");
  add(fabric.decrypt_bytes_per_s.has_value(), "decrypt");
  add(fabric.access_check_s > 0.0, "access_check");
  add(fabric.wan.has_value(), "wan");
  add(fabric.leaf_oversubscription > 1.0 || fabric.spine_oversubscription > 1.0, "oversubscription");
  if (!stated.empty())
    unused.push_back({"fabric (" + stated + ") has no effect", "every job reads a store local to its nodes",
                      "remove it, or set the kind of the store to parallel_fs or object_store"});
}

/// Each store has a tree of its own over the leaves of a pool.
void check_uplinks(const Scenario& scenario, std::vector<Warning>& unused) {
  if (scenario.fabric.leaf_oversubscription <= 1.0 && scenario.fabric.spine_oversubscription <= 1.0) return;
  for (const Pool& pool : scenario.cluster.pools) {
    std::vector<std::string> stores;
    const auto add = [&stores](const std::string& name) {
      if (std::find(stores.begin(), stores.end(), name) == stores.end()) stores.push_back(name);
    };
    for (const Job& job : scenario.jobs)
      if (const Store* store = store_read_by(scenario, job); job.pool == pool.name && store && store->is_shared())
        add(store->name);
    for (const Background& load : scenario.background)
      if (load.pool == pool.name) add(load.store);
    if (stores.size() > 1)
      unused.push_back({"uplinks of pool '" + pool.name + "' are modelled separately for each of its stores",
                        "reads from '" + stores[0] + "' and '" + stores[1] +
                            "' share the same oversubscribed links, which is not modelled",
                        "raise the oversubscription by the other store's share, or simulate one store"});
  }
}

/// A cache whose size is to be planned may hold nothing today.
void check_cache(const Scenario& scenario, std::size_t index, std::vector<Warning>& unused) {
  const Pool& pool = scenario.cluster.pools[index];
  const std::string size = fmt::format("/cluster/pools/{}/cache/bytes", index);
  const bool is_planned = std::any_of(scenario.decide.begin(), scenario.decide.end(),
                                      [&](const Decision& one) { return one.parameter == size; });
  if (is_planned || (pool.cache.policy == CachePolicy::none) == !(pool.cache.bytes > 0.0)) return;
  const std::string cache = "the cache of pool '" + pool.name + "'";
  if (pool.cache.policy == CachePolicy::none)
    unused.push_back({cache + " is not used", "its policy is none", "set cache/policy, such as lru or pinned"});
  else
    unused.push_back({cache + " holds nothing", "its size is 0", "give cache/bytes"});
}

/// What an earlier job or a copy ahead left, where nothing keeps it.
void check_staging(const Scenario& scenario, const Job& job, std::vector<Warning>& unused) {
  if (!job.staging || job.staging->mode == StagingMode::prestage_store) return;
  const Pool* pool = detail::find_by_name(scenario.cluster.pools, job.pool);
  const Store* store = store_read_by(scenario, job);
  if (pool == nullptr || store == nullptr) return;
  const bool of_node = pool->cache.policy != CachePolicy::none && pool->cache.bytes > 0.0;
  const bool pages = job.staging->mode == StagingMode::warm && pool->host.page_cache.bytes > 0.0;
  const bool of_store = store->cache && store->cache->policy != CachePolicy::none && store->cache->bytes > 0.0;
  if (!of_node && !pages && !of_store)
    unused.push_back({"staging of job '" + job.name + "' has no effect", "there is no cache to fill",
                      "give the pool or the store a cache, or set the mode to prestage_store"});
}

void check_step(const Job& job, std::vector<Warning>& unused) {
  if (job.step.arithmetic && mean_of(job.step.step_time_s) > 0.0)
    unused.push_back({"step/arithmetic of job '" + job.name + "' is not used", "step_time overrides it",
                      "remove step_time to derive the time from FLOPs"});
}

}  // namespace

std::vector<Warning> unused_stores(const Scenario& scenario) {
  std::vector<Warning> unused;
  for (const Store& store : scenario.stores) check_store(scenario, store, unused);
  return unused;
}

std::vector<Warning> unused_inputs(const Scenario& scenario) {
  std::vector<Warning> unused;
  const bool classes = states_classes(scenario);
  for (const Store& store : scenario.stores) {
    if (classes) check_classes(scenario, store, unused);
    check_splits(scenario, store, unused);
    check_store(scenario, store, unused);
    check_write_cache(scenario, store, unused);
  }
  check_collectives(scenario, unused);
  check_fabric(scenario, unused);
  check_uplinks(scenario, unused);
  for (std::size_t i = 0; i < scenario.cluster.pools.size(); ++i) check_cache(scenario, i, unused);
  for (const Job& job : scenario.jobs) {
    check_staging(scenario, job, unused);
    check_step(job, unused);
    add_unused_training_inputs(scenario, job, unused);
  }
  return unused;
}

bool has_no_effect(const Warning& warning) { return warning.seen.ends_with("has no effect"); }

}  // namespace headrace::models
