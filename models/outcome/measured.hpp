// A simulated mean and how sure it is; weighted sums of such means.
#pragma once

#include <algorithm>
#include <optional>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// A mean and, where it was simulated, its 95 % interval.
struct Measured {
  double mean = 0.0;
  std::optional<Interval> ci95;

  Measured scaled(double factor) const;
  Measured plus(double offset) const;
  /// Of the interval's two arms; 0 without an interval.
  double longer_arm() const { return ci95 ? std::max(mean - ci95->low, ci95->high - mean) : 0.0; }
};

/// Weighted sum over the windows of an epoch. Windows have the same draws, so that their errors go together: arms add
/// up, as if all windows were off in the same direction.
class WeightedSum {
 public:
  void add(double weight, const Measured& value) {
    mean_ += weight * value.mean;
    complete_ = complete_ && value.ci95.has_value();
    if (!value.ci95) return;
    low_ += weight * (value.mean - value.ci95->low);
    high_ += weight * (value.ci95->high - value.mean);
  }
  /// Without an interval unless every value has one.
  Measured value() const {
    Measured result{mean_, std::nullopt};
    if (complete_) result.ci95 = Interval{mean_ - low_, mean_ + high_};
    return result;
  }

 private:
  double mean_ = 0.0;
  double low_ = 0.0;
  double high_ = 0.0;
  bool complete_ = true;
};

}  // namespace headrace::models
