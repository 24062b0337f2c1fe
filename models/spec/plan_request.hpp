// What `headrace plan` is asked: what it may choose, what it makes least, within which limits, and under which events
// its answer must still hold. Other verbs read past it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"

namespace headrace::models {

/// A second parameter whose values go in step with those of a decision.
struct LinkedValues {
  std::string parameter;
  std::string values_json;
};

/// One thing to choose: an axis of the space of configurations. The values are those of any parameter, so that only
/// scenarios/ can read them.
struct Decision {
  std::string name;
  std::string parameter;
  std::string parameters_json;
  std::string values_json;
  std::string from_json;
  std::string to_json;
  std::string step_json;
  std::uint64_t count = 0;
  std::string scale;
  std::vector<LinkedValues> with;
};

enum class PlanGoal : std::uint8_t { cost_per_epoch, epoch_time, idle, tco };
inline constexpr ChoiceName<PlanGoal> kPlanGoalNames[] = {
    {PlanGoal::cost_per_epoch, "cost_per_epoch", "dollars of an epoch at hourly prices"},
    {PlanGoal::epoch_time, "epoch_time", "time of an epoch"},
    {PlanGoal::idle, "idle", "share of GPU time that waits for data"},
    {PlanGoal::tco, "tco", "total cost of an epoch: all payments of prices/total_cost/horizon over all epochs in it"}};

/// Whether the goal is dollars of an epoch.
inline bool counts_dollars(PlanGoal goal) { return goal == PlanGoal::cost_per_epoch || goal == PlanGoal::tco; }

enum class SecondGoal : std::uint8_t { none, cost_per_epoch, epoch_time, idle, tco };
inline constexpr ChoiceName<SecondGoal> kSecondGoalNames[] = {{SecondGoal::none, "none"},
                                                              {SecondGoal::cost_per_epoch, "cost_per_epoch"},
                                                              {SecondGoal::epoch_time, "epoch_time"},
                                                              {SecondGoal::idle, "idle"},
                                                              {SecondGoal::tco, "tco"}};

struct PlanObjective {
  PlanGoal minimize = PlanGoal::cost_per_epoch;
  SecondGoal against = SecondGoal::none;
  double indifference = 0.01;
  double confidence = 0.99;

  /// Whether dollars of an epoch are its total cost over the horizon, not those of the hourly prices.
  bool counts_total_cost() const { return minimize == PlanGoal::tco || against == SecondGoal::tco; }
};

enum class PlanEvent : std::uint8_t { storage_node_down, leaf_down, cold_cache, restart_all };
inline constexpr ChoiceName<PlanEvent> kPlanEventNames[] = {
    {PlanEvent::storage_node_down, "storage_node_down", "one of the store's servers is down"},
    {PlanEvent::leaf_down, "leaf_down", "a leaf switch is down, and the job continues without its nodes"},
    {PlanEvent::cold_cache, "cold_cache", "every cache is empty"},
    {PlanEvent::restart_all, "restart_all", "the whole job starts again, with empty caches"}};

/// An event and what must hold while it lasts.
struct HoldUnder {
  PlanEvent event = PlanEvent::storage_node_down;
  std::uint64_t servers = 10;
  std::optional<double> idle_fraction;
  std::optional<double> slowdown;
  std::optional<double> epoch_time_s;
  std::optional<double> first_step_s;
};

/// Limits beside what rooms can hold.
struct SubjectTo {
  std::optional<double> idle_fraction;
  std::optional<double> epoch_time_s;
  std::optional<double> first_step_s;
  std::optional<double> cost_usd;
  std::optional<double> egress_usd;
  double host_memory = 1.0;
  double gpu_memory = 1.0;
  std::optional<double> cores;
  std::optional<double> request_limit;
};

void describe(LinkedValues& l, Visitor& v);
void describe(Decision& d, Visitor& v);
void describe(PlanObjective& o, Visitor& v);
void describe(HoldUnder& h, Visitor& v);
void describe(SubjectTo& s, Visitor& v);

}  // namespace headrace::models
