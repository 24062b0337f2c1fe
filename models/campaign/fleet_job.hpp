// One job of a campaign of many: how its work goes on between two events, what a stop loses, and where its time goes.
// Checkpoints come after equal amounts of work, as in fault_course.hpp; they need no events, for work between two
// changes of speed is a closed form of time.
//
// Deviations: a job that saves because it is preempted does not fail meanwhile.
#pragma once

#include <cstdint>

#include "models/campaign/fleet_plan.hpp"
#include "models/campaign/return_phases.hpp"

namespace headrace::models {

/// Stream of the draws of a campaign.
struct FleetDraws {
  std::uint64_t seed = 1;
  std::uint32_t replication = 0;
};

enum class FleetState : std::uint8_t { waiting, returning, training, saving };

class FleetJob {
 public:
  /// Arrival number `ordinal` of class number `index`.
  FleetJob(const FleetClass& job_class, std::size_t index, std::uint64_t ordinal, double arrival_s,
           const FleetDraws& draws);

  std::size_t index() const { return index_; }
  std::uint64_t ordinal() const { return ordinal_; }
  double arrival_s() const { return arrival_s_; }
  double first_start_s() const { return first_start_s_; }  ///< less than 0: it never held nodes
  double start_s() const { return start_s_; }              ///< when it got the nodes that it holds
  FleetState state() const { return state_; }
  std::uint64_t preemptions() const { return preemptions_; }
  double work_s() const { return work_s_; }

  /// Gets its nodes.
  void start(double now_s);
  /// Has to give them back; true: at once, false: after a save.
  bool preempt(double now_s);
  /// The save before it is over: the job waits again.
  void release(double now_s);

  /// Instant of its next event by itself at this speed: a stop, the end of a phase, of work at one speed, or of it all.
  double next_event_s(double now_s, double speed) const;
  /// Lets time pass to `now_s`, which is not after the next event.
  void advance(double now_s, double speed);
  /// Takes place at now_s if its next event is due. True: it gives nodes back, because it is done or has saved.
  bool act(double now_s, double speed);
  bool is_done() const { return left_s() <= 0.0; }
  /// The campaign, or the job, is over.
  void close(double now_s);

  /// Seconds from now until it is done, if nothing stops it.
  double remaining_s(double now_s, double speed) const;

  /// Time by cause while it held nodes; with useful_s() it sums to held_s().
  LossTimes lost() const;
  double useful_s() const { return class_.useful_share * work_s_; }
  double held_s() const { return held_s_; }
  double redone_s() const { return redone_s_; }        ///< work that was done again
  double cold_work_s() const { return cold_done_s_; }  ///< work that was done while caches filled
  std::uint64_t failures() const { return failures_; }
  std::uint64_t reclaims() const { return reclaims_; }
  std::uint64_t listings() const { return phases_.listings(); }
  const std::vector<double>& restarts_s() const { return phases_.restarts_s(); }

 private:
  bool holds() const { return state_ != FleetState::waiting; }
  double left_s() const { return total_s_ - work_s_; }
  double speed_now(double speed) const { return cold_left_s_ > 0.0 ? speed * class_.course.cold_speed : speed; }
  double time_of_work(double work_s, double speed) const;
  void work_on(double seconds, double speed);
  void come_back(FaultKind kind, double now_s);
  void collect(const LossTimes& before);
  void lose_unsaved(LossCause cause);
  void finish_return(double now_s);
  double next_work_s(double now_s, double speed) const;
  double draw_failure_s();
  double draw_reclaim_s();

  const FleetClass& class_;
  std::size_t index_;
  std::uint64_t ordinal_;
  double arrival_s_;
  FleetDraws draws_;
  ReturnPhases phases_;
  FleetState state_ = FleetState::waiting;
  double total_s_ = 0.0;
  double work_s_ = 0.0;  ///< done, part of it not saved
  double unsaved_s_ = 0.0;
  double stall_left_s_ = 0.0;  ///< of the checkpoint that is being written
  double cold_left_s_ = 0.0;   ///< work that is done at the cold speed
  double cold_done_s_ = 0.0;
  double until_s_ = 0.0;  ///< of a return or a save
  double seen_s_ = 0.0;   ///< up to here time has passed, while it holds nodes
  double first_start_s_ = -1.0;
  double start_s_ = 0.0;
  double failure_s_ = 0.0;  ///< instant of the next one; while it waits, so long after it has nodes
  double reclaim_s_ = 0.0;
  std::uint64_t failure_draws_ = 0;
  std::uint64_t reclaim_draws_ = 0;
  bool came_by_preemption_ = false;  ///< the return that was not counted yet
  std::uint64_t preemptions_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t reclaims_ = 0;
  double held_s_ = 0.0;
  double redone_s_ = 0.0;
  LossTimes lost_{};
};

}  // namespace headrace::models
