// How much the GPUs of a changed scenario wait: by the queueing estimate, or by short simulations where the estimate is
// off for the scenario that is changed, or for the change.
#pragma once

#include <cstdint>
#include <optional>

#include "models/hops/path.hpp"
#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::scenarios {

struct JudgedWait {
  double idle = 0.0;      ///< share of GPU time
  double cost_usd = 0.0;  ///< of an epoch; 0: the scenario states no prices
};

/// One for all changes of a scenario, so that they are judged alike and on the same draws.
class RemedyJudge {
 public:
  /// `idle_fraction` is what is known of the scenario, by a simulation with `simulated_seed` where there is one.
  RemedyJudge(const models::Scenario& scenario, double idle_fraction, std::optional<std::uint64_t> simulated_seed);

  /// Nothing where the scenario cannot run or has no such answer.
  std::optional<JudgedWait> judge(const models::Scenario& scenario) const;
  const std::optional<JudgedWait>& now() const { return now_; }
  models::AnswerKind kind() const { return simulates_ ? models::AnswerKind::simulated : models::AnswerKind::estimate; }

  /// Judges by simulations from now on, if the estimate is off for `changed`; whether it does so now and did not
  /// before.
  bool turns_to_simulation(const models::Scenario& changed);

 private:
  bool is_off(double simulated_idle, double estimated_idle) const;
  void turn_to_simulation();
  std::optional<JudgedWait> simulated(const models::Scenario& scenario) const;

  models::Scenario scenario_;
  double idle_;
  bool simulates_ = false;
  std::uint64_t seed_ = 0;
  std::uint64_t steps_ = 0;  ///< of a short simulation; 0: there is none, and the estimate judges
  std::optional<models::Granularity> granularity_;
  std::optional<JudgedWait> now_;
};

}  // namespace headrace::scenarios
