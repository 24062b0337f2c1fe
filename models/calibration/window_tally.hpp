// What one window of a probe counts: completions after the warm-up, their latencies, the rate in pieces of 50 ms, and
// how one latency follows another.
#pragma once

#include <cstdint>
#include <vector>

#include "models/calibration/latency_histogram.hpp"

namespace headrace::models::calibration {

inline constexpr std::uint64_t kPieceNs = 50'000'000;

/// Sums from which the autocorrelation at lag 1 follows; chains of several threads add up.
struct SequenceSums {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  double products = 0.0;  ///< of neighbours
  double pairs = 0.0;

  void merge(const SequenceSums& other);
  /// NaN below 100 pairs or without spread.
  double lag1() const;
};

class WindowTally {
 public:
  /// Counts from `begin_ns` for `length_ns`.
  void start(std::uint64_t begin_ns, std::uint64_t length_ns);
  bool started() const { return length_ns_ > 0; }
  std::uint64_t end_ns() const { return begin_ns_ + length_ns_; }

  /// One operation that ended now. Those outside the window only count as bytes of the probe.
  void add(std::uint64_t end_ns, std::uint64_t latency_ns);
  void merge(const WindowTally& other);

  std::uint64_t operations() const { return histogram_.count(); }
  double length_s() const { return 1e-9 * static_cast<double>(length_ns_); }
  double rate_per_s() const { return length_ns_ == 0 ? 0.0 : static_cast<double>(operations()) / length_s(); }
  const LatencyHistogram& histogram() const { return histogram_; }
  const SequenceSums& sequence() const { return sequence_; }
  /// Operations in each whole piece of 50 ms.
  const std::vector<std::uint32_t>& pieces() const { return pieces_; }

 private:
  std::uint64_t begin_ns_ = 0;
  std::uint64_t length_ns_ = 0;
  LatencyHistogram histogram_;
  std::vector<std::uint32_t> pieces_;
  SequenceSums sequence_;
  double last_log_ = 0.0;
};

}  // namespace headrace::models::calibration
