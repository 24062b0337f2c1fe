// What the jobs that read one store share: its metadata service, its request servers, its request limit and the network
// that leads to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/shipments.hpp"
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
  /// `cap_per_s` is that of every user, or 0 if they differ. `users` are the classes of traffic; none: all are alike.
  SharedService(sim::Simulation& simulation, double capacity_per_s, double cap_per_s,
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
  double capacity_per_s = 0.0;
  double cap_per_s = 0.0;     ///< of every user; 0: they differ
  std::uint32_t servers = 0;  ///< > 0: served one after the other by so many
};

struct StorePlan {
  ServicePlan metadata;
  ServicePlan requests;  ///< of stores that are not local to the nodes
  double limit_requests_per_s = 0.0;
  double limit_burst_s = 0.0;
  std::optional<sim::FluidTreeSpec> network;  ///< none before a local store
  std::vector<ServiceUser> users;             ///< classes of traffic; none: all are alike
};

struct StoreServices {
  StoreServices(sim::Simulation& simulation, const StorePlan& plan);

  std::unique_ptr<sim::FluidNetwork> network;
  SharedService metadata;
  std::optional<sim::FcfsServers> metadata_fcfs;
  SharedService requests;
  std::optional<sim::FcfsServers> requests_fcfs;
  std::unique_ptr<sim::TokenBucket> limit;
};

/// Whole servers of a station that serves `capacity_per_s` operations of mean duration `mean_s` one after the other.
std::uint32_t whole_servers(double capacity_per_s, double mean_s);

}  // namespace headrace::models
