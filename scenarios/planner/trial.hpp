// One configuration that is simulated at growing lengths: what an epoch of it takes and costs, and how that differs
// from another configuration on the same random numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "models/answer/point_bound.hpp"
#include "models/outcome/outcome.hpp"
#include "models/outcome/total_cost.hpp"
#include "models/spec/plan_request.hpp"
#include "models/study/race_run.hpp"

namespace headrace::models {
class ResumableStudy;
}

namespace headrace::scenarios {

/// Metric of an outcome that a goal makes least.
std::string_view metric_of_goal(models::PlanGoal goal);

double goal_of(const models::EpochFigures& figures, models::PlanGoal goal);

/// What an epoch takes: means of one length of run, and the standard errors of the goals.
struct EpochMeasure {
  models::EpochFigures figures;
  models::RaceMean step_time_s;
  models::RaceMean epoch_time_s;
  models::RaceMean cost_usd;
  models::RaceMean idle_fraction;

  const models::RaceMean& of(models::PlanGoal goal) const;
};

/// Of a plain scenario with these lines over its step time.
EpochMeasure plain_measure(const models::PointBound& lines, const models::RaceMean& step_s);

/// Runs on to `steps`; false where it was told to stop before.
bool run_unless_stopped(models::RaceRun& run, std::uint64_t steps, const std::stop_token& stop);

/// What may take the place of a simulation of many loaders: a proof that they are fed (models::surely_fed_step_s), or
/// that proof and some of their nodes (models::RaceRun::Engine::sampled).
enum class Shortcut : std::uint8_t { none, proof, sample };

class Trial {
 public:
  Trial(const models::Scenario& scenario, std::uint64_t seed, const std::stop_token& stop = {},
        Shortcut shortcut = Shortcut::none);
  ~Trial();
  Trial(Trial&&) noexcept;
  Trial& operator=(Trial&&) noexcept;

  /// Runs on to `steps` steps. False where it was told to stop before: what it measured then says nothing.
  bool run_to(std::uint64_t steps);
  std::uint64_t steps() const { return steps_; }
  bool is_plain() const { return study_ == nullptr; }
  /// Nodes that stand for all; 0 where all are simulated, or none.
  std::uint32_t sampled_nodes() const { return race_ ? race_->sampled_nodes() : 0; }

  /// Never below the bound.
  EpochMeasure measure() const;
  /// The goal's value here less that of `base`, both run as far, with what they owe to the same draws cancelled.
  models::RaceMean difference_from(const Trial& base, models::PlanGoal goal) const;

 private:
  std::stop_token stop_;
  std::uint64_t steps_ = 0;
  models::PointBound bound_;                       ///< of a plain one
  models::EpochFigures floor_;                     ///< of another
  std::optional<models::SitePayments> site_;       ///< of another whose dollars are total costs
  std::optional<double> proved_step_s_;            ///< of a plain one that is fed for sure
  std::unique_ptr<models::RaceRun> race_;          ///< of a plain one that is not
  std::unique_ptr<models::ResumableStudy> study_;  ///< of another
  std::optional<models::Outcome> outcome_;         ///< of another
};

}  // namespace headrace::scenarios
