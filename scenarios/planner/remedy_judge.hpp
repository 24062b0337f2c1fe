// How much the GPUs of a changed scenario wait: by the queueing estimate, or by short simulations where the estimate is
// off for the scenario that is changed.
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
  models::AnswerKind kind() const { return seed_ ? models::AnswerKind::simulated : models::AnswerKind::estimate; }

 private:
  std::optional<std::uint64_t> seed_;  ///< of the short simulations; nothing: the estimate judges
  std::uint64_t steps_ = 0;
  std::optional<models::Granularity> granularity_;
  std::optional<JudgedWait> now_;
};

}  // namespace headrace::scenarios
