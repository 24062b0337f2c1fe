#include "models/campaign/fleet_queue.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace headrace::models {

FleetQueue::FleetQueue(const FleetPlan& plan, std::size_t pool)
    : plan_(&plan), free_(plan.pools[pool].nodes), held_(plan.classes.size(), 0) {}

bool FleetQueue::is_before(const FleetJob& a, const FleetJob& b) const {
  const auto rank = [&](const FleetJob& job) {
    return std::make_tuple(std::numeric_limits<std::uint64_t>::max() - priority_of(job), job.arrival_s(), job.index(),
                           job.ordinal());
  };
  return rank(a) < rank(b);
}

void FleetQueue::add(FleetJob& job) {
  const auto place = std::upper_bound(waiting_.begin(), waiting_.end(), &job,
                                      [&](const FleetJob* a, const FleetJob* b) { return is_before(*a, *b); });
  waiting_.insert(place, &job);
}

void FleetQueue::take_back(FleetJob& job) {
  running_.erase(std::find(running_.begin(), running_.end(), &job));
  free_ += nodes_of(job);
  held_[job.index()] -= nodes_of(job);
}

bool FleetQueue::within_quota(const FleetJob& job) const {
  const std::optional<std::uint64_t> quota = plan_->classes[job.index()].quota_nodes;
  return !quota || held_[job.index()] + nodes_of(job) <= *quota;
}

std::uint64_t FleetQueue::coming_nodes() const {
  std::uint64_t nodes = 0;
  for (const FleetJob* job : running_)
    if (job->state() == FleetState::saving) nodes += nodes_of(*job);
  return nodes;
}

void FleetQueue::start(std::size_t place, double now_s) {
  FleetJob& job = *waiting_[place];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place));
  running_.push_back(&job);
  free_ -= nodes_of(job);
  held_[job.index()] += nodes_of(job);
  job.start(now_s);
}

void FleetQueue::schedule(double now_s, const std::vector<double>& speeds) {
  for (std::size_t place = 0; place < waiting_.size();) {
    FleetJob& job = *waiting_[place];
    if (!within_quota(job)) {
      ++place;
      continue;
    }
    if (nodes_of(job) > free_) preempt_for(job, now_s);
    if (nodes_of(job) > free_) {
      backfill(place, now_s, speeds);
      return;
    }
    start(place, now_s);
  }
}

/// Preempted jobs have a lower priority: in the queue they stand behind the one that they give way to.
void FleetQueue::preempt_for(const FleetJob& first, double now_s) {
  const std::uint64_t there = free_ + coming_nodes();
  if (there >= nodes_of(first)) return;
  for (FleetJob* job : victims_of(first, nodes_of(first) - there)) {
    if (!job->preempt(now_s)) continue;
    take_back(*job);
    add(*job);
  }
}

/// The fewest of the lowest and youngest that give so many nodes; none if all of them do not.
std::vector<FleetJob*> FleetQueue::victims_of(const FleetJob& first, std::uint64_t missing) const {
  std::vector<FleetJob*> lower;
  for (auto job = running_.rbegin(); job != running_.rend(); ++job) {
    const bool yields = plan_->classes[(*job)->index()].preemption != Preemption::none;
    if (yields && (*job)->state() != FleetState::saving && priority_of(**job) < priority_of(first))
      lower.push_back(*job);
  }
  std::stable_sort(lower.begin(), lower.end(),
                   [&](const FleetJob* a, const FleetJob* b) { return priority_of(*a) < priority_of(*b); });
  std::vector<FleetJob*> chosen;
  std::uint64_t nodes = 0;
  for (FleetJob* job : lower) {
    if (nodes >= missing) break;
    chosen.push_back(job);
    nodes += nodes_of(*job);
  }
  if (nodes < missing) return {};
  std::vector<FleetJob*> needed;
  for (FleetJob* job : chosen) {
    if (nodes - nodes_of(*job) >= missing)
      nodes -= nodes_of(*job);
    else
      needed.push_back(job);
  }
  return needed;
}

FleetQueue::Room FleetQueue::room_behind(const FleetJob& first, double now_s, const std::vector<double>& speeds) const {
  const std::uint64_t there = free_ + coming_nodes();
  if (there >= nodes_of(first)) return {there - nodes_of(first), now_s};
  if (plan_->backfill == Backfill::greedy) return {free_, now_s};
  std::vector<std::pair<double, std::uint64_t>> ends;
  for (const FleetJob* job : running_)
    ends.emplace_back(now_s + job->remaining_s(now_s, speeds[job->index()]), nodes_of(*job));
  std::sort(ends.begin(), ends.end());
  std::uint64_t nodes = free_;
  for (const auto& [end_s, given] : ends) {
    nodes += given;
    if (nodes >= nodes_of(first)) return {nodes - nodes_of(first), end_s};
  }
  return {0, now_s};
}

void FleetQueue::backfill(std::size_t first, double now_s, const std::vector<double>& speeds) {
  if (plan_->backfill == Backfill::none) return;
  Room room = room_behind(*waiting_[first], now_s, speeds);
  for (std::size_t place = first + 1; place < waiting_.size();) {
    const FleetJob& job = *waiting_[place];
    const std::uint64_t nodes = nodes_of(job);
    const bool fits = nodes <= free_ && within_quota(job);
    const bool in_time = fits && now_s + job.remaining_s(now_s, 1.0) <= room.until_s;
    if (!in_time && !(fits && nodes <= room.nodes)) {
      ++place;
      continue;
    }
    if (!in_time) room.nodes -= nodes;
    start(place, now_s);
  }
}

}  // namespace headrace::models
