#include "models/campaign/return_phases.hpp"

#include <algorithm>
#include <cmath>  // std::fmod only

#include "models/base/purposes.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

namespace {

/// Stream of the draws of restarts, behind those of a course's faults.
constexpr std::uint32_t kRestartStream = kStreamsPerCourse - 1;

}  // namespace

ReturnPhases::ReturnPhases(const PhaseTimes& times, std::uint64_t seed, std::uint32_t replication)
    : times_(times), key_{seed, replication, kDrawFaults, kRestartStream} {}

double ReturnPhases::away_s(FaultKind kind, double stop_s, double from_s, double kept_work_s) {
  const bool on_its_way = away_ && stop_s < begin_s_ + total_s();
  end_at(stop_s);
  if (!on_its_way) {
    restart_ = kind == FaultKind::failure || kind == FaultKind::reclaim;
    stopped_s_ = stop_s;
  } else if (kind == FaultKind::outage) {
    restart_ = false;  // the nodes are gone: no failure of the job
  }
  phases_ = phases_of(kind, from_s, kept_work_s);
  begin_s_ = from_s;
  away_ = true;
  return total_s();
}

void ReturnPhases::finish(double end_s) {
  end_at(end_s);
  away_ = false;
}

double ReturnPhases::total_s() const {
  double sum_s = 0.0;
  for (const auto& [cause, seconds] : phases_) sum_s += seconds;
  return sum_s;
}

void ReturnPhases::end_at(double instant_s) {
  if (!away_) return;
  double left_s = std::max(0.0, instant_s - begin_s_);
  const bool came_back = left_s >= total_s();
  for (const auto& [cause, seconds] : phases_) {
    const double spent_s = std::min(left_s, seconds);
    time_of(lost_, cause) += spent_s;
    left_s -= spent_s;
  }
  if (came_back) {
    const double back_s = begin_s_ + total_s();
    if (restart_) restarts_s_.push_back(back_s - stopped_s_);
    if (first_step_s_ < 0.0) first_step_s_ = back_s;
  }
  phases_.clear();
  away_ = false;
}

ReturnPhases::Phases ReturnPhases::phases_of(FaultKind kind, double now_s, double kept_work_s) {
  Phases phases;
  if (kind == FaultKind::refresh) {
    phases = {{LossCause::refresh, times_.save_s + times_.listing_s + times_.staging_s + times_.first_batch_s}};
    ++listings_;
    return phases;
  }
  if (kind == FaultKind::failure) {
    add_failure(now_s, phases);
    add_return(times_.image_of_node_s, times_.imports_of_node_s, kept_work_s, phases);
    phases.emplace_back(LossCause::lost_work, times_.redone_s);
  } else if (kind == FaultKind::reclaim) {
    phases = {{LossCause::checkpoint, times_.save_s}, {LossCause::reschedule, times_.replacement_s}};
    add_return(times_.image_of_node_s, times_.imports_of_node_s, kept_work_s, phases);
  } else {
    add_return(times_.image_s, times_.imports_s, kept_work_s, phases);
  }
  started_ = true;
  ++listings_;
  return phases;
}

void ReturnPhases::add_failure(double now_s, Phases& phases) {
  if (times_.preempting > 0.0 && draw() < times_.preempting) {
    phases = {{LossCause::reschedule, times_.replacement_s}};
    return;
  }
  phases = {{LossCause::detection, times_.detection_s}, {LossCause::reschedule, times_.reschedule_s}};
  phases.emplace_back(LossCause::spare_wait, spare_wait_s(now_s, now_s + times_.detection_s + times_.reschedule_s));
}

void ReturnPhases::add_return(double image_s, double imports_s, double kept_work_s, Phases& phases) const {
  const double place =
      times_.epoch_work_s > 0.0 ? std::fmod(kept_work_s, times_.epoch_work_s) / times_.epoch_work_s : 0;
  phases.emplace_back(LossCause::image, image_s);
  phases.emplace_back(LossCause::imports, imports_s);
  phases.emplace_back(LossCause::listing, times_.listing_s);
  phases.emplace_back(LossCause::staging, started_ ? times_.staging_again_s : times_.staging_s);
  if (started_) phases.emplace_back(LossCause::checkpoint_load, times_.load_s);
  phases.emplace_back(LossCause::fast_forward, place * times_.skip_epoch_s);
  phases.emplace_back(LossCause::first_batch, times_.first_batch_s);
}

/// Until so many nodes are whole that the job has all of its own, beyond the instant at which it could go on.
double ReturnPhases::spare_wait_s(double failed_s, double needed_s) {
  if (!(times_.repair_s > 0.0)) return 0.0;
  under_repair_until_s_.erase(under_repair_until_s_.begin(), under_repair_until_s_.upper_bound(failed_s));
  under_repair_until_s_.insert(failed_s + sim::Distribution::exponential(times_.repair_s).quantile(draw()));
  if (under_repair_until_s_.size() <= times_.spare_nodes) return 0.0;
  const auto spares = static_cast<std::ptrdiff_t>(times_.spare_nodes);
  return std::max(0.0, *std::prev(under_repair_until_s_.end(), spares + 1) - needed_s);
}

double ReturnPhases::draw() { return sim::uniform(key_, draws_++); }

}  // namespace headrace::models
