#include "sim/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/batch_means.hpp"
#include "tests/catch.hpp"
#include "tests/sim/reference_series.hpp"

using namespace headrace::sim;

namespace {

// Noise of deviation 1 with `shift` added to the first `transient` steps.
std::vector<double> shifted_start(std::uint64_t seed, std::size_t n, std::size_t transient, double shift) {
  std::vector<double> series = reference::normals(seed, n);
  for (std::size_t i = 0; i < transient; ++i) series[i] += shift;
  return series;
}

// The definition, quadratic in time.
std::size_t mser5_by_definition(const std::vector<double>& series) {
  const std::size_t n = series.size() / 5;
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < 5; ++j) y[i] += series[5 * i + j] / 5.0;
  }
  double best = 1e300;
  std::size_t cut = 0;
  for (std::size_t d = 0; d <= n * 3 / 4; ++d) {
    double mean = 0.0;
    for (std::size_t i = d; i < n; ++i) mean += y[i] / static_cast<double>(n - d);
    double squares = 0.0;
    for (std::size_t i = d; i < n; ++i) squares += (y[i] - mean) * (y[i] - mean);
    const double statistic = squares / static_cast<double>((n - d) * (n - d));
    if (statistic < best) {
      best = statistic;
      cut = d;
    }
  }
  return 5 * cut;
}

}  // namespace

TEST_CASE("MSER-5 equals its definition") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::vector<double> series = shifted_start(seed, 400 + seed, 10 * seed, 1.0);
    CHECK(mser5(series).steps == mser5_by_definition(series));
  }
}

// A jump of five deviations is 11 deviations of a batch mean: a cut before its end cannot win (far below 1e-6). How far
// behind it the cut lies is random; 300 steps behind is far in the tail and does not happen for these seeds.
TEST_CASE("MSER-5 cuts a known transient", "[statistical]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const WarmUpVerdict verdict = mser5(shifted_start(seed, 2000, 300, 5.0));
    CHECK(verdict.reliable);
    CHECK(verdict.steps >= 300);
    CHECK(verdict.steps <= 600);
  }
}

TEST_CASE("a transient of more than half the run gives no verdict") {
  const WarmUpVerdict verdict = mser5(shifted_start(1, 1000, 600, 8.0));
  CHECK_FALSE(verdict.reliable);
  CHECK(verdict.steps > 500);
  CHECK_FALSE(verdict.reason.empty());
  CHECK_FALSE(warm_up(shifted_start(1, 1000, 600, 8.0), 10).reliable);
}

TEST_CASE("a constant series needs no warm-up") {
  const std::vector<double> series(200, 0.1);
  CHECK(mser5(series).steps == 0);
  CHECK(mser5(series).reliable);
  CHECK(warm_up(series, 0).reliable);
}

TEST_CASE("a stretch of equal values at the end is not taken for the steady state") {
  std::vector<double> series(2000, 1.0);
  for (std::size_t i = 0; i < 1700; i += 100) series[i] = 2.0;  // a wait now and then, by chance none in the last 300
  CHECK(mser5(series).reliable);
  CHECK(warm_up(series, 20).reliable);
}

TEST_CASE("the minimum wins over a smaller MSER-5 and must leave half of the run") {
  const std::vector<double> series = shifted_start(3, 1000, 0, 0.0);
  REQUIRE(mser5(series).steps < 490);
  CHECK(warm_up(series, 490).steps == 490);
  CHECK(warm_up(series, 490).reliable);
  CHECK(warm_up(series, 501).steps == 501);
  CHECK_FALSE(warm_up(series, 501).reliable);
  CHECK(warm_up(shifted_start(3, 1000, 200, 9.0), 20).steps >= 200);
}

TEST_CASE("too short a series gives no verdict") {
  CHECK_FALSE(mser5(std::vector<double>(39, 1.0)).reliable);
  CHECK(mser5(std::vector<double>(40, 1.0)).reliable);
  CHECK_FALSE(warm_up({}, 0).reliable);
}

TEST_CASE("halves that differ are seen, also without noise") {
  std::vector<double> drift = reference::normals(5, 2000);
  CHECK(halves_agree(drift));
  for (std::size_t i = 1000; i < 2000; ++i) drift[i] += 0.5;  // eleven standard errors
  CHECK_FALSE(halves_agree(drift));

  std::vector<double> step(64, 1.0);
  CHECK(halves_agree(step));
  for (std::size_t i = 32; i < 64; ++i) step[i] = 1.001;
  CHECK_FALSE(halves_agree(step));
}

// Eight workers that take turns: a wait of eight at every eighth step, with a slow start that falls from a third to
// nothing over some hundred turns. Batches of five steps cut turns and take their swing for noise.
TEST_CASE("a swing of period eight does not hide a slow start") {
  std::vector<double> turns(2048);
  const std::vector<double> noise = reference::normals(7, turns.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const double slow = 0.35 * std::exp(-static_cast<double>(i) / 250.0);
    turns[i] = i % 8 == 7 ? 8.0 + 8.0 * slow + noise[i] : 1.0;
  }
  CHECK(mser5(turns).steps < 100);
  CHECK(mser5(turns, 8).steps >= 200);
  CHECK(mser5(turns, 8).steps % 8 == 0);
  CHECK(warm_up(turns, 80, 8).steps >= mser5(turns, 8).steps);
}

// A fall of 0.4 deviations over the whole run: MSER cuts little of it, and many such runs are not settled.
TEST_CASE("a drift below what MSER sees is cut further, and said where it goes on") {
  const auto drifting = [](std::uint64_t seed, double size) {
    std::vector<double> series = reference::normals(seed, 1024);
    for (std::size_t i = 0; i < series.size(); ++i) series[i] += 50.0 - size * static_cast<double>(i) / 1024.0;
    return series;
  };
  int unsettled = 0;
  int unreliable = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const WarmUpVerdict verdict = warm_up(drifting(seed, 0.4), 16);
    unsettled += verdict.settled ? 0 : 1;
    unreliable += verdict.reliable ? 0 : 1;
    if (!verdict.settled) CHECK(verdict.steps >= 128);
  }
  CHECK(unsettled >= 8);  // the halves of three quarters of the run are 2.1 standard errors apart
  CHECK(unreliable <= 8);
  CHECK_FALSE(warm_up(drifting(3, 4.0), 16).reliable);
}

// The errors of a drift are those about its line: without it a drift of its own size would pass.
TEST_CASE("the standard error about a trend does not see the trend") {
  std::vector<double> values = reference::normals(11, 16);
  const double plain = standard_error_about_trend(values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 3.0 * static_cast<double>(i);
  CHECK(standard_error_about_trend(values) == Approx(plain).epsilon(1e-9));
  CHECK(correlated_standard_error(values) > 5.0 * plain);
}

// A steady series is not settled where its halves are 1.5 standard errors apart and stay so after two cuts (within some
// 7 %); more than 60 of 500 has probability below 1e-4.
TEST_CASE("most steady series settle at once", "[statistical]") {
  int unsettled = 0;
  int cut = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::vector<double> series = reference::normals(seed, 1024);
    const WarmUpVerdict verdict = warm_up(series, 16);
    unsettled += verdict.settled ? 0 : 1;
    cut += verdict.steps > std::max<std::size_t>(16, mser5(series).steps) ? 1 : 0;
  }
  INFO("unsettled " << unsettled << ", cut " << cut << " of 500");
  CHECK(unsettled <= 60);
  CHECK(cut <= 110);
}

// A stationary series fails with probability near 0.005 (t with some 30 degrees of freedom beyond 3); more than 14 of
// 500 has probability below 1e-6. Correlated ones may fail somewhat more often where the series is short for their
// memory.
TEST_CASE("halves of stationary series agree", "[statistical]") {
  int failures = 0;
  int correlated_failures = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    failures += halves_agree(reference::normals(seed, 1000)) ? 0 : 1;
    correlated_failures += halves_agree(reference::ar1_series(seed, 4000, 0.9)) ? 0 : 1;
  }
  INFO("independent " << failures << ", AR(1) " << correlated_failures << " of 500");
  CHECK(failures <= 14);
  CHECK(correlated_failures <= 20);
}
