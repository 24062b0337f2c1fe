// A store whose capacity changes over time: by a plan, or by a controller that adds capacity some time after the store
// is found too busy.
#pragma once

#include <optional>
#include <vector>

#include "models/describe/declarations.hpp"

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

void describe(CapacityStep& s, Visitor& v);
void describe(Autoscaling& a, Visitor& v);
void describe(CapacitySchedule& c, Visitor& v);

}  // namespace headrace::models
