#include "models/engine/uncontended_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace headrace::models {

UncontendedRun::UncontendedRun(const IngestPath& path, const ItineraryMaker& itineraries, std::uint64_t first_batch)
    : path_(path),
      itineraries_(itineraries),
      pin_ns_(itineraries.behind_worker().pin_ns()),
      receive_ns_(itineraries.behind_worker().receive_ns()),
      ready_(path.loaders, path.workers, path.outstanding, pin_ns_ + receive_ns_),
      free_from_ns_(path.outstanding, -receive_ns_),
      first_batch_(first_batch) {
  if (path.order != DeliveryOrder::in_order)
    throw std::invalid_argument("the max-plus recursion needs static assignment and in-order delivery");
}

void UncontendedRun::run_to(std::uint64_t steps) {
  log_.records.reserve(steps + 1);
  while (log_.steps() < steps) step();
}

double UncontendedRun::mean_batch_time_s() const {
  return next_ == 0 ? 0.0 : batch_time_sum_s_ / (static_cast<double>(next_) * path_.loaders);
}

UncontendedRun::Arrival UncontendedRun::arrive() {
  const std::uint64_t i = next_++;
  const sim::TimeNs slot_ns = free_from_ns_[i % path_.outstanding];
  const ReadyTimes::Rows rows = ready_.next();
  Arrival arrival;
  arrival.batch = first_batch_ + i;
  arrival.compute_end_ns = previous_end_ns_;
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) {
    const sim::TimeNs batch_ns = itineraries_.uncontended_ns(loader, arrival.batch);
    batch_time_sum_s_ += sim::seconds(batch_ns);
    const sim::TimeNs slot_free_ns = std::max(rows.in_slot_ready[loader] + pin_ns_, slot_ns) + receive_ns_;
    rows.ready[loader] = std::max(rows.worker_free[loader], slot_free_ns) + batch_ns;
    const sim::TimeNs taken_ns = std::max(arrival.compute_end_ns, rows.ready[loader] + pin_ns_) + receive_ns_;
    arrival.last_ns = std::max(arrival.last_ns, taken_ns);
    arrival.own_ns += taken_ns - arrival.compute_end_ns;
  }
  return arrival;
}

StepRecord UncontendedRun::begin(const Arrival& arrival) {
  StepRecord record;
  record.start_ns = arrival.last_ns;
  record.compute_ns = itineraries_.compute_ns(arrival.batch);
  record.overhead_ns = itineraries_.overhead_ns(arrival.batch);
  record.host_wait_ns = itineraries_.host_wait_ns();
  record.h2d_ns = sim::duration_ns(path_.h2d_s);
  record.collective_ns = sim::duration_ns(path_.collective_s);
  previous_end_ns_ = record.start_ns + record.busy_ns();
  free_from_ns_[(next_ - 1) % path_.outstanding] = path_.synchronous ? previous_end_ns_ : arrival.compute_end_ns;
  return record;
}

sim::TimeNs UncontendedRun::advance() { return begin(arrive()).start_ns; }

void UncontendedRun::step() {
  const Arrival arrival = arrive();
  const StepRecord record = begin(arrival);
  if (!log_.records.empty()) {  // the wait before the first step is start-up
    StepRecord& previous = log_.records.back();
    previous.wait_own_ns = arrival.own_ns;
    previous.wait_peer_ns = (record.start_ns - arrival.compute_end_ns) * path_.loaders - arrival.own_ns;
  }
  log_.records.push_back(record);
}

}  // namespace headrace::models
