// The queue of one pool: who gets free nodes, who waits, who has to give nodes back.
//
// A job starts on all of its nodes at once or not at all. Jobs of a higher priority come first, then those that came
// earlier; a preempted job keeps its place. The first job that does not fit may preempt jobs of lower priority, the
// lowest and youngest first, if that makes it fit. Jobs behind it start before it as the backfill allows: EASY is that
// of D. Lifka, "The ANL/IBM SP scheduling system" (JSSPP 1995), with ends by the work that is left and present speeds.
// A job whose class has used up its quota lets others pass.
#pragma once

#include <cstdint>
#include <vector>

#include "models/campaign/fleet_job.hpp"
#include "models/campaign/fleet_plan.hpp"

namespace headrace::models {

class FleetQueue {
 public:
  FleetQueue(const FleetPlan& plan, std::size_t pool);

  /// A job that came, or that has given its nodes back because of a preemption.
  void add(FleetJob& job);
  /// Takes the nodes of a running job.
  void take_back(FleetJob& job);
  /// Starts and preempts; `speeds` by class.
  void schedule(double now_s, const std::vector<double>& speeds);

  std::uint64_t free_nodes() const { return free_; }
  const std::vector<FleetJob*>& waiting() const { return waiting_; }
  const std::vector<FleetJob*>& running() const { return running_; }

 private:
  /// What jobs behind the first may take.
  struct Room {
    std::uint64_t nodes = 0;  ///< whatever their length
    double until_s = 0.0;     ///< those that end by then may take any free node
  };

  std::uint64_t nodes_of(const FleetJob& job) const { return plan_->classes[job.index()].nodes; }
  std::uint64_t priority_of(const FleetJob& job) const { return plan_->classes[job.index()].priority; }
  bool is_before(const FleetJob& a, const FleetJob& b) const;
  bool within_quota(const FleetJob& job) const;
  std::uint64_t coming_nodes() const;
  void start(std::size_t place, double now_s);
  void preempt_for(const FleetJob& first, double now_s);
  std::vector<FleetJob*> victims_of(const FleetJob& first, std::uint64_t missing) const;
  Room room_behind(const FleetJob& first, double now_s, const std::vector<double>& speeds) const;
  void backfill(std::size_t first, double now_s, const std::vector<double>& speeds);

  const FleetPlan* plan_;
  std::uint64_t free_ = 0;
  std::vector<std::uint64_t> held_;  ///< nodes by class
  std::vector<FleetJob*> waiting_;   ///< in the order in which they start
  std::vector<FleetJob*> running_;   ///< in the order in which they started
};

}  // namespace headrace::models
