// What stands around a recommendation: the changes that lead to it from today's configuration, what more of each
// resource would do, what would make the next cheaper configuration win, and the closed forms.
//
// Sources: notes on sizing by bounds, E. Lazowska et al., Quantitative System Performance, 1984, chapter 5; least cache
// c* = 1 - C / demand and least workers N = ceil(mu / (0.95 T)), elementary.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "models/base/task_pool.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::scenarios {

/// Simulates with the steps of a full race, on the same draws as the search.
/// The warning of a plan that knows of a change beside its decisions.
inline constexpr std::string_view kOutsideDecisions = "a change outside these decisions feeds the GPUs better";

class Adviser {
 public:
  Adviser(const ScenarioField& field, const LoadedScenario& loaded, unsigned threads,
          const std::function<bool()>& cancelled)
      : field_(field), loaded_(loaded), threads_(threads), pool_(threads), cancelled_(cancelled) {}

  /// False where the plan was told to end before all of it was there.
  bool advise(const Visit& best, bool elasticities, Plan& plan);
  /// What it says of steps over the ranges of the inputs comes from there; it must outlive the adviser.
  void use(RobustField* ranges) { ranges_ = ranges; }

 private:
  struct Answer {
    std::unique_ptr<Trial> trial;
    EpochMeasure measure;
    models::RaceMean change;  ///< of a goal, from the first of the scenarios
    bool decided = true;      ///< its sign, or that it is next to nothing

    double cost_usd() const { return measure.figures.cost_usd; }
    double epoch_s() const { return measure.figures.epoch_time_s; }
  };

  /// None at all where the plan was stopped.
  std::vector<Answer> run(const std::vector<models::Scenario>& scenarios, std::uint64_t steps);
  /// Runs the first answer and those on that cannot be told from it yet, in lengths that double, until they can or the
  /// steps for it are spent.
  void settle(std::vector<Answer>& answers, models::PlanGoal goal);
  bool is_cancelled();
  void set_today(const Answer& now, Plan& plan) const;
  void find_changes(const Visit& best, Plan& plan);
  void find_elasticities(const Visit& best, Plan& plan);
  /// Each decision one step less and one step more.
  void find_steps(const Visit& best, Plan& plan);
  void find_least_fed(const Visit& best, Plan& plan);
  /// Today's configuration over the ranges, beside the recommended one.
  void add_today_over_ranges(const Visit& best, Plan& plan) const;
  void find_input_errors(const Visit& best, Plan& plan);
  std::vector<models::UncertainInput> influential_inputs(const Visit& best, std::size_t count) const;
  /// Of every figure that has a range: none of those that are measured or published.
  std::map<std::string, models::Evidence> evidence_of_figures(const models::Scenario& scenario) const;
  static double idle_beside(const Plan& plan, const Answer& base, const Answer& changed);
  /// Bound of the goal with one input at a value.
  double bound_with(const models::Scenario& scenario, const models::UncertainInput& input, double value) const;
  /// And today's configuration, simulated; axes.
  std::vector<std::size_t> order_changes(const Visit& best, Plan& plan);
  void settle_chain(std::vector<Answer>& chain, models::PlanGoal goal);
  void find_next_cheaper(const Visit& best, Plan& plan) const;
  void add_closed_forms(const models::Scenario& scenario, Plan& plan) const;
  void add_remedy_outside(const models::Scenario& scenario, Plan& plan) const;
  void add_outcome(const models::Scenario& scenario, bool sampled, Plan& plan);
  /// Runs of the nodes that stand for all, and of all. None where every node is simulated anyway.
  struct SampleCheck {
    std::unique_ptr<models::RaceRun> some;
    std::unique_ptr<models::RaceRun> all;
  };
  std::optional<SampleCheck> sample_check(const models::Scenario& scenario);
  void run_check(SampleCheck& check);
  void add_check(const models::Scenario& scenario, const SampleCheck& check, Plan& plan) const;

  const ScenarioField& field_;
  const LoadedScenario& loaded_;
  unsigned threads_;
  models::TaskPool pool_;
  std::function<bool()> cancelled_;
  RobustField* ranges_ = nullptr;
  std::atomic<bool> cut_ = false;
  std::atomic<std::size_t> runs_ = 0;
};

/// Closed forms of the first job alone, without contention.
ClosedForms closed_forms_of(const models::Scenario& scenario);

/// A visited point for reports.
PlannedPoint planned_point(const ScenarioField& field, const Visit& visit);

}  // namespace headrace::scenarios
