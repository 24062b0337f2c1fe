// A threshold on a metric, and what an answer says about it: pass, fail, or undecided. An answer that is not sure
// enough never passes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

enum class Relation : std::uint8_t { less, at_most, more, at_least };
inline constexpr std::string_view kRelationNames[] = {"<", "<=", ">", ">="};

/// "gpu_idle_fraction < 5 %": a metric of the cluster, "jobs/NAME/METRIC", "batch_load_time_s.p99", "blame/STAGE".
struct Threshold {
  std::string metric;
  Relation relation = Relation::less;
  double limit = 0.0;        ///< in the unit of the metric
  std::string condition;     ///< as written: "< 5 %"
  std::string pointer = {};  ///< where it stands in the scenario, "/slo/gpu_idle_fraction"

  bool holds(double value) const;
};

enum class Ruling : std::uint8_t { pass, fail, undecided };
inline constexpr std::string_view kRulingNames[] = {"pass", "fail", "undecided"};

/// The worse of two: a failure stands above doubt, doubt above success.
Ruling worse(Ruling a, Ruling b);

struct Judgement {
  Threshold threshold;
  std::optional<double> value;
  std::optional<Interval> interval;  ///< that decided
  Ruling decision = Ruling::undecided;
  std::string reason;  ///< why it is undecided or failed without an interval; may be empty
};

/// Pass if all of the interval holds the threshold, fail if nothing of it does, undecided between.
Ruling decide(const Threshold& threshold, const Interval& interval);

/// What an outcome says by its own interval, whose arms are taken `widening` times as long: looking several times until
/// an interval lies on one side is wrong more often than looking once.
Judgement judge(const Threshold& threshold, const Outcome& outcome, double widening = 1.0);

/// What the flow bound can prove: that a metric that it bounds cannot hold a threshold, or that one that it knows
/// exactly does or does not. It never passes a "<" on a time.
Judgement judge_bound(const Threshold& threshold, const Outcome& bound);

}  // namespace headrace::models
