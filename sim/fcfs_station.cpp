#include "sim/fcfs_station.hpp"

namespace headrace::sim {

FcfsStation::FcfsStation(Simulation& simulation, std::uint32_t servers, std::uint32_t priorities)
    : simulation_(&simulation),
      queues_(std::make_unique<WaitQueue<Awaiter>[]>(priorities)),
      system_(simulation.now()),
      service_(simulation.now()),
      servers_(servers),
      priorities_(priorities) {
  HEADRACE_ASSERT(servers > 0 && priorities > 0, "a station needs a server and a priority");
}

StationStatistics FcfsStation::statistics() const {
  const TimeNs now = simulation_->now();
  system_.check(now, "Little's law is broken at a first-come station");
  service_.check(now, "the servers of a first-come station did other work than was given");
  StationStatistics s;
  s.arrivals = arrivals_;
  s.completions = completions_;
  s.withdrawals = withdrawals_;
  s.elapsed_ns = now - system_.since();
  s.busy_server_s = static_cast<double>(service_.area(now)) * 1e-9;
  s.utilization = service_.mean(now) / servers_;
  s.mean_in_system = system_.mean(now);
  s.mean_in_queue = s.mean_in_system - service_.mean(now);
  if (started_ > 0) s.mean_wait_s = seconds(wait_ns_) / static_cast<double>(started_);
  if (completions_ > 0) s.mean_sojourn_s = seconds(sojourn_ns_) / static_cast<double>(completions_);
  s.largest_number = system_.largest();
  return s;
}

void FcfsStation::reset_statistics() {
  const TimeNs now = simulation_->now();
  system_.reset(now);
  service_.reset(now);
  wait_ns_ = sojourn_ns_ = 0;
  arrivals_ = started_ = completions_ = withdrawals_ = 0;
}

}  // namespace headrace::sim
