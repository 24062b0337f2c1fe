#include "models/spec/capacity_schedule.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(CapacityStep& s, Visitor& v) {
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

void describe(Autoscaling& a, Visitor& v) {
  v.quantity("busy", a.busy_s, Unit::seconds,
             {.low = 600,
              .high = 86400,
              .above = 0,
              .meaning = "Duration of training in every period; at its start the store has its stated figures",
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
              .meaning = "Time from the measurement of high utilization until the capacity of one step is available",
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
            .meaning = "Largest capacity, over the figures of the store",
            .decided = true});
}

void describe(CapacitySchedule& c, Visitor& v) {
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
              .meaning = "Time of the linear change from the capacity before to that of the step"});
  v.list("steps", c.steps, {.meaning = "Plan of the capacity, in the order of time"});
  v.optional_record("autoscaling", c.autoscaling, {.meaning = "A controller in the place of a plan"});
  v.quantity("price", c.usd_per_hour, Unit::usd_per_hour,
             {.low = 0,
              .high = 1000,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of the stated figures for one hour; twice the capacity costs twice as much"});
  bool rising = true;
  for (std::size_t i = 0; i < c.steps.size(); ++i)
    rising = rising && c.steps[i].at_s < c.period_s && (i == 0 || c.steps[i].at_s > c.steps[i - 1].at_s);
  v.constraint("the steps are in order within the period", rising,
               "every step of the plan must begin after the one before and before the period ends",
               {"steps", "period"});
  v.constraint("a plan or a controller", c.steps.empty() != !c.autoscaling.has_value(),
               "the capacity follows either steps or autoscaling: give one of them", {"steps", "autoscaling"});
  v.constraint("training fits the period", !c.autoscaling || c.autoscaling->busy_s <= c.period_s,
               "training cannot last longer than its period", {"autoscaling/busy", "period"});
}

}  // namespace headrace::models
