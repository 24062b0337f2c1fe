// c servers and a queue, first come, first served, with optional priority classes (non-preemptive, class 0 first).
#pragma once

#include <cstdint>
#include <memory>

#include "sim/process.hpp"
#include "sim/simulation.hpp"
#include "sim/station_statistics.hpp"
#include "sim/wait_queue.hpp"

namespace headrace::sim {

class FcfsStation {
 public:
  struct Served {
    TimeNs queued_ns = 0;  ///< Time before service began (or before an interrupt).
    WaitResult wait;
  };

  class [[nodiscard]] Awaiter final : public QueuedAwaiter {
   public:
    Awaiter(FcfsStation& station, TimeNs service_ns, std::uint32_t priority)
        : station_(&station), service_ns_(service_ns), priority_(priority) {}
    ~Awaiter() { withdraw(); }
    void withdraw() noexcept override {
      if (is_linked()) station_->leave(*this, false);
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(Process::Handle handle) {
      begin_wait(handle);
      station_->arrive(*this);
    }
    Served await_resume() {
      if (is_linked()) station_->leave(*this, true);
      const WaitResult wait = end_wait();
      return Served{started_ - arrived_, wait};
    }

   private:
    friend class FcfsStation;
    FcfsStation* station_;  // valid while linked
    TimeNs service_ns_;
    TimeNs arrived_ = 0;
    TimeNs started_ = 0;
    std::uint32_t priority_;
    bool in_service_ = false;
  };

  /// `servers` > 0; priorities run from 0 (first) to `priorities` - 1.
  FcfsStation(Simulation& simulation, std::uint32_t servers, std::uint32_t priorities = 1);
  FcfsStation(const FcfsStation&) = delete;
  FcfsStation& operator=(const FcfsStation&) = delete;

  /// Queues, then occupies one server for `service_ns`. An interrupted or destroyed process leaves queue or server.
  Awaiter serve(TimeNs service_ns, std::uint32_t priority = 0) {
    HEADRACE_ASSERT(service_ns >= 0 && priority < priorities_, "a job has a negative service time or no such priority");
    return Awaiter(*this, service_ns, priority);
  }

  std::uint32_t servers() const { return servers_; }
  std::uint64_t in_system() const { return system_.present(); }
  std::uint64_t in_service() const { return service_.present(); }
  std::uint64_t in_queue() const { return in_system() - in_service(); }

  /// Throws InternalError if Little's law does not hold for the system or its servers.
  StationStatistics statistics() const;
  /// Forgets what was measured so far (the end of a warm-up).
  void reset_statistics();

 private:
  void arrive(Awaiter& job);
  void start(Awaiter& job);
  void leave(Awaiter& job, bool completed);
  void start_next();

  Simulation* simulation_;
  std::unique_ptr<WaitQueue<Awaiter>[]> queues_;  // by priority
  WaitQueue<Awaiter> serving_;
  Occupancy system_;
  Occupancy service_;
  TimeNs wait_ns_ = 0;
  TimeNs sojourn_ns_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t completions_ = 0;
  std::uint64_t withdrawals_ = 0;
  std::uint32_t servers_;
  std::uint32_t priorities_;
};

inline void FcfsStation::arrive(Awaiter& job) {
  job.arrived_ = job.started_ = simulation_->now();
  ++arrivals_;
  system_.arrive(job.arrived_);
  if (service_.present() < servers_) {
    start(job);
  } else {
    queues_[job.priority_].push_back(job);
  }
}

inline void FcfsStation::start(Awaiter& job) {
  job.started_ = simulation_->now();
  job.in_service_ = true;
  ++started_;
  wait_ns_ += job.started_ - job.arrived_;
  service_.arrive(job.started_);
  serving_.push_back(job);
  job.process().wake_at(job.service_ns_ >= kNever - job.started_ ? kNever : job.started_ + job.service_ns_);
}

inline void FcfsStation::leave(Awaiter& job, bool completed) {
  const TimeNs now = simulation_->now();
  job.unlink();
  system_.depart(now, job.arrived_);
  if (completed) {
    ++completions_;
    sojourn_ns_ += now - job.arrived_;
  } else {
    ++withdrawals_;
  }
  if (job.in_service_) {
    service_.depart(now, job.started_);
    start_next();
  } else {
    job.started_ = now;  // what was queued in vain
  }
}

inline void FcfsStation::start_next() {
  if (in_queue() == 0) return;
  for (std::uint32_t priority = 0; priority < priorities_; ++priority) {
    if (queues_[priority].empty()) continue;
    start(queues_[priority].pop_front());
    return;
  }
}

}  // namespace headrace::sim
