// One job in E2, the event engine: every loader of every node with its workers, the batches that they carry through the
// stations and the network they share, and the training loop that takes one batch from every loader per step.
//
// A batch on its way is a record that events act on, not a process: with 80,000 of them the memory that an event
// touches decides how fast a run is (docs/decisions/0080-batches-as-records.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "models/base/abandoned.hpp"
#include "models/engine/like_ranks.hpp"
#include "models/engine/shipments.hpp"
#include "models/engine/step_log.hpp"
#include "models/engine/store_services.hpp"
#include "models/hops/itinerary.hpp"
#include "sim/fcfs_servers.hpp"
#include "sim/gate.hpp"
#include "sim/histogram.hpp"
#include "sim/process.hpp"
#include "sim/shared_station.hpp"
#include "sim/simulation.hpp"

namespace headrace::models {

/// Sums over all batches that the GPUs have taken since the counters were last reset.
struct LoadTotals {
  sim::Histogram load_time_ns;
  std::array<double, kStageCount> queueing_s{};
  std::array<double, kStageCount> service_s{};
  std::uint64_t batches = 0;
  std::uint64_t from_step = 0;  ///< the job's, when the counters were reset
  std::uint64_t throttled_requests = 0;
};

/// Stops the simulation when every job that is counted in has reached its goal. Nobody waits for it any more once
/// `abandon` asks for it.
struct CommonGoal {
  std::uint32_t jobs_left = 0;
  std::stop_token abandon;
};

/// Sees the batches of some loaders when their step starts.
class BatchWatcher {
 public:
  virtual ~BatchWatcher() = default;
  virtual void taken(const Shipment& shipment, std::uint64_t step, sim::TimeNs now_ns) = 0;
};

class JobRun {
 public:
  /// `path`, what the job shares with others and `goal` must outlive the run. Draws depend on (seed, replication) and
  /// path.draw_base alone. `whole`: the job of which `path` is a sample (models/cluster/like_nodes.hpp), whose other
  /// ranks take part in its barrier; nullptr: `path` is whole.
  JobRun(const IngestPath& path, sim::Simulation& simulation, StoreServices& services, CommonGoal& goal,
         std::uint64_t seed, std::uint32_t replication, RunSwitches switches, const IngestPath* whole = nullptr);
  JobRun(const JobRun&) = delete;
  JobRun& operator=(const JobRun&) = delete;

  /// Shows the batches of the first `loaders` loaders to `watcher`, which must outlive the run.
  void watch(BatchWatcher& watcher, std::uint32_t loaders) {
    watcher_ = &watcher;
    watched_ = loaders;
  }

  /// Counts itself in until `steps` steps are complete.
  void aim_at(std::uint64_t steps);

  const IngestPath& path() const { return path_; }
  const StepLog& log() const { return log_; }
  const LoadTotals& totals() const { return totals_; }
  void reset_totals() {
    totals_ = {};
    totals_.from_step = log_.steps();
  }

 private:
  /// In order a batch number says who loads it and when it is needed; any order needs books.
  struct AnyOrder {
    std::uint64_t started = 0;
    std::uint64_t delivered = 0;
    std::uint64_t taken = 0;
    std::uint32_t on_gpu = 0;            ///< slot of the batch that was taken last, once there is one
    std::vector<std::uint32_t> held;     ///< per worker: batches begun and not yet taken
    std::vector<std::uint64_t> begun;    ///< per worker
    std::vector<std::uint32_t> free;     ///< unused slots
    std::vector<std::uint32_t> by_step;  ///< slot of the batch that serves a step, ring
  };

  /// How far the batches of one step have come.
  struct Arrivals {
    std::uint32_t count = 0;
    std::uint32_t last_loader = 0;  ///< whose batch came last, the lowest of those that came together
    sim::TimeNs last_ns = -1;
  };

  // The training loop.
  sim::Process train();
  void start_workers();
  sim::Process start_at(sim::TimeNs start_ns, std::uint32_t loader, std::uint32_t number);
  StepRecord begin_step(std::uint64_t step);
  void take_ready_batches(std::uint64_t step);
  void take_batch(std::uint32_t loader, std::uint64_t step);
  void take_in_any_order(std::uint32_t loader, std::uint64_t step);
  bool has_taken(std::uint32_t loader, std::uint64_t step);
  void free_all_slots(std::uint64_t step);
  void wake(std::uint32_t loader, std::uint32_t number, std::uint64_t batch);
  sim::TimeNs arrive_others(std::uint64_t step, sim::TimeNs compute_end_ns);
  BatchTimeline last_of(std::uint64_t step);
  void close_step(std::uint64_t step, sim::TimeNs compute_end_ns);
  void count_times(const BatchTimeline& batch, BlameByStage& times);

  // A worker, for ever: take a slot, send a batch on its way, hand it over.
  void start_next(std::uint32_t loader, std::uint32_t number, std::uint64_t batch);
  bool take_slot(std::uint32_t loader, std::uint32_t number, std::uint64_t& batch);
  Shipment& open_shipment(std::uint32_t loader, std::uint32_t number, std::uint64_t batch);
  bool travel(Shipment& shipment);
  bool pass_private_stages(Shipment& shipment);
  bool enter(Shipment& shipment, StageVisit& visit);
  bool wait_until(Shipment& shipment, StageVisit& visit, sim::TimeNs end_ns);
  void deliver(Shipment& shipment);
  void pin(Shipment& shipment);
  void receive(Shipment& shipment);
  void arrive(Shipment& shipment, std::uint64_t step);
  std::uint64_t step_of_next(Shipment& shipment);
  Shipment* queued_for(std::uint32_t loader, std::uint64_t step);
  static void end_pinning(void* shipment, std::uint64_t);
  static void end_receiving(void* shipment, std::uint64_t);
  static void go_on(void* shipment, std::uint64_t);
  static void pass_stage(void* shipment, std::uint64_t);
  static void end_transfer(sim::TransferOwner& shipment);
  bool ask(Shipment& shipment, std::uint32_t refusals);
  static void ask_again(void* shipment, std::uint64_t refusals);
  static sim::TimeNs unthrottled_ns(Shipment& shipment);
  sim::TimeNs backoff_ns(Shipment& shipment, const StageVisit& visit);

  using Stations = std::vector<std::unique_ptr<sim::SharedStation>>;
  /// The network of a term's flows, in which the job's nodes lie side by side.
  struct Flow {
    sim::FluidNetwork* network = nullptr;
    std::uint32_t first_node = 0;
  };

  void build_stations();
  void build_station(const Term& term);
  std::size_t places_of(Resource resource) const;
  /// At which the batch waits first, if that is at one.
  const sim::SharedStation* first_station(const Shipment& shipment) const {
    if (first_stations_ == nullptr) return nullptr;
    const std::size_t places = first_stations_->size();
    return (*first_stations_)[places == path_.loaders ? shipment.loader
                              : places == path_.nodes ? shipment.node
                                                      : 0]
        .get();
  }
  Flow flow_of(const Term& term);
  void start_node_flows();
  sim::Process write_beside(sim::SharedStation& drive, double bytes, double gap_s, double phase);
  Shipment& shipment_of_step(std::uint32_t loader, std::uint64_t step);
  std::uint8_t& is_idle(std::uint32_t loader, std::uint32_t number) {
    return is_idle_[std::size_t{number} * path_.loaders + loader];
  }

  const IngestPath& path_;
  ItineraryMaker itineraries_;
  sim::Simulation& simulation_;
  StoreServices& services_;  ///< what the workers share with those of other jobs
  CommonGoal& goal_;

  // What the workers share among themselves.
  std::array<Stations, kResourceCount> stations_;                     ///< by place
  std::array<std::vector<sim::FcfsServers>, kResourceCount> queues_;  ///< by place
  const Stations* first_stations_ = nullptr;                          ///< of the first term, if it waits at one
  std::vector<Flow> flows_;                                           ///< by term
  std::vector<std::unique_ptr<sim::FluidNetwork>> networks_;          ///< from a shared cache and between nodes
  std::vector<sim::TimeNs> late_ns_;  ///< by back-off, of the lanes of the piece that asks

  std::uint64_t ring_;               ///< slots of a loader: its outstanding batches and the one that the GPU has taken
  std::vector<AnyOrder> any_order_;  ///< per loader; empty in order
  std::vector<std::uint8_t> is_idle_;  ///< worker waits for a slot; [number][loader], as a step wakes them
  Shipments shipments_;                ///< in order the slot is the batch number in a ring, in any order one of a pool
  std::vector<Arrivals> arrivals_;     ///< of the steps to come, ring
  sim::Gate all_ready_;
  std::unique_ptr<LikeRanks> others_;   ///< that are not simulated, if any
  std::vector<sim::TimeNs> waited_ns_;  ///< per loader, of its batch of the step, for the others
  BatchWatcher* watcher_ = nullptr;
  std::uint32_t watched_ = 0;    ///< loaders
  std::uint64_t next_step_ = 0;  ///< of which ranks take batches; those of earlier steps are taken
  bool taking_ = false;          ///< the step before has ended: a rank takes its batch as soon as it is ready
  std::uint64_t stop_after_ = 0;
  StepLog log_;
  LoadTotals totals_;
};

}  // namespace headrace::models
