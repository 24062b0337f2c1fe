// Counts how often intervals hold the exact value, and prints the line that docs/statistics.md shows.
#pragma once

#include <cstdio>

#include "sim/steady_state_interval.hpp"

namespace headrace::testing {

struct Coverage {
  int runs = 0;
  int with_interval = 0;
  int covered = 0;
  double half_width_sum = 0.0;

  double share() const { return static_cast<double>(covered) / with_interval; }
  double mean_half_width() const { return half_width_sum / with_interval; }

  void count(const sim::SteadyStateResult& result, double truth) {
    ++runs;
    if (!result.enough_data()) return;
    ++with_interval;
    covered += result.interval->contains(truth) ? 1 : 0;
    half_width_sum += result.interval->half_width(result.mean);
  }

  void print(const char* what) const {
    std::printf("| %s | %d | %.1f %% | %.3g |\n", what, with_interval, 100.0 * share(), mean_half_width());
    std::fflush(stdout);
  }
};

/// In a short study of 200 runs: with a true coverage of 0.95 the share is below this with probability 2.9e-7 for 200
/// intervals and at most 5.5e-6 for 160 (binomial).
inline constexpr double kLeastShareOf200 = 0.86;

/// In a long study: what nominal 95 % must cover. 1,000 intervals of a true coverage of 0.95 miss this band with
/// probability 0.3 % (binomial); the seeds are fixed and the draws portable, so that a pass is a pass everywhere.
inline bool in_band(const Coverage& coverage) {
  return coverage.share() >= 0.93 && coverage.share() <= 0.97 && 100 * coverage.with_interval >= 99 * coverage.runs;
}

}  // namespace headrace::testing
