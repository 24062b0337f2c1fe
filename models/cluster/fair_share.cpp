#include "models/cluster/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/base/limits.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/hops/hop.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"
#include "sim/fluid_tree.hpp"

namespace headrace::models {

namespace {

/// A job as the store sees it: what it asks for per second at each of the store's resources, and with how many hands.
struct User {
  std::size_t job = 0;
  std::vector<ResourceFloor> floors;
  double step_time_s = 1.0;
  double hands = 1.0;
  TrafficClass traffic;
  IngestPath path;
};

User user_of(const Scenario& scenario, std::size_t job) {
  IngestPath path = in_window(resolve_path(scenario, job, {}), mean_window(closed_form_windows(scenario, job)));
  User user{job, resource_floors(path), step_time_bound_s(path), path.hands(), scenario.jobs[job].traffic, {}};
  user.path = std::move(path);
  return user;
}

double demand_per_s(const User& user, Resource resource) {
  for (const ResourceFloor& floor : user.floors)
    if (floor.resource == resource) return floor.demand_per_step / user.step_time_s;
  return 0.0;
}

/// Seconds that a batch is away from the resource for each unit that it takes there.
double away_s_per_unit(const User& user, Resource resource) {
  const double units = batch_demand(user.path, resource);
  return units > 0.0 ? time_away_s(user.path, resource) / units : 0.0;
}

/// The store as the readers of one of the jobs find it: after drives and redundancy.
Store store_for(const Scenario& scenario, const Store& store) {
  for (const Job& job : scenario.jobs)
    if (dataset_of(scenario, job).store == store.name) return as_built(store, dataset_of(scenario, job), job.loader);
  return store;
}

/// A written byte costs the store as much as this many bytes of reading.
double weight_of(const Background& load, const Store& store) {
  const bool writes = load.direction == BackgroundDirection::write && store.write_bandwidth_bytes_per_s > 0.0;
  return writes ? store.bandwidth_bytes_per_s / store.write_bandwidth_bytes_per_s : 1.0;
}

double asked_bytes_per_s(const Background& load) {
  const double asked = load.bandwidth_bytes_per_s;
  const double limited = capped(asked, load.limit_bytes_per_s);
  return limited * (load.bursts ? load.bursts->active_share() : 1.0);
}

/// Claims on a store's bandwidth (`bytes`) or requests: of the users, then of all background loads in their order.
/// Loads on other stores ask for nothing. The request limit knows no classes of traffic.
std::vector<Claim> claims_on(const Scenario& scenario, const Store& store, const std::vector<User>& users,
                             Resource resource, bool bytes) {
  std::vector<Claim> claims;
  const auto claim = [&](double asked_per_s, double hands, TrafficClass traffic, double away_s) {
    if (resource == Resource::request_limit) traffic = {};
    const double weight = traffic.weight_of_each(hands);
    claims.push_back({asked_per_s, hands * weight, traffic.rank(), away_s * weight});
  };
  for (const User& user : users)
    claim(demand_per_s(user, resource), user.hands, user.traffic, away_s_per_unit(user, resource));
  for (const Background& load : scenario.background) {
    const double per_s = load.store == store.name ? asked_bytes_per_s(load) : 0.0;
    const double asked = bytes ? per_s * weight_of(load, store) : per_s / load.request_bytes;
    claim(asked, static_cast<double>(load.clients), load.traffic, 0.0);
  }
  return claims;
}

/// Every job and copy on the store but one copy of `besides`.
std::vector<User> users_of(const Scenario& scenario, const std::string& store, std::size_t besides) {
  std::vector<User> users;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) {
    if (dataset_of(scenario, scenario.jobs[job]).store != store) continue;
    const std::uint64_t copies = scenario.jobs[job].copies - (job == besides ? 1 : 0);
    if (copies == 0) continue;
    const User user = user_of(scenario, job);
    for (std::uint64_t copy = 0; copy < copies; ++copy) users.push_back(user);
  }
  return users;
}

}  // namespace

JobDemand demand_of_job(const Scenario& scenario, std::size_t job, Resource resource) {
  const User user = user_of(scenario, job);
  for (const ResourceFloor& floor : user.floors)
    if (floor.resource == resource)
      return {floor.demand_per_step / user.step_time_s, floor.capacity_per_s, user.hands,
              away_s_per_unit(user, resource)};
  return {0.0, 0.0, user.hands, 0.0};
}

double left_for_first(double capacity_per_s, const std::vector<Claim>& claims) {
  const std::vector<double> shares = weighted_max_min(capacity_per_s, claims);
  double left = capacity_per_s;
  for (std::size_t i = 1; i < shares.size(); ++i)
    if (claims[i].priority >= claims.front().priority) left -= shares[i];
  return std::max(left, shares.front());
}

/// Where others leave nothing, the job asks for nothing while it trains, so that what is left limits a restart only: it
/// reads at a hundredth of the speed, never for ever.
double or_least(double left, double capacity) { return left > 0.0 ? left : 0.01 * capacity; }

void scale_store(Store& store, double bandwidth, double requests) {
  store.bandwidth_bytes_per_s *= bandwidth;
  store.requests_per_s = stated_limit(as_written(store.requests_per_s) * requests);
  if (!store.drives && store.kind != StoreKind::hdd) return;
  if (!store.drives) store.drives.emplace();
  StoreDrives& drives = *store.drives;
  drives.bandwidth_bytes_per_s *= bandwidth;
  if (store.kind == StoreKind::hdd && !(drives.positioning_s > 0.0)) drives.positioning_s = kDiskPositioningS;
  if (drives.positioning_s > 0.0 && !(mean_of(store.latency_s) > 0.0))  // of one request, which is as before
    store.latency_s = DistributionSpec::constant(drives.positioning_s);
  drives.positioning_s /= requests;
}

double served_bytes_per_s(const Scenario& scenario, std::size_t load) {
  const Background& asking = scenario.background.at(load);
  const Store* store = detail::find_by_name(scenario.stores, asking.store);
  if (store == nullptr) throw std::out_of_range("no store named '" + asking.store + "'");
  const Store built = store_for(scenario, *store);
  const std::vector<User> users = users_of(scenario, store->name, scenario.jobs.size());
  const double bandwidth =
      as_written(tightest({stated_limit(built.bandwidth_bytes_per_s), built.front_end_bytes_per_s}));
  const std::vector<Claim> claims = claims_on(scenario, built, users, Resource::store_bandwidth, true);
  double served = weighted_max_min(bandwidth, claims)[users.size() + load] / weight_of(asking, built);
  if (built.requests_per_s) {
    const std::vector<Claim> asked = claims_on(scenario, built, users, Resource::store_requests, false);
    served =
        std::min(served, weighted_max_min(*built.requests_per_s, asked)[users.size() + load] * asking.request_bytes);
  }
  return served;
}

double Claim::share_at(double level_per_s) const {
  const double under_way = away_s > 0.0 ? hands / (1.0 / level_per_s + away_s) : hands * level_per_s;
  return std::min(demand_per_s, under_way);
}

namespace {

/// The level at which the claims that are not met take `left` together; infinity where they never do. Their sum is
/// concave in the level, so that Newton's method from below stays below.
double level_of(const std::vector<Claim>& claims, const std::vector<bool>& met, double left) {
  constexpr int kMostRounds = 100;
  constexpr double kClose = 1e-13;
  double hands = 0.0;
  double most = 0.0;  // that they can take, whatever the level
  bool away = false;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (met[i]) continue;
    hands += claims[i].hands;
    away = away || claims[i].away_s > 0.0;
    most += claims[i].away_s > 0.0 ? claims[i].hands / claims[i].away_s : kNoLimit;
  }
  if (!(hands > 0.0)) return 0.0;
  if (most <= left) return kNoLimit;
  double level = left / hands;
  for (int round = 0; away && round < kMostRounds; ++round) {
    double taken = 0.0;
    double slope = 0.0;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (met[i]) continue;
      const double slowed = 1.0 + claims[i].away_s * level;
      taken += claims[i].hands * level / slowed;
      slope += claims[i].hands / slowed / slowed;
    }
    if (!(left - taken > kClose * left)) break;
    level += (left - taken) / slope;
  }
  return level;
}

/// Shares `left` among the claims of one class.
void share_in_class(std::uint32_t priority, double left, const std::vector<Claim>& claims,
                    std::vector<double>& shares) {
  std::vector<bool> met(claims.size(), false);
  for (std::size_t i = 0; i < claims.size(); ++i) met[i] = claims[i].priority != priority;
  for (;;) {
    if (std::all_of(met.begin(), met.end(), [](bool done) { return done; })) return;
    const double level = level_of(claims, met, std::max(0.0, left));
    bool any = false;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (met[i]) continue;
      shares[i] = claims[i].share_at(level);
      if (shares[i] < claims[i].demand_per_s) continue;
      met[i] = any = true;
      left -= shares[i];
    }
    if (!any) return;
  }
}

}  // namespace

std::vector<double> weighted_max_min(double capacity_per_s, const std::vector<Claim>& claims) {
  std::vector<double> shares(claims.size(), 0.0);
  std::vector<std::uint32_t> priorities;
  for (const Claim& claim : claims) priorities.push_back(claim.priority);
  std::sort(priorities.begin(), priorities.end(), [](std::uint32_t a, std::uint32_t b) { return a > b; });
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  double left = capacity_per_s;
  for (const std::uint32_t priority : priorities) {
    share_in_class(priority, std::max(left, sim::kLeastRest * capacity_per_s), claims, shares);
    for (std::size_t i = 0; i < claims.size(); ++i)
      if (claims[i].priority == priority) left -= shares[i];
  }
  return shares;
}

Scenario beside_others(const Scenario& scenario, std::size_t job) {
  Scenario alone = job_alone(scenario, job);
  const std::string store_name = dataset_of(scenario, scenario.jobs[job]).store;
  std::vector<User> users{user_of(scenario, job)};
  for (User& user : users_of(scenario, store_name, job)) users.push_back(std::move(user));
  for (Store& store : alone.stores) {
    if (store.name != store_name || !store.is_shared()) continue;
    const Store built = store_for(alone, store);
    const double bandwidth =
        as_written(tightest({stated_limit(built.bandwidth_bytes_per_s), built.front_end_bytes_per_s}));
    const double left = or_least(
        left_for_first(bandwidth, claims_on(scenario, built, users, Resource::store_bandwidth, true)), bandwidth);
    double requests = 1.0;
    if (built.requests_per_s)
      requests = or_least(left_for_first(*built.requests_per_s,
                                         claims_on(scenario, built, users, Resource::store_requests, false)),
                          *built.requests_per_s) /
                 *built.requests_per_s;
    scale_store(store, left / bandwidth, requests);
    store.front_end_bytes_per_s = stated_limit(as_written(store.front_end_bytes_per_s) * (left / bandwidth));
    if (const std::optional<double> limit = store.limit.requests_per_s())
      store.limit.requests_per_s_per_prefix =
          stated_limit(left_for_first(*limit, claims_on(scenario, built, users, Resource::request_limit, false)) /
                       static_cast<double>(store.limit.prefixes));
  }
  return alone;
}

}  // namespace headrace::models
