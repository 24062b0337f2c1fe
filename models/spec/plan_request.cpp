#include "models/spec/plan_request.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(LinkedValues& l, Visitor& v) {
  v.text("parameter", l.parameter, {.meaning = "JSON pointer of the parameter, as for --set", .required = true});
  v.json("values", l.values_json, {.meaning = "As many values as the decision, in its order", .required = true});
}

void describe(Decision& d, Visitor& v) {
  v.text("name", d.name, {.meaning = "Name in reports; none: the last word of the parameter"});
  v.text("parameter", d.parameter,
         {.meaning = "JSON pointer of the parameter that may be chosen, as for --set: /jobs/0/loader/workers"});
  v.json("parameters", d.parameters_json, {.meaning = "Several pointers with the same value"});
  v.json("values", d.values_json, {.meaning = "List of values, as in a scenario"});
  v.json("from", d.from_json, {.meaning = "First value of a range"});
  v.json("to", d.to_json, {.meaning = "Last value of a range"});
  v.json("step", d.step_json, {.meaning = "Distance of its values"});
  v.count("count", d.count,
          {.low = 2, .high = 100, .evidence = Evidence::assumed, .meaning = "Number of its values, instead of a step"});
  v.text("scale", d.scale, {.meaning = "linear, or log: values in equal ratios"});
  v.list("with", d.with,
         {.meaning = "Parameters that change together with this one: the price of a GPU with its type",
          .unseen_empty = true});
  v.constraint("something to choose", !d.parameter.empty() || !d.parameters_json.empty(),
               "a decision names its parameter", {"parameter"});
}

void describe(PlanObjective& o, Visitor& v) {
  v.choice("minimize", o.minimize, kPlanGoalNames,
           {.evidence = Evidence::assumed,
            .meaning = "Goal to minimize: dollars, time or idle GPUs of an epoch; tco: its total cost over the "
                       "horizon (prices/total_cost)"});
  v.choice(
      "against", o.against, kSecondGoalNames,
      {.evidence = Evidence::assumed, .meaning = "A second goal: the answer then has the Pareto front of the two"});
  v.fraction("indifference", o.indifference,
             {.low = 0.001,
              .high = 0.05,
              .max = 0.5,
              .evidence = Evidence::assumed,
              .meaning = "Configurations that differ by less count as equal",
              .decided = true});
  v.fraction("confidence", o.confidence,
             {.low = 0.9,
              .high = 0.999,
              .min = 0.5,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Probability with which the recommended one is the best, or as good as it",
              .decided = true});
  const bool counts_both = (o.minimize == PlanGoal::tco && o.against == SecondGoal::cost_per_epoch) ||
                           (o.minimize == PlanGoal::cost_per_epoch && o.against == SecondGoal::tco);
  v.constraint("one kind of dollars", !counts_both,
               "tco and cost_per_epoch are both dollars of an epoch: choose epoch_time or idle against one of them",
               {"minimize", "against"});
}

void describe(HoldUnder& h, Visitor& v) {
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
  v.limit("idle", h.idle_fraction, Unit::fraction,
          {.low = 0.01,
           .high = 0.2,
           .evidence = Evidence::assumed,
           .meaning = "Largest accepted GPU idle share; 0: no limit",
           .decided = true});
  v.limit("slowdown", h.slowdown, Unit::one,
          {.low = 1,
           .high = 2,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Largest accepted epoch time over that without the event; 0: no limit",
           .decided = true});
  v.limit("epoch_time", h.epoch_time_s, Unit::seconds,
          {.low = 60,
           .high = 1e6,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Largest accepted epoch time; 0: no limit",
           .log_scale = true,
           .decided = true});
  v.limit("first_step", h.first_step_s, Unit::seconds,
          {.low = 1,
           .high = 3600,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Largest accepted time to the first step, for restart_all; 0: no limit",
           .log_scale = true,
           .decided = true});
}

void describe(SubjectTo& s, Visitor& v) {
  v.limit("idle", s.idle_fraction, Unit::fraction,
          {.low = 0.001,
           .high = 0.2,
           .evidence = Evidence::assumed,
           .meaning = "GPU idle share at most; 0: not asked",
           .decided = true});
  v.limit("epoch_time", s.epoch_time_s, Unit::seconds,
          {.low = 60,
           .high = 1e6,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Deadline of an epoch; 0: none",
           .log_scale = true,
           .decided = true});
  v.limit("first_step", s.first_step_s, Unit::seconds,
          {.low = 1,
           .high = 3600,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Longest time from the start of the first job to its first step; 0: no limit",
           .log_scale = true,
           .decided = true});
  v.limit("cost_per_epoch", s.cost_usd, Unit::usd,
          {.low = 1,
           .high = 1e6,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Budget of an epoch, with the objective tco of its total cost; 0: none",
           .log_scale = true,
           .decided = true});
  v.limit("egress", s.egress_usd, Unit::usd,
          {.low = 1,
           .high = 1e6,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Budget of an epoch for egress only; 0: none",
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
  v.limit("cores", s.cores, Unit::fraction,
          {.low = 0.5,
           .high = 1,
           .evidence = Evidence::assumed,
           .meaning = "Share of a node's cores that workers may occupy, one each; 0: they may share cores",
           .decided = true});
  v.limit("request_limit", s.request_limit, Unit::fraction,
          {.low = 0.5,
           .high = 1,
           .evidence = Evidence::assumed,
           .meaning = "Share of the store's request limit that a job at full speed may use; 0: no limit",
           .decided = true});
}

}  // namespace headrace::models
