#include "sim/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

// Durations over twelve octaves to days, from a fixed multiplicative congruence.
std::vector<TimeNs> durations(std::size_t n) {
  std::vector<TimeNs> values;
  std::uint64_t state = 12345;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    values.push_back(static_cast<TimeNs>((state >> 17) >> (state % 40)));
  }
  return values;
}

Histogram histogram_of(const std::vector<TimeNs>& values, std::size_t from, std::size_t to) {
  Histogram histogram;
  for (std::size_t i = from; i < to; ++i) histogram.add(values[i]);
  return histogram;
}

}  // namespace

TEST_CASE("a merged histogram can count every observation several times") {
  Histogram once;
  once.add(100);
  once.add(300);
  Histogram all;
  all.add(200);
  all.merge(once, 3);
  CHECK(all.count() == 7);
  CHECK(all.mean_ns() == Approx((200 + 3 * 400) / 7.0));
  CHECK(all.min_ns() == 100);
  CHECK(all.max_ns() == 300);
  CHECK(all.p50_ns() == 200);
}

TEST_CASE("histogram quantiles lie within half a percent of the order statistics") {
  std::vector<TimeNs> values = durations(20'000);
  const Histogram histogram = histogram_of(values, 0, values.size());
  std::sort(values.begin(), values.end());
  for (int i = 1; i <= 2000; ++i) {
    const double p = i / 2000.0;
    const auto exact = static_cast<double>(values[static_cast<std::size_t>(i) * 10 - 1]);
    CHECK(std::abs(static_cast<double>(histogram.quantile_ns(p)) - exact) <= 0.004 * exact + 0.5);
  }
  CHECK(histogram.quantile_ns(0.0) == values.front());
  CHECK(histogram.quantile_ns(1.0) == values.back());
  CHECK(histogram.p50_ns() == histogram.quantile_ns(0.5));
  CHECK(histogram.p999_ns() >= histogram.p99_ns());
  CHECK(histogram.p99_ns() > histogram.p90_ns());
}

TEST_CASE("a single value of any size is told within half a percent, small ones exactly") {
  for (TimeNs value = 1; value < kNever / 3; value = value + value / 9 + 1) {
    Histogram histogram;
    histogram.add(value / 2);
    histogram.add(value);
    histogram.add(2 * value);
    const TimeNs middle = histogram.p50_ns();
    if (value < 256) {
      CHECK(middle == value);
    } else {
      CHECK(std::abs(static_cast<double>(middle - value)) <= 0.004 * static_cast<double>(value));
    }
  }
}

TEST_CASE("the largest time has a bin") {
  Histogram histogram;
  histogram.add(INT64_MAX, 3);
  CHECK(histogram.p50_ns() == INT64_MAX);
  CHECK(histogram.mean_ns() == static_cast<double>(INT64_MAX));
}

TEST_CASE("merged histograms equal one over everything") {
  const std::vector<TimeNs> values = durations(5000);
  const Histogram whole = histogram_of(values, 0, 5000);
  Histogram merged = histogram_of(values, 1234, 5000);
  merged.merge(histogram_of(values, 0, 1234));
  merged.merge(Histogram{});
  CHECK(merged.count() == whole.count());
  CHECK(merged.mean_ns() == whole.mean_ns());
  CHECK(merged.min_ns() == whole.min_ns());
  CHECK(merged.max_ns() == whole.max_ns());
  for (int i = 0; i <= 1000; ++i) CHECK(merged.quantile_ns(i / 1000.0) == whole.quantile_ns(i / 1000.0));
}

TEST_CASE("nearest rank at whole ranks is not moved by rounding") {
  Histogram histogram;
  for (TimeNs value = 1; value <= 100; ++value) histogram.add(value);
  for (int percent = 1; percent <= 100; ++percent) CHECK(histogram.quantile_ns(percent / 100.0) == percent);
}

TEST_CASE("an empty histogram answers zero, repeated and negative values count") {
  Histogram histogram;
  CHECK(histogram.count() == 0);
  CHECK(histogram.p99_ns() == 0);
  CHECK(histogram.mean_ns() == 0.0);
  histogram.add(-5);
  histogram.add(10, 3);
  histogram.add(99, 0);
  CHECK(histogram.count() == 4);
  CHECK(histogram.min_ns() == 0);
  CHECK(histogram.max_ns() == 10);
  CHECK(histogram.mean_ns() == 7.5);
}
