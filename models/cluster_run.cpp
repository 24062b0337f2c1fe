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
  for (Loader& loader : loaders_) {
    loader.shipments.resize(ring_);
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
    const auto tokens = static_cast<std::uint64_t>(path_.limit_requests_per_s * 1000.0 + 0.5);
    const auto burst = static_cast<std::uint64_t>(path_.limit_requests_per_s * path_.limit.burst_s + 0.5);
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
}

/// One worker, for ever: wait for a slot, carry a batch through its itinerary, hand it over.
sim::Process ClusterRun::work(std::uint32_t loader, std::uint32_t number) {
  for (;;) {
    const std::optional<std::uint64_t> batch = next_batch(loader, number);
    if (!batch) {
      co_await worker_at(loader, number).slot_free.wait();
      continue;
    }
    const std::uint32_t shipment = open_shipment(loaders_[loader], number, *batch);
    Itinerary& visits = loaders_[loader].shipments[shipment].timeline.visits;
    itineraries_.make(loader, *batch, visits);
    for (auto visit = visits.begin(); visit != visits.end();) {
      if (!visit->contended) {
        // Neighbouring stages that share nothing are one event; the timeline keeps their times apart.
        sim::TimeNs end_ns = simulation_.now();
        for (; visit != visits.end() && !visit->contended; ++visit) visit->end_ns = end_ns += visit->service_ns;
        co_await simulation_.until(end_ns);
        continue;
      }
      const std::uint32_t node = path_.node_of(loader);
      visit->shared = true;
      switch (visit->stage) {
        case Stage::cache:
          co_await caches_[node]->serve(visit->work);
          break;
        case Stage::metadata:
          visit->shared = metadata_ != nullptr;
          if (metadata_)
            co_await metadata_->serve(visit->work);
          else
            co_await metadata_fcfs_->serve(visit->service_ns);
          break;
        case Stage::throttle:
          co_await simulation_.until(backoff_until(loader, *batch, *visit));
          break;
        case Stage::request:
          visit->shared = !requests_.empty();
          if (!requests_.empty())
            co_await requests_[path_.local_store ? node : 0]->serve(visit->work);
          else
            co_await requests_fcfs_[path_.local_store ? node : 0]->serve(visit->service_ns);
          break;
        case Stage::transfer:
          if (path_.local_store)
            co_await devices_[node]->serve(visit->work);
          else
            co_await network_->transfer(node, visit->work, path_.flow_cap_bytes_per_s);
          break;
        case Stage::decode:
          co_await cores_[node]->serve(visit->work);
          break;
        case Stage::lock:
          visit->shared = false;
          co_await locks_[loader]->serve(visit->service_ns);
          break;
        case Stage::copy:
          break;  // never contended
      }
      visit->end_ns = simulation_.now();
      ++visit;
    }
    deliver(loader, shipment, *batch);
  }
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
std::optional<std::uint64_t> ClusterRun::next_batch(std::uint32_t loader_number, std::uint32_t number) {
  Worker& worker = worker_at(loader_number, number);
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

std::uint32_t ClusterRun::open_shipment(Loader& loader, std::uint32_t worker, std::uint64_t batch) {
  std::uint32_t slot = static_cast<std::uint32_t>(batch % ring_);
  if (path_.order != DeliveryOrder::in_order) {
    HEADRACE_ASSERT(!loader.free.empty(), "a loader has more batches under way than it may");
    slot = loader.free.back();
    loader.free.pop_back();
  }
  Shipment& shipment = loader.shipments[slot];
  shipment.worker = worker;
  shipment.timeline.assigned_ns = simulation_.now();
  return slot;
}

void ClusterRun::deliver(std::uint32_t loader_number, std::uint32_t slot, std::uint64_t batch) {
  Loader& loader = loaders_[loader_number];
  BatchTimeline& timeline = loader.shipments[slot].timeline;
  timeline.ready_ns = simulation_.now();
  std::uint64_t step = batch;
  if (path_.order != DeliveryOrder::in_order) {
    step = loader.delivered++;
    loader.by_step[step % ring_] = slot;
  }
  totals_.load_time_ns.add(timeline.ready_ns - timeline.assigned_ns);
  ++totals_.batches;
  sim::TimeNs begin_ns = timeline.assigned_ns;
  for (const StageVisit& visit : timeline.visits) {
    StageBlame& stage = totals_.time_by_stage[index(visit.stage)];
    const sim::TimeNs service_ns = std::min(visit.service_ns, visit.end_ns - begin_ns);
    stage.service_ns += service_ns;
    stage.queueing_ns += visit.end_ns - begin_ns - service_ns;
    begin_ns = visit.end_ns;
  }
  if (++ready_[step % ready_.size()] == path_.loaders && step == taken_) all_ready_.pulse();
}

/// All GPUs start the step: slots come free.
void ClusterRun::take_batches(std::uint64_t step) {
  ++taken_;
  for (std::uint32_t number = 0; number < path_.loaders; ++number) {
    Loader& loader = loaders_[number];
    switch (path_.order) {
      case DeliveryOrder::in_order:
        worker_at(number, static_cast<std::uint32_t>((step + path_.outstanding) % path_.workers)).slot_free.pulse();
        break;
      case DeliveryOrder::any_order_per_worker: {
        const std::uint32_t slot = loader.by_step[step % ring_];
        Worker& worker = worker_at(number, loader.shipments[slot].worker);
        ++worker.taken;
        loader.free.push_back(slot);
        worker.slot_free.pulse();
        break;
      }
      case DeliveryOrder::any_order_shared:
        loader.free.push_back(loader.by_step[step % ring_]);
        for (std::uint32_t worker = 0; worker < path_.workers; ++worker) {
          if (!worker_at(number, worker).slot_free.has_waiters()) continue;
          worker_at(number, worker).slot_free.pulse();
          break;
        }
        break;
    }
  }
}

ClusterRun::Shipment& ClusterRun::shipment_of_step(Loader& loader, std::uint64_t step) {
  const std::uint64_t slot = step % ring_;
  return loader.shipments[path_.order == DeliveryOrder::in_order ? slot : loader.by_step[slot]];
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
  for (Loader& loader : loaders_) {
    const Shipment& own = shipment_of_step(loader, step);
    if (last == nullptr || own.timeline.ready_ns > last->timeline.ready_ns) last = &own;
  }
  std::int64_t waited_for_peers_only = 0;
  for (Loader& loader : loaders_) {
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
