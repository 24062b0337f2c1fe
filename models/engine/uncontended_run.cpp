#include "models/engine/uncontended_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace headrace::models {

UncontendedRun::UncontendedRun(const IngestPath& path, const ItineraryMaker& itineraries, std::uint64_t first_batch)
    : path_(path),
      itineraries_(itineraries),
      ranks_(path, path.loaders, itineraries.behind_worker()),
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
  Arrival arrival;
  arrival.batch = first_batch_ + next_++;
  arrival.compute_end_ns = previous_end_ns_;
  const auto batch_ns = [&](std::uint32_t loader, std::uint32_t, Closeness) {
    const sim::TimeNs ns = itineraries_.uncontended_ns(loader, arrival.batch);
    batch_time_sum_s_ += sim::seconds(ns);
    return ns;
  };
  const auto no_wait = [](std::uint32_t) { return sim::TimeNs{0}; };
  arrival.ranks = ranks_.arrive(arrival.compute_end_ns, RankRecursion::Batches{batch_ns, no_wait, true});
  return arrival;
}

StepRecord UncontendedRun::begin(const Arrival& arrival) {
  StepRecord record;
  record.start_ns = arrival.ranks.last_ns;
  record.compute_ns = itineraries_.compute_ns(arrival.batch);
  record.overhead_ns = itineraries_.overhead_ns(arrival.batch);
  record.host_wait_ns = itineraries_.host_wait_ns();
  record.h2d_ns = sim::duration_ns(path_.h2d_s);
  record.collective_ns = sim::duration_ns(path_.collective_s);
  previous_end_ns_ = record.start_ns + record.busy_ns();
  ranks_.step_ends(previous_end_ns_);
  return record;
}

sim::TimeNs UncontendedRun::advance() { return begin(arrive()).start_ns; }

void UncontendedRun::step() {
  const Arrival arrival = arrive();
  const StepRecord record = begin(arrival);
  if (!log_.records.empty()) {  // the wait before the first step is start-up
    StepRecord& previous = log_.records.back();
    previous.wait_own_ns = arrival.ranks.own_ns;
    previous.wait_peer_ns = (record.start_ns - arrival.compute_end_ns) * path_.loaders - arrival.ranks.own_ns;
  }
  log_.records.push_back(record);
}

}  // namespace headrace::models
