// Egalitarian processor sharing with a cap: n jobs share the capacity C equally, but no job gets more than the cap m,
// so that each runs at min(m, C / n). Cores shared by threads (m = one core), a disk array shared by requests.
//
// Method: virtual time (Parekh and Gallager 1993): V grows at the common rate of one job, a job that starts at V ends
// at V + work whatever comes and goes meanwhile, so one heap on that value gives the next completion in O(log n). V is
// counted in fixed point (2^-32 ns of a job at its fastest), so it does not lose precision over long runs. Jobs that
// have run at their cap ever since they started sit in a second heap with their exact end, start + transfer_ns(work,
// cap); a job leaves that heap at most once, when the station first runs below the cap.
#pragma once

#include <cstdint>

#include "sim/action.hpp"
#include "sim/finish_heap.hpp"
#include "sim/process.hpp"
#include "sim/settler.hpp"
#include "sim/simulation.hpp"
#include "sim/station_statistics.hpp"
#include "sim/timer.hpp"
#include "sim/wait_queue.hpp"

namespace headrace::sim {

class SharedStation final : public Settler {
 public:
  /// Names one job in service; stays invalid once the job has ended.
  struct JobId {
    std::uint64_t sequence = UINT64_MAX;
  };

  class [[nodiscard]] Awaiter final : public QueuedAwaiter {
   public:
    Awaiter(SharedStation& station, double work) : station_(&station), work_(work) {}
    ~Awaiter() { withdraw(); }
    void withdraw() noexcept override {
      if (!is_linked()) return;
      unlink();
      station_->cancel(job_);
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(Process::Handle handle) {
      begin_wait(handle);
      job_ = station_->start(work_, Action{&Awaiter::complete, this, 0});
      station_->waiting_.push_back(*this);
    }
    WaitResult await_resume() { return end_wait(); }

   private:
    static void complete(void* self, std::uint64_t) {
      Awaiter& awaiter = *static_cast<Awaiter*>(self);
      awaiter.unlink();
      awaiter.process().grant();
    }
    SharedStation* station_;  // valid while linked
    double work_;
    JobId job_;
  };

  /// Capacity and cap in the unit of work per second (servers, bytes per second), both > 0; the cap may exceed the
  /// capacity, which gives plain processor sharing.
  SharedStation(Simulation& simulation, double capacity_per_s, double cap_per_s);

  /// Serves `work` (server-seconds, bytes); the wait ends when it is done. Interrupted or destroyed jobs leave at once.
  Awaiter serve(double work) { return Awaiter(*this, work); }
  /// Starts a job and runs `done` when it ends. `done` may start and cancel jobs here but not destroy the station.
  JobId start(double work, Action done);
  /// Fetches what start() needs; fetch_jobs_ahead() when the station itself has had time to come.
  void fetch_ahead() const {
    for (std::size_t at = 0; at < sizeof(SharedStation); at += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(this) + at, 1);
  }
  void fetch_jobs_ahead() const { exact_.prefetch_end(); }
  /// False if the job has ended. Looks through all jobs.
  bool cancel(JobId id);

  std::uint64_t in_service() const { return system_.present(); }
  /// Throws InternalError if Little's law does not hold.
  StationStatistics statistics() const;
  void reset_statistics();

  void settle(TimeNs now) override;

 private:
  __extension__ using Virtual = __int128;  // virtual time

  /// Lies in one of the two heaps itself: a cluster has thousands of stations with few jobs each, so that what costs is
  /// the memory that an event touches.
  struct Job {
    Virtual ends_at = 0;  // in virtual time
    TimeNs earliest = 0;  // the end if the job always runs at its fastest
    std::uint64_t sequence = 0;
    TimeNs started = 0;
    Action done;
  };
  struct EarlierExactly {
    static bool before(const Job& a, const Job& b) {
      return a.earliest != b.earliest ? a.earliest < b.earliest : a.sequence < b.sequence;
    }
  };
  struct EarlierInVirtualTime {
    static bool before(const Job& a, const Job& b) {
      return a.ends_at != b.ends_at ? a.ends_at < b.ends_at : a.sequence < b.sequence;
    }
  };

  void advance(TimeNs now);
  void complete_due();
  void finish(const Job& job);
  void leave(const Job& job, bool completed);
  void check_work(const Job& job) const;
  TimeNs shared_end(TimeNs now) const;
  bool all_at_cap() const { return system_.present() <= jobs_at_cap_; }
  double slowed_progress_ns(double elapsed_ns) const;
  double slowed_duration_ns(double left_ns) const;
  static void on_timer(void* self, std::uint64_t) { static_cast<SharedStation*>(self)->complete_due(); }

  Simulation* simulation_;
  double capacity_per_s_;
  double fastest_per_s_;       // of one job: min(cap, capacity)
  std::uint64_t jobs_at_cap_;  // up to so many jobs all run at their fastest
  Timer timer_;
  WaitQueue<Awaiter> waiting_;
  FinishHeap<Job, EarlierExactly> exact_;  // ran at their fastest since their start
  FinishHeap<Job, EarlierInVirtualTime> shared_;
  Virtual virtual_now_ = 0;
  TimeNs last_ = 0;
  TimeNs shared_due_ = kNever;         // when the first job of shared_ ends, as of the last settle
  std::uint64_t arrivals_in_all_ = 0;  // unlike arrivals_ never reset
  Occupancy system_;
  double served_ns_ = 0;  // work done, in ns of a job at its fastest
  TimeNs sojourn_ns_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t completions_ = 0;
  std::uint64_t withdrawals_ = 0;
};

}  // namespace headrace::sim
