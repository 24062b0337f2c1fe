// What `headrace plan` is asked: what it may choose, what it makes least, within which limits, and under which events
// its answer must still hold. Other verbs read past it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/describe/describe.hpp"

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

enum class PlanGoal : std::uint8_t { cost_per_epoch, epoch_time, idle };
inline constexpr ChoiceName<PlanGoal> kPlanGoalNames[] = {
    {PlanGoal::cost_per_epoch, "cost_per_epoch"}, {PlanGoal::epoch_time, "epoch_time"}, {PlanGoal::idle, "idle"}};

enum class SecondGoal : std::uint8_t { none, cost_per_epoch, epoch_time, idle };
inline constexpr ChoiceName<SecondGoal> kSecondGoalNames[] = {{SecondGoal::none, "none"},
                                                              {SecondGoal::cost_per_epoch, "cost_per_epoch"},
                                                              {SecondGoal::epoch_time, "epoch_time"},
                                                              {SecondGoal::idle, "idle"}};

struct PlanObjective {
  PlanGoal minimize = PlanGoal::cost_per_epoch;
  SecondGoal against = SecondGoal::none;
  double indifference = 0.01;
  double confidence = 0.99;
};

enum class PlanEvent : std::uint8_t { storage_node_down, leaf_down, cold_cache, restart_all };
inline constexpr ChoiceName<PlanEvent> kPlanEventNames[] = {
    {PlanEvent::storage_node_down, "storage_node_down", "one of the store's servers is down"},
    {PlanEvent::leaf_down, "leaf_down", "a leaf switch is down, and the job goes on without its nodes"},
    {PlanEvent::cold_cache, "cold_cache", "every cache is empty"},
    {PlanEvent::restart_all, "restart_all", "the whole job starts again, with empty caches"}};

/// An event and what must hold while it lasts; 0: not asked.
struct HoldUnder {
  PlanEvent event = PlanEvent::storage_node_down;
  std::uint64_t servers = 10;
  double idle_fraction = 0.0;
  double slowdown = 0.0;
  double epoch_time_s = 0.0;
  double first_step_s = 0.0;
};

/// Limits beside what rooms can hold; 0: not asked.
struct SubjectTo {
  double idle_fraction = 0.0;
  double epoch_time_s = 0.0;
  double first_step_s = 0.0;
  double cost_usd = 0.0;
  double egress_usd = 0.0;
  double host_memory = 1.0;
  double gpu_memory = 1.0;
  double cores = 0.0;
  double request_limit = 0.0;
};

template <class V>
void describe(LinkedValues& l, V& v) {
  v.text("parameter", l.parameter, {.meaning = "JSON pointer of the parameter, as --set takes it", .required = true});
  v.json("values", l.values_json, {.meaning = "As many values as the decision has, in its order", .required = true});
}

template <class V>
void describe(Decision& d, V& v) {
  v.text("name", d.name, {.meaning = "How reports call it; none: the last word of the parameter"});
  v.text("parameter", d.parameter,
         {.meaning = "JSON pointer of what may be chosen, as --set takes it: /jobs/0/loader/workers"});
  v.json("parameters", d.parameters_json, {.meaning = "Several pointers that take the same value"});
  v.json("values", d.values_json, {.meaning = "List of values, spelled as in a scenario"});
  v.json("from", d.from_json, {.meaning = "First value of a range"});
  v.json("to", d.to_json, {.meaning = "Last value of a range"});
  v.json("step", d.step_json, {.meaning = "Distance of its values"});
  v.count("count", d.count,
          {.low = 2, .high = 100, .evidence = Evidence::assumed, .meaning = "Number of its values, instead of a step"});
  v.text("scale", d.scale, {.meaning = "linear, or log: values in equal ratios"});
  v.list("with", d.with,
         {.meaning = "Parameters that change in step with this one: the price of a GPU with its type",
          .unseen_empty = true});
  v.constraint("something to choose", !d.parameter.empty() || !d.parameters_json.empty(),
               "a decision names its parameter", {"parameter"});
}

template <class V>
void describe(PlanObjective& o, V& v) {
  v.choice("minimize", o.minimize, kPlanGoalNames,
           {.evidence = Evidence::assumed, .meaning = "What is made least: dollars, time or idle GPUs of an epoch"});
  v.choice(
      "against", o.against, kSecondGoalNames,
      {.evidence = Evidence::assumed, .meaning = "A second goal: the answer then holds the Pareto front of the two"});
  v.fraction("indifference", o.indifference,
             {.low = 0.001,
              .high = 0.05,
              .max = 0.5,
              .evidence = Evidence::assumed,
              .meaning = "Configurations that differ by less are as good as each other",
              .decided = true});
  v.fraction("confidence", o.confidence,
             {.low = 0.9,
              .high = 0.999,
              .min = 0.5,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Probability with which the recommended one is the best, or as good as it",
              .decided = true});
}

template <class V>
void describe(HoldUnder& h, V& v) {
  v.choice("event", h.event, kPlanEventNames,
           {.evidence = Evidence::assumed,
            .meaning = "storage_node_down: one of the store's servers; leaf_down: a leaf switch with its nodes; "
                       "cold_cache: empty caches; restart_all: the job starts again with empty caches"});
  v.count("servers", h.servers,
          {.low = 2,
           .high = 1000,
           .min = 2,
           .evidence = Evidence::assumed,
           .meaning = "Servers of the store, of which one is down"});
  v.fraction("idle", h.idle_fraction,
             {.low = 0.01,
              .high = 0.2,
              .evidence = Evidence::assumed,
              .meaning = "GPU idle share that is still accepted; 0: not asked",
              .decided = true});
  v.number("slowdown", h.slowdown,
           {.low = 1,
            .high = 2,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Epoch time over that of normal days that is still accepted; 0: not asked",
            .decided = true});
  v.quantity("epoch_time", h.epoch_time_s, Unit::seconds,
             {.low = 60,
              .high = 1e6,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Epoch time that is still accepted; 0: not asked",
              .log_scale = true,
              .decided = true});
  v.quantity("first_step", h.first_step_s, Unit::seconds,
             {.low = 1,
              .high = 3600,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time to the first step that is still accepted, for restart_all; 0: not asked",
              .log_scale = true,
              .decided = true});
}

template <class V>
void describe(SubjectTo& s, V& v) {
  v.fraction("idle", s.idle_fraction,
             {.low = 0.001,
              .high = 0.2,
              .evidence = Evidence::assumed,
              .meaning = "GPU idle share at most; 0: not asked",
              .decided = true});
  v.quantity("epoch_time", s.epoch_time_s, Unit::seconds,
             {.low = 60,
              .high = 1e6,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Deadline of an epoch; 0: none",
              .log_scale = true,
              .decided = true});
  v.quantity("first_step", s.first_step_s, Unit::seconds,
             {.low = 1,
              .high = 3600,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time from the start of the first job to its first step at most; 0: not asked",
              .log_scale = true,
              .decided = true});
  v.quantity("cost_per_epoch", s.cost_usd, Unit::usd,
             {.low = 1,
              .high = 1e6,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Budget of an epoch; 0: none",
              .log_scale = true,
              .decided = true});
  v.quantity("egress", s.egress_usd, Unit::usd,
             {.low = 1,
              .high = 1e6,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Budget of an epoch for egress alone; 0: none",
              .log_scale = true,
              .decided = true});
  v.fraction("host_memory", s.host_memory,
             {.low = 0.5,
              .high = 1,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Share of a node's host memory that ingest may fill",
              .decided = true});
  v.fraction("gpu_memory", s.gpu_memory,
             {.low = 0.5,
              .high = 1,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Share of the GPU's memory that model and waiting batches may fill",
              .decided = true});
  v.fraction("cores", s.cores,
             {.low = 0.5,
              .high = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of a node's cores that workers may occupy, one each; 0: they may share cores",
              .decided = true});
  v.fraction("request_limit", s.request_limit,
             {.low = 0.5,
              .high = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the store's request limit that a job at full speed may ask for; 0: not asked",
              .decided = true});
}

}  // namespace headrace::models
