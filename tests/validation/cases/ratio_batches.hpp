// Share of time from a long run: a ratio of sums over at least 64 batches with its 95 % half-width, as the references
// give it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace headrace::cases {

constexpr double kAimedPrecision = 0.5;  // own half-width over the reference's

class RatioBatches {
 public:
  explicit RatioBatches(std::size_t steps_per_batch) : steps_per_batch_(steps_per_batch) {}

  /// One step; true when it is time to look: from 64 batches on, at every eighth.
  bool add(double part, double whole) {
    if (full_ == kMost) halve();
    part_[full_] += part;
    whole_[full_] += whole;
    if (++steps_ < steps_per_batch_) return false;
    steps_ = 0;
    ++full_;
    return full_ >= kLeast && full_ % 8 == 0;
  }

  double ratio() const { return sum(part_) / sum(whole_); }

  /// Batches in which the part was seen at all.
  std::size_t batches_with_part() const {
    return static_cast<std::size_t>(std::count_if(part_.begin(), part_.end(), [](double x) { return x > 0.0; }));
  }

  /// Delta method; 1.998 is the quantile of Student's t for 63 degrees of freedom.
  double half_width() const {
    const double r = ratio();
    double squares = 0.0;
    for (std::size_t i = 0; i < full_; ++i) {
      const double deviation = part_[i] - r * whole_[i];
      squares += deviation * deviation;
    }
    const auto n = static_cast<double>(full_);
    return 1.998 * std::sqrt(squares * n / (n - 1.0)) / sum(whole_);
  }

 private:
  static constexpr std::size_t kLeast = 64;
  static constexpr std::size_t kMost = 128;
  using Sums = std::array<double, kMost>;

  double sum(const Sums& sums) const {
    double total = 0.0;
    for (std::size_t i = 0; i < full_; ++i) total += sums[i];
    return total;
  }

  /// Twice as long batches, half as many: the run goes on where it is.
  void halve() {
    for (Sums* sums : {&part_, &whole_}) {
      for (std::size_t i = 0; i < kMost / 2; ++i) (*sums)[i] = (*sums)[2 * i] + (*sums)[2 * i + 1];
      std::fill(sums->begin() + kMost / 2, sums->end(), 0.0);
    }
    full_ = kMost / 2;
    steps_per_batch_ *= 2;
  }

  std::size_t steps_per_batch_;
  std::size_t steps_ = 0;
  std::size_t full_ = 0;
  Sums part_{};
  Sums whole_{};
};

}  // namespace headrace::cases
