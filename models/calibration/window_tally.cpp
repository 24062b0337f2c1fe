#include "models/calibration/window_tally.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headrace::models::calibration {

void SequenceSums::merge(const SequenceSums& other) {
  count += other.count;
  sum += other.sum;
  squares += other.squares;
  products += other.products;
  pairs += other.pairs;
}

double SequenceSums::lag1() const {
  if (pairs < 100.0) return std::numeric_limits<double>::quiet_NaN();
  const double mean = sum / count;
  const double variance = squares / count - mean * mean;
  if (!(variance > 1e-12)) return std::numeric_limits<double>::quiet_NaN();
  return (products / pairs - mean * mean) / variance;
}

void WindowTally::start(std::uint64_t begin_ns, std::uint64_t length_ns) {
  begin_ns_ = begin_ns;
  length_ns_ = length_ns;
  pieces_.assign(length_ns / kPieceNs, 0);
}

void WindowTally::add(std::uint64_t end_ns, std::uint64_t latency_ns) {
  if (length_ns_ == 0 || end_ns < begin_ns_ || end_ns >= begin_ns_ + length_ns_) return;
  histogram_.add(latency_ns);
  const std::size_t piece = (end_ns - begin_ns_) / kPieceNs;
  if (piece < pieces_.size()) ++pieces_[piece];
  const double log_latency = std::log(static_cast<double>(std::max<std::uint64_t>(latency_ns, 1)) * 1e-5);
  if (sequence_.count > 0.0) {
    sequence_.products += last_log_ * log_latency;
    sequence_.pairs += 1.0;
  }
  sequence_.count += 1.0;
  sequence_.sum += log_latency;
  sequence_.squares += log_latency * log_latency;
  last_log_ = log_latency;
}

void WindowTally::merge(const WindowTally& other) {
  histogram_.merge(other.histogram_);
  sequence_.merge(other.sequence_);
  if (length_ns_ == 0) {
    begin_ns_ = other.begin_ns_;
    length_ns_ = other.length_ns_;
  }
  pieces_.resize(std::max(pieces_.size(), other.pieces_.size()), 0);
  for (std::size_t i = 0; i < other.pieces_.size(); ++i) pieces_[i] += other.pieces_[i];
}

}  // namespace headrace::models::calibration
