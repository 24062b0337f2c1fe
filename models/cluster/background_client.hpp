// The clients of a background load in the event engine: each sends trains of requests to the store, one after the
// other.
//
// A train is several requests of a client in a row, so that a load of small requests costs no more events than the jobs
// beside it. Trains are exponentially spaced around the pace that the bandwidth asks for; a client that is late
// catches up by at most one train. Between bursts the pace stands still.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/engine/store_services.hpp"
#include "models/spec/background.hpp"
#include "sim/process.hpp"
#include "sim/random_stream.hpp"
#include "sim/simulation.hpp"

namespace headrace::models {

/// One load, resolved against its store.
struct BackgroundPlan {
  std::size_t load = 0;   ///< index in the scenario
  std::size_t store = 0;  ///< index in ClusterPlan::stores
  std::uint32_t clients = 1;
  std::uint32_t requests_per_train = 1;
  double train_bytes = 0.0;        ///< over the network; writes count as the reads that take as long
  double request_bytes = 0.0;      ///< as they are
  double train_opens_s = 0.0;      ///< server time of the train's metadata operations
  double train_requests_s = 0.0;   ///< latency of its requests, one after the other
  double request_cap_per_s = 0.0;  ///< of one client
  double flow_cap_bytes_per_s = 0.0;
  double mean_gap_s = 0.0;  ///< between starts of a client's trains while the load is active
  std::optional<Bursts> bursts;
  std::uint32_t first_node = 0;  ///< of the network before the store
  std::uint32_t nodes = 1;       ///< clients are spread over them
  std::uint32_t draw_entity = 0;
  std::uint32_t service_user = 0;  ///< as IngestPath's
};

/// Sums over trains that have ended.
struct BackgroundTotals {
  std::uint64_t trains = 0;
  sim::TimeNs sojourn_ns = 0;
};

class BackgroundRun {
 public:
  /// `plan` and `services` must outlive the run.
  BackgroundRun(const BackgroundPlan& plan, sim::Simulation& simulation, StoreServices& services, std::uint64_t seed,
                std::uint32_t replication);
  BackgroundRun(const BackgroundRun&) = delete;
  BackgroundRun& operator=(const BackgroundRun&) = delete;

  const BackgroundPlan& plan() const { return plan_; }
  const BackgroundTotals& totals() const { return totals_; }
  void reset_totals() {
    totals_ = {};
    totals_since_ns_ = simulation_.now();
  }
  /// Of its requests, since the totals were reset.
  double bytes_per_s() const;

 private:
  /// A time of activity: [begin, end).
  struct Burst {
    sim::TimeNs begin_ns = 0;
    sim::TimeNs end_ns = 0;
  };

  sim::Process run_client(std::uint32_t client);
  sim::TimeNs after_active(sim::TimeNs from_ns, sim::TimeNs duration_ns);
  void draw_burst();
  sim::TimeNs admitted_ns(sim::TimeNs now_ns);
  sim::TimeNs gap_ns(std::uint32_t client, std::uint64_t train) const;
  double exponential(sim::Purpose purpose, std::uint32_t entity, std::uint64_t index) const;

  const BackgroundPlan& plan_;
  sim::Simulation& simulation_;
  StoreServices& services_;
  std::uint64_t seed_;
  std::uint32_t replication_;
  std::deque<Burst> bursts_;  ///< from the one that is or comes next on
  std::uint64_t bursts_drawn_ = 0;
  BackgroundTotals totals_;
  sim::TimeNs totals_since_ns_ = 0;
};

}  // namespace headrace::models
