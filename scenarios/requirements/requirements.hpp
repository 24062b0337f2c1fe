// The inverse question of a plan: what a store must deliver for the jobs to meet their limits.
//
// Each figure alone, with all others ample, then one joint set: the figures of each alone, made better by one factor
// (power_together()) until the limits hold, where what holds beside the others as it is alone stays at that, and what
// is not required is as little as each alone holds with. Every answer is settled by runs at it and 5 % below it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/requirements/critical.hpp"
#include "scenarios/requirements/store_axis.hpp"
#include "scenarios/requirements/workload_profile.hpp"

namespace headrace::scenarios {

inline constexpr double kDefaultMargin = 0.2;

struct RequirementOptions {
  std::string store;  ///< empty: the one that the first job reads
  double margin = kDefaultMargin;
  bool curves = true;
  ProbeOptions probe;
};

/// One figure. Least: with it the limits just hold; asked: with the margin.
struct StoreRequirement {
  StoreAxis axis = StoreAxis::read;
  bool required = false;  ///< false: the limits hold whatever it is
  std::string why_not;    ///< where it is not required
  double alone = 0.0;     ///< least, all others ample
  double least = 0.0;     ///< least of all together
  double asked = 0.0;     ///< the same with the margin
  std::size_t limit = 0;  ///< that breaks first below it
  Settled settled;        ///< of `alone`
  /// Of the joint set with 5 % less of this figure only; none where there is no joint set.
  std::optional<Standing> below_together;

  /// Whether 5 % less of it breaks the joint set; false where that much is left, or no interval decides.
  bool binds() const { return !below_together || below_together->decision == models::Ruling::fail; }
};

/// Pairs that are as good as each other: what the second must be for a value of the first, all others ample.
struct TradeCurve {
  StoreAxis across = StoreAxis::latency;
  StoreAxis up = StoreAxis::read;
  struct Point {
    double across = 0.0;
    double up = 0.0;
  };
  std::vector<Point> points;
};

struct Requirements {
  std::string store;
  double margin = kDefaultMargin;
  std::uint64_t seed = 1;
  std::vector<JobLimit> limits;
  std::vector<std::string> limit_texts;
  bool possible = true;                   ///< some store holds the limits
  Standing at_ample;                      ///< the limits with an ample store
  std::string ample_waits;                ///< what the GPUs then wait for; empty: nothing
  std::vector<StoreRequirement> figures;  ///< in the order of kAxisTraits
  double together = 1.0;                  ///< factor by which figures that bind are better than each alone
  std::optional<Settled> joint;           ///< none where each alone is enough
  std::size_t joint_limit = 0;
  double asked_capacity_bytes = 0.0;
  bool tail_assumed = false;
  double tail_mean = 0.0;  ///< mean of the latency over its 99th percentile
  std::vector<TradeCurve> curves;
  bool curves_complete = true;  ///< false: the time was up
  WorkloadProfile profile;
  std::size_t runs = 0;
  std::size_t estimates = 0;

  bool any_required() const;
  bool sure() const;  ///< every answer is settled
};

/// Throws models::UnusableRequest where the question has no meaning, models::Abandoned where it was told to stop.
tl::expected<Requirements, Diagnostics> require_of_store(const LoadedScenario& loaded,
                                                         const RequirementOptions& options);

/// Number of the store by name, or of that of the first job. Throws models::UnusableRequest for one that does not
/// exist, and for drives of a node.
std::size_t shared_store(const models::Scenario& scenario, const std::string& name);

}  // namespace headrace::scenarios
