// Count, mean, variance and extremes of a stream of observations, in constant memory and mergeable.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headrace::sim {

/// Running moments of observations (any unit). Updates after Welford (1962), merges after Chan, Golub and LeVeque
/// (1979): the sum of squared deviations is carried, never the difference of two large sums. Merging is not associative
/// in the last bits, so results that must repeat merge in a fixed order.
class Tally {
 public:
  void add(double value) {
    ++count_;
    const double deviation = value - mean_;
    mean_ += deviation / static_cast<double>(count_);
    squared_deviations_ += deviation * (value - mean_);
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  void merge(const Tally& other) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
      *this = other;
      return;
    }
    const double mine = static_cast<double>(count_);
    const double theirs = static_cast<double>(other.count_);
    const double total = mine + theirs;
    const double deviation = other.mean_ - mean_;
    mean_ += deviation * (theirs / total);
    squared_deviations_ += other.squared_deviations_ + deviation * deviation * (mine * theirs / total);
    count_ += other.count_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  std::int64_t count() const { return count_; }
  /// Mean; 0 without observations.
  double mean() const { return mean_; }
  /// Unbiased variance; 0 with fewer than two observations.
  double variance() const { return count_ < 2 ? 0.0 : squared_deviations_ / static_cast<double>(count_ - 1); }
  double standard_deviation() const { return std::sqrt(variance()); }
  /// Standard error of the mean of independent observations; 0 with fewer than two.
  double standard_error() const { return count_ < 2 ? 0.0 : std::sqrt(variance() / static_cast<double>(count_)); }
  /// Smallest observation; +infinity without observations.
  double min() const { return min_; }
  /// Largest observation; -infinity without observations.
  double max() const { return max_; }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0.0;
  double squared_deviations_ = 0.0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

}  // namespace headrace::sim
