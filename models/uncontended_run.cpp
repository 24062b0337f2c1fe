#include "models/uncontended_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace headrace::models {

UncontendedRun::UncontendedRun(const IngestPath& path, const ItineraryMaker& itineraries)
    : path_(path),
      itineraries_(itineraries),
      finished_ns_(std::size_t{path.workers} * path.loaders, 0),
      started_ns_(path.outstanding, 0),
      scratch_(itineraries.most_visits()) {
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

void UncontendedRun::step() {
  const std::uint64_t i = next_++;
  const sim::TimeNs slot_ns = started_ns_[i % path_.outstanding];
  sim::TimeNs* finished = &finished_ns_[(i % path_.workers) * path_.loaders];
  const sim::TimeNs compute_end_ns = previous_end_ns_;
  sim::TimeNs last_ns = 0;
  sim::TimeNs own_ns = 0;
  for (std::uint32_t loader = 0; loader < path_.loaders; ++loader) {
    const sim::TimeNs batch_ns = itineraries_.uncontended_ns(loader, i, scratch_);
    batch_time_sum_s_ += sim::seconds(batch_ns);
    finished[loader] = std::max(finished[loader], slot_ns) + batch_ns;
    last_ns = std::max(last_ns, finished[loader]);
    own_ns += std::max<sim::TimeNs>(0, finished[loader] - compute_end_ns);
  }
  StepRecord record;
  record.start_ns = std::max(compute_end_ns, last_ns);
  record.compute_ns = itineraries_.compute_ns(i);
  record.overhead_ns = itineraries_.overhead_ns(i);
  record.h2d_ns = sim::duration_ns(path_.h2d_s);
  record.collective_ns = sim::duration_ns(path_.collective_s);
  if (!log_.records.empty()) {  // the wait before the first step is start-up
    StepRecord& previous = log_.records.back();
    previous.wait_own_ns = own_ns;
    previous.wait_peer_ns = (record.start_ns - compute_end_ns) * path_.loaders - own_ns;
  }
  started_ns_[i % path_.outstanding] = record.start_ns;
  previous_end_ns_ = record.start_ns + record.busy_ns();
  log_.records.push_back(record);
}

}  // namespace headrace::models
