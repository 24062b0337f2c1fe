#include "models/cluster_run.hpp"

#include <algorithm>
#include <cmath>

#include "sim/assert.hpp"

namespace headrace::models {

namespace {

double or_unlimited(double bytes_per_s) { return bytes_per_s > 0.0 ? bytes_per_s : sim::kUnlimitedBytesPerS; }

sim::FluidTreeSpec network_of(const IngestPath& path) {
  sim::FluidTreeSpec spec;
  spec.pool_bytes_per_s = or_unlimited(path.pool_bytes_per_s);
  for (std::uint32_t leaf = 0; leaf < path.leaves; ++leaf) spec.leaves.push_back({or_unlimited(path.leaf_bytes_per_s)});
  for (std::uint32_t node = 0; node < path.nodes; ++node)
    spec.nodes.push_back({path.leaf_of(node), or_unlimited(path.nic_bytes_per_s)});
  return spec;
}

/// Servers of an FCFS station that serves `capacity_per_s` operations of mean duration `mean_s`.
std::uint32_t servers_of(double capacity_per_s, double mean_s) {
  return static_cast<std::uint32_t>(std::max(1.0, std::floor(capacity_per_s * mean_s + 0.5)));
}

}  // namespace

ClusterRun::ClusterRun(const IngestPath& path, std::uint64_t seed, std::uint32_t replication, RunSwitches switches)
    : path_(path),
      itineraries_(path, seed, replication, switches),
      loaders_(path.loaders),
      workers_(std::size_t{path.loaders} * path.workers),
      ready_(std::size_t{path.outstanding} + 1, 0),
      ring_(std::uint64_t{path.outstanding} + 1) {
  build_stations(switches);
  shipments_.resize(path.loaders * ring_);
  for (Loader& loader : loaders_) {
    if (path.order == DeliveryOrder::in_order) continue;
    loader.by_step.resize(ring_);
    for (std::uint32_t i = static_cast<std::uint32_t>(ring_); i > 0; --i) loader.free.push_back(i - 1);
  }
  for (std::uint32_t loader = 0; loader < path.loaders; ++loader)
    for (std::uint32_t worker = 0; worker < path.workers; ++worker)
      simulation_.spawn(work(loader, worker), "worker", loader * path.workers + worker);
  simulation_.spawn(train(), "training loop");
}

void ClusterRun::build_stations(const RunSwitches& switches) {
  if (!switches.contention) return;
  const bool fcfs = path_.granularity.kind == Granularity::Kind::sample;
  if (!path_.local_store) network_ = std::make_unique<sim::FluidNetwork>(simulation_, network_of(path_));
  if (path_.metadata.contended) {
    if (fcfs)
      metadata_fcfs_ = std::make_unique<sim::FcfsStation>(simulation_, servers_of(path_.metadata.capacity_per_s, 1.0));
    else
      metadata_ = std::make_unique<sim::SharedStation>(simulation_, path_.metadata.capacity_per_s,
                                                       path_.metadata.per_worker_per_s);
  }
  if (path_.limit_requests_per_s > 0.0) {
    // Whole tokens: requests per 1,000 s keep three digits behind the point of the rate.
    const auto tokens =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(path_.limit_requests_per_s * 1000.0 + 0.5)));
    const auto burst = static_cast<std::uint64_t>(std::floor(path_.limit_requests_per_s * path_.limit.burst_s + 0.5));
    limit_ = std::make_unique<sim::TokenBucket>(tokens, burst, 1000 * sim::kNanosecondsPerSecond);
  }
  const SharedResource& requests = path_.requests;
  const std::uint32_t request_stations = !requests.contended ? 0 : path_.local_store ? path_.nodes : 1;
  for (std::uint32_t i = 0; i < request_stations; ++i) {
    const double mean_s = path_.request_latency_s.mean();
    if (fcfs)
      requests_fcfs_.push_back(
          std::make_unique<sim::FcfsStation>(simulation_, servers_of(requests.capacity_per_s, mean_s)));
    else
      requests_.push_back(std::make_unique<sim::SharedStation>(
          simulation_, requests.capacity_per_s, mean_s > 0.0 ? requests.per_worker_per_s : requests.capacity_per_s));
  }
  const auto per_node = [this](std::vector<std::unique_ptr<sim::SharedStation>>& stations,
                               const SharedResource& resource) {
    for (std::uint32_t node = 0; node < path_.nodes; ++node)
      stations.push_back(
          std::make_unique<sim::SharedStation>(simulation_, resource.capacity_per_s, resource.per_worker_per_s));
  };
  if (path_.device.contended) per_node(devices_, path_.device);
  if (path_.cache.contended) per_node(caches_, path_.cache);
  if (path_.cpu.contended) per_node(cores_, path_.cpu);
  if (path_.lock_contended)
    for (std::uint32_t loader = 0; loader < path_.loaders; ++loader)
      locks_.push_back(std::make_unique<sim::FcfsStation>(simulation_, 1));
}

void ClusterRun::run_to(std::uint64_t steps) {
  stop_after_ = steps;
  if (log_.steps() < steps) simulation_.run();
  HEADRACE_ASSERT(log_.steps() >= steps, "the run came to rest before its last step");
}

/// One worker, for ever: wait for a slot, carry a batch through its itinerary, hand it over. The frame is kept small
/// (few co_await expressions, each of which holds its awaiter for good), because tens of thousands of them live at
/// once.
sim::Process ClusterRun::work(std::uint32_t loader, std::uint32_t number) {
  Worker worker;
  workers_[std::size_t{loader} * path_.workers + number] = &worker;
  for (;;) {
    const std::optional<std::uint64_t> batch = next_batch(loader, number, worker);
    if (!batch) {
      worker.idle = true;
      co_await worker.go_on.wait();
      worker.idle = false;
      continue;
    }
    const std::uint32_t shipment = open_shipment(loader, number, *batch);
    Itinerary& visits = shipment_at(loader, shipment).timeline.visits;
    itineraries_.make(loader, *batch, visits);
    worker.visit = visits.data();
    worker.end = worker.visit + visits.size();
    while (worker.visit != worker.end) {
      if (!worker.visit->contended) {
        co_await simulation_.until(pass_private_stages(worker));
        continue;
      }
      if (worker.visit->stage == Stage::throttle)
        co_await simulation_.until(backoff_until(loader, *batch, *worker.visit));
      else if (sim::FcfsStation* const queue = queue_for(loader, worker.visit->stage))
        co_await queue->serve(worker.visit->service_ns);
      else {
        start_shared(loader, worker);
        co_await worker.go_on.wait();
      }
      worker.visit++->end_ns = simulation_.now();
    }
    prefetch_next(loader, *batch);
    deliver(loader, shipment, *batch);
  }
}

/// Fetches the record of the worker's next batch while this one is handed over.
void ClusterRun::prefetch_next(std::uint32_t loader, std::uint64_t batch) {
  if (path_.order != DeliveryOrder::in_order) return;
  const char* next = reinterpret_cast<const char*>(&shipment_at(loader, (batch + path_.workers) % ring_));
  for (std::size_t offset = 0; offset < sizeof(Shipment); offset += 64) __builtin_prefetch(next + offset, 1);
}

/// Neighbouring stages that share nothing are one event; the timeline keeps their times apart.
sim::TimeNs ClusterRun::pass_private_stages(Worker& worker) {
  sim::TimeNs end_ns = simulation_.now();
  for (; worker.visit != worker.end && !worker.visit->contended; ++worker.visit)
    worker.visit->end_ns = end_ns += worker.visit->service_ns;
  return end_ns;
}

/// The first-come station at which the stage is served one after the other; null if it is served side by side.
sim::FcfsStation* ClusterRun::queue_for(std::uint32_t loader, Stage stage) {
  if (stage == Stage::lock) return locks_[loader].get();
  if (stage == Stage::metadata) return metadata_fcfs_.get();
  if (stage == Stage::request && !requests_fcfs_.empty())
    return requests_fcfs_[path_.local_store ? path_.node_of(loader) : 0].get();
  return nullptr;
}

/// Starts the worker's present stage at the resource that its batches share with others.
void ClusterRun::start_shared(std::uint32_t loader, Worker& worker) {
  StageVisit& visit = *worker.visit;
  const std::uint32_t node = path_.node_of(loader);
  const sim::Action done{&ClusterRun::stage_done, &worker, 0};
  visit.shared = true;
  switch (visit.stage) {
    case Stage::cache:
      caches_[node]->start(visit.work, done);
      break;
    case Stage::metadata:
      metadata_->start(visit.work, done);
      break;
    case Stage::request:
      requests_[path_.local_store ? node : 0]->start(visit.work, done);
      break;
    case Stage::transfer:
      if (path_.local_store)
        devices_[node]->start(visit.work, done);
      else
        network_->transfer(node, visit.work, path_.flow_cap_bytes_per_s, done);
      break;
    case Stage::decode:
      cores_[node]->start(visit.work, done);
      break;
    case Stage::throttle:
    case Stage::lock:
    case Stage::copy:
      HEADRACE_ASSERT(false, "a stage that is never shared was started as shared");
  }
}

void ClusterRun::stage_done(void* worker, std::uint64_t) {
  Worker& self = *static_cast<Worker*>(worker);
  __builtin_prefetch(self.visit);  // the worker goes on a moment later and finds it in the cache
  self.go_on.pulse();
}

/// The training loop: wait until every loader has this step's batch, take the batches, compute.
sim::Process ClusterRun::train() {
  sim::TimeNs compute_end_ns = 0;
  for (std::uint64_t step = 0;; ++step) {
    while (ready_[step % ready_.size()] < path_.loaders) co_await all_ready_.wait();
    ready_[step % ready_.size()] = 0;
    if (step > 0) log_wait(step, compute_end_ns);
    log_.records.push_back(begin_step(step));
    take_batches(step);
    compute_end_ns = simulation_.now() + log_.records.back().busy_ns();
    if (log_.steps() >= stop_after_) simulation_.request_stop();
    co_await simulation_.until(compute_end_ns);
  }
}

/// The batch that the worker may begin now, if it has a slot.
std::optional<std::uint64_t> ClusterRun::next_batch(std::uint32_t loader_number, std::uint32_t number, Worker& worker) {
  Loader& loader = loaders_[loader_number];
  std::uint64_t batch = number + worker.started * path_.workers;
  switch (path_.order) {
    case DeliveryOrder::in_order:
      if (batch >= taken_ + path_.outstanding) return std::nullopt;
      break;
    case DeliveryOrder::any_order_per_worker:
      if (worker.started - worker.taken >= std::max(1U, path_.outstanding / path_.workers)) return std::nullopt;
      break;
    case DeliveryOrder::any_order_shared:
      if (loader.started >= taken_ + path_.outstanding) return std::nullopt;
      batch = loader.started;
      break;
  }
  ++worker.started;
  ++loader.started;
  return batch;
}

std::uint32_t ClusterRun::open_shipment(std::uint32_t loader_number, std::uint32_t worker, std::uint64_t batch) {
  std::uint32_t slot = static_cast<std::uint32_t>(batch % ring_);
  if (path_.order != DeliveryOrder::in_order) {
    Loader& loader = loaders_[loader_number];
    HEADRACE_ASSERT(!loader.free.empty(), "a loader has more batches under way than it may");
    slot = loader.free.back();
    loader.free.pop_back();
  }
  Shipment& shipment = shipment_at(loader_number, slot);
  shipment.worker = worker;
  shipment.timeline.assigned_ns = simulation_.now();
  return slot;
}

void ClusterRun::deliver(std::uint32_t loader_number, std::uint32_t slot, std::uint64_t batch) {
  BatchTimeline& timeline = shipment_at(loader_number, slot).timeline;
  timeline.ready_ns = simulation_.now();
  std::uint64_t step = batch;
  if (path_.order != DeliveryOrder::in_order) {
    Loader& loader = loaders_[loader_number];
    step = loader.delivered++;
    loader.by_step[step % ring_] = slot;
  }
  totals_.load_time_ns.add(timeline.ready_ns - timeline.assigned_ns);
  ++totals_.batches;
  sim::TimeNs begin_ns = timeline.assigned_ns;
  for (const StageVisit& visit : timeline.visits) {
    const sim::TimeNs service_ns = std::min(visit.service_ns, visit.end_ns - begin_ns);
    totals_.service_s[index(visit.stage)] += sim::seconds(service_ns);
    totals_.queueing_s[index(visit.stage)] += sim::seconds(visit.end_ns - begin_ns - service_ns);
    begin_ns = visit.end_ns;
  }
  if (++ready_[step % ready_.size()] == path_.loaders && step == taken_) all_ready_.pulse();
}

/// All GPUs start the step: slots come free.
void ClusterRun::take_batches(std::uint64_t step) {
  ++taken_;
  const auto due = static_cast<std::uint32_t>((step + path_.outstanding) % path_.workers);
  constexpr std::uint32_t kAhead = 8;  // workers lie far apart: fetch the next ones while these are woken
  for (std::uint32_t number = 0; number < path_.loaders; ++number) {
    Loader& loader = loaders_[number];
    switch (path_.order) {
      case DeliveryOrder::in_order:
        if (number + kAhead < path_.loaders) __builtin_prefetch(&worker_at(number + kAhead, due).idle);
        wake_idle(worker_at(number, due));
        break;
      case DeliveryOrder::any_order_per_worker: {
        const std::uint32_t slot = loader.by_step[step % ring_];
        Worker& worker = worker_at(number, shipment_at(number, slot).worker);
        ++worker.taken;
        loader.free.push_back(slot);
        wake_idle(worker);
        break;
      }
      case DeliveryOrder::any_order_shared:
        loader.free.push_back(loader.by_step[step % ring_]);
        for (std::uint32_t worker = 0; worker < path_.workers; ++worker) {
          if (!worker_at(number, worker).idle) continue;
          wake_idle(worker_at(number, worker));
          break;
        }
        break;
    }
  }
}

ClusterRun::Shipment& ClusterRun::shipment_of_step(std::uint32_t loader, std::uint64_t step) {
  const std::uint64_t slot = step % ring_;
  return shipment_at(loader, path_.order == DeliveryOrder::in_order ? slot : loaders_[loader].by_step[slot]);
}

StepRecord ClusterRun::begin_step(std::uint64_t step) {
  StepRecord record;
  record.start_ns = simulation_.now();
  record.compute_ns = itineraries_.compute_ns(step);
  record.overhead_ns = itineraries_.overhead_ns(step);
  record.h2d_ns = sim::duration_ns(path_.h2d_s);
  record.collective_ns = sim::duration_ns(path_.collective_s);
  return record;
}

/// Divides the wait between the end of compute and now into own and peer waits and blames each on the batch that ended
/// it.
void ClusterRun::log_wait(std::uint64_t step, sim::TimeNs compute_end_ns) {
  StepRecord& record = log_.records.back();
  const sim::TimeNs now_ns = simulation_.now();
  if (now_ns == compute_end_ns) return;
  const Shipment* last = nullptr;
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) {
    const Shipment& own = shipment_of_step(loader, step);
    if (last == nullptr || own.timeline.ready_ns > last->timeline.ready_ns) last = &own;
  }
  std::int64_t waited_for_peers_only = 0;
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) {
    const BatchTimeline& own = shipment_of_step(loader, step).timeline;
    if (own.ready_ns <= compute_end_ns) {
      ++waited_for_peers_only;
      continue;
    }
    record.wait_own_ns += own.ready_ns - compute_end_ns;
    blame_wait(own, compute_end_ns, own.ready_ns, 1, record.blame);
    record.wait_peer_ns += now_ns - own.ready_ns;
    blame_wait(last->timeline, own.ready_ns, now_ns, 1, record.blame);
  }
  record.wait_peer_ns += waited_for_peers_only * (now_ns - compute_end_ns);
  blame_wait(last->timeline, compute_end_ns, now_ns, waited_for_peers_only, record.blame);
}

/// Reserves a piece's requests with the store's limit. Where they come too early the store answers 503 and the client
/// backs off until a retry falls behind the time at which the requests are admitted.
sim::TimeNs ClusterRun::backoff_until(std::uint32_t loader, std::uint64_t batch, const StageVisit& visit) {
  const auto count = static_cast<std::uint64_t>(visit.work);
  const sim::TimeNs admitted_ns = limit_->reserve(simulation_.now(), count);
  sim::TimeNs attempt_ns = simulation_.now();
  for (std::uint32_t attempt = 0; attempt_ns < admitted_ns; ++attempt) {
    totals_.throttled_requests += count;
    attempt_ns += itineraries_.backoff_ns(loader, batch * path_.pieces() + visit.piece, attempt);
  }
  return attempt_ns;
}

}  // namespace headrace::models
