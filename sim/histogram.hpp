// Log-linear histogram of durations: quantiles of millions of batch load times in a few tens of kilobytes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/time.hpp"

namespace headrace::sim {

/// Histogram of non-negative int64 nanoseconds. Values below 256 ns have a bin each; above, every octave has 128 equal
/// bins, so a bin is at most 1/128 (0.8 %) of its values wide and a quantile, told as the middle of its bin, lies
/// within 0.4 % of the exact order statistic. The layout is that of HdrHistogram (Tene, 2012). Merging only adds
/// counts: it is exact and independent of order.
class Histogram {
 public:
  /// Records `times` observations of one value; negative values count as 0.
  void add(TimeNs value_ns, std::int64_t times = 1) {
    if (times <= 0) return;
    value_ns = std::max<TimeNs>(value_ns, 0);
    const std::size_t bin = bin_of(value_ns);
    if (bin >= counts_.size()) counts_.resize(bin + 1, 0);
    counts_[bin] += times;
    count_ += times;
    sum_ns_ += static_cast<Sum>(value_ns) * times;
    min_ns_ = std::min(min_ns_, value_ns);
    max_ns_ = std::max(max_ns_, value_ns);
  }

  /// Every observation of the other counts `times` times.
  void merge(const Histogram& other, std::int64_t times = 1) {
    if (times <= 0) return;
    if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size(), 0);
    for (std::size_t bin = 0; bin < other.counts_.size(); ++bin) counts_[bin] += other.counts_[bin] * times;
    count_ += other.count_ * times;
    sum_ns_ += other.sum_ns_ * times;
    min_ns_ = std::min(min_ns_, other.min_ns_);
    max_ns_ = std::max(max_ns_, other.max_ns_);
  }

  std::int64_t count() const { return count_; }
  /// Mean of the values themselves (not of the bins), ns; 0 without observations.
  double mean_ns() const { return count_ == 0 ? 0.0 : static_cast<double>(sum_ns_) / static_cast<double>(count_); }
  /// Smallest and largest value, exact; 0 without observations.
  TimeNs min_ns() const { return count_ == 0 ? 0 : min_ns_; }
  TimeNs max_ns() const { return max_ns_; }

  /// Value at or below which a share `probability` of the observations lies (nearest rank), ns. 0 and 1 give the exact
  /// extremes; 0 without observations.
  TimeNs quantile_ns(double probability) const {
    if (count_ == 0) return 0;
    const std::int64_t rank = rank_of(probability);
    if (rank <= 1) return min_ns_;
    if (rank >= count_) return max_ns_;
    std::int64_t below = 0;
    std::size_t bin = 0;
    while (below + counts_[bin] < rank) below += counts_[bin++];
    return std::clamp(middle_of(bin), min_ns_, max_ns_);
  }
  TimeNs p50_ns() const { return quantile_ns(0.5); }
  TimeNs p90_ns() const { return quantile_ns(0.9); }
  TimeNs p99_ns() const { return quantile_ns(0.99); }
  TimeNs p999_ns() const { return quantile_ns(0.999); }

 private:
  __extension__ typedef __int128 Sum;
  static constexpr int kBinsPerOctaveBits = 7;

  static std::size_t bin_of(TimeNs value_ns) {
    const auto value = static_cast<std::uint64_t>(value_ns);
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kBinsPerOctaveBits - 1);
    return (static_cast<std::size_t>(shift) << kBinsPerOctaveBits) + static_cast<std::size_t>(value >> shift);
  }

  static TimeNs middle_of(std::size_t bin) {
    const std::size_t one_octave = std::size_t{1} << kBinsPerOctaveBits;
    if (bin < 2 * one_octave) return static_cast<TimeNs>(bin);
    const std::size_t shift = bin / one_octave - 1;
    const std::uint64_t lowest = (bin % one_octave + one_octave) << shift;
    return static_cast<TimeNs>(lowest + (std::uint64_t{1} << (shift - 1)));
  }

  // Rank ceil(p n). The product is lowered by a few rounding errors first, so that a whole number does not become the
  // next rank.
  std::int64_t rank_of(double probability) const {
    if (!(probability > 0.0)) return 1;
    if (probability >= 1.0) return count_;
    const double exact = probability * static_cast<double>(count_) * (1.0 - 4.0 * 2.220446049250313e-16);
    const auto whole = static_cast<std::int64_t>(exact);
    return std::min(count_, static_cast<double>(whole) < exact ? whole + 1 : whole);
  }

  std::vector<std::int64_t> counts_;
  std::int64_t count_ = 0;
  Sum sum_ns_ = 0;
  TimeNs min_ns_ = INT64_MAX;
  TimeNs max_ns_ = 0;
};

}  // namespace headrace::sim
