#include "models/campaign/fleet_course.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "models/base/purposes.hpp"
#include "models/campaign/fleet_queue.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

constexpr double kNoMore = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMostFleetEvents = 50'000'000;

/// When jobs of a class come.
class Arrivals {
 public:
  Arrivals(const FleetClass& job_class, std::size_t index, const FleetDraws& draws)
      : class_(&job_class),
        key_{draws.seed, draws.replication, kDrawJobArrival, static_cast<std::uint32_t>(index)},
        next_s_(job_class.at_s) {
    if (job_class.repeats && job_class.every_s.variance() > 0.0) step();
  }
  double next_s() const { return next_s_; }
  void step() {
    next_s_ = class_->repeats ? next_s_ + class_->every_s.quantile(sim::uniform(key_, drawn_++)) : kNoMore;
  }

 private:
  const FleetClass* class_;
  sim::StreamKey key_;
  std::uint64_t drawn_ = 0;
  double next_s_;
};

class FleetCourse {
 public:
  FleetCourse(const FleetPlan& plan, FleetSpeeds& speeds, const FleetDraws& draws)
      : plan_(plan), speeds_(speeds), draws_(draws), speed_(plan.classes.size(), 1.0), holding_(plan.classes.size()) {
    history_.classes.resize(plan.classes.size());
    history_.pools.resize(plan.pools.size());
    for (std::size_t p = 0; p < plan.pools.size(); ++p) queues_.emplace_back(plan, p);
    for (std::size_t k = 0; k < plan.classes.size(); ++k) arrivals_.emplace_back(plan.classes[k], k, draws);
  }

  FleetHistory run() {
    for (std::uint64_t events = 0; events < kMostFleetEvents; ++events) {
      const double next_s = next_instant_s();
      if (!(next_s < kNoMore) || next_s >= plan_.until_s) {
        finish();
        return std::move(history_);
      }
      pass(next_s);
      admit();
      for (FleetQueue& queue : queues_) act(queue);
      for (FleetQueue& queue : queues_) queue.schedule(now_s_, speed_);
      look_at_speeds();
    }
    throw UnusableRequest("the jobs never finish: they fail or are preempted before they make progress",
                          "reduce failures, restart sooner, or checkpoint more often: faults, checkpoint/interval");
  }

 private:
  double next_instant_s() const {
    double next_s = kNoMore;
    for (const Arrivals& arrivals : arrivals_) next_s = std::min(next_s, arrivals.next_s());
    for (const FleetQueue& queue : queues_)
      for (const FleetJob* job : queue.running())
        next_s = std::min(next_s, job->next_event_s(now_s_, speed_[job->index()]));
    return next_s;
  }

  void pass(double next_s) {
    for (std::size_t p = 0; p < queues_.size(); ++p) {
      const double node_s = static_cast<double>(queues_[p].free_nodes()) * (next_s - now_s_);
      (queues_[p].waiting().empty() ? history_.pools[p].idle_s : history_.pools[p].queued_s) += node_s;
      for (FleetJob* job : queues_[p].running()) job->advance(next_s, speed_[job->index()]);
    }
    now_s_ = next_s;
  }

  void admit() {
    for (std::size_t k = 0; k < arrivals_.size(); ++k) {
      for (; arrivals_[k].next_s() <= now_s_; arrivals_[k].step()) {
        for (std::uint64_t i = 0; i < plan_.classes[k].at_once; ++i) {
          const std::uint64_t ordinal = history_.classes[k].arrived++;
          jobs_.push_back(std::make_unique<FleetJob>(plan_.classes[k], k, ordinal, arrivals_[k].next_s(), draws_));
          queues_[plan_.classes[k].pool].add(*jobs_.back());
        }
      }
    }
  }

  void act(FleetQueue& queue) {
    const std::vector<FleetJob*> running = queue.running();
    for (FleetJob* job : running) {
      if (job->next_event_s(now_s_, speed_[job->index()]) > now_s_ || !job->act(now_s_, speed_[job->index()])) continue;
      queue.take_back(*job);
      if (!job->is_done()) {
        queue.add(*job);
        continue;
      }
      FleetClassHistory& of_class = history_.classes[job->index()];
      ++of_class.finished;
      of_class.completions_s.push_back(now_s_ - job->arrival_s());
      count(*job);
      std::erase_if(jobs_, [&](const std::unique_ptr<FleetJob>& one) { return one.get() == job; });
    }
  }

  void look_at_speeds() {
    std::vector<std::uint32_t> holding(plan_.classes.size());
    for (const FleetQueue& queue : queues_)
      for (const FleetJob* job : queue.running()) ++holding[job->index()];
    if (holding == holding_) return;
    holding_ = std::move(holding);
    speed_ = speeds_.of(holding_);
  }

  void count(const FleetJob& job) {
    FleetClassHistory& of_class = history_.classes[job.index()];
    if (job.first_start_s() >= 0.0) {
      ++of_class.started;
      of_class.waits_s.push_back(job.first_start_s() - job.arrival_s());
    }
    of_class.preemptions += job.preemptions();
    of_class.failures += job.failures();
    of_class.reclaims += job.reclaims();
    of_class.listings += job.listings();
    of_class.held_s += job.held_s();
    of_class.useful_s += job.useful_s();
    of_class.read_work_s += job.work_s() + job.redone_s();
    of_class.cold_work_s += job.cold_work_s();
    const LossTimes lost = job.lost();
    for (std::size_t c = 0; c < kLossCauseCount; ++c) of_class.lost_s[c] += lost[c];
    of_class.restarts_s.insert(of_class.restarts_s.end(), job.restarts_s().begin(), job.restarts_s().end());
  }

  void finish() {
    if (plan_.until_s < kNoMore) pass(plan_.until_s);
    for (const std::unique_ptr<FleetJob>& job : jobs_) {
      job->close(now_s_);
      count(*job);
    }
    history_.elapsed_s = now_s_;
  }

  const FleetPlan& plan_;
  FleetSpeeds& speeds_;
  FleetDraws draws_;
  double now_s_ = 0.0;
  std::vector<double> speed_;           ///< by class
  std::vector<std::uint32_t> holding_;  ///< jobs with nodes, by class
  std::vector<Arrivals> arrivals_;
  std::vector<FleetQueue> queues_;
  std::vector<std::unique_ptr<FleetJob>> jobs_;
  FleetHistory history_;
};

}  // namespace

FleetHistory draw_fleet(const FleetPlan& plan, FleetSpeeds& speeds, const FleetDraws& draws) {
  return FleetCourse(plan, speeds, draws).run();
}

}  // namespace headrace::models
