#include "models/calibration/io_engine.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>

namespace headrace::models::calibration {

PoissonArrivals::PoissonArrivals(double rate_per_s, std::uint64_t begin_ns, std::uint64_t seed)
    : mean_gap_ns_(1e9 / rate_per_s), now_ns_(static_cast<double>(begin_ns)), state_(seed | 1U) {}

std::uint64_t PoissonArrivals::next_ns() {
  // xorshift64* (Vigna 2016); the upper 53 bits make a number in (0, 1).
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  const double u = (static_cast<double>((state_ * 0x2545f4914f6cdd1dU) >> 11) + 0.5) * 0x1p-53;
  now_ns_ -= mean_gap_ns_ * std::log(u);
  return static_cast<std::uint64_t>(now_ns_);
}

void check_whole(std::int64_t result, int error, const IoTask& task, std::uint64_t offset) {
  if (result == static_cast<std::int64_t>(task.block_bytes)) return;
  const char* what = task.write ? "writing" : "reading";
  if (result < 0)
    throw IoFailure(error, fmt::format("{} {} bytes at {}: {}", what, task.block_bytes, offset, std::strerror(error)));
  throw IoFailure(EIO, fmt::format("{} {} bytes at {} moved only {}", what, task.block_bytes, offset, result));
}

}  // namespace headrace::models::calibration
