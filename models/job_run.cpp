#include "models/job_run.hpp"

#include <algorithm>
#include <cmath>

#include "models/limits.hpp"
#include "sim/assert.hpp"

namespace headrace::models {

namespace {

/// A network to the job's nodes of which the share `across` crosses leaf uplinks and spine.
sim::FluidTreeSpec network_of(const IngestPath& path, double source_bytes_per_s, double across) {
  const auto crossed = [across](double limit) { return or_unlimited(across > 0.0 ? limit / across : 0.0); };
  sim::FluidTreeSpec spec;
  spec.pool_bytes_per_s = std::min(or_unlimited(source_bytes_per_s), crossed(path.spine_bytes_per_s));
  for (std::uint32_t leaf = 0; leaf < path.leaves; ++leaf) spec.leaves.push_back({crossed(path.leaf_bytes_per_s)});
  for (std::uint32_t node = 0; node < path.nodes; ++node)
    spec.nodes.push_back({path.leaf_of(node), or_unlimited(path.nic_bytes_per_s)});
  return spec;
}

/// A drive of the nodes with what checkpoints take from it given back: in the engine they are written over it.
SharedResource before_flows(const IngestPath& path, NodeFlow::On on, SharedResource drive) {
  for (const NodeFlow& flow : path.node_flows) {
    if (flow.on != on) continue;
    const double factor = flow.capacity_bytes_per_s / drive.capacity_per_s;
    if (!(factor > 1.0)) continue;
    if (drive.per_worker_per_s >= drive.capacity_per_s) drive.per_worker_per_s *= factor;
    drive.capacity_per_s *= factor;
  }
  return drive;
}

}  // namespace

JobRun::JobRun(const IngestPath& path, sim::Simulation& simulation, StoreServices& services, CommonGoal& goal,
               std::uint64_t seed, std::uint32_t replication, RunSwitches switches)
    : path_(path),
      itineraries_(path, seed, replication, switches),
      simulation_(simulation),
      services_(services),
      goal_(goal),
      ring_(std::uint64_t{path.outstanding} + 1),
      any_order_(path.order == DeliveryOrder::in_order ? 0 : path.loaders),
      is_idle_(std::size_t{path.loaders} * path.workers, 0),
      shipments_(path.loaders, ring_, itineraries_.most_visits(), goal.abandon),
      arrivals_(ring_) {
  if (switches.contention) build_stations();
  constexpr std::uint32_t kLoadersToLook = 256;  // the records of 10,000 loaders are many pages to touch
  for (std::uint32_t loader = 0; loader < path.loaders; ++loader) {
    if (loader % kLoadersToLook == 0) end_if_abandoned(goal.abandon);
    for (std::uint32_t slot = 0; slot < ring_; ++slot) {
      Shipment& shipment = shipments_.at(loader, slot);
      shipment.ended = &JobRun::end_transfer;
      shipment.run = this;
      shipment.loader = loader;
      shipment.node = path.node_of(loader);
      shipment.slot = slot;
    }
  }
  for (AnyOrder& loader : any_order_) {
    loader.held.resize(path.workers);
    loader.begun.resize(path.workers);
    loader.by_step.resize(ring_);
    for (auto slot = static_cast<std::uint32_t>(ring_); slot > 0; --slot) loader.free.push_back(slot - 1);
  }
  simulation_.spawn(train(), "training loop");
}

/// Stations that only this job uses.
void JobRun::build_stations() {
  const TierPath& tiers = path_.tiers;
  if (!path_.local_store && !tiers.one_network && tiers.shares.shared > 0.0)
    shared_network_ =
        std::make_unique<sim::FluidNetwork>(simulation_, network_of(path_, tiers.shared_capacity_bytes_per_s, 1.0));
  if (!path_.local_store && !tiers.one_network && tiers.shares.peer > 0.0)
    peer_network_ = std::make_unique<sim::FluidNetwork>(simulation_, network_of(path_, 0.0, tiers.across_leaves));
  const SharedResource& requests = path_.requests;
  const double mean_s = path_.request_latency_s.mean();
  for (std::uint32_t node = 0; path_.local_store && requests.contended && node < path_.nodes; ++node) {
    if (path_.granularity.kind == Granularity::Kind::sample)
      requests_fcfs_.emplace_back(whole_servers(requests.capacity_per_s, mean_s));
    else
      requests_.push_back(
          std::make_unique<sim::SharedStation>(simulation_, requests.capacity_per_s, path_.request_cap_per_s()));
  }
  const auto per_node = [this](std::vector<std::unique_ptr<sim::SharedStation>>& stations,
                               const SharedResource& resource) {
    for (std::uint32_t node = 0; node < path_.nodes; ++node)
      stations.push_back(
          std::make_unique<sim::SharedStation>(simulation_, resource.capacity_per_s, resource.per_worker_per_s));
  };
  if (path_.device.contended) per_node(devices_, before_flows(path_, NodeFlow::On::drive, path_.device));
  if (path_.cache.contended) per_node(caches_, before_flows(path_, NodeFlow::On::cache, path_.cache));
  if (path_.cpu.contended) per_node(cores_, path_.cpu);
  if (path_.host.memory.contended) per_node(memories_, path_.host.memory);
  if (path_.host.remote.contended)
    remote_ = std::make_unique<sim::SharedStation>(simulation_, path_.host.remote.capacity_per_s,
                                                   path_.host.remote.per_worker_per_s);
  start_node_flows();
  if (path_.lock_contended) locks_.assign(path_.loaders, sim::FcfsServers(1));
}

/// Checkpoints that are written to, or read from, the drives of the nodes while the job reads them.
void JobRun::start_node_flows() {
  constexpr double kLeastBytes = 1024.0 * 1024;
  constexpr double kMostBytes = 64.0 * 1024 * 1024;
  constexpr double kGolden = 0.6180339887498949;  // keeps writers out of step
  double phase = 0.0;
  for (const NodeFlow& flow : path_.node_flows) {
    const auto& drives = flow.on == NodeFlow::On::drive ? devices_ : caches_;
    const double rate = flow.bytes_per_s / flow.writers;
    const double bytes = std::clamp(rate * path_.mean_step_floor_s(), kLeastBytes, kMostBytes);
    for (const auto& drive : drives) {
      for (std::uint32_t writer = 0; writer < flow.writers; ++writer) {
        phase += kGolden;
        simulation_.spawn(write_beside(*drive, bytes, bytes / rate, phase - std::floor(phase)), "checkpoint writer");
      }
    }
  }
}

/// One piece after the other, at most at the pace that the flow asks for; who is late catches up by one piece.
sim::Process JobRun::write_beside(sim::SharedStation& drive, double bytes, double gap_s, double phase) {
  const sim::TimeNs gap_ns = sim::duration_ns(gap_s);
  sim::TimeNs due_ns = sim::duration_ns(phase * gap_s);
  for (;;) {
    co_await simulation_.until(due_ns);
    co_await drive.serve(bytes);
    due_ns = std::max(due_ns + gap_ns, simulation_.now() - gap_ns);
  }
}

void JobRun::aim_at(std::uint64_t steps) {
  stop_after_ = steps;
  if (log_.steps() < steps) ++goal_.jobs_left;
}

/// The training loop: wait until every loader has this step's batch, take the batches, compute.
sim::Process JobRun::train() {
  start_workers();
  sim::TimeNs compute_end_ns = 0;
  for (std::uint64_t step = 0;; ++step) {
    while (arrivals_[step % ring_].count < path_.loaders) co_await all_ready_.wait();
    close_step(step, compute_end_ns);
    log_.records.push_back(begin_step(step));
    if (!path_.synchronous) take_batches(step);
    compute_end_ns = simulation_.now() + log_.records.back().busy_ns();
    if (log_.steps() == stop_after_ && --goal_.jobs_left == 0) simulation_.request_stop();
    co_await simulation_.until(compute_end_ns);
    if (path_.synchronous) take_batches(step);
  }
}

void JobRun::start_workers() {
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader)
    for (std::uint32_t number = 0; number < path_.workers; ++number) start_next(loader, number, number);
}

/// The worker begins its next batch, and the ones behind it if that takes no time; without a slot it is idle. `batch`
/// is the next one that falls to it in order.
void JobRun::start_next(std::uint32_t loader, std::uint32_t number, std::uint64_t batch) {
  for (; take_slot(loader, number, batch); batch += path_.workers) {
    Shipment& shipment = open_shipment(loader, number, batch);
    if (!travel(shipment)) return;
    deliver(shipment);
  }
  is_idle(loader, number) = 1;
}

/// Whether the worker may begin a batch, and in any order which.
bool JobRun::take_slot(std::uint32_t loader_number, std::uint32_t number, std::uint64_t& batch) {
  if (path_.order == DeliveryOrder::in_order) return batch < taken_ + path_.outstanding;
  AnyOrder& loader = any_order_[loader_number];
  if (path_.order == DeliveryOrder::any_order_shared) {
    if (loader.started >= taken_ + path_.outstanding) return false;
    batch = loader.started;
  } else {
    if (loader.held[number] >= std::max(1U, path_.outstanding / path_.workers)) return false;
    batch = number + loader.begun[number] * path_.workers;
  }
  ++loader.started;
  ++loader.begun[number];
  ++loader.held[number];
  return true;
}

Shipment& JobRun::open_shipment(std::uint32_t loader_number, std::uint32_t number, std::uint64_t batch) {
  auto slot = static_cast<std::uint32_t>(batch % ring_);
  if (path_.order != DeliveryOrder::in_order) {
    AnyOrder& loader = any_order_[loader_number];
    HEADRACE_ASSERT(!loader.free.empty(), "a loader has more batches under way than it may");
    slot = loader.free.back();
    loader.free.pop_back();
  }
  Shipment& shipment = shipments_.at(loader_number, slot);
  shipment.assigned_ns = simulation_.now();
  shipment.batch = batch;
  shipment.worker = number;
  shipment.present = 0;
  shipment.count = itineraries_.make(loader_number, batch, shipments_.room(shipment));
  return shipment;
}

/// Carries the batch on to the next stage that takes time; an event goes on from there. True if it has arrived.
bool JobRun::travel(Shipment& shipment) {
  while (shipment.present != shipment.count) {
    StageVisit& visit = shipment.visits()[shipment.present];
    if (!(visit.contended() ? enter(shipment, visit) : pass_private_stages(shipment))) return false;
  }
  return true;
}

/// Neighbouring stages that share nothing are one event; the timeline keeps their times apart. True if they take no
/// time.
bool JobRun::pass_private_stages(Shipment& shipment) {
  sim::TimeNs end_ns = simulation_.now();
  StageVisit* const visits = shipment.visits();
  for (; shipment.present != shipment.count && !visits[shipment.present].contended(); ++shipment.present)
    visits[shipment.present].end_ns = end_ns += visits[shipment.present].service_ns();
  if (end_ns == simulation_.now()) return true;
  const bool transfers_next =
      services_.network && shipment.present != shipment.count && visits[shipment.present].stage() == Stage::transfer;
  const std::uint64_t needed = transfers_next ? services_.network->place_of(path_.first_node + shipment.node) : 0;
  simulation_.schedule_at(end_ns, {&JobRun::go_on, &shipment, needed});
  return false;
}

/// Begins a stage at a resource that the batch shares with others. True if it passes at once.
bool JobRun::enter(Shipment& shipment, StageVisit& visit) {
  const std::uint32_t node = shipment.node;
  const sim::Action passed{&JobRun::pass_stage, &shipment, 0};
  switch (visit.stage()) {
    case Stage::throttle:
      return wait_until(shipment, visit, simulation_.now() + backoff_ns(shipment, visit));
    case Stage::lock:
      return wait_until(shipment, visit, locks_[shipment.loader].book(simulation_.now(), visit.service_ns()));
    case Stage::metadata:
      if (services_.metadata_fcfs)
        return wait_until(shipment, visit, services_.metadata_fcfs->book(simulation_.now(), visit.service_ns()));
      services_.metadata.start(path_.service_user, visit.work, path_.metadata.per_worker_per_s, shipment, passed);
      break;
    case Stage::request:
      if (!requests_.empty()) {
        requests_[node]->start(visit.work, passed);
      } else if (sim::FcfsServers* const fcfs = request_servers(node)) {
        return wait_until(shipment, visit, fcfs->book(simulation_.now(), visit.service_ns()));
      } else {
        services_.requests.start(path_.service_user, visit.work, path_.request_cap_per_s(), shipment, passed);
      }
      break;
    case Stage::cache:
      caches_[node]->start(visit.work, passed);
      break;
    case Stage::peer:
      (peer_network_ ? peer_network_ : services_.network)
          ->transfer(node, visit.work, path_.tiers.peer_bytes_per_s, shipment);
      break;
    case Stage::shared_cache:
      (shared_network_ ? shared_network_ : services_.network)
          ->transfer(node, visit.work, path_.tiers.shared_bytes_per_s, shipment);
      break;
    case Stage::transfer:
      if (path_.local_store)
        devices_[node]->start(visit.work, passed);
      else
        services_.network->transfer(path_.first_node + node, visit.work, path_.flow_cap_bytes_per_s, shipment);
      break;
    case Stage::decode:
      if (remote_ != nullptr)
        remote_->start(visit.work, passed);
      else
        cores_[node]->start(visit.work, passed);
      break;
    case Stage::protocol:
      cores_[node]->start(visit.work, passed);
      break;
    case Stage::memory:
      memories_[node]->start(visit.work, passed);
      break;
    case Stage::copy:
    case Stage::fresh:
      HEADRACE_ASSERT(false, "a stage that is never shared was started as shared");
  }
  visit.set_shared();
  return false;
}

/// The servers of a store that serves requests one after the other, if it does.
sim::FcfsServers* JobRun::request_servers(std::uint32_t node) {
  if (!requests_fcfs_.empty()) return &requests_fcfs_[node];
  return services_.requests_fcfs ? &*services_.requests_fcfs : nullptr;
}

/// The stage ends at a time that is known now. True if that is at once.
bool JobRun::wait_until(Shipment& shipment, StageVisit& visit, sim::TimeNs end_ns) {
  visit.end_ns = end_ns;
  ++shipment.present;
  if (end_ns == simulation_.now()) return true;
  simulation_.schedule_at(end_ns, {&JobRun::go_on, &shipment, 0});
  return false;
}

/// Event: the batch has come over the network.
void JobRun::end_transfer(sim::TransferOwner& shipment) { pass_stage(static_cast<Shipment*>(&shipment), 0); }

/// Event: a shared stage has ended.
void JobRun::pass_stage(void* shipment, std::uint64_t) {
  Shipment& self = *static_cast<Shipment*>(shipment);
  self.visits()[self.present++].end_ns = self.run->simulation_.now();
  go_on(shipment, 0);
}

/// Event: the batch goes on to its next stage or arrives, and its worker turns to the next batch.
void JobRun::go_on(void* shipment, std::uint64_t) {
  Shipment& self = *static_cast<Shipment*>(shipment);
  JobRun& run = *self.run;
  if (!run.travel(self)) return;
  run.deliver(self);
  run.start_next(self.loader, self.worker, self.batch + run.path_.workers);
}

void JobRun::deliver(Shipment& shipment) {
  shipment.ready_ns = simulation_.now();
  std::uint64_t step = shipment.batch;
  if (path_.order != DeliveryOrder::in_order) {
    AnyOrder& loader = any_order_[shipment.loader];
    step = loader.delivered++;
    loader.by_step[step % ring_] = shipment.slot;
  }
  Arrivals& arrivals = arrivals_[step % ring_];
  if (shipment.ready_ns > arrivals.last_ns || shipment.loader < arrivals.last_loader) {
    arrivals.last_ns = shipment.ready_ns;
    arrivals.last_loader = shipment.loader;
  }
  if (++arrivals.count == path_.loaders && step == taken_) all_ready_.pulse();
}

/// All GPUs start the step: slots come free.
void JobRun::take_batches(std::uint64_t step) {
  ++taken_;
  arrivals_[step % ring_] = {};
  if (path_.order != DeliveryOrder::in_order) {
    for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) free_slot(loader, step);
    return;
  }
  const std::uint64_t batch = step + path_.outstanding;  // whose slot this is now
  const auto due = static_cast<std::uint32_t>(batch % path_.workers);
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) wake(loader, due, batch);
}

/// Any order: the slot goes to the worker that held it, or to the first idle one.
void JobRun::free_slot(std::uint32_t loader_number, std::uint64_t step) {
  AnyOrder& loader = any_order_[loader_number];
  const Shipment& taken = shipment_of_step(loader_number, step);
  const std::uint32_t holder = taken.worker;
  loader.free.push_back(taken.slot);
  --loader.held[holder];
  if (path_.order == DeliveryOrder::any_order_per_worker) return wake(loader_number, holder, 0);
  for (std::uint32_t number = 0; number < path_.workers; ++number) {
    if (is_idle(loader_number, number) == 0) continue;
    return wake(loader_number, number, 0);
  }
}

void JobRun::wake(std::uint32_t loader, std::uint32_t number, std::uint64_t batch) {
  if (is_idle(loader, number) == 0) return;
  is_idle(loader, number) = 0;
  start_next(loader, number, batch);
}

Shipment& JobRun::shipment_of_step(std::uint32_t loader, std::uint64_t step) {
  const std::uint64_t slot = step % ring_;
  return shipments_.at(loader, path_.order == DeliveryOrder::in_order ? slot : any_order_[loader].by_step[slot]);
}

StepRecord JobRun::begin_step(std::uint64_t step) {
  StepRecord record;
  record.start_ns = simulation_.now();
  record.compute_ns = itineraries_.compute_ns(step);
  record.overhead_ns = itineraries_.overhead_ns(step);
  record.h2d_ns = sim::duration_ns(path_.h2d_s);
  record.collective_ns = sim::duration_ns(path_.collective_s);
  return record;
}

/// Counts the batches that are taken and divides the wait between the end of compute and now into own and peer waits,
/// each blamed on the batch that ended it.
void JobRun::close_step(std::uint64_t step, sim::TimeNs compute_end_ns) {
  const sim::TimeNs now_ns = simulation_.now();
  for (std::uint32_t loader = 0; loader < watched_; ++loader)
    watcher_->taken(shipment_of_step(loader, step), step, now_ns);
  const bool waited = !log_.records.empty() && now_ns > compute_end_ns;  // before the first step it is start-up
  StepRecord* const record = waited ? &log_.records.back() : nullptr;
  const BatchTimeline last = shipment_of_step(arrivals_[step % ring_].last_loader, step).timeline();
  std::int64_t waited_for_peers_only = 0;
  BlameByStage times{};
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) {
    const BatchTimeline own = shipment_of_step(loader, step).timeline();
    count_times(own, times);
    if (record == nullptr) continue;
    if (own.ready_ns <= compute_end_ns) {
      ++waited_for_peers_only;
      continue;
    }
    record->wait_own_ns += own.ready_ns - compute_end_ns;
    record->wait_peer_ns += now_ns - own.ready_ns;
    blame_wait(own, compute_end_ns, own.ready_ns, 1, record->blame);
    blame_wait(last, own.ready_ns, now_ns, 1, record->blame);
  }
  totals_.batches += path_.loaders;
  for (std::size_t stage = 0; stage < kStageCount; ++stage) {
    totals_.service_s[stage] += sim::seconds(times[stage].service_ns);
    totals_.queueing_s[stage] += sim::seconds(times[stage].queueing_ns);
  }
  if (record == nullptr) return;
  record->wait_peer_ns += waited_for_peers_only * (now_ns - compute_end_ns);
  blame_wait(last, compute_end_ns, now_ns, waited_for_peers_only, record->blame);
}

/// Adds the queueing and service of the batch's stages to `times`.
void JobRun::count_times(const BatchTimeline& batch, BlameByStage& times) {
  totals_.load_time_ns.add(batch.ready_ns - batch.assigned_ns);
  sim::TimeNs begin_ns = batch.assigned_ns;
  for (const StageVisit& visit : batch.visits) {
    const sim::TimeNs service_ns = std::min(visit.service_ns(), visit.end_ns - begin_ns);
    times[index(visit.stage())].service_ns += service_ns;
    times[index(visit.stage())].queueing_ns += visit.end_ns - begin_ns - service_ns;
    begin_ns = visit.end_ns;
  }
}

/// Time that a piece takes from its requests on when nobody else asks.
sim::TimeNs JobRun::unthrottled_ns(Shipment& shipment) {
  sim::TimeNs total_ns = 0;
  const StageVisit* const visits = shipment.visits();
  for (std::uint32_t i = shipment.present + 1; i < shipment.count; ++i) {
    const Stage stage = visits[i].stage();
    if (stage == Stage::throttle || stage == Stage::copy || stage == Stage::lock) break;
    total_ns += visits[i].service_ns();
  }
  return total_ns;
}

/// Waits of a piece's requests for the store's limit. Its lanes ask one request after the other, spread over the time
/// that the piece takes. A request that comes too early is answered 503 and its lane backs off until a retry falls
/// behind the time at which the request is admitted; the requests behind it come as much later. Tokens are taken for
/// all of them at once, when the piece comes.
sim::TimeNs JobRun::backoff_ns(Shipment& shipment, const StageVisit& visit) {
  const sim::TimeNs now_ns = simulation_.now();
  const auto requests = static_cast<std::uint32_t>(visit.work);
  const sim::TimeNs last_admitted_ns = services_.limit->reserve(now_ns, requests);
  if (last_admitted_ns == now_ns) return 0;
  const double token_ns = 1e9 / path_.limit_requests_per_s;
  const std::uint32_t lanes = std::min(path_.lanes, requests);
  const sim::TimeNs spacing_ns = unthrottled_ns(shipment) / requests * lanes;
  const std::uint64_t number = shipment.batch * itineraries_.most_visits() + shipment.present;
  std::uint32_t waits = 0;
  late_ns_.assign(lanes, 0);
  for (std::uint32_t i = 0; i < requests; ++i) {
    const auto earlier_ns = static_cast<sim::TimeNs>(token_ns * (requests - 1 - i));
    sim::TimeNs early_ns = last_admitted_ns - earlier_ns - now_ns - spacing_ns * (i / lanes) - late_ns_[i % lanes];
    for (std::uint32_t attempt = 0; early_ns > 0; ++attempt) {
      const sim::TimeNs wait_ns = itineraries_.backoff_ns(shipment.loader, number, waits++, attempt);
      late_ns_[i % lanes] += wait_ns;
      early_ns -= wait_ns;
    }
  }
  totals_.throttled_requests += waits;
  return *std::max_element(late_ns_.begin(), late_ns_.end());
}

}  // namespace headrace::models
