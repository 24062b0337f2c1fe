#include "models/cluster/cluster_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/base/limits.hpp"
#include "models/hops/registry.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

/// A value that all users state alike, if there is one.
void agree(std::optional<double>& common, std::optional<double> value, bool first) {
  if (first)
    common = value;
  else if (common != value)
    common.reset();
}

void plan_services(const IngestPath& path, bool first, StorePlan& store) {
  const bool fcfs = path.granularity.kind == Granularity::Kind::sample;
  store.metadata.contended = path.metadata.contended;
  store.metadata.capacity_per_s = path.metadata.capacity_per_s;
  agree(store.metadata.cap_per_s, path.metadata.per_worker_per_s, first);
  if (fcfs) store.metadata.servers = whole_servers(path.metadata.capacity_per_s, 1.0);
  store.limit_requests_per_s = path.limit_requests_per_s;
  store.limit_burst_s = path.limit.burst_s;
  if (path.local_store) return;
  store.requests.contended = path.requests.contended;
  store.requests.capacity_per_s = path.requests.capacity_per_s;
  agree(store.requests.cap_per_s, path.request_cap_per_s(), first);
  if (fcfs) store.requests.servers = whole_servers(path.requests.capacity_per_s, path.request_latency_s.mean());
}

void add_nodes(const IngestPath& path, sim::FluidTreeSpec& network) {
  for (std::uint32_t node = 0; node < path.nodes; ++node)
    network.nodes.push_back({path.leaf_of(node), or_unlimited(path.nic_bytes_per_s)});
}

/// What tells traffic apart at links and services.
struct ClassOfTraffic {
  double weight = 1.0;  ///< of a transfer or request
  std::uint32_t rank = 0;

  friend bool operator==(const ClassOfTraffic&, const ClassOfTraffic&) = default;
};

/// Whole weights in the ratio of those given: exact where these are whole, else with the largest at sim::kMostWeight.
std::vector<ServiceUser> users_of(const std::vector<ClassOfTraffic>& classes) {
  double largest = 0.0;
  bool whole = true;
  for (const ClassOfTraffic& its : classes) {
    largest = std::max(largest, its.weight);
    whole = whole && its.weight == std::floor(its.weight);
  }
  const double scale = whole ? 1.0 : sim::kMostWeight / largest;
  std::vector<std::uint64_t> weights;
  std::uint64_t unit = 0;
  for (const ClassOfTraffic& its : classes) {
    weights.push_back(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(its.weight * scale + 0.5))));
    unit = std::gcd(unit, weights.back());
  }
  std::vector<ServiceUser> users;
  for (std::size_t i = 0; i < classes.size(); ++i)
    users.push_back({static_cast<std::uint32_t>(weights[i] / unit), classes[i].rank});
  return users;
}

/// The plan of several jobs and loads, put together store by store.
class Planner {
 public:
  Planner(const Scenario& scenario, Granularity granularity) : scenario_(scenario), granularity_(granularity) {}

  ClusterPlan plan() {
    for (std::size_t s = 0; s < scenario_.stores.size(); ++s) plan_.stores.emplace_back();
    for (std::size_t j = 0; j < scenario_.jobs.size(); ++j) place(j);
    for (std::size_t s = 0; s < plan_.stores.size(); ++s) join(s);
    for (std::size_t b = 0; b < scenario_.background.size(); ++b) add(b);
    for (std::size_t s = 0; s < plan_.stores.size(); ++s) tell_classes_apart(s);
    return std::move(plan_);
  }

 private:
  std::size_t store_index(const std::string& name) const {
    for (std::size_t s = 0; s < scenario_.stores.size(); ++s)
      if (scenario_.stores[s].name == name) return s;
    throw std::out_of_range("no store named '" + name + "'");
  }
  std::size_t pool_index(const std::string& name) const {
    for (std::size_t p = 0; p < scenario_.cluster.pools.size(); ++p)
      if (scenario_.cluster.pools[p].name == name) return p;
    throw std::out_of_range("no pool named '" + name + "'");
  }

  /// Jobs take the nodes of their pool in the order in which the scenario names them.
  void place(std::size_t j) {
    const Job& job = scenario_.jobs[j];
    const IngestPath path = resolve_path(scenario_, j, granularity_);
    const std::size_t p = pool_index(job.pool);
    used_nodes_.resize(scenario_.cluster.pools.size(), 0);
    for (std::uint64_t copy = 0; copy < job.copies; ++copy) {
      JobPlace place{j, store_index(dataset_of(scenario_, job).store), path};
      const Pool& pool = scenario_.cluster.pools[p];
      const std::uint64_t per_leaf = pool.nodes_per_leaf > 0 ? std::min(pool.nodes_per_leaf, pool.nodes) : pool.nodes;
      place.path.nodes_per_leaf = static_cast<std::uint32_t>(per_leaf);
      place.path.first_under_leaf = static_cast<std::uint32_t>(used_nodes_[p] % per_leaf);
      place.path.first_leaf = static_cast<std::uint32_t>(used_nodes_[p] / per_leaf);  // the pool's, see join()
      place.path.leaves = place.path.leaf_of(path.nodes - 1) - place.path.first_leaf + 1;
      place.path.draw_base = next_draw_;
      next_draw_ += std::max({path.loaders, path.nodes, 2U});
      used_nodes_[p] += path.nodes;
      plan_.jobs.push_back(std::move(place));
      pools_.push_back(p);
    }
  }

  /// Everything that the jobs of store `s` share: leaves of their pools side by side under the store, stations that
  /// serve whenever the store states a capacity.
  void join(std::size_t s) {
    StorePlan& store = plan_.stores[s];
    sim::FluidTreeSpec network;
    std::vector<std::uint32_t> first_leaf(scenario_.cluster.pools.size(), UINT32_MAX);
    const std::size_t pools = pools_on(s);
    bool first = true;
    for (std::size_t i = 0; i < plan_.jobs.size(); ++i) {
      JobPlace& place = plan_.jobs[i];
      if (place.store != s) continue;
      IngestPath& path = place.path;
      path.metadata.contended = path.metadata.capacity_per_s.has_value();
      if (!path.local_store) path.requests.contended = path.requests.capacity_per_s.has_value();
      if (!path.local_store) {
        if (pools > 1) spread_spine(scenario_.cluster.pools[pools_[i]], path);
        if (first_leaf[pools_[i]] == UINT32_MAX) first_leaf[pools_[i]] = add_leaves(pools_[i], path, network);
        path.first_leaf += first_leaf[pools_[i]];
        path.first_node = static_cast<std::uint32_t>(network.nodes.size());
        add_nodes(path, network);
        network.pool_bytes_per_s = or_unlimited(path.pool_bytes_per_s);
      }
      plan_services(path, first, store);
      first = false;
    }
    if (!network.nodes.empty() || serves_background(s)) store.network = std::move(network);
    first_leaf_.push_back(std::move(first_leaf));
  }

  std::size_t pools_on(std::size_t s) const {
    std::vector<std::size_t> pools;
    for (std::size_t i = 0; i < plan_.jobs.size(); ++i)
      if (plan_.jobs[i].store == s && std::find(pools.begin(), pools.end(), pools_[i]) == pools.end())
        pools.push_back(pools_[i]);
    return pools.size();
  }

  /// Each pool has a spine of its own, which the tree has no level for once several pools meet at a store.
  void spread_spine(const Pool& pool, IngestPath& path) const {
    const bool one_leaf = path.nodes_per_leaf >= pool.nodes;
    if (one_leaf)
      path.leaf_bytes_per_s = tightest({path.leaf_bytes_per_s, path.spine_bytes_per_s});
    else if (scenario_.fabric.spine_oversubscription > 1.0)
      throw UnusableRequest("jobs of several pools that read one store over an oversubscribed spine are not modelled",
                            "set fabric/spine_oversubscription to 1, or give each pool one leaf (nodes_per_leaf 0)");
    path.pool_bytes_per_s = tightest({path.store_bytes_per_s, path.front_end_bytes_per_s});
  }

  std::uint32_t add_leaves(std::size_t p, const IngestPath& path, sim::FluidTreeSpec& network) const {
    const auto first = static_cast<std::uint32_t>(network.leaves.size());
    const std::uint64_t nodes = scenario_.cluster.pools[p].nodes;
    const std::uint64_t leaves = (nodes + path.nodes_per_leaf - 1) / path.nodes_per_leaf;
    for (std::uint64_t leaf = 0; leaf < leaves; ++leaf) network.leaves.push_back({or_unlimited(path.leaf_bytes_per_s)});
    return first;
  }

  bool serves_background(std::size_t s) const {
    return std::any_of(scenario_.background.begin(), scenario_.background.end(),
                       [&](const Background& load) { return load.store == scenario_.stores[s].name; });
  }

  /// Batches per second that all jobs together take when nothing is waited for.
  double batches_per_s() const {
    double rate = 0.0;
    for (const JobPlace& place : plan_.jobs) rate += place.path.loaders / place.path.mean_step_floor_s();
    return rate;
  }

  void add(std::size_t b) {
    const Background& load = scenario_.background[b];
    const std::size_t s = store_index(load.store);
    const Store store = as_read(s);
    StorePlan& services = plan_.stores[s];
    BackgroundPlan plan;
    plan.load = b;
    plan.store = s;
    plan.clients = static_cast<std::uint32_t>(load.clients);
    plan.bursts = load.bursts;
    plan.draw_entity = next_draw_;
    next_draw_ += plan.clients;
    pace(load, store, plan);
    const double latency_s = mean_of(store.latency_s);
    const double opens = load.opens_per_request * plan.requests_per_train;
    plan.train_opens_s = opens * mean_of(store.metadata.latency_s);
    plan.train_requests_s = plan.requests_per_train * latency_s;
    plan.request_cap_per_s = latency_s > 0.0 ? 1.0 / latency_s : std::max(store.requests_per_s.value_or(1.0), 1.0);
    const std::optional<double> stream = load.stream_bytes_per_s ? load.stream_bytes_per_s : store.stream_bytes_per_s;
    plan.flow_cap_bytes_per_s = or_unlimited(stream);
    if (load.direction == BackgroundDirection::write && store.write_bandwidth_bytes_per_s > 0.0) {
      // A written byte takes the store as long as this many bytes read.
      const double weight = store.bandwidth_bytes_per_s / store.write_bandwidth_bytes_per_s;
      plan.train_bytes *= weight;
      if (stream) plan.flow_cap_bytes_per_s *= weight;
    }
    connect(load, s, plan);
    join_services(store, plan, services);
    plan_.background.push_back(std::move(plan));
  }

  /// The store with the bandwidth and the requests that the jobs on it find: after drives and redundancy.
  Store as_read(std::size_t s) const {
    Store store = scenario_.stores[s];
    for (const JobPlace& place : plan_.jobs) {
      if (place.store != s) continue;
      const Job& job = scenario_.jobs[place.job];
      const Store built = as_built(store, dataset_of(scenario_, job), job.loader);
      store.bandwidth_bytes_per_s = built.bandwidth_bytes_per_s;
      store.requests_per_s = built.requests_per_s;
      break;
    }
    return store;
  }

  /// Trains so long that the load causes no more events than the jobs, and at least one request. What a store cannot
  /// give lengthens no train.
  void pace(const Background& load, const Store& store, BackgroundPlan& plan) const {
    constexpr double kLeastTrainsPerS = 20.0;
    constexpr double kMostRequests = 1U << 24;
    const double requests_per_s = load.bandwidth_bytes_per_s / load.request_bytes;
    const double possible_per_s =
        std::min(load.bandwidth_bytes_per_s, store.bandwidth_bytes_per_s) / load.request_bytes;
    const double trains_per_s = std::max(kLeastTrainsPerS, batches_per_s());
    const double requests = std::clamp(std::floor(possible_per_s / trains_per_s), 1.0, kMostRequests);
    plan.requests_per_train = static_cast<std::uint32_t>(requests);
    plan.request_bytes = load.request_bytes;
    plan.train_bytes = requests * load.request_bytes;
    plan.mean_gap_s = static_cast<double>(plan.clients) * requests / requests_per_s;
  }

  /// Clients on the leaves of a pool, or right at the store; a limit is what they get at most.
  void connect(const Background& load, std::size_t s, BackgroundPlan& plan) {
    sim::FluidTreeSpec& network = *plan_.stores[s].network;
    plan.first_node = static_cast<std::uint32_t>(network.nodes.size());
    std::uint32_t first_leaf = UINT32_MAX;
    std::uint32_t leaves = 1;
    if (!load.pool.empty()) {
      const std::size_t p = pool_index(load.pool);
      const Pool& pool = scenario_.cluster.pools[p];
      first_leaf = first_leaf_[s][p];
      if (first_leaf != UINT32_MAX && pool.nodes_per_leaf > 0)
        leaves = static_cast<std::uint32_t>((pool.nodes + pool.nodes_per_leaf - 1) / pool.nodes_per_leaf);
    }
    if (first_leaf == UINT32_MAX) {  // no job comes this way: only the store is shared
      first_leaf = static_cast<std::uint32_t>(network.leaves.size());
      network.leaves.push_back({});
      if (network.leaves.size() == 1)
        network.pool_bytes_per_s = or_unlimited(tightest(
            {stated_limit(scenario_.stores[s].bandwidth_bytes_per_s), scenario_.stores[s].front_end_bytes_per_s}));
    }
    plan.nodes = std::min(leaves, plan.clients);
    const double weight = plan.train_bytes / (plan.requests_per_train * plan.request_bytes);  // of a written byte
    const double limit = or_unlimited(divided(times(load.limit_bytes_per_s, weight), plan.nodes));
    for (std::uint32_t node = 0; node < plan.nodes; ++node) network.nodes.push_back({first_leaf + node, limit});
  }

  /// Gives the nodes before a store their weights and priorities, and its services the classes of their users. Nothing
  /// changes where all traffic of the store is alike.
  void tell_classes_apart(std::size_t s) {
    StorePlan& store = plan_.stores[s];
    std::vector<ClassOfTraffic> classes;
    const auto number_of = [&classes](const TrafficClass& traffic, double hands) {
      const ClassOfTraffic its{traffic.weight_of_each(hands), traffic.rank()};
      const auto known = std::find(classes.begin(), classes.end(), its);
      const auto number = static_cast<std::uint32_t>(known - classes.begin());
      if (known == classes.end()) classes.push_back(its);
      return number;
    };
    for (JobPlace& place : plan_.jobs)
      if (place.store == s) place.path.service_user = number_of(scenario_.jobs[place.job].traffic, place.path.hands());
    for (BackgroundPlan& load : plan_.background)
      if (load.store == s)
        load.service_user = number_of(scenario_.background[load.load].traffic, static_cast<double>(load.clients));
    if (classes.size() < 2) return;
    store.users = users_of(classes);
    // A queue in order of arrival would know no classes: with them requests are shared at every granularity.
    store.metadata.servers = 0;
    store.requests.servers = 0;
    if (!store.network) return;
    const auto enter = [&store](std::uint32_t first, std::uint32_t nodes, std::uint32_t user) {
      for (std::uint32_t node = first; node < first + nodes; ++node) {
        store.network->nodes[node].weight = store.users[user].weight;
        store.network->nodes[node].priority = store.users[user].priority;
      }
    };
    for (const JobPlace& place : plan_.jobs)
      if (place.store == s && !place.path.local_store)
        enter(place.path.first_node, place.path.nodes, place.path.service_user);
    for (const BackgroundPlan& load : plan_.background)
      if (load.store == s) enter(load.first_node, load.nodes, load.service_user);
  }

  /// Background clients have one request under way, workers several lanes: the stations then serve by max-min.
  static void join_services(const Store& store, const BackgroundPlan& plan, StorePlan& services) {
    const auto mix = [](ServicePlan& service, std::optional<double> capacity_per_s, double cap_per_s) {
      if (!capacity_per_s) return;
      if (!service.contended)
        service = {true, capacity_per_s, cap_per_s, 0};
      else
        agree(service.cap_per_s, cap_per_s, false);
    };
    mix(services.metadata, store.metadata.servers, 1.0);
    mix(services.requests, store.requests_per_s, plan.request_cap_per_s);
    if (!services.limit_requests_per_s) {
      services.limit_requests_per_s = store.limit.requests_per_s();
      services.limit_burst_s = store.limit.burst_s;
    }
  }

  const Scenario& scenario_;
  Granularity granularity_;
  ClusterPlan plan_;
  std::vector<std::size_t> pools_;                      ///< of plan_.jobs
  std::vector<std::uint64_t> used_nodes_;               ///< per pool
  std::vector<std::vector<std::uint32_t>> first_leaf_;  ///< [store][pool], in the store's network
  std::uint32_t next_draw_ = 0;
};

/// Time in which a job forgets what was before: its stock of batches, several times over.
double settling_time_s(const ClusterPlan& plan) {
  constexpr double kTimes = 20.0;
  double longest_s = 0.0;
  for (const JobPlace& place : plan.jobs)
    longest_s = std::max(longest_s, kTimes * (place.path.outstanding + 1.0) * place.path.mean_step_floor_s());
  return longest_s;
}

bool is_slow(const BackgroundPlan& load, double settling_s) {
  return load.bursts && load.bursts->on_s >= settling_s && load.bursts->off_s >= settling_s;
}

}  // namespace

std::vector<LoadState> take_slow_states(ClusterPlan& plan, std::size_t loads) {
  constexpr std::size_t kMostStates = 8;
  std::vector<LoadState> states{{1.0, std::vector<bool>(loads, false)}};
  const double settling_s = settling_time_s(plan);
  for (BackgroundPlan& load : plan.background) {
    if (!is_slow(load, settling_s) || states.size() == kMostStates) continue;
    const std::size_t active = states.size();
    for (std::size_t i = 0; i < active; ++i) {
      LoadState resting = states[i];
      resting.share *= 1.0 - load.bursts->active_share();
      resting.rests[load.load] = true;
      states[i].share *= load.bursts->active_share();
      states.push_back(std::move(resting));
    }
    load.bursts.reset();
  }
  return states;
}

ClusterPlan in_state(ClusterPlan plan, const LoadState& state) {
  std::erase_if(plan.background, [&](const BackgroundPlan& load) { return state.rests[load.load]; });
  return plan;
}

void require_all_at_once(const Scenario& scenario) {
  for (const Pool& pool : scenario.cluster.pools) {
    std::uint64_t nodes = 0;
    std::uint64_t jobs = 0;
    for (const Job& job : scenario.jobs) {
      if (job.pool != pool.name) continue;
      jobs += job.copies;
      nodes += job.copies * (job.nodes > 0 ? job.nodes : pool.nodes);
    }
    if (jobs > 1 && nodes > pool.nodes)
      throw UnusableRequest("the jobs of pool '" + pool.name + "' take " + std::to_string(nodes) +
                                " nodes in all, and it has " + std::to_string(pool.nodes) +
                                ": they run one after the other",
                            "use headrace campaign, which lets jobs queue, or keep fewer jobs");
  }
}

bool is_shared(const Scenario& scenario) {
  return scenario.jobs.size() > 1 || scenario.jobs.front().copies > 1 || !scenario.background.empty();
}

Scenario job_alone(const Scenario& scenario, std::size_t job) {
  Scenario alone = scenario;
  alone.jobs = {scenario.jobs.at(job)};
  alone.jobs.front().copies = 1;
  alone.background.clear();
  return alone;
}

ClusterPlan plan_alone(const IngestPath& path) {
  ClusterPlan plan;
  StorePlan store;
  plan_services(path, true, store);
  if (!path.local_store) {
    sim::FluidTreeSpec network;
    network.pool_bytes_per_s =
        or_unlimited(path.tiers.one_network_bytes_per_s ? path.tiers.one_network_bytes_per_s : path.pool_bytes_per_s);
    for (std::uint32_t leaf = 0; leaf < path.leaves; ++leaf)
      network.leaves.push_back({or_unlimited(times(path.leaf_bytes_per_s, path.tiers.leaf_scale))});
    add_nodes(path, network);
    store.network = std::move(network);
  }
  plan.stores.push_back(std::move(store));
  plan.jobs.push_back({0, 0, path, nullptr});
  return plan;
}

void enter_window(ClusterPlan& plan, std::size_t job, const EpochWindow& window) {
  IngestPath& path = plan.jobs[job].path;
  const bool rescaled = path.tiers.one_network_bytes_per_s.has_value();
  path = in_window(std::move(path), window);
  // A network that also carries what peers and shared caches send has limits of its own in every window.
  if (plan.jobs.size() == 1 && (rescaled || path.tiers.one_network_bytes_per_s)) plan.stores = plan_alone(path).stores;
}

ClusterPlan plan_cluster(const Scenario& scenario, Granularity granularity) {
  if (!is_shared(scenario)) return plan_alone(resolve_path(scenario, 0, granularity));
  require_all_at_once(scenario);
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) {
    const CacheStack stack = cache_stack(scenario, job);
    if (stack.partitioned || stack.shared_fraction > 0.0)
      throw UnusableRequest(
          "caches that nodes share are not modelled together with other jobs or background load",
          "simulate the job alone, or set the scope of the cache to per_node and remove the cache of the store");
  }
  return Planner(scenario, granularity).plan();
}

}  // namespace headrace::models
