// How much GPU time a changed scenario loses. Waits for data: by the queueing estimate, or by short simulations where
// the estimate is off for the scenario that is changed, or for the change. Checkpoints and failures: by their formulas.
#pragma once

#include <cstdint>
#include <optional>

#include "models/hops/path.hpp"
#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::scenarios {

/// What remedies take away: waits for data, or what checkpoints and failures take.
enum class RemedyGoal : std::uint8_t { waits, interruptions };

struct JudgedWait {
  double idle = 0.0;         ///< share of GPU time that waits; of interruptions, that does not train
  double cost_usd = 0.0;     ///< of an epoch; 0: the scenario states no prices
  double by_time_usd = 0.0;  ///< of it, what is paid by the time that the epoch takes
  double computed = 1.0;     ///< share of the time without waits in which GPUs compute
};

/// One for all changes of a scenario, so that they are judged alike and on the same draws.
class RemedyJudge {
 public:
  /// `lost_fraction` is what is known of the scenario, by a simulation with `simulated_seed` where there is one.
  RemedyJudge(const models::Scenario& scenario, double lost_fraction, std::optional<std::uint64_t> simulated_seed,
              RemedyGoal goal);

  /// Nothing where the scenario cannot run or has no such answer.
  std::optional<JudgedWait> judge(const models::Scenario& scenario) const;
  const std::optional<JudgedWait>& now() const { return now_; }
  models::AnswerKind kind() const;
  RemedyGoal goal() const { return goal_; }

  /// Judges by simulations from now on, if the estimate is off for `changed`; whether it does so now and did not
  /// before.
  bool turns_to_simulation(const models::Scenario& changed);

 private:
  bool is_off(double simulated_idle, double estimated_idle) const;
  void turn_to_simulation();
  std::optional<JudgedWait> simulated(const models::Scenario& scenario) const;
  JudgedWait as_long_run(const models::Scenario& scenario, const JudgedWait& short_run) const;

  models::Scenario scenario_;
  RemedyGoal goal_;
  double idle_;
  bool simulates_ = false;
  std::uint64_t seed_ = 0;
  std::uint64_t steps_ = 0;  ///< of a short simulation; 0: there is none, and the estimate judges
  std::optional<models::Granularity> granularity_;
  double waits_by_short_ = 1.0;  ///< time waited over that of the short simulation of the scenario as it is
  std::optional<JudgedWait> now_;
};

}  // namespace headrace::scenarios
