#include "sim/steady_state_interval.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/batch_means.hpp"
#include "sim/student_t.hpp"
#include "tests/catch.hpp"
#include "tests/sim/reference_series.hpp"

using namespace headrace::sim;

TEST_CASE("too few observations have a mean and no interval") {
  const SteadyStateResult result = steady_state_interval(reference::normals(1, 255));
  CHECK_FALSE(result.enough_data());
  CHECK(result.reason == "fewer than 256 observations");
  CHECK(result.mean == mean_of(reference::normals(1, 255)));
  CHECK_FALSE(steady_state_interval({}).enough_data());
}

TEST_CASE("a series that is short for its memory has no interval") {
  const SteadyStateResult result = steady_state_interval(reference::ar1_series(1, 4000, 0.999));
  CHECK_FALSE(result.enough_data());
  CHECK_FALSE(result.reason.empty());
  CHECK_FALSE(result.interval.has_value());
}

TEST_CASE("a series that is too short has a rough interval where one is asked for, and says so") {
  for (const std::size_t size : {2U, 100U, 4000U}) {
    const std::vector<double> series = reference::ar1_series(1, size, 0.999);
    const SteadyStateResult result = steady_state_interval(series, 0.95, TooShort::rough);
    CHECK_FALSE(result.enough_data());
    REQUIRE(result.interval.has_value());
    CHECK(result.interval->lo < result.mean);
    CHECK(result.interval->hi > result.mean);
  }
  CHECK_FALSE(steady_state_interval(std::vector<double>{1.0}, 0.95, TooShort::rough).interval.has_value());
  const std::vector<double> waits(100, 0.25);
  const std::vector<double> steps(100, 1.0);
  const SteadyStateResult share = ratio_interval(waits, steps, 0.95, TooShort::rough);
  CHECK_FALSE(share.enough_data());
  REQUIRE(share.interval.has_value());
  CHECK(share.interval->lo == Approx(0.25));
  CHECK(share.interval->hi == Approx(0.25));
}

TEST_CASE("a constant series has an interval of zero length") {
  const SteadyStateResult result = steady_state_interval(std::vector<double>(1000, 0.1));
  REQUIRE(result.enough_data());
  CHECK(result.interval->lo == result.mean);
  CHECK(result.interval->hi == result.mean);
  CHECK(result.mean == Approx(0.1).epsilon(1e-15));
}

TEST_CASE("a periodic series has a short interval about its mean") {
  std::vector<double> series;
  for (std::size_t i = 0; i < 5000; ++i) series.push_back(i % 7 == 0 ? 8.0 : 1.0);
  const SteadyStateResult result = steady_state_interval(series);
  REQUIRE(result.enough_data());
  CHECK(result.interval->contains(2.0));
  CHECK(result.interval->half_width(result.mean) < 0.05);
}

TEST_CASE("independent normals get nearly the classical interval") {
  const std::vector<double> series = reference::normals(7, 20'000);
  const SteadyStateResult result = steady_state_interval(series);
  REQUIRE(result.enough_data());
  CHECK(result.batches == 256);
  CHECK(result.batch_size == 78);
  CHECK(result.mean == mean_of(series));
  CHECK(result.interval->contains(0.0));
  // The deviation of 256 batch means is known to 4.4 %, the AR(1) factor to about as much.
  CHECK(result.interval->half_width(result.mean) == Approx(1.97 / std::sqrt(20'000.0)).epsilon(0.25));
}

TEST_CASE("the interval obeys its own formula and the confidence asked for") {
  const std::vector<double> series = reference::mm1_waits(11, 60'000, 0.5);
  const SteadyStateResult result = steady_state_interval(series, 0.9);
  REQUIRE(result.enough_data());
  CHECK(result.batches >= 64);
  CHECK(result.batches <= 256);
  const std::vector<double> means = batch_means(series, result.batch_size, result.batches);
  CHECK(result.lag1 == lag1_autocorrelation(means));
  const double t = student_t_quantile(0.95, static_cast<std::int64_t>(result.batches) - 1);
  const double error = correlated_standard_error(means);
  const double skewness = skewness_of(means);
  CHECK(result.interval->lo == Approx(result.mean - skewness_adjusted(t, skewness, result.batches) * error));
  CHECK(result.interval->hi == Approx(result.mean - skewness_adjusted(-t, skewness, result.batches) * error));
  CHECK(steady_state_interval(series, 0.99).interval->hi > result.interval->hi);
  // Waiting times are skewed to the right: the upper arm is the longer one.
  CHECK(result.interval->hi - result.mean > result.mean - result.interval->lo);
}

// Outcome documents hold these numbers: they must not depend on compiler, options or machine.
TEST_CASE("intervals have the same bits everywhere") {
  CHECK(student_t_quantile(0.975, 63) == 0x1.ff933eec65c1dp+0);
  CHECK(student_t_quantile(0.9999, 3) == 0x1.6342874203a68p+4);
  const SteadyStateResult result = steady_state_interval(reference::mm1_waits(1, 32'768, 0.6));
  REQUIRE(result.enough_data());
  CHECK(result.mean == 0x1.9434fbb5bc376p+0);
  CHECK(result.interval->lo == 0x1.77b38ca371e94p+0);
  CHECK(result.interval->hi == 0x1.b6a8e7eb420a9p+0);
  CHECK(result.lag1 == 0x1.38345abcd5381p-3);
}

TEST_CASE("Willink's adjustment has the t quantile as its limit and bends with the skewness") {
  CHECK(skewness_adjusted(2.0, 0.0, 64) == 2.0);
  CHECK(skewness_adjusted(2.0, 1e-5, 64) == Approx(2.0).epsilon(1e-5));
  CHECK(skewness_adjusted(-2.0, 1e-4, 64) == Approx(-2.0).epsilon(1e-4));
  // b = 1 / 48: cbrt(1 + (2 - 1/48) / 8) = cbrt(1.24739583...).
  CHECK(skewness_adjusted(2.0, 1.0, 64) == Approx((std::cbrt(1.0 + (2.0 - 1.0 / 48) / 8) - 1.0) * 24).epsilon(1e-12));
  CHECK(skewness_adjusted(-2.0, 1.0, 64) < -2.0);
  CHECK(skewness_adjusted(2.0, -1.0, 64) == Approx(-skewness_adjusted(-2.0, 1.0, 64)).epsilon(1e-12));
  // As skewed as 64 values can be: the cube root of a negative number.
  CHECK(skewness_adjusted(-2.0, 8.0, 64) == Approx((std::cbrt(1.0 - 13.0 / 6) - 1.0) * 3).epsilon(1e-12));
}

TEST_CASE("a slow drift under fast alternation is not missed") {
  // Neighbours are unlike, so a test of the raw series alone would call it random.
  std::vector<double> series = reference::ar1_series(3, 2048, 0.999);
  for (std::size_t i = 0; i < series.size(); ++i) series[i] += i % 2 == 0 ? 20.0 : -20.0;
  REQUIRE(von_neumann_score(series) < 0.0);
  CHECK_FALSE(steady_state_interval(series).enough_data());
}

TEST_CASE("the interval of a ratio with a constant denominator is that of the numerator") {
  const std::vector<double> waits = reference::mm1_waits(4, 30'000, 0.5);
  const std::vector<double> fours(waits.size(), 4.0);
  const SteadyStateResult plain = steady_state_interval(waits);
  const SteadyStateResult ratio = ratio_interval(waits, fours);
  REQUIRE(plain.enough_data());
  REQUIRE(ratio.enough_data());
  CHECK(ratio.mean == Approx(plain.mean / 4.0).epsilon(1e-12));
  CHECK(ratio.interval->lo == Approx(plain.interval->lo / 4.0).epsilon(1e-9));
  CHECK(ratio.interval->hi == Approx(plain.interval->hi / 4.0).epsilon(1e-9));
}

TEST_CASE("ratios at the edges") {
  const std::vector<double> time = reference::mm1_waits(4, 1000, 0.5);
  std::vector<double> third;
  for (const double t : time) third.push_back(t / 3.0);
  const SteadyStateResult proportional = ratio_interval(third, time);
  REQUIRE(proportional.enough_data());
  CHECK(proportional.mean == Approx(1.0 / 3.0).epsilon(1e-14));
  CHECK(proportional.interval->half_width(proportional.mean) < 1e-14);

  const std::vector<double> zeros(1000, 0.0);
  CHECK(ratio_interval(zeros, time).interval->hi == 0.0);
  CHECK_FALSE(ratio_interval(time, zeros).enough_data());
  CHECK_FALSE(ratio_interval(time, std::span(zeros).first(999)).enough_data());
  CHECK_FALSE(ratio_interval({}, {}).enough_data());
}
