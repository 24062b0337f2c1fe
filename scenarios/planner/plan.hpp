// The answer to `headrace plan`: the configuration to take, how sure that is, and why nothing cheaper will do.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/outcome/total_epoch_cost.hpp"
#include "models/study/study.hpp"
#include "scenarios/planner/robust.hpp"
#include "scenarios/planner/scenario_field.hpp"
#include "scenarios/planner/search.hpp"

namespace headrace::scenarios {

/// What ended a plan before it was complete.
enum class StoppedBy : std::uint8_t { none, max_wall, interrupted, max_points };

/// How a plan uses the ranges of its inputs.
struct FedRequest {
  double level = kFedLevel;  ///< share of the ranges in which the recommendation is fed
};

/// What a plan knows while it runs.
struct PlanProgress {
  std::string phase;
  std::size_t runs = 0;
  std::string best = {};  ///< "workers 9, prefetch 2": the best so far; empty: not all configurations have their bounds
  models::PlanGoal goal = models::PlanGoal::cost_per_epoch;
  double goal_value = 0.0;
  bool simulated = false;  ///< the goal of the best; else it is its bound
  double better = 0.0;     ///< share of the goal by which one that is left could be better; 0: that is proved
};

struct PlanOptions {
  std::optional<FedRequest> ranges;  ///< none: the inputs as they are stated
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::size_t most_points = 400;
  double max_wall_s = 0.0;  ///< 0: no limit
  models::Scale scale = models::Scale::automatic;
  bool elasticities = true;  ///< what a tenth more of each resource does: the longest part of a large cluster's advice
  std::function<bool()> cancelled;
  std::function<void(const PlanProgress& progress)> progress;
};

/// One value that was chosen.
struct ChosenValue {
  std::string name;
  std::string parameter;  ///< JSON pointer
  std::string value;
  std::string today;
  bool chosen_here = false;  ///< the planner chose to decide it
};

/// A figure with its 95 % interval; without one where it was bounded, not simulated.
struct PlanFigure {
  double mean = 0.0;
  std::optional<models::Interval> ci95;
};

/// Runs in which some of many like nodes stood for all.
struct SampledRuns {
  std::uint32_t nodes = 0;
  std::uint32_t of_nodes = 0;
  std::uint64_t steps = 0;  ///< of all nodes, that the sample was held against; 0: none
  /// Of the step time of all nodes, as a share of that of the sample.
  std::optional<PlanFigure> difference = std::nullopt;
};

/// One of several jobs in a configuration, means of its copies.
struct PlannedJob {
  std::string name;
  double step_time_s = 0.0;
  double epoch_time_s = 0.0;
  double idle_fraction = 0.0;
  double goodput_fraction = 0.0;
};

struct PlannedPoint {
  std::vector<ChosenValue> values;
  bool simulated = false;
  PlanFigure step_time_s;
  PlanFigure epoch_time_s;
  PlanFigure cost_usd;
  PlanFigure idle_fraction;
  double goodput_fraction = 0.0;      ///< of all GPUs: the work of an epoch over the time that it takes
  std::vector<PlannedJob> jobs = {};  ///< where there are several
  models::RoomFacts room = {};
  double hourly_usd = 0.0;  ///< of the machines while it trains
  double bound_step_s = 0.0;
  double first_step_s = 0.0;                           ///< from the start of the first job, by closed forms
  std::string fate = {};                               ///< what the search says of it; empty: nothing
  std::optional<double> fed_share = std::nullopt;      ///< of the ranges of the inputs, where they were compared
  std::optional<double> expected_goal = std::nullopt;  ///< over them

  bool is_today() const {
    return std::all_of(values.begin(), values.end(), [](const ChosenValue& one) { return one.value == one.today; });
  }
  /// Of the same plan.
  bool takes_values_of(const PlannedPoint& other) const {
    return std::equal(values.begin(), values.end(), other.values.begin(), other.values.end(),
                      [](const ChosenValue& a, const ChosenValue& b) { return a.value == b.value; });
  }
};

/// A configuration that would be better by its bound, if a limit did not forbid it.
struct ForbiddenPoint {
  std::string values;
  std::string reason;
  double bound = 0.0;  ///< of the goal
};

/// A configuration over the ranges of the inputs; means with 95 % intervals.
struct RangedPoint {
  PlannedPoint planned;  ///< at the inputs as stated
  PlanFigure goal;
  PlanFigure cost_usd;
  PlanFigure idle_fraction;
  PlanFigure fed;  ///< share of the ranges
};

/// The choice over the ranges of the inputs, beside the best for the inputs as stated.
struct RangeChoice {
  FedRequest asked;
  std::size_t inputs = 0;     ///< figures that are drawn; 0: the scenario has no ranges
  std::size_t draws = 0;      ///< that every configuration was bounded at
  std::size_t simulated = 0;  ///< draws simulated, of all configurations
  std::size_t compared = 0;   ///< configurations whose expected goals were compared to the end
  bool complete = false;      ///< false: the plan was told to end before
  bool reached = false;       ///< some configuration is fed at the level; without ranges: the recommended one is fed
  bool same = false;          ///< the best for the inputs as stated is the recommended one
  std::optional<RangedPoint> nominal;
  std::optional<RangedPoint> recommended;
  std::optional<RangedPoint> today;  ///< today's, where it is among the configurations and neither of them
  std::string most_fed;              ///< configuration of the highest share, where none reaches the level
  double highest_share = 0.0;
  std::vector<models::InputEffect> fed_drivers;  ///< inputs that decide most of whether the recommended one is fed
  PlanFigure adds;  ///< goal of the recommended less that of the nominal one, expected over the ranges
};

/// A named option of a decision, or one whose values come with others (a quote with its price).
struct OptionCompared {
  std::string decision;
  std::string value;
  std::string configuration;    ///< the best with this option
  std::optional<double> mean;   ///< of the goal, where it was simulated
  std::optional<double> bound;  ///< least of the goal by bounds; nothing where no configuration is feasible
  bool recommended = false;
  std::string fate;  ///< what excluded it
};

/// One step more or less of a decision, from the recommended configuration.
struct DecisionStep {
  std::string name;
  std::string from;
  std::string to;
  bool more = false;
  std::string infeasible;  ///< why; then there is nothing else
  PlanFigure goal_change;  ///< at the inputs as stated, by paired differences
  bool measurable = false;
  double idle_fraction = 0.0;
  std::optional<PlanFigure> expected_change;  ///< of the goal over the ranges
  std::optional<PlanFigure> fed;
  std::optional<PlanFigure> fed_change;

  /// Whether the step changes something: the goal as stated or over the ranges, or the share of them that is fed by a
  /// hundredth.
  bool matters() const;
  /// Whether a change is told from noise: of many that are looked at side by side, one in twenty would lie beyond its
  /// 95 % interval by chance, so that half as much again is asked for.
  static bool is_effect(const PlanFigure& change) {
    constexpr double kOfMany = 1.5;
    return change.ci95 && std::abs(change.mean) > kOfMany * 0.5 * (change.ci95->high - change.ci95->low);
  }
  /// Whether the share that is fed changes, by the rule of the choice over the ranges: outside its own 95 % interval.
  bool changes_fed() const {
    return fed_change && fed_change->ci95 && (fed_change->ci95->low > 0.0 || fed_change->ci95->high < 0.0);
  }
};

/// What an error of an input costs at the recommended configuration, in the direction that hurts more.
struct InputError {
  std::string pointer;
  std::string value;
  double error = 0.0;  ///< relative, with its sign
  PlanFigure goal_change;
  bool measurable = false;
  double idle_fraction = 0.0;
  std::optional<models::Evidence> evidence = {};  ///< none: measured, published or stated
};

/// One thing that was decided.
struct PlanDecision {
  std::string name;
  std::vector<std::string> values;
  std::string parameter = {};
};

/// A room with what the recommendation leaves of it.
struct RoomLeft {
  std::string name;
  std::string unit;
  double needed = 0.0;
  double available = 0.0;
};

/// One change on the way from today's configuration, behind those before it. Dollars per epoch.
struct PlanChange {
  std::string name;
  std::string from;
  std::string to;
  std::size_t decisions = 1;      ///< that change together; the name is of the last
  double gained_usd = 0.0;        ///< by shorter epochs; 0 where that is not measurable
  double gained_s = 0.0;          ///< of an epoch
  double spent_usd = 0.0;         ///< on what the change adds; negative: it takes away
  double gained_error_usd = 0.0;  ///< half-width of the 95 % interval
  bool decided = true;            ///< the interval of what it gains is on one side of 0
  double cost_after_usd = 0.0;
  double epoch_after_s = 0.0;
};

/// What 10 % more of a resource does to the recommendation, by paired differences on the same draws.
struct Elasticity {
  std::string resource;
  double epoch_time = 0.0;  ///< relative change
  double cost = 0.0;
  double error = 0.0;       ///< half-width of the interval of epoch_time, of 99.5 %: many are told side by side
  double cost_error = 0.0;  ///< the same of cost
  bool decided = true;      ///< the sign is told, or the interval of what is made least is within 1 % of it
};

/// What would have to be true for the next cheaper configuration to win.
struct SwitchCondition {
  PlannedPoint rival;
  double needed_step_s = 0.0;          ///< step time at which it would cost the same
  std::optional<double> gpu_hour_usd;  ///< price of a GPU hour below which it wins
};

/// Closed forms beside the simulated answer.
struct ClosedForms {
  std::string of_job = {};                  ///< the one that they are of, alone; empty where there is no other
  std::optional<double> least_hit_ratio;    ///< c* = 1 - capacity / demand
  std::optional<double> least_cache_bytes;  ///< per node, at which the store stops being the limit
  double present_cache_bytes = 0.0;
  double least_workers = 0.0;  ///< N_min = ceil(mu / (0.95 T))
  double batch_time_s = 0.0;   ///< mu
  std::optional<double> batch_p999_s;
  std::optional<double> depth_rule;  ///< batches outstanding, ceil(q99.9 / T)
};

/// A configuration that was run, in the order of first visit; values of the goal.
struct SearchStep {
  std::string values;  ///< "workers=6 depth=1"
  std::string level;   ///< "raced", "run in full", ...
  double bound = 0.0;
  std::optional<double> mean;  ///< nothing where it was bounded only, or is infeasible
  bool best_so_far = false;
  std::string fate;
};

struct Plan {
  models::PlanGoal goal = models::PlanGoal::cost_per_epoch;
  std::optional<models::PlanGoal> against;
  double indifference = 0.01;
  double asked_confidence = 0.99;
  std::uint64_t seed = 1;

  SearchResult search;
  StoppedBy stopped_by = StoppedBy::none;
  bool advice_complete = false;
  std::vector<Obstacle> obstacles;
  std::vector<PlanDecision> axes;
  /// What was done with the decisions, or should be known of them.
  std::vector<models::Warning> warnings;
  bool default_decisions = false;
  bool without_prices = false;      ///< so that time is made least instead of cost
  bool priced = true;               ///< anything has a price
  bool total_cost = false;          ///< dollars are total costs over the horizon, not those of hourly prices
  std::vector<EventFigure> events;  ///< of the recommended configuration
  std::vector<EventFigure> limits;  ///< of `subject_to`, on days without events
  std::vector<ForbiddenPoint> forbidden;
  std::size_t event_runs = 0;
  std::size_t advice_runs = 0;
  std::optional<SampledRuns> sampled;  ///< where all nodes of the recommended configuration were not simulated

  std::optional<PlannedPoint> recommended;
  std::vector<std::string> sets;           ///< options of the command line that make it of today's: "--set /a/b=4"
  std::vector<std::string> set_values;     ///< the same as assignments: "/a/b=4"
  std::optional<models::Scenario> chosen;  ///< the scenario with them
  models::EvidenceReport evidence;         ///< of the recommended configuration
  models::Confidence confidence;           ///< of its simulation, or else of its bound
  std::string binding;                     ///< stage that binds the recommended configuration; empty: it never waits
  std::optional<double> binding_gain;      ///< share of GPU time that its removal gains; nothing: not measured
  std::vector<RoomLeft> rooms;
  std::optional<PlannedPoint> runner_up;
  std::vector<PlannedPoint> alternatives;  ///< simulated ones, best first, without the recommended one
  std::vector<PlannedPoint> front;         ///< by the first goal; with a second goal only
  bool front_complete = false;
  std::optional<PlannedPoint> today;
  std::optional<models::HorizonCost> horizon;        ///< of the recommended one, where dollars are total costs
  std::optional<models::HorizonCost> horizon_today;  ///< of today's
  std::vector<PlanChange> changes;                   ///< with an effect or a price; rounded so that they add up
  std::vector<std::string> no_effect;                ///< changes that the runs show no effect of, and that cost nothing
  double changes_unit_usd = 0.01;                    ///< that dollars of changes are rounded to: a power of ten
  double changes_rest_usd = 0.0;                     ///< difference of the totals less all changes: noise of the runs
  std::vector<Elasticity> elasticities;
  std::optional<RangeChoice> ranges;     ///< none: asked for the inputs as stated
  std::vector<DecisionStep> steps;       ///< by decision, less before more
  std::vector<InputError> input_errors;  ///< of the three inputs with most influence
  std::vector<OptionCompared> options;   ///< by decision, in the order of its values
  std::vector<std::string>
      indifferent;  ///< decisions of which one step less or more changes nothing, or today's value is as good
  std::vector<std::string> as_good_with_less;  ///< "bandwidth 20 GB/s": one step less that changes nothing, of others
  std::vector<std::string> least_fed;  ///< "workers 3": of a decision that could go lower, while the GPUs are fed
  std::optional<SwitchCondition> next_cheaper;
  std::optional<ClosedForms> closed_forms;

  std::vector<SearchStep> trace;  ///< the whole search
};

/// Throws models::UnusableRequest where nothing can be chosen, or the scenario as it is cannot be simulated.
tl::expected<Plan, Diagnostics> make_plan(const LoadedScenario& loaded, std::vector<PlanAxis> axes,
                                          const Catalogue& catalogue, const PlanOptions& options);

}  // namespace headrace::scenarios
