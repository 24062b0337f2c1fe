// Finds the best point of a field: best-first branch and bound with races on common random numbers, then, where the
// bounds are loose, successive halving and a surrogate of the gap to the bound, and a final selection with an
// indifference zone.
//
// Sources: E. Lawler, D. Wood, Oper. Res. 14, 1966 (branch and bound); K. Jamieson, A. Talwalkar, AISTATS 2016
// (successive halving); S.-H. Kim, B. Nelson, TOMACS 11, 2001 (indifference zone; the last are told apart by paired
// differences on common random numbers). Deviations: races are cut short by intervals of single means, which common
// random numbers make wider than needed, never too narrow.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/planner/field.hpp"
#include "sim/portable_math.hpp"

namespace headrace::scenarios {

using sim::kInfinity;

/// Searches and races that run at a time, whatever the number of threads: results do not depend on it.
inline constexpr std::size_t kSideBySide = 2;

enum class SearchLevel : std::uint8_t { bound, uncontended, race, full };

/// What a search knows while it runs.
struct SearchProgress {
  std::size_t runs = 0;
  Point best = 0;
  bool simulated = false;   ///< the best so far; else it is the one of the least bound
  double goal = 0.0;        ///< mean of the best, or its bound
  double next_bound = 0.0;  ///< none that is left can be below it
};

struct SearchOptions {
  double indifference = 0.01;
  double confidence = 0.99;
  std::size_t most_points = 400;  ///< that are run at all
  unsigned threads = 0;
  std::function<bool()> cancelled;  ///< no new points are looked at
  std::function<bool()>
      closing_cancelled;  ///< the best is no longer confirmed and trimmed either; without it: cancelled
  std::function<void(const SearchProgress& progress)> progress;
};

/// What became of a point that was run.
struct Visit {
  Point point = 0;
  SearchLevel level = SearchLevel::bound;
  double bound_step_s = 0.0;  ///< flow bound
  models::RaceMean step_s;    ///< of the highest level reached
  double arm_s = 0.0;         ///< half-width of its interval
  double low = 0.0;           ///< of the goal; the whole search errs at most by its error budget
  double mean = 0.0;
  double high = 0.0;
  std::uint64_t steps = 0;
  bool admitted = false;  ///< by what only other simulations can tell
  std::string fate;       ///< in words
};

enum class Proof : std::uint8_t {
  none,       ///< no feasible point, or stopped early
  flow,       ///< nothing else can be better, by flow bounds and intervals of what was run
  flow_zone,  ///< nothing else can be better by more than the indifference zone
  surrogate,  ///< by flow bounds, intervals and the surrogate's posterior
};

struct SearchResult {
  std::vector<Visit> visits;    ///< in the order of first visit
  std::size_t best = SIZE_MAX;  ///< among the visits
  Proof proof = Proof::none;
  double confidence = 0.0;  ///< that no point is better by more than the indifference zone
  double next_bound = 0.0;  ///< goal of the best point that was not run, by its flow bound
  std::size_t bounded = 0;
  std::size_t infeasible = 0;        ///< by bounds
  std::size_t uncontended_runs = 0;  ///< points run on the uncontended engine
  std::size_t contended_runs = 0;    ///< points run on the event engine
  std::uint64_t contended_steps = 0;
  std::size_t by_family = 0;            ///< points that were never run because a larger sibling was already too slow
  std::string surrogate;                ///< what the surrogate was used for; empty: not needed
  std::optional<Point> before_keeping;  ///< the best before equally good values of today replaced its own
  bool confirmed = false;               ///< the best had its long run
  bool trimmed = false;                 ///< all that costs nothing was tried to be taken away
  bool cancelled = false;               ///< something was left out because the search was told to end
  bool out_of_points = false;

  bool found() const { return best != SIZE_MAX; }
};

SearchResult search(PlanField& field, const SearchOptions& options);

/// The two-sided quantile in standard errors for an error of `alpha`.
double margin(const models::RaceMean& mean, double alpha);

}  // namespace headrace::scenarios
