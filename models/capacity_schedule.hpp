// A store whose capacity changes over time: by a plan, or by a controller that adds capacity some time after the store
// is found too busy.
#pragma once

#include <optional>
#include <vector>

#include "models/describe/describe.hpp"

namespace headrace::models {

/// From `at` on, the store has this share of its figures.
struct CapacityStep {
  double at_s = 0.0;
  double factor = 1.0;
};

/// A controller that looks at how busy the store is. Training begins with the store at its stated figures.
struct Autoscaling {
  double busy_s = 0.0;  ///< training, of every period
  double threshold = 0.7;
  double delay_s = 300.0;
  double step = 1.0;
  double most = 4.0;
};

struct CapacitySchedule {
  double period_s = 86400.0;
  double ramp_s = 0.0;
  std::vector<CapacityStep> steps;
  std::optional<Autoscaling> autoscaling;
  double usd_per_hour = 0.0;  ///< of the stated figures
};

template <class V>
void describe(CapacityStep& s, V& v) {
  v.quantity("at", s.at_s, Unit::seconds,
             {.low = 0, .high = 604800, .min = 0, .meaning = "When in the period it begins", .required = true});
  v.number("factor", s.factor,
           {.low = 0.1,
            .high = 10,
            .above = 0,
            .max = 1e6,
            .meaning = "Capacity from then on, over the figures of the store",
            .log_scale = true,
            .required = true});
}

template <class V>
void describe(Autoscaling& a, V& v) {
  v.quantity("busy", a.busy_s, Unit::seconds,
             {.low = 600,
              .high = 86400,
              .above = 0,
              .meaning = "How long training lasts in every period; the store rests before and is back at its figures",
              .log_scale = true,
              .required = true});
  v.fraction("threshold", a.threshold,
             {.low = 0.5,
              .high = 0.9,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Utilization above which capacity is added",
              .decided = true});
  v.quantity("delay", a.delay_s, Unit::seconds,
             {.low = 10,
              .high = 3600,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "From the finding that the store is too busy until the capacity of one step is there",
              .log_scale = true});
  v.number("step", a.step,
           {.low = 0.1,
            .high = 2,
            .above = 0,
            .max = 1e6,
            .evidence = Evidence::assumed,
            .meaning = "Capacity of one step, over the figures of the store",
            .decided = true});
  v.number("most", a.most,
           {.low = 1,
            .high = 20,
            .min = 1,
            .max = 1e6,
            .evidence = Evidence::assumed,
            .meaning = "Most that the capacity can grow to, over the figures of the store",
            .decided = true});
}

template <class V>
void describe(CapacitySchedule& c, V& v) {
  v.quantity("period", c.period_s, Unit::seconds,
             {.low = 3600,
              .high = 604800,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time after which everything repeats",
              .log_scale = true});
  v.quantity("ramp", c.ramp_s, Unit::seconds,
             {.low = 0,
              .high = 3600,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time that a step of the plan takes from the capacity before to its own, evenly"});
  v.list("steps", c.steps, {.meaning = "Plan of the capacity, in the order of time"});
  v.optional_record("autoscaling", c.autoscaling, {.meaning = "A controller in the place of a plan"});
  v.quantity("price", c.usd_per_hour, Unit::usd_per_hour,
             {.low = 0,
              .high = 1000,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of an hour of the stated figures; twice the capacity costs twice as much"});
  bool rising = true;
  for (std::size_t i = 0; i < c.steps.size(); ++i)
    rising = rising && c.steps[i].at_s < c.period_s && (i == 0 || c.steps[i].at_s > c.steps[i - 1].at_s);
  v.constraint("steps lie in their order in the period", rising,
               "every step of the plan must begin after the one before and before the period ends",
               {"steps", "period"});
  v.constraint("a plan or a controller", c.steps.empty() != !c.autoscaling.has_value(),
               "the capacity follows either steps or autoscaling: give one of them", {"steps", "autoscaling"});
  v.constraint("training fits the period", !c.autoscaling || c.autoscaling->busy_s <= c.period_s,
               "training cannot last longer than the period that it is a part of", {"autoscaling/busy", "period"});
}

}  // namespace headrace::models
