#include "models/engine/job_run.hpp"

#include <algorithm>
#include <cmath>

#include "models/base/limits.hpp"
#include "models/hops/registry.hpp"
#include "models/path/ingest_path.hpp"
#include "sim/assert.hpp"

namespace headrace::models {

namespace {

constexpr sim::TimeNs kNotReady = -1;
constexpr sim::TimeNs kQueued = -2;  ///< its worker is done with it, and the rank has not received it

constexpr double kGolden = 0.6180339887498949;  ///< its multiples spread phases evenly, and keep them out of step

/// A network to the job's nodes of which the share `across` crosses leaf uplinks and spine.
sim::FluidTreeSpec network_of(const IngestPath& path, std::optional<double> source_bytes_per_s, double across) {
  const auto crossed = [across](std::optional<double> limit) {
    return across > 0.0 ? divided(limit, across) : std::nullopt;
  };
  sim::FluidTreeSpec spec;
  spec.pool_bytes_per_s = or_unlimited(tightest({source_bytes_per_s, crossed(path.spine_bytes_per_s)}));
  for (std::uint32_t leaf = 0; leaf < path.leaves; ++leaf)
    spec.leaves.push_back({or_unlimited(crossed(path.leaf_bytes_per_s))});
  for (std::uint32_t node = 0; node < path.nodes; ++node)
    spec.nodes.push_back({path.leaf_of(node), or_unlimited(path.nic_bytes_per_s)});
  return spec;
}

Resource drive_of(const NodeFlow& flow) {
  return flow.on == NodeFlow::On::drive ? Resource::local_drive : Resource::cache;
}

/// The station of a term with what checkpoints take from it given back: in the engine they are written over it.
Term before_flows(const IngestPath& path, Term term) {
  for (const NodeFlow& flow : path.node_flows) {
    if (drive_of(flow) != term.server()) continue;
    const double factor = flow.capacity_bytes_per_s / term.capacity_per_s;
    if (!(factor > 1.0)) continue;
    if (term.cap_per_s >= term.capacity_per_s) term.cap_per_s *= factor;
    term.capacity_per_s *= factor;
  }
  return term;
}

}  // namespace

JobRun::JobRun(const IngestPath& path, sim::Simulation& simulation, StoreServices& services, CommonGoal& goal,
               std::uint64_t seed, std::uint32_t replication, RunSwitches switches, const IngestPath* whole)
    : path_(path),
      itineraries_(whole == nullptr ? path : *whole, seed, replication, switches),
      simulation_(simulation),
      services_(services),
      goal_(goal),
      ring_(std::uint64_t{path.outstanding} + 1),
      any_order_(path.order == DeliveryOrder::in_order ? 0 : path.loaders),
      is_idle_(std::size_t{path.loaders} * path.workers, 0),
      shipments_(path.loaders, ring_, itineraries_.most_visits(), goal.abandon),
      arrivals_(ring_) {
  if (whole != nullptr) {
    others_ = std::make_unique<LikeRanks>(*whole, path.nodes, itineraries_, seed, replication);
    waited_ns_.resize(path.loaders);
  }
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

/// What terms wait for: stations and queues that only this job uses, and networks.
void JobRun::build_stations() {
  const std::vector<StagedTerm>& terms = itineraries_.terms();
  flows_.resize(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const StagedTerm& term = terms[i];
    if (!term.contended) continue;
    if (term.discipline == Discipline::flow) flows_[i] = flow_of(term);
    if (term.discipline == Discipline::queue)
      queues_[index(term.server())].assign(
          places_of(term.server()),
          sim::FcfsServers(term.of_batch ? 1 : whole_servers(term.capacity_per_s, path_.request_latency_s.mean())));
    if (term.discipline == Discipline::station) build_station(term);
    if (term.discipline == Discipline::station && i == 0) first_stations_ = &stations_[index(term.server())];
  }
  start_node_flows();
}

std::size_t JobRun::places_of(Resource resource) const {
  const Scope scope = scope_of(path_, resource);
  return scope == Scope::loader ? path_.loaders : scope == Scope::node ? path_.nodes : 1;
}

/// One for all terms that wait there.
void JobRun::build_station(const Term& term) {
  Stations& stations = stations_[index(term.server())];
  if (!stations.empty()) return;
  const Term& whole = before_flows(path_, term);
  for (std::size_t place = 0; place < places_of(term.server()); ++place)
    stations.push_back(std::make_unique<sim::SharedStation>(simulation_, whole.capacity_per_s, whole.cap_per_s));
}

/// Flows that share one network with those from the store, or have one of their own.
JobRun::Flow JobRun::flow_of(const Term& term) {
  if (term.server() == Resource::store_bandwidth) return {services_.network.get(), path_.first_node};
  const bool peers = term.server() == Resource::nic;
  const TierPath& tiers = path_.tiers;
  if (path_.local_store || tiers.one_network_bytes_per_s || !((peers ? tiers.shares.peer : tiers.shares.shared) > 0.0))
    return {services_.network.get(), 0};
  networks_.push_back(std::make_unique<sim::FluidNetwork>(
      simulation_, peers ? network_of(path_, std::nullopt, tiers.across_leaves)
                         : network_of(path_, tiers.shared_capacity_bytes_per_s, 1.0)));
  return {networks_.back().get(), 0};
}

/// Checkpoints that are written to, or read from, the drives of the nodes while the job reads them.
void JobRun::start_node_flows() {
  constexpr double kLeastBytes = 1024.0 * 1024;
  constexpr double kMostBytes = 64.0 * 1024 * 1024;
  double phase = 0.0;
  for (const NodeFlow& flow : path_.node_flows) {
    const Stations& drives = stations_[index(drive_of(flow))];
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

/// The training loop: every rank takes this step's batch as soon as it is ready, the step begins when all have theirs.
/// A rank's slot is free from the moment at which it takes the batch (ready_times.hpp). Loading in the training process
/// goes on when the step has ended.
sim::Process JobRun::train() {
  start_workers();
  sim::TimeNs compute_end_ns = 0;
  for (std::uint64_t step = 0;; ++step) {
    if (!path_.synchronous) take_ready_batches(step);
    while (arrivals_[step % ring_].count < path_.loaders) co_await all_ready_.wait();
    if (others_) {
      const sim::TimeNs last_ns = arrive_others(step, compute_end_ns);
      if (last_ns > simulation_.now()) co_await simulation_.until(last_ns);
    }
    close_step(step, compute_end_ns);
    log_.records.push_back(begin_step(step));
    taking_ = false;
    arrivals_[step % ring_] = {};
    if (!path_.synchronous) next_step_ = step + 1;
    compute_end_ns = simulation_.now() + log_.records.back().busy_ns();
    if (others_) others_->step_ends(compute_end_ns);
    if (log_.steps() == stop_after_ && --goal_.jobs_left == 0) simulation_.request_stop();
    co_await simulation_.until(compute_end_ns);
    if (path_.synchronous) free_all_slots(step);
  }
}

/// Workers whose batches are all alike, and which begin in the same nanosecond, stay in step: all of them open files,
/// then all transfer, while metadata idles. They therefore begin spread over one step
/// (docs/decisions/0090-granularity.md).
void JobRun::start_workers() {
  const double spread_s = itineraries_.all_alike() ? path_.mean_step_floor_s() : 0.0;
  double phase = 0.0;
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) {
    for (std::uint32_t number = 0; number < path_.workers; ++number, phase += kGolden) {
      const sim::TimeNs start_ns = sim::duration_ns((phase - std::floor(phase)) * spread_s);
      if (start_ns == 0)
        start_next(loader, number, number);
      else
        simulation_.spawn(start_at(start_ns, loader, number), "worker");
    }
  }
}

sim::Process JobRun::start_at(sim::TimeNs start_ns, std::uint32_t loader, std::uint32_t number) {
  co_await simulation_.until(start_ns);
  start_next(loader, number, number);
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
  if (path_.order == DeliveryOrder::in_order)
    return batch < path_.outstanding || has_taken(loader_number, batch - path_.outstanding);
  AnyOrder& loader = any_order_[loader_number];
  if (path_.order == DeliveryOrder::any_order_shared) {
    if (loader.started >= loader.taken + path_.outstanding) return false;
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
  shipment.ready_ns = kNotReady;
  shipment.batch = batch;
  shipment.worker = number;
  shipment.present = 0;
  // With many stations each has long left the caches; to draw the itinerary takes as long as to fetch it.
  const sim::SharedStation* const first = first_station(shipment);
  if (first != nullptr) first->fetch_ahead();
  shipment.count = itineraries_.make(loader_number, batch, shipments_.room(shipment));
  if (first != nullptr) first->fetch_jobs_ahead();
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
  const bool transfers_next = services_.network && shipment.present != shipment.count &&
                              visits[shipment.present].stage() == Stage::transfer && !path_.local_store;
  const std::uint64_t needed = transfers_next ? services_.network->place_of(path_.first_node + shipment.node) : 0;
  simulation_.schedule_at(end_ns, {&JobRun::go_on, &shipment, needed});
  return false;
}

/// Begins a stage at a resource that the batch shares with others. True if it passes at once.
bool JobRun::enter(Shipment& shipment, StageVisit& visit) {
  const StagedTerm& term = itineraries_.terms()[visit.term()];
  const sim::Action passed{&JobRun::pass_stage, &shipment, 0};
  const auto place = [&](Scope scope) {
    return scope == Scope::loader ? shipment.loader : scope == Scope::node ? shipment.node : 0;
  };
  constexpr double kMostWork = 0x1p61;  // what a fluid counts in whole bytes
  if (term.discipline >= Discipline::service && !(visit.work < kMostWork))
    throw UnusableRequest("one transfer would be of more than 2 EB", "look for a size in a wrong unit");
  switch (term.discipline) {
    case Discipline::admission:
      if (visit.work == 1.0) return ask(shipment, 0);
      return wait_until(shipment, visit, simulation_.now() + backoff_ns(shipment, visit));
    case Discipline::queue:
      return wait_until(shipment, visit,
                        queues_[index(term.server())][place(scope_of(path_, term.server()))].book(simulation_.now(),
                                                                                                  visit.service_ns()));
    case Discipline::service: {
      StoreService& service = services_.of(term.server());
      if (service.fcfs) return wait_until(shipment, visit, service.fcfs->book(simulation_.now(), visit.service_ns()));
      service.shared.start(path_.service_user, visit.work, term.cap_per_s, shipment, passed);
      break;
    }
    case Discipline::station:
      stations_[index(term.server())][place(scope_of(path_, term.server()))]->start(visit.work, passed);
      break;
    case Discipline::flow: {
      const Flow& flow = flows_[visit.term()];
      flow.network->transfer(flow.first_node + shipment.node, visit.work, term.cap_per_s, shipment);
      break;
    }
    case Discipline::delay:
      HEADRACE_ASSERT(false, "a delay was started as shared");
  }
  visit.set_shared();
  return false;
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

/// The worker is done with the batch.
void JobRun::deliver(Shipment& shipment) {
  const BehindWorker& behind = itineraries_.behind_worker();
  if (behind.service_ns == 0) return arrive(shipment, step_of_next(shipment));
  const bool beside = behind.holder == Holder::pin_thread;
  shipment.visits()[shipment.count++] = StageVisit(behind.stage, beside, behind.service_ns, 0.0, behind.term);
  if (beside) return pin(shipment);
  shipment.ready_ns = kQueued;
  const std::uint64_t step = step_of_next(shipment);
  if (taking_ && step == next_step_) receive(shipment);
}

/// One batch of a loader after the other, in the order in which the workers finish them.
void JobRun::pin(Shipment& shipment) {
  const BehindWorker& behind = itineraries_.behind_worker();
  const sim::TimeNs end_ns = behind.contended ? queues_[index(Resource::pin_thread)][shipment.loader].book(
                                                    simulation_.now(), behind.service_ns)
                                              : simulation_.now() + behind.service_ns;
  simulation_.schedule_at(end_ns, {&JobRun::end_pinning, &shipment, 0});
}

/// The rank waits for this batch and nothing else keeps it busy.
void JobRun::receive(Shipment& shipment) {
  simulation_.schedule_at(simulation_.now() + itineraries_.behind_worker().service_ns,
                          {&JobRun::end_receiving, &shipment, 0});
}

void JobRun::end_pinning(void* shipment, std::uint64_t) {
  Shipment& self = *static_cast<Shipment*>(shipment);
  self.run->arrive(self, self.run->step_of_next(self));
}

void JobRun::end_receiving(void* shipment, std::uint64_t) {
  Shipment& self = *static_cast<Shipment*>(shipment);
  self.run->arrive(self, self.run->next_step_);
}

/// The step that the batch serves. In any order it is the next one of its loader.
std::uint64_t JobRun::step_of_next(Shipment& shipment) {
  if (path_.order == DeliveryOrder::in_order) return shipment.batch;
  AnyOrder& loader = any_order_[shipment.loader];
  const std::uint64_t step = loader.delivered++;
  loader.by_step[step % ring_] = shipment.slot;
  return step;
}

/// The rank can take the batch, or has received it.
void JobRun::arrive(Shipment& shipment, std::uint64_t step) {
  shipment.ready_ns = simulation_.now();
  if (itineraries_.behind_worker().service_ns > 0) shipment.visits()[shipment.count - 1].end_ns = shipment.ready_ns;
  Arrivals& arrivals = arrivals_[step % ring_];
  if (shipment.ready_ns > arrivals.last_ns || shipment.loader < arrivals.last_loader) {
    arrivals.last_ns = shipment.ready_ns;
    arrivals.last_loader = shipment.loader;
  }
  ++arrivals.count;
  if (step != next_step_) return;
  if (taking_) take_batch(shipment.loader, step);
  if (arrivals.count == path_.loaders) all_ready_.pulse();
}

/// The step before has ended: ranks whose batch is ready take it now, the others when it comes.
void JobRun::take_ready_batches(std::uint64_t step) {
  taking_ = true;
  if (itineraries_.behind_worker().receive_ns() > 0) {
    for (std::uint32_t loader = 0; loader < path_.loaders; ++loader)
      if (Shipment* const queued = queued_for(loader, step)) receive(*queued);
    return;
  }
  if (path_.order != DeliveryOrder::in_order) {
    for (std::uint32_t loader = 0; loader < path_.loaders; ++loader)
      if (any_order_[loader].delivered > step) take_in_any_order(loader, step);
    return;
  }
  // In order only an idle worker has to be told: the others look for themselves when they turn to their next batch.
  const std::uint64_t batch = step + path_.outstanding;  // whose slot this is now
  const auto due = static_cast<std::uint32_t>(batch % path_.workers);
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader)
    if (is_idle(loader, due) != 0 && has_taken(loader, step)) wake(loader, due, batch);
}

/// The batch of a step that the rank could begin to receive, if there is one.
Shipment* JobRun::queued_for(std::uint32_t loader, std::uint64_t step) {
  if (path_.order != DeliveryOrder::in_order && any_order_[loader].delivered <= step) return nullptr;
  Shipment& shipment = shipment_of_step(loader, step);
  const bool is_its = path_.order != DeliveryOrder::in_order || shipment.batch == step;
  return is_its && shipment.ready_ns == kQueued ? &shipment : nullptr;
}

void JobRun::take_batch(std::uint32_t loader, std::uint64_t step) {
  if (path_.order != DeliveryOrder::in_order) return take_in_any_order(loader, step);
  const std::uint64_t batch = step + path_.outstanding;
  wake(loader, static_cast<std::uint32_t>(batch % path_.workers), batch);
}

/// The slot goes to the worker that held it, or to the first idle one. Its record is needed until the step has begun:
/// what comes free for another batch is that of the step before.
void JobRun::take_in_any_order(std::uint32_t loader_number, std::uint64_t step) {
  AnyOrder& loader = any_order_[loader_number];
  const Shipment& taken = shipment_of_step(loader_number, step);
  const std::uint32_t holder = taken.worker;
  if (loader.taken++ > 0) loader.free.push_back(loader.on_gpu);
  loader.on_gpu = taken.slot;
  --loader.held[holder];
  if (path_.order == DeliveryOrder::any_order_per_worker) return wake(loader_number, holder, 0);
  for (std::uint32_t number = 0; number < path_.workers; ++number) {
    if (is_idle(loader_number, number) == 0) continue;
    return wake(loader_number, number, 0);
  }
}

/// In order: whether the rank has taken its batch of the step. Of the next step it has if it may and the batch is
/// ready.
bool JobRun::has_taken(std::uint32_t loader, std::uint64_t step) {
  if (step != next_step_) return step < next_step_;
  if (!taking_) return false;
  const Shipment& shipment = shipments_.at(loader, step % ring_);
  return shipment.batch == step && shipment.ready_ns >= 0;
}

/// In order: the slots of a step's batches, of all ranks.
void JobRun::free_all_slots(std::uint64_t step) {
  next_step_ = step + 1;
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) take_batch(loader, step);
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
  record.host_wait_ns = itineraries_.host_wait_ns();
  record.h2d_ns = sim::duration_ns(path_.h2d_s);
  record.collective_ns = sim::duration_ns(path_.collective_s);
  return record;
}

/// When the last of the ranks that are not simulated has its batch, with the waits that the simulated ones had.
sim::TimeNs JobRun::arrive_others(std::uint64_t step, sim::TimeNs compute_end_ns) {
  const bool behind = itineraries_.behind_worker().service_ns > 0;
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) {
    const Shipment& shipment = shipment_of_step(loader, step);
    sim::TimeNs served_ns = 0;
    for (std::uint32_t i = 0; i + (behind ? 1 : 0) < shipment.count; ++i)
      served_ns += shipment.visits()[i].service_ns();
    waited_ns_[loader] = shipment.delivered_ns() - shipment.assigned_ns - served_ns;
  }
  return others_->arrive(compute_end_ns, waited_ns_);
}

/// The batch that the step waited for last.
BatchTimeline JobRun::last_of(std::uint64_t step) {
  const Arrivals& arrivals = arrivals_[step % ring_];
  if (others_ && simulation_.now() > arrivals.last_ns)
    return others_->last_timeline(shipment_of_step(others_->last_like(), step).timeline());
  return shipment_of_step(arrivals.last_loader, step).timeline();
}

/// Counts the batches that are taken and divides the wait between the end of compute and now into own and peer waits,
/// each blamed on the batch that ended it.
void JobRun::close_step(std::uint64_t step, sim::TimeNs compute_end_ns) {
  const sim::TimeNs now_ns = simulation_.now();
  for (std::uint32_t loader = 0; loader < watched_; ++loader)
    watcher_->taken(shipment_of_step(loader, step), step, now_ns);
  const bool waited = !log_.records.empty() && now_ns > compute_end_ns;  // before the first step it is start-up
  StepRecord* const record = waited ? &log_.records.back() : nullptr;
  const BatchTimeline last = last_of(step);
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

/// Adds the queueing and service of the batch's stages to `times`. While a batch is ready and the rank is in its step,
/// it waits for no stage.
void JobRun::count_times(const BatchTimeline& batch, BlameByStage& times) {
  sim::TimeNs begin_ns = batch.assigned_ns;
  sim::TimeNs for_rank_ns = 0;
  for (const StageVisit& visit : batch.visits) {
    if (visit.waits_for_rank()) {
      for_rank_ns = visit.end_ns - visit.service_ns() - begin_ns;
      begin_ns += for_rank_ns;
    }
    const sim::TimeNs service_ns = std::min(visit.service_ns(), visit.end_ns - begin_ns);
    times[index(visit.stage())].service_ns += service_ns;
    times[index(visit.stage())].queueing_ns += visit.end_ns - begin_ns - service_ns;
    begin_ns = visit.end_ns;
  }
  totals_.load_time_ns.add(batch.ready_ns - batch.assigned_ns - for_rank_ns);
}

/// Time that a piece takes from its requests on when nobody else asks.
sim::TimeNs JobRun::unthrottled_ns(Shipment& shipment) {
  sim::TimeNs total_ns = 0;
  const StageVisit* const visits = shipment.visits();
  for (std::uint32_t i = shipment.present + 1; i < shipment.count; ++i) {
    const StagedTerm& term = shipment.run->itineraries_.terms()[visits[i].term()];
    if (term.discipline == Discipline::admission || term.of_batch) break;
    total_ns += visits[i].service_ns();
  }
  return total_ns;
}

/// A piece of one request takes a token of the store's limit, or backs off and asks again: whoever asks first when a
/// token has come gets it. True if the piece passes now.
bool JobRun::ask(Shipment& shipment, std::uint32_t refusals) {
  const sim::TimeNs now_ns = simulation_.now();
  if (services_.limit->available(now_ns) > 0) {
    services_.limit->reserve(now_ns, 1);
    shipment.visits()[shipment.present++].end_ns = now_ns;
    return true;
  }
  ++totals_.throttled_requests;
  const std::uint64_t number = shipment.batch * itineraries_.most_visits() + shipment.present;
  const sim::TimeNs wait_ns = itineraries_.backoff_ns(shipment.loader, number, refusals, refusals);
  simulation_.schedule_at(now_ns + wait_ns, {&JobRun::ask_again, &shipment, refusals + 1});
  return false;
}

/// Event: the back-off of a refused request is over.
void JobRun::ask_again(void* shipment, std::uint64_t refusals) {
  Shipment& self = *static_cast<Shipment*>(shipment);
  if (self.run->ask(self, static_cast<std::uint32_t>(refusals))) go_on(shipment, 0);
}

/// Waits of a piece's requests for the store's limit, of a piece with several. Its lanes ask one request after the
/// other, spread over the time that the piece takes. A request that comes too early is answered 503 and its lane backs
/// off until a retry falls behind the time at which the request is admitted; the requests behind it come as much later.
/// Tokens are taken for all of them at once, when the piece comes.
sim::TimeNs JobRun::backoff_ns(Shipment& shipment, const StageVisit& visit) {
  const sim::TimeNs now_ns = simulation_.now();
  const auto requests = static_cast<std::uint32_t>(visit.work);
  const sim::TimeNs last_admitted_ns = services_.limit->reserve(now_ns, requests);
  if (last_admitted_ns == now_ns) return 0;
  const double token_ns = 1e9 / *path_.limit_requests_per_s;
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
