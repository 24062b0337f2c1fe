#include "sim/shared_station.hpp"

#include <algorithm>

#include "sim/assert.hpp"

namespace headrace::sim {

namespace {

constexpr double kFraction = 4294967296.0;  // virtual time counts 2^-32 ns
constexpr double kLargestNs = static_cast<double>(kNever);

__extension__ using Fixed = __int128;

// Most numbers fit in 64 bits, which convert in one instruction, to the same value.
Fixed fixed_ns(double ns) {
  const double units = std::min(ns, kLargestNs) * kFraction;
  return units < 0x1p63 ? static_cast<Fixed>(static_cast<std::int64_t>(units)) : static_cast<Fixed>(units);
}

void prefetch(const Action& action) {
  __builtin_prefetch(action.self, 1);
  __builtin_prefetch(static_cast<const char*>(action.self) + 64, 1);
  __builtin_prefetch(static_cast<const char*>(action.self) + 128, 1);
}

double ns_of(Fixed fixed) {
  const auto narrow = static_cast<std::int64_t>(fixed);
  return (narrow == fixed ? static_cast<double>(narrow) : static_cast<double>(fixed)) / kFraction;
}

}  // namespace

SharedStation::SharedStation(Simulation& simulation, double capacity_per_s, double cap_per_s)
    : simulation_(&simulation),
      capacity_per_s_(capacity_per_s),
      fastest_per_s_(std::min(cap_per_s, capacity_per_s)),
      jobs_at_cap_(0),
      timer_(simulation, Action{&SharedStation::on_timer, this, 0}),
      last_(simulation.now()),
      system_(simulation.now()) {
  HEADRACE_ASSERT(capacity_per_s > 0 && cap_per_s > 0, "a shared station needs capacity");
  const double ratio = std::min(capacity_per_s_ / fastest_per_s_, 1e15);
  jobs_at_cap_ = static_cast<std::uint64_t>(ratio);
  // The quotient is rounded; the largest n with n x fastest <= capacity is what counts.
  if (static_cast<double>(jobs_at_cap_ + 1) * fastest_per_s_ <= capacity_per_s_) ++jobs_at_cap_;
  if (static_cast<double>(jobs_at_cap_) * fastest_per_s_ > capacity_per_s_) --jobs_at_cap_;
}

double SharedStation::slowed_progress_ns(double elapsed_ns) const {
  const double wanted_per_s = static_cast<double>(system_.present()) * fastest_per_s_;
  return elapsed_ns * capacity_per_s_ / wanted_per_s;
}

double SharedStation::slowed_duration_ns(double left_ns) const {
  const double wanted_per_s = static_cast<double>(system_.present()) * fastest_per_s_;
  return left_ns * wanted_per_s / capacity_per_s_;
}

void SharedStation::advance(TimeNs now) {
  const TimeNs dt = now - last_;
  last_ = now;
  if (dt > 0 && system_.present() > 0) {
    const double elapsed_ns = static_cast<double>(dt);
    const double per_job_ns = all_at_cap() ? elapsed_ns : slowed_progress_ns(elapsed_ns);
    virtual_now_ += all_at_cap() ? static_cast<Virtual>(dt) << 32 : fixed_ns(per_job_ns);
    served_ns_ += per_job_ns * static_cast<double>(system_.present());
  }
  if (now >= shared_due_) {
    // The end was rounded up, so virtual time has reached it but for the last bit.
    virtual_now_ = std::max(virtual_now_, shared_.top().ends_at);
    shared_due_ = kNever;
  }
}

SharedStation::JobId SharedStation::start(double work, Action done) {
  const TimeNs now = simulation_->now();
  advance(now);
  const TimeNs fastest_ns = transfer_ns(work, fastest_per_s_);
  Job job;
  job.ends_at = virtual_now_ + fixed_ns(work > 0 ? work / fastest_per_s_ * 1e9 : 0.0);
  job.earliest = fastest_ns >= kNever - now ? kNever : now + fastest_ns;
  job.sequence = arrivals_in_all_++;
  job.started = now;
  job.done = done;
  exact_.push(job);
  ++arrivals_;
  system_.arrive(now);
  simulation_->mark_dirty(*this);
  return JobId{job.sequence};
}

bool SharedStation::cancel(JobId id) {
  const auto is_meant = [id](const Job& job) { return job.sequence == id.sequence; };
  advance(simulation_->now());
  std::optional<Job> job = exact_.remove_if(is_meant);
  if (!job) job = shared_.remove_if(is_meant);
  if (!job) return false;
  leave(*job, false);
  simulation_->mark_dirty(*this);
  return true;
}

void SharedStation::leave(const Job& job, bool completed) {
  const TimeNs now = simulation_->now();
  system_.depart(now, job.started);
  if (completed) {
    ++completions_;
    sojourn_ns_ += now - job.started;
  } else {
    ++withdrawals_;
  }
}

void SharedStation::check_work(const Job& job) const {
  // A job that leaves has got its work, and at most the part of the last nanosecond that rounding up gave it.
  const double excess_ns = ns_of(virtual_now_ - job.ends_at);
  const double slack_ns = 1e-3 + 1e-12 * static_cast<double>(last_ - job.started);
  HEADRACE_ASSERT(excess_ns >= -slack_ns, "a shared station ended a job before its work was done");
  HEADRACE_ASSERT(excess_ns <= 2.0 + slack_ns, "a shared station worked longer on a job than it asked for");
}

void SharedStation::finish(const Job& job) {
  check_work(job);
  leave(job, true);
  job.done();
}

void SharedStation::complete_due() {
  const TimeNs now = simulation_->now();
  advance(now);
  simulation_->mark_dirty(*this);
  while (!exact_.empty() && exact_.top().earliest <= now) finish(exact_.pop());
  while (!shared_.empty() && shared_.top().ends_at <= virtual_now_ && shared_.top().earliest <= now) {
    finish(shared_.pop());
  }
}

TimeNs SharedStation::shared_end(TimeNs now) const {
  const Job& job = shared_.top();
  const double left_ns = ns_of(job.ends_at - virtual_now_);
  if (left_ns <= 0) return std::max(now, job.earliest);
  const double wait_ns = all_at_cap() ? left_ns : slowed_duration_ns(left_ns);
  if (wait_ns >= static_cast<double>(kNever - now)) return kNever;
  const auto whole = static_cast<TimeNs>(wait_ns);
  const TimeNs ceiling = static_cast<double>(whole) < wait_ns ? whole + 1 : whole;
  return std::max(now + ceiling, job.earliest);
}

void SharedStation::settle(TimeNs now) {
  if (system_.present() == 0) {
    shared_due_ = kNever;
    timer_.clear();
    return;
  }
  advance(now);
  if (system_.present() > jobs_at_cap_) {
    while (!exact_.empty()) shared_.push(exact_.pop());
  }
  shared_due_ = shared_.empty() ? kNever : shared_end(now);
  const TimeNs exact_due = exact_.empty() ? kNever : exact_.top().earliest;
  const bool is_exact = shared_.empty() || (!exact_.empty() && exact_due <= shared_due_);
  timer_.set(std::min(shared_due_, exact_due), is_exact ? static_cast<const void*>(&exact_.top()) : &shared_.top());
  // With many stations what the next job acts on has long left the caches when it ends.
  if (!exact_.empty()) prefetch(exact_.top().done);
  if (!shared_.empty()) prefetch(shared_.top().done);
}

StationStatistics SharedStation::statistics() const {
  const TimeNs now = simulation_->now();
  system_.check(now, "Little's law is broken at a shared station");
  StationStatistics s;
  s.arrivals = arrivals_;
  s.completions = completions_;
  s.withdrawals = withdrawals_;
  s.elapsed_ns = now - system_.since();
  const double open_ns = static_cast<double>(now - last_);  // since virtual time was moved
  const double open_per_job_ns = all_at_cap() ? open_ns : slowed_progress_ns(open_ns);
  const double served_ns = served_ns_ + open_per_job_ns * static_cast<double>(system_.present());
  const double work = served_ns * 1e-9 * fastest_per_s_;
  s.busy_server_s = work;
  if (s.elapsed_ns > 0) s.utilization = work / (capacity_per_s_ * seconds(s.elapsed_ns));
  s.mean_in_system = system_.mean(now);
  if (completions_ > 0) s.mean_sojourn_s = seconds(sojourn_ns_) / static_cast<double>(completions_);
  s.largest_number = system_.largest();
  return s;
}

void SharedStation::reset_statistics() {
  const TimeNs now = simulation_->now();
  advance(now);
  system_.reset(now);
  served_ns_ = 0;
  sojourn_ns_ = 0;
  arrivals_ = completions_ = withdrawals_ = 0;
}

}  // namespace headrace::sim
