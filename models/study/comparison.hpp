// Two scenarios simulated with the same random numbers, longer and longer, until what is asked about their difference
// is known.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/spec/scenario.hpp"
#include "models/study/paired_difference.hpp"
#include "models/study/study.hpp"
#include "models/study/threshold.hpp"

namespace headrace::models {

struct ComparisonOptions {
  StudyOptions study;                ///< `steps` > 0: one look of exactly that length; `max_wall_s`: for everything
  double first_precision = 0.04;     ///< of the first scenario's step time: it gives the first length
  std::uint32_t replications = 6;    ///< where only replications tell: quantiles
  std::vector<std::string> metrics;  ///< to compare beside those of the cluster
};

/// Starts of each side where what one of them waits for depends on how a run starts.
inline constexpr std::uint32_t kComparedStarts = 8;

struct Comparison {
  Outcome before;
  Outcome after;
  std::vector<PairedDifference> differences;
  double confidence = 0.95;
  std::uint32_t looks = 0;
  std::string stopped_by;  ///< "decided", "precision", "steps", "other_starts", "max_wall", "interrupted"

  const PairedDifference* find(std::string_view metric) const;
};

/// Runs until `decided` says so, or the budget.
Comparison compare(const Scenario& before, const Scenario& after, const ComparisonOptions& options,
                   const std::function<bool(const Comparison&)>& decided);

/// What the interval of a change says about a limit on it: fail if all of it is beyond, pass if nothing is. An
/// infeasible outcome after a feasible one is the caller's to see.
struct ChangeLimit {
  Relation relation = Relation::more;  ///< the change fails that is so
  double limit = 0.0;
  bool relative = true;
};
Ruling judge_change(const PairedDifference& difference, const ChangeLimit& limit);

/// What the second scenario costs more, for what it does more.
struct GainedEpochs {
  double before_per_hour = 0.0;  ///< epochs
  double after_per_hour = 0.0;
  double before_usd_per_hour = 0.0;  ///< of running epochs
  double after_usd_per_hour = 0.0;
  std::optional<double> usd_per_epoch;       ///< for each epoch gained; negative: more epochs for less money
  std::optional<Interval> usd_per_epoch_ci;  ///< absent unless the gain is known to differ from nothing
};

/// From epoch_time_s and the ledgers of both. Lines that grow with time are rates, the others are paid once an epoch:
/// (rate' - rate + fixed' e' - fixed e) / (e' - e), e being epochs per hour, over the paired interval of e' - e.
std::optional<GainedEpochs> gained_epochs(const Comparison& comparison);

}  // namespace headrace::models
