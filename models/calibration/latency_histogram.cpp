#include "models/calibration/latency_histogram.hpp"

#include <algorithm>

namespace headrace::models::calibration {

double LatencyHistogram::low_edge_ns(std::size_t bin) {
  constexpr std::size_t octave = std::size_t{1} << kBits;
  if (bin < 2 * octave) return static_cast<double>(bin);
  const std::size_t shift = bin / octave - 1;
  return static_cast<double>((bin % octave + octave) << shift);
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  for (std::size_t bin = 0; bin < kBins; ++bin) counts_[bin] += other.counts_[bin];
  count_ += other.count_;
  sum_ns_ += other.sum_ns_;
  min_ns_ = std::min(min_ns_, other.min_ns_);
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

double LatencyHistogram::quantile_s(double p) const {
  if (count_ == 0) return 0.0;
  if (p <= 0.0) return min_s();
  if (p >= 1.0) return max_s();
  const double wanted = p * static_cast<double>(count_);
  double below = 0.0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const auto here = static_cast<double>(counts_[bin]);
    if (here > 0.0 && below + here >= wanted) {
      const double low = low_edge_ns(bin);
      const double value = low + (high_edge_ns(bin) - low) * (wanted - below) / here;
      return std::clamp(1e-9 * value, min_s(), max_s());
    }
    below += here;
  }
  return max_s();
}

HistogramRecord LatencyHistogram::record() const {
  HistogramRecord record;
  record.count = count_;
  record.min_ns = count_ == 0 ? 0.0 : static_cast<double>(min_ns_);
  record.max_ns = static_cast<double>(max_ns_);
  record.sum_ns = sum_ns_;
  for (std::size_t bin = 0; bin < kBins; ++bin)
    if (counts_[bin] > 0) {
      record.bins.push_back(static_cast<double>(bin));
      record.bins.push_back(static_cast<double>(counts_[bin]));
    }
  return record;
}

LatencyHistogram LatencyHistogram::from(const HistogramRecord& record) {
  LatencyHistogram histogram;
  for (std::size_t i = 0; i + 1 < record.bins.size(); i += 2) {
    const double bin = record.bins[i];
    if (!(bin >= 0.0 && bin < static_cast<double>(kBins)) || !(record.bins[i + 1] >= 0.0)) continue;
    histogram.counts_[static_cast<std::size_t>(bin)] += static_cast<std::uint64_t>(record.bins[i + 1]);
    histogram.count_ += static_cast<std::uint64_t>(record.bins[i + 1]);
  }
  histogram.sum_ns_ = record.sum_ns;
  histogram.min_ns_ = histogram.count_ == 0 ? UINT64_MAX : static_cast<std::uint64_t>(std::max(record.min_ns, 0.0));
  histogram.max_ns_ = static_cast<std::uint64_t>(std::max(record.max_ns, 0.0));
  return histogram;
}

}  // namespace headrace::models::calibration
