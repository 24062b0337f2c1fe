#include "models/campaign/fleet_job.hpp"

#include <algorithm>
#include <cmath>  // std::floor and std::ceil only
#include <limits>

#include "models/base/purposes.hpp"

namespace headrace::models {

namespace {

constexpr double kNeverComes = std::numeric_limits<double>::infinity();
/// Draws of one job in a stream of its class.
constexpr std::uint64_t kDrawsPerJob = 1ULL << 24U;

/// Streams of the draws of a class.
enum class StopStream : std::uint32_t { failures, reclaims, restarts };

sim::StreamKey stop_key(const FleetDraws& draws, std::size_t index, StopStream stream) {
  return {draws.seed, draws.replication, kDrawJobStops,
          static_cast<std::uint32_t>(index) * 4U + static_cast<std::uint32_t>(stream)};
}

/// Work that is too little for the resolution of time.
double hardly_any_s(double now_s) { return 1e-6 + 1e-12 * now_s; }

double exponential_s(const sim::StreamKey& key, std::uint64_t draw, double per_s) {
  return per_s > 0.0 ? sim::Distribution::exponential(1.0 / per_s).quantile(sim::uniform(key, draw)) : kNeverComes;
}

}  // namespace

FleetJob::FleetJob(const FleetClass& job_class, std::size_t index, std::uint64_t ordinal, double arrival_s,
                   const FleetDraws& draws)
    : class_(job_class),
      index_(index),
      ordinal_(ordinal),
      arrival_s_(arrival_s),
      draws_(draws),
      phases_(job_class.phases, stop_key(draws, index, StopStream::restarts), ordinal * kDrawsPerJob),
      cold_left_s_(job_class.course.cold_work_s) {
  const sim::StreamKey key{draws.seed, draws.replication, kDrawJobWork, static_cast<std::uint32_t>(index)};
  total_s_ = class_.work_s.quantile(sim::uniform(key, ordinal));
  failure_s_ = draw_failure_s();
  reclaim_s_ = draw_reclaim_s();
}

double FleetJob::draw_failure_s() {
  return exponential_s(stop_key(draws_, index_, StopStream::failures), ordinal_ * kDrawsPerJob + failure_draws_++,
                       class_.course.failures_per_s);
}

double FleetJob::draw_reclaim_s() {
  return exponential_s(stop_key(draws_, index_, StopStream::reclaims), ordinal_ * kDrawsPerJob + reclaim_draws_++,
                       class_.course.reclaims_per_s);
}

void FleetJob::start(double now_s) {
  const bool again = first_start_s_ >= 0.0;
  if (!again) first_start_s_ = now_s;
  start_s_ = seen_s_ = now_s;
  failure_s_ += now_s;
  reclaim_s_ += now_s;
  if (again && class_.course.cold_work_s > 0.0) cold_left_s_ = std::max(cold_left_s_, class_.phases.epoch_work_s);
  come_back(again ? FaultKind::outage : FaultKind::start, now_s);
}

bool FleetJob::preempt(double now_s) {
  ++preemptions_;
  if (state_ == FleetState::training && class_.preemption == Preemption::save) {
    state_ = FleetState::saving;
    until_s_ = now_s + class_.phases.save_s;
    if (until_s_ > now_s) return false;
  } else if (state_ == FleetState::training) {
    lose_unsaved(LossCause::preempted);
  }
  release(now_s);
  return true;
}

void FleetJob::release(double now_s) {
  finish_return(now_s);
  state_ = FleetState::waiting;
  unsaved_s_ = stall_left_s_ = 0.0;
  if (failure_s_ < now_s) failure_s_ = now_s + draw_failure_s();
  if (reclaim_s_ < now_s) reclaim_s_ = now_s + draw_reclaim_s();
  failure_s_ -= now_s;
  reclaim_s_ -= now_s;
}

double FleetJob::next_event_s(double now_s, double speed) const {
  if (!holds()) return kNeverComes;
  if (state_ == FleetState::saving) return until_s_;
  const double work_s = state_ == FleetState::returning ? until_s_ : next_work_s(now_s, speed);
  return std::min({work_s, failure_s_, reclaim_s_});
}

double FleetJob::next_work_s(double now_s, double speed) const {
  const double work_s = cold_left_s_ > 0.0 ? std::min(cold_left_s_, left_s()) : left_s();
  if (work_s <= hardly_any_s(now_s) * speed) return now_s;
  return now_s + time_of_work(work_s, speed_now(speed));
}

/// With the checkpoints on the way.
double FleetJob::time_of_work(double work_s, double speed) const {
  const double interval_s = class_.course.interval_s;
  if (!(speed > 0.0)) return kNeverComes;
  double time_s = stall_left_s_ + work_s / speed;
  if (!(interval_s > 0.0)) return time_s;
  const double until_first_s = interval_s - (stall_left_s_ > 0.0 ? 0.0 : unsaved_s_);
  if (work_s > until_first_s) time_s += std::ceil((work_s - until_first_s) / interval_s) * class_.course.stall_s;
  return time_s;
}

double FleetJob::remaining_s(double now_s, double speed) const {
  if (state_ == FleetState::saving) return until_s_ - now_s;
  const double return_s = state_ == FleetState::returning ? until_s_ - now_s : 0.0;
  const double cold_s = cold_left_s_ > 0.0 ? std::min(cold_left_s_, left_s()) : 0.0;
  const double slower_s = cold_s > 0.0 ? cold_s / speed * (1.0 / class_.course.cold_speed - 1.0) : 0.0;
  const double start_s = state_ == FleetState::waiting ? class_.phases.cold_start_s() : 0.0;
  return start_s + return_s + slower_s + time_of_work(left_s(), speed);
}

void FleetJob::advance(double now_s, double speed) {
  const double seconds = now_s - seen_s_;
  if (!holds() || !(seconds > 0.0)) return;
  seen_s_ = now_s;
  held_s_ += seconds;
  if (state_ == FleetState::saving) time_of(lost_, LossCause::preempted) += seconds;
  if (state_ == FleetState::training) work_on(seconds, speed);
}

void FleetJob::work_on(double seconds, double speed) {
  const double rate = speed_now(speed);
  const double interval_s = class_.course.interval_s;
  const double stall_s = class_.course.stall_s;
  double done_s = 0.0;
  double left = seconds;
  double stalled_s = std::min(left, stall_left_s_);
  if (stall_left_s_ > 0.0) {
    stall_left_s_ -= stalled_s;
    left -= stalled_s;
    if (!(stall_left_s_ > 0.0)) unsaved_s_ = 0.0;
  }
  if (!(interval_s > 0.0) || left * rate < interval_s - unsaved_s_) {
    done_s = left * rate;
    unsaved_s_ += done_s;
  } else {
    done_s = interval_s - unsaved_s_;
    left = std::max(0.0, left - done_s / rate);
    const double cycle_s = stall_s + interval_s / rate;
    const double cycles = std::floor(left / cycle_s);
    done_s += cycles * interval_s;
    stalled_s += cycles * stall_s;
    left = std::max(0.0, left - cycles * cycle_s);
    stall_left_s_ = std::max(0.0, stall_s - left);
    stalled_s += std::min(left, stall_s);
    const double rest_s = std::max(0.0, left - stall_s) * rate;
    unsaved_s_ = stall_left_s_ > 0.0 ? interval_s : rest_s;
    done_s += rest_s;
  }
  const double trained_s = seconds - stalled_s;
  const double cold_s = cold_left_s_ > 0.0 ? trained_s * (1.0 - class_.course.cold_speed) : 0.0;
  time_of(lost_, LossCause::checkpoint) += stalled_s;
  time_of(lost_, LossCause::warm_up) += cold_s;
  if (speed < 1.0) time_of(lost_, LossCause::sharing) += trained_s - cold_s - done_s;
  work_s_ += done_s;
  cold_done_s_ += std::min(done_s, cold_left_s_);
  cold_left_s_ = std::max(0.0, cold_left_s_ - done_s);
}

bool FleetJob::act(double now_s, double speed) {
  if (!holds()) return false;
  if (state_ == FleetState::saving) {
    if (until_s_ > now_s) return false;
    release(now_s);
    return true;
  }
  if (failure_s_ <= now_s) {
    ++failures_;
    failure_s_ = now_s + draw_failure_s();
    lose_unsaved(LossCause::lost_work);
    cold_left_s_ = std::max(cold_left_s_, class_.course.failure_cold_work_s);
    come_back(FaultKind::failure, now_s);
  } else if (reclaim_s_ <= now_s) {
    ++reclaims_;
    reclaim_s_ = now_s + draw_reclaim_s();
    unsaved_s_ = stall_left_s_ = 0.0;
    come_back(FaultKind::reclaim, now_s);
  } else if (state_ == FleetState::returning) {
    if (until_s_ <= now_s) state_ = FleetState::training;
  } else {
    const double enough_s = hardly_any_s(now_s) * speed;
    if (cold_left_s_ <= enough_s) cold_left_s_ = 0.0;
    if (left_s() <= enough_s) work_s_ = total_s_;
  }
  if (state_ != FleetState::training || !is_done()) return false;
  close(now_s);
  return true;
}

void FleetJob::close(double now_s) {
  if (holds()) finish_return(now_s);
  state_ = FleetState::waiting;
}

LossTimes FleetJob::lost() const {
  LossTimes lost = lost_;
  for (const SteadyLoss& steady : class_.steady_losses) time_of(lost, steady.cause) += steady.share * work_s_;
  return lost;
}

void FleetJob::come_back(FaultKind kind, double now_s) {
  const LossTimes before = phases_.lost();
  const double away_s = phases_.away_s(kind, now_s, now_s, work_s_);
  collect(before);
  came_by_preemption_ = kind == FaultKind::outage;
  until_s_ = now_s + away_s;
  state_ = FleetState::returning;
}

void FleetJob::finish_return(double now_s) {
  const LossTimes before = phases_.lost();
  phases_.finish(now_s);
  collect(before);
}

/// The time of the return that has just been counted.
void FleetJob::collect(const LossTimes& before) {
  for (std::size_t c = 0; c < kLossCauseCount; ++c) {
    const double seconds = phases_.lost()[c] - before[c];
    time_of(lost_, came_by_preemption_ ? LossCause::preempted : static_cast<LossCause>(c)) += seconds;
  }
}

void FleetJob::lose_unsaved(LossCause cause) {
  work_s_ -= unsaved_s_;
  redone_s_ += unsaved_s_;
  time_of(lost_, cause) += unsaved_s_;
  unsaved_s_ = stall_left_s_ = 0.0;
}

}  // namespace headrace::models
