#include "models/engine/store_services.hpp"

#include <algorithm>
#include <cmath>

#include "models/base/limits.hpp"

namespace headrace::models {

namespace {

void build(sim::Simulation& simulation, const ServicePlan& plan, const std::vector<ServiceUser>& users,
           StoreService& service) {
  if (!plan.contended) return;
  if (plan.servers > 0)
    service.fcfs.emplace(plan.servers);
  else
    service.shared = SharedService(simulation, or_unlimited(plan.capacity_per_s), plan.cap_per_s, users);
}

std::unique_ptr<sim::TokenBucket> bucket_of(double requests_per_s, double burst_s) {
  // Whole tokens: requests per 1,000 s keep three digits behind the point of the rate.
  const auto tokens = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(requests_per_s * 1000.0 + 0.5)));
  const double saved = std::floor(requests_per_s * burst_s + 0.5);
  const auto burst = static_cast<std::uint64_t>(std::max(1.0, saved));  // without a token even one request is too many
  return std::make_unique<sim::TokenBucket>(tokens, burst, 1000 * sim::kNanosecondsPerSecond);
}

}  // namespace

SharedService::SharedService(sim::Simulation& simulation, double capacity_per_s, std::optional<double> cap_per_s,
                             const std::vector<ServiceUser>& users) {
  if (cap_per_s && users.empty()) {
    station_ = std::make_unique<sim::SharedStation>(simulation, capacity_per_s, *cap_per_s);
    return;
  }
  sim::FluidTreeSpec one_link;
  one_link.pool_bytes_per_s = capacity_per_s;
  one_link.leaves.push_back({});
  if (users.empty()) one_link.nodes.push_back({0, sim::kUnlimitedBytesPerS});
  for (const ServiceUser& user : users)
    one_link.nodes.push_back({0, sim::kUnlimitedBytesPerS, user.weight, user.priority});
  link_ = std::make_unique<sim::FluidNetwork>(simulation, one_link);
}

StoreServices::StoreServices(sim::Simulation& simulation, const StorePlan& plan) {
  if (plan.network) network = std::make_unique<sim::FluidNetwork>(simulation, *plan.network);
  build(simulation, plan.metadata, plan.users, metadata);
  if (plan.limit_requests_per_s) limit = bucket_of(*plan.limit_requests_per_s, plan.limit_burst_s);
  build(simulation, plan.requests, plan.users, requests);
}

}  // namespace headrace::models
