// What stands around a recommendation: the changes that lead to it from today's configuration, what more of each
// resource would do, what would make the next cheaper configuration win, and the closed forms.
//
// Sources: notes on sizing by bounds, E. Lazowska et al., Quantitative System Performance, 1984, chapter 5; least cache
// c* = 1 - C / demand and least workers N = ceil(mu / (0.95 T)), elementary.
#pragma once

#include "models/task_pool.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::scenarios {

/// Simulates with the steps of a full race, on the same draws as the search.
class Adviser {
 public:
  Adviser(const ScenarioField& field, const LoadedScenario& loaded, unsigned threads)
      : field_(field), loaded_(loaded), pool_(threads) {}

  void advise(const Visit& best, Plan& plan);
  /// Today's configuration, simulated.
  PlannedPoint today();

 private:
  struct Answer {
    models::PointBound bound;
    models::RaceMean step_s;
    models::RaceMean change;  ///< of the step time, relative, from the first of the scenarios

    double cost_usd() const { return bound.cost_usd(step_s.mean); }
    double epoch_s() const { return bound.epoch_time_s(step_s.mean); }
  };

  std::vector<Answer> run(const std::vector<models::Scenario>& scenarios, std::uint64_t steps);
  void find_changes(const Visit& best, Plan& plan);
  void find_elasticities(const Visit& best, Plan& plan);
  void find_next_cheaper(const Visit& best, Plan& plan) const;
  void add_closed_forms(const models::Scenario& scenario, Plan& plan) const;
  void add_outcome(const models::Scenario& scenario, Plan& plan) const;

  const ScenarioField& field_;
  const LoadedScenario& loaded_;
  models::TaskPool pool_;
  std::size_t runs_ = 0;
};

/// A visited point for reports.
PlannedPoint planned_point(const ScenarioField& field, const Visit& visit);

}  // namespace headrace::scenarios
