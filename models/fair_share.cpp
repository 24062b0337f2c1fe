#include "models/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "models/cluster_plan.hpp"
#include "models/flow_bound.hpp"
#include "models/hit_profile.hpp"
#include "models/tier_metrics.hpp"
#include "models/tier_path.hpp"

namespace headrace::models {

namespace {

/// A job as the store sees it: what it asks for per second at each of the store's resources, and with how many hands.
struct User {
  std::size_t job = 0;
  std::vector<ResourceFloor> floors;
  double step_time_s = 1.0;
  double hands = 1.0;
};

User user_of(const Scenario& scenario, std::size_t job) {
  IngestPath path = resolve_path(scenario, job, {});
  enter_window(path, mean_window(closed_form_windows(scenario, job)));
  return {job, resource_floors(path), step_time_bound_s(path),
          static_cast<double>(path.loaders) * std::min(path.workers, path.outstanding)};
}

double demand_per_s(const User& user, std::string_view resource) {
  for (const ResourceFloor& floor : user.floors)
    if (floor.name == resource) return floor.demand_per_step / user.step_time_s;
  return 0.0;
}

/// Capacity that the others leave to the first claim, never less than its fair share.
double left_for_first(double capacity_per_s, const std::vector<Claim>& claims) {
  const std::vector<double> shares = weighted_max_min(capacity_per_s, claims);
  double left = capacity_per_s;
  for (std::size_t i = 1; i < shares.size(); ++i) left -= shares[i];
  return std::max(left, shares.front());
}

}  // namespace

std::vector<double> weighted_max_min(double capacity_per_s, const std::vector<Claim>& claims) {
  std::vector<double> shares(claims.size(), 0.0);
  std::vector<bool> met(claims.size(), false);
  double left = capacity_per_s;
  for (;;) {
    double hands = 0.0;
    for (std::size_t i = 0; i < claims.size(); ++i)
      if (!met[i]) hands += claims[i].hands;
    if (!(hands > 0.0)) return shares;
    const double level = std::max(0.0, left) / hands;
    bool any = false;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (met[i] || claims[i].demand_per_s > level * claims[i].hands) continue;
      met[i] = any = true;
      shares[i] = claims[i].demand_per_s;
      left -= shares[i];
    }
    if (any) continue;
    for (std::size_t i = 0; i < claims.size(); ++i)
      if (!met[i]) shares[i] = level * claims[i].hands;
    return shares;
  }
}

Scenario beside_others(const Scenario& scenario, std::size_t job) {
  Scenario alone = job_alone(scenario, job);
  const std::string store_name = dataset_of(scenario, scenario.jobs[job]).store;
  std::vector<User> users{user_of(scenario, job)};
  for (std::size_t other = 0; other < scenario.jobs.size(); ++other) {
    if (dataset_of(scenario, scenario.jobs[other]).store != store_name) continue;
    const std::uint64_t others = scenario.jobs[other].copies - (other == job ? 1 : 0);
    if (others == 0) continue;
    User user = user_of(scenario, other);
    for (std::uint64_t copy = 0; copy < others; ++copy) users.push_back(user);
  }
  const auto left = [&](std::string_view resource, double capacity_per_s, bool bytes) {
    std::vector<Claim> claims;
    for (const User& user : users) claims.push_back({demand_per_s(user, resource), user.hands});
    for (const Background& load : scenario.background) {
      if (load.store != store_name) continue;
      const double per_s = load.mean_bytes_per_s();
      claims.push_back({bytes ? per_s : per_s / load.request_bytes, static_cast<double>(load.clients)});
    }
    return left_for_first(capacity_per_s, claims);
  };
  for (Store& store : alone.stores) {
    if (store.name != store_name || !store.is_shared()) continue;
    store.bandwidth_bytes_per_s = left("store bandwidth", store.bandwidth_bytes_per_s, true);
    if (store.requests_per_s > 0.0) store.requests_per_s = left("store requests", store.requests_per_s, false);
    if (store.limit.requests_per_s_per_prefix > 0.0) {
      const double prefixes = static_cast<double>(store.limit.prefixes);
      store.limit.requests_per_s_per_prefix =
          left("request limit", store.limit.requests_per_s_per_prefix * prefixes, false) / prefixes;
    }
  }
  return alone;
}

}  // namespace headrace::models
