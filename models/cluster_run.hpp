// E2, the event engine of one job: every loader of every node, its workers as processes, the stations and the network
// they share, and the training loop that takes one batch from every loader per step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/blame.hpp"
#include "models/itinerary.hpp"
#include "models/step_log.hpp"
#include "sim/fcfs_station.hpp"
#include "sim/fluid_network.hpp"
#include "sim/gate.hpp"
#include "sim/histogram.hpp"
#include "sim/huge_pages.hpp"
#include "sim/process.hpp"
#include "sim/shared_station.hpp"
#include "sim/simulation.hpp"
#include "sim/token_bucket.hpp"

namespace headrace::models {

/// Sums over all batches that were delivered after the counters were last reset.
struct LoadTotals {
  sim::Histogram load_time_ns;
  std::array<double, kStageCount> queueing_s{};
  std::array<double, kStageCount> service_s{};
  std::uint64_t batches = 0;
  std::uint64_t throttled_requests = 0;
};

class ClusterRun {
 public:
  /// `path` must outlive the run. Draws depend on (seed, replication) alone.
  ClusterRun(const IngestPath& path, std::uint64_t seed, std::uint32_t replication, RunSwitches switches);

  /// Runs on until `steps` steps are complete.
  void run_to(std::uint64_t steps);

  const StepLog& log() const { return log_; }
  const LoadTotals& totals() const { return totals_; }
  void reset_totals() { totals_ = {}; }
  std::uint64_t events() const { return simulation_.events_executed(); }
  sim::Simulation& simulation() { return simulation_; }

 private:
  /// One worker of one loader. It lives in its process's frame, so that an event finds both in the same cache lines.
  struct Worker {
    sim::Gate go_on;              ///< a slot came free, or the present stage at a shared resource is done
    StageVisit* visit = nullptr;  ///< present stage
    StageVisit* end = nullptr;    ///< behind the last stage of the batch
    std::uint64_t started = 0;    ///< batches begun
    std::uint64_t taken = 0;      ///< batches that the GPU has taken
    bool idle = false;            ///< waits for a slot
  };

  /// A batch on its way, and whose it is.
  struct Shipment {
    BatchTimeline timeline;
    std::uint32_t worker = 0;
  };

  struct Loader {
    std::uint64_t started = 0;
    std::uint64_t delivered = 0;
    std::vector<std::uint32_t> free;     ///< any order: unused shipments
    std::vector<std::uint32_t> by_step;  ///< any order: shipment that serves a step, ring
  };

  sim::Process work(std::uint32_t loader, std::uint32_t worker);
  sim::Process train();

  void prefetch_next(std::uint32_t loader, std::uint64_t batch);
  sim::TimeNs pass_private_stages(Worker& worker);
  sim::FcfsStation* queue_for(std::uint32_t loader, Stage stage);
  void start_shared(std::uint32_t loader, Worker& worker);
  static void stage_done(void* worker, std::uint64_t);
  static void wake_idle(Worker& worker) {
    if (!worker.idle) return;
    worker.idle = false;
    worker.go_on.pulse();
  }
  std::optional<std::uint64_t> next_batch(std::uint32_t loader, std::uint32_t number, Worker& worker);
  std::uint32_t open_shipment(std::uint32_t loader, std::uint32_t worker, std::uint64_t batch);
  void deliver(std::uint32_t loader, std::uint32_t shipment, std::uint64_t batch);
  void take_batches(std::uint64_t step);
  void log_wait(std::uint64_t step, sim::TimeNs compute_end_ns);
  StepRecord begin_step(std::uint64_t step);
  Shipment& shipment_at(std::uint32_t loader, std::uint64_t slot) { return shipments_[loader * ring_ + slot]; }
  Shipment& shipment_of_step(std::uint32_t loader, std::uint64_t step);
  sim::TimeNs backoff_until(std::uint32_t loader, std::uint64_t batch, const StageVisit& visit);
  void build_stations(const RunSwitches& switches);
  Worker& worker_at(std::uint32_t loader, std::uint32_t worker) {
    return *workers_[std::size_t{loader} * path_.workers + worker];
  }

  const IngestPath& path_;
  ItineraryMaker itineraries_;
  sim::Simulation simulation_;

  // What the workers share.
  std::unique_ptr<sim::FluidNetwork> network_;
  std::unique_ptr<sim::SharedStation> metadata_;
  std::unique_ptr<sim::FcfsStation> metadata_fcfs_;
  std::unique_ptr<sim::TokenBucket> limit_;
  std::vector<std::unique_ptr<sim::SharedStation>> requests_;  ///< one, or one per node for local stores
  std::vector<std::unique_ptr<sim::FcfsStation>> requests_fcfs_;
  std::vector<std::unique_ptr<sim::SharedStation>> devices_;  ///< per node
  std::vector<std::unique_ptr<sim::SharedStation>> caches_;   ///< per node
  std::vector<std::unique_ptr<sim::SharedStation>> cores_;    ///< per node
  std::vector<std::unique_ptr<sim::FcfsStation>> locks_;      ///< per loader

  std::vector<Loader> loaders_;
  /// [loader][slot]. In order the slot is the batch number in a ring, in any order one of a pool.
  std::vector<Shipment, sim::HugePageAllocator<Shipment>> shipments_;
  std::vector<Worker*> workers_;  ///< set by each worker when it starts
  sim::Gate all_ready_;
  std::vector<std::uint32_t> ready_;  ///< loaders that are ready for a step, ring
  std::uint64_t ring_ = 1;
  std::uint64_t taken_ = 0;  ///< steps begun
  std::uint64_t stop_after_ = 0;
  StepLog log_;
  LoadTotals totals_;
};

}  // namespace headrace::models
