// What the jobs that read one store share: its metadata service, its request servers, its request limit and the network
// that leads to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/engine/shipments.hpp"
#include "models/hops/resource.hpp"
#include "sim/action.hpp"
#include "sim/fcfs_servers.hpp"
#include "sim/fluid_network.hpp"
#include "sim/shared_station.hpp"
#include "sim/simulation.hpp"
#include "sim/token_bucket.hpp"

namespace headrace::models {

/// A class of traffic, as sim::FluidTreeSpec::Node's.
struct ServiceUser {
  std::uint32_t weight = 1;
  std::uint32_t priority = 0;
};

/// A processor-sharing station whose users may have caps of their own: egalitarian where all caps are alike, max-min
/// fair otherwise.
class SharedService {
 public:
  SharedService() = default;
  /// `cap_per_s` is that of every user, none if they differ. `users` are the classes of traffic; none: all are alike.
  SharedService(sim::Simulation& simulation, double capacity_per_s, std::optional<double> cap_per_s,
                const std::vector<ServiceUser>& users);

  /// Serves a batch of class number `user`; one of the two ways of telling its end is used.
  void start(std::uint32_t user, double work, double cap_per_s, sim::TransferOwner& owner, sim::Action passed) {
    if (station_)
      station_->start(work, passed);
    else
      link_->transfer(user, work, cap_per_s, owner);
  }
  explicit operator bool() const { return station_ != nullptr || link_ != nullptr; }

  /// For processes: the one that is there.
  sim::SharedStation* station() { return station_.get(); }
  sim::FluidNetwork* link() { return link_.get(); }

 private:
  std::unique_ptr<sim::SharedStation> station_;
  std::unique_ptr<sim::FluidNetwork> link_;
};

/// What a station of a store is asked for, by all of its users together.
struct ServicePlan {
  bool contended = false;
  std::optional<double> capacity_per_s;
  std::optional<double> cap_per_s;  ///< of every user; none: they differ
  std::uint32_t servers = 0;        ///< > 0: served one after the other by so many
};

struct StorePlan {
  ServicePlan metadata;
  ServicePlan requests;  ///< of stores that are not local to the nodes
  std::optional<double> limit_requests_per_s;
  double limit_burst_s = 0.0;
  std::optional<sim::FluidTreeSpec> network;  ///< none before a local store
  std::vector<ServiceUser> users;             ///< classes of traffic; none: all are alike
};

/// One service: shared, or whole servers in order of arrival.
struct StoreService {
  SharedService shared;
  std::optional<sim::FcfsServers> fcfs;
};

struct StoreServices {
  StoreServices(sim::Simulation& simulation, const StorePlan& plan);

  StoreService& of(Resource resource) { return resource == Resource::metadata ? metadata : requests; }

  std::unique_ptr<sim::FluidNetwork> network;
  StoreService metadata;
  StoreService requests;
  std::unique_ptr<sim::TokenBucket> limit;
};

}  // namespace headrace::models
