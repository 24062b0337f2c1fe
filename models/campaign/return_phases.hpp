// What follows a stop, phase by phase, until the job trains: drawn where luck decides, and counted by cause. A failure
// on the way cuts the phase that it meets and begins anew with its own detection.
//
// Draws: which failures are spot nodes that were taken away, and how long a failed node is under repair (exponential).
// Deviations: repairs begin with the failure; a spare is a node like any other and needs the image first.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "models/campaign/loss_cause.hpp"
#include "models/campaign/phase_times.hpp"
#include "models/interruptions/fault_course.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

class ReturnPhases : public ReturnTimes {
 public:
  ReturnPhases(const PhaseTimes& times, std::uint64_t seed, std::uint32_t replication);
  /// With the draws of this stream from number `first_draw` on.
  ReturnPhases(const PhaseTimes& times, const sim::StreamKey& key, std::uint64_t first_draw)
      : times_(times), key_(key), draws_(first_draw) {}

  double away_s(FaultKind kind, double stop_s, double from_s, double kept_work_s) override;
  /// After the course has ended at this instant.
  void finish(double end_s);

  const LossTimes& lost() const { return lost_; }
  /// Seconds from each failure, or reclaimed spot node, until training went on; only those that the course saw end.
  const std::vector<double>& restarts_s() const { return restarts_s_; }
  /// Seconds from the beginning of the course to its first step; less than 0: none was made.
  double first_step_s() const { return first_step_s_; }
  std::uint64_t listings() const { return listings_; }

 private:
  using Phases = std::vector<std::pair<LossCause, double>>;

  Phases phases_of(FaultKind kind, double now_s, double kept_work_s);
  void add_failure(double now_s, Phases& phases);
  void add_return(double image_s, double imports_s, double kept_work_s, Phases& phases) const;
  double spare_wait_s(double failed_s, double needed_s);
  void end_at(double instant_s);
  double total_s() const;
  double draw();

  const PhaseTimes& times_;
  sim::StreamKey key_;
  std::uint64_t draws_ = 0;
  std::multiset<double> under_repair_until_s_;
  Phases phases_;         ///< of the stop that was not counted yet
  double begin_s_ = 0.0;  ///< of these
  bool away_ = false;
  bool started_ = false;    ///< the first start reads no checkpoint
  bool restart_ = false;    ///< it began with a failure or a reclaimed node
  double stopped_s_ = 0.0;  ///< when
  double first_step_s_ = -1.0;
  std::uint64_t listings_ = 0;
  LossTimes lost_{};
  std::vector<double> restarts_s_;
};

}  // namespace headrace::models
