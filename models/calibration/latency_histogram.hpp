// Latencies in the bins of fio (stat.c, plat_val_to_idx), so that its files and ours compare bin by bin: 64 bins an
// octave of nanoseconds, at most 1.6 % wide, up to 2^34 ns.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

class LatencyHistogram {
 public:
  static constexpr int kBits = 6;
  static constexpr std::size_t kBins = 29U << kBits;

  static std::size_t bin_of(std::uint64_t value_ns) {
    const int msb = value_ns == 0 ? 0 : static_cast<int>(std::bit_width(value_ns)) - 1;
    if (msb <= kBits) return static_cast<std::size_t>(value_ns);
    const auto shift = static_cast<unsigned>(msb - kBits);
    const std::size_t bin = ((std::size_t{shift} + 1) << kBits) + ((value_ns >> shift) & ((1U << kBits) - 1));
    return bin < kBins ? bin : kBins - 1;
  }
  /// Lowest value of a bin and of the one after it, ns.
  static double low_edge_ns(std::size_t bin);
  static double high_edge_ns(std::size_t bin) { return low_edge_ns(bin + 1); }

  void add(std::uint64_t value_ns, std::uint64_t times = 1) {
    counts_[bin_of(value_ns)] += times;
    count_ += times;
    sum_ns_ += static_cast<double>(value_ns) * static_cast<double>(times);
    if (value_ns < min_ns_) min_ns_ = value_ns;
    if (value_ns > max_ns_) max_ns_ = value_ns;
  }
  void merge(const LatencyHistogram& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t count_in(std::size_t bin) const { return counts_[bin]; }
  double mean_s() const { return count_ == 0 ? 0.0 : 1e-9 * sum_ns_ / static_cast<double>(count_); }
  double min_s() const { return count_ == 0 ? 0.0 : 1e-9 * static_cast<double>(min_ns_); }
  double max_s() const { return 1e-9 * static_cast<double>(max_ns_); }
  /// Linear within its bin, exact at 0 and 1; 0 without observations.
  double quantile_s(double p) const;

  HistogramRecord record() const;
  static LatencyHistogram from(const HistogramRecord& record);

 private:
  std::array<std::uint64_t, kBins> counts_{};
  std::uint64_t count_ = 0;
  double sum_ns_ = 0.0;
  std::uint64_t min_ns_ = UINT64_MAX;
  std::uint64_t max_ns_ = 0;
};

}  // namespace headrace::models::calibration
