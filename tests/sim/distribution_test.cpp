#include "sim/distribution.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sim/portable_math.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

struct Integrals {
  double mean = 0.0;
  double variance = 0.0;  ///< about the exact mean
  double third = 0.0;
};

/// Two-point Gauss quadrature of the quantile function on 256 cells for each octave of min(u, 1 - u): smooth laws are
/// integrated to the accuracy of their table, so that the moments test the table and not the quadrature.
Integrals integrate(const Distribution& law) {
  constexpr int kCells = 256;
  Integrals result;
  const double centre = law.mean();
  for (int octave = 53; octave >= 2; --octave) {
    const double start = std::ldexp(1.0, -octave);
    const double weight = start / kCells / 2.0;
    for (int cell = 0; cell < kCells; ++cell) {
      for (const double offset : {0.5 - 0.28867513459481287, 0.5 + 0.28867513459481287}) {
        const double v = start + start * (cell + offset) / kCells;
        for (const double u : {v, 1.0 - v}) {
          const double x = law.quantile(u);
          const double d = x - centre;
          result.mean += weight * x;
          result.variance += weight * d * d;
          result.third += weight * d * d * d;
        }
      }
    }
  }
  return result;
}

void check_moments(const Distribution& law, double mean_tolerance, double variance_tolerance) {
  INFO(law.describe());
  const Integrals integrals = integrate(law);
  CHECK(std::abs(integrals.mean / law.mean() - 1.0) < mean_tolerance);
  CHECK(std::abs(integrals.variance / law.variance() - 1.0) < variance_tolerance);
}

std::vector<Distribution> one_of_each() {
  const std::vector<QuantilePoint> points = {{0.0, 1.0}, {0.5, 2.0}, {0.5, 3.0}, {0.9, 4.0}, {0.95, 4.0}, {1.0, 10.0}};
  return {Distribution::constant(3.0),
          Distribution::uniform(3.0, 5.0),
          Distribution::exponential(3.0),
          Distribution::lognormal(2e-3, 0.1),
          Distribution::lognormal(2e-3, 4.0),
          Distribution::gamma(2e-3, 0.01),
          Distribution::gamma(2e-3, 0.7),
          Distribution::gamma(2e-3, 4.0),
          Distribution::weibull(0.5, 3.0),
          Distribution::weibull(50.0, 3.0),
          Distribution::pareto(1.5, 3.0),
          Distribution::pareto(4.0, 3.0),
          Distribution::empirical(points),
          Distribution::mixture({0.9, 0.09, 0.01}, {Distribution::lognormal(1.0, 0.5), Distribution::constant(2.0),
                                                    Distribution::pareto(2.5, 20.0)})};
}

}  // namespace

TEST_CASE("quantiles equal the closed forms") {
  const Distribution exponential = Distribution::exponential(3.0);
  const Distribution weibull = Distribution::weibull(2.0, 3.0);
  const Distribution pareto = Distribution::pareto(2.5, 3.0);
  const Distribution lognormal = Distribution::lognormal(5.0, 1.0);
  const Distribution gamma = Distribution::gamma(2.0, 0.5);  // shape 4, scale 1/2
  const double sigma = std::sqrt(std::log(2.0));
  const double log_gamma_4 = plgamma(4.0);
  for (int i = 1; i < 2000; ++i) {
    const double u = i / 2000.0;
    CHECK(exponential.quantile(u) == Approx(-3.0 * std::log1p(-u)).epsilon(1e-8));
    CHECK(weibull.quantile(u) == Approx(3.0 * std::sqrt(-std::log1p(-u))).epsilon(1e-8));
    CHECK(pareto.quantile(u) == Approx(3.0 * std::pow(1.0 - u, -0.4)).epsilon(1e-8));
    CHECK(lognormal.quantile(u) ==
          Approx(5.0 * std::exp(sigma * normal_quantile(u) - sigma * sigma / 2)).epsilon(2e-9));
    CHECK(normal_quantile_table()(u) == Approx(normal_quantile(u)).margin(1e-9));
    CHECK(incomplete_gamma(4.0, log_gamma_4, gamma.quantile(u) * 2.0).lower == Approx(u).epsilon(1e-8));
  }
  const Distribution gamma_of_shape_1 = Distribution::gamma(3.0, 1.0);
  for (const double u : {0x1p-53, 1e-9, 0.3, 0.5, 0.999, 1.0 - 1e-12}) {
    CHECK(gamma_of_shape_1.quantile(u) == Approx(exponential.quantile(u)).epsilon(1e-8));
  }
}

TEST_CASE("tables carry the moments of the exact law") {
  // The mean to 1e-9; the variance to 1e-8 where the law's tail beyond 2^-53 does not carry more than that.
  for (const double cv : {0.1, 0.5, 1.0, 2.0}) {
    check_moments(Distribution::lognormal(2e-3, cv), 1e-9, 1e-8);
    check_moments(Distribution::gamma(2e-3, cv), 1e-9, 1e-8);
  }
  check_moments(Distribution::gamma(2e-3, 0.01), 1e-9, 1e-8);
  check_moments(Distribution::gamma(2e-3, 0.0302), 1e-9, 1e-8);
  check_moments(Distribution::gamma(2e-3, 4.0), 1e-7, 1e-7);
  check_moments(Distribution::lognormal(2e-3, 4.0), 1e-8, 1e-6);
  check_moments(Distribution::exponential(3.0), 1e-9, 1e-8);
  check_moments(Distribution::weibull(0.5, 3.0), 1e-8, 1e-8);
  check_moments(Distribution::weibull(2.0, 3.0), 1e-9, 1e-8);
  check_moments(Distribution::pareto(4.0, 3.0), 1e-9, 1e-6);
  check_moments(Distribution::pareto(10.0, 3.0), 1e-9, 1e-8);
  check_moments(Distribution::uniform(3.0, 5.0), 1e-12, 1e-12);
}

TEST_CASE("third moments are those of the exact law") {
  for (const Distribution& law :
       {Distribution::lognormal(2.0, 0.5), Distribution::gamma(2.0, 0.7), Distribution::exponential(2.0),
        Distribution::weibull(1.7, 2.0), Distribution::pareto(12.0, 2.0),
        Distribution::mixture({1.0, 2.0}, {Distribution::exponential(2.0), Distribution::gamma(9.0, 0.3)})}) {
    INFO(law.describe());
    CHECK(integrate(law).third == Approx(law.third_moment()).epsilon(1e-4));
  }
}

TEST_CASE("infinite moments are reported as infinity") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(Distribution::pareto(2.0, 1.0).variance() == infinity);
  CHECK(Distribution::pareto(2.0, 1.0).cv() == infinity);
  CHECK(Distribution::pareto(2.0, 1.0).mean() == Approx(2.0));
  CHECK(Distribution::pareto(1.0, 1.0).mean() == infinity);
  CHECK(Distribution::pareto(2.5, 1.0).variance() < infinity);
  const Distribution mixed =
      Distribution::mixture({0.5, 0.5}, {Distribution::constant(1.0), Distribution::pareto(1.5, 1.0)});
  CHECK(mixed.mean() == Approx(2.0));
  CHECK(mixed.variance() == infinity);
}

TEST_CASE("quantiles never fall, down to the last bit of u") {
  for (const Distribution& law : one_of_each()) {
    INFO(law.describe());
    double previous = -1.0;
    int falls = 0;
    for (int i = 0; i <= 200'000; ++i) {
      const double x = law.quantile(i / 200'000.0);
      falls += x < previous ? 1 : 0;
      previous = x;
    }
    // Around the seams between pieces and octaves, step by step.
    for (const double seam : {0.03125, 0.25, 0.2578125, 0.5, 0.75, 0.96875, 0.984375}) {
      for (int step = -2000; step < 2000; ++step) {
        const double u = seam + step * 0x1p-53;
        falls += law.quantile(u + 0x1p-53) < law.quantile(u) ? 1 : 0;
      }
    }
    CHECK(falls == 0);
  }
}

TEST_CASE("u outside the open interval is brought inside") {
  for (const Distribution& law : one_of_each()) {
    INFO(law.describe());
    CHECK(law.quantile(0.0) == law.quantile(0x1p-53));
    CHECK(law.quantile(-1.0) == law.minimum());
    CHECK(law.quantile(1.0) == law.quantile(1.0 - 0x1p-53));
    CHECK(law.quantile(2.0) == law.maximum());
    CHECK(law.quantile(std::numeric_limits<double>::quiet_NaN()) == law.minimum());
    CHECK(law.maximum() < std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("blocks equal single quantiles, also in place") {
  for (const Distribution& law : one_of_each()) {
    std::vector<double> u(101);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<double>(i) / 100.0;
    std::vector<double> out(u.size());
    law.quantiles(u, out);
    for (std::size_t i = 0; i < u.size(); ++i) CHECK(out[i] == law.quantile(u[i]));
    law.quantiles(u, u);
    CHECK(u == out);
    CHECK_THROWS_AS(law.quantiles(std::span(u).first(3), out), std::invalid_argument);
  }
}

TEST_CASE("threads that draw first from the same law draw the same") {
  for (const Distribution& drawn : one_of_each()) {
    const Distribution law = drawn;  // of a family and shape that has a table, or none yet
    const Distribution fresh = Distribution::lognormal(1.0, 0.7512 + 0.01 * law.quantile(0.5));
    std::vector<double> own(4);
    std::vector<double> other(4);
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < own.size(); ++t)
        threads.emplace_back([&, t] {
          own[t] = law.quantile(0.9);
          other[t] = fresh.quantile(0.9);
        });
    }
    for (std::size_t t = 0; t < own.size(); ++t) {
      CHECK(own[t] == drawn.quantile(0.9));
      CHECK(other[t] == other[0]);
    }
    CHECK(std::abs(other[0] / fresh.scaled(2.0).quantile(0.9) - 0.5) < 1e-12);
  }
}

TEST_CASE("scaling scales everything") {
  for (const Distribution& law : one_of_each()) {
    INFO(law.describe());
    const Distribution twice = law.scaled(2.0);
    CHECK(twice.quantile(0.3) == 2.0 * law.quantile(0.3));
    CHECK(twice.mean() == 2.0 * law.mean());
    CHECK(twice.variance() == 4.0 * law.variance());
    CHECK(twice.cv() == law.cv());
    CHECK(twice.family() == law.family());
    CHECK(law.scaled(0.0).is_constant());
    CHECK_THROWS_AS(law.scaled(-1.0), std::invalid_argument);
  }
}

TEST_CASE("laws without spread are constants") {
  CHECK(Distribution().quantile(0.7) == 0.0);
  CHECK(Distribution().cv() == 0.0);
  CHECK(Distribution::lognormal(3.0, 0.0).is_constant());
  CHECK(Distribution::gamma(3.0, 0.0).quantile(0.99) == 3.0);
  CHECK(Distribution::uniform(3.0, 3.0).is_constant());
  CHECK(Distribution::empirical({{0.5, 3.0}}).is_constant());
  CHECK(Distribution::constant(3.0).variance() == 0.0);
}

TEST_CASE("an empirical law goes straight through its points") {
  const Distribution law = Distribution::empirical({{0.1, 1.0}, {0.5, 2.0}, {0.5, 3.0}, {0.9, 5.0}});
  CHECK(law.quantile(0.05) == 1.0);
  CHECK(law.quantile(0.1) == 1.0);
  CHECK(law.quantile(0.3) == Approx(1.5));
  CHECK(law.quantile(std::nextafter(0.5, 0.0)) == Approx(2.0));
  CHECK(law.quantile(0.5) == 3.0);
  CHECK(law.quantile(0.7) == Approx(4.0));
  CHECK(law.quantile(0.95) == 5.0);
  // By hand: 0.1 x 1 + 0.4 x 1.5 + 0.4 x 4 + 0.1 x 5; squares 0.1 + 0.4 x 7/3 + 0.4 x 49/3 + 2.5.
  CHECK(law.mean() == Approx(2.8));
  CHECK(law.variance() == Approx(0.1 + 0.4 * 7.0 / 3.0 + 0.4 * 49.0 / 3.0 + 2.5 - 2.8 * 2.8));
  CHECK(law.points().size() == 4);
  std::vector<QuantilePoint> many;
  for (int i = 0; i <= 5000; ++i) many.push_back({i / 5000.0, i * i / 5000.0});
  const Distribution fine = Distribution::empirical(many);
  for (const double u : {0.0003, 0.1, 0.33333, 0.5, 0.77, 0.9999}) {
    CHECK(fine.quantile(u) == Approx(5000.0 * u * u).epsilon(1e-2).margin(1e-3));
  }
}

TEST_CASE("a mixture inverts the mixed distribution function") {
  // Two exponentials: F(x) = 1 - 0.9 exp(-x) - 0.1 exp(-x / 20).
  const Distribution law =
      Distribution::mixture({9.0, 1.0}, {Distribution::exponential(1.0), Distribution::exponential(20.0)});
  for (const double u : {1e-6, 0.01, 0.2, 0.5, 0.8, 0.9, 0.95, 0.999, 0.999999}) {
    const double x = law.quantile(u);
    const double survival = 0.9 * std::exp(-x) + 0.1 * std::exp(-x / 20.0);
    CHECK(survival == Approx(1.0 - u).epsilon(2e-4));
  }
  CHECK(law.mean() == Approx(2.9));
  CHECK(law.variance() == Approx(0.9 * 2.0 + 0.1 * 800.0 - 2.9 * 2.9));
  check_moments(law, 2e-6, 1e-5);
  CHECK(law.weights() == std::vector<double>{0.9, 0.1});
  CHECK(law.components().size() == 2);
}

TEST_CASE("a mixture keeps atoms and gaps") {
  const Distribution law = Distribution::mixture(
      {0.25, 0.5, 0.25}, {Distribution::constant(1.0), Distribution::uniform(2.0, 4.0), Distribution::constant(3.0)});
  CHECK(law.quantile(0.2499) == 1.0);
  CHECK(law.quantile(0.2501) == Approx(2.0004).epsilon(1e-6));
  CHECK(law.quantile(0.4999) == Approx(2.9996).epsilon(1e-6));
  CHECK(law.quantile(0.5001) == 3.0);
  CHECK(law.quantile(0.7499) == 3.0);
  CHECK(law.quantile(0.8) == Approx(3.2).epsilon(1e-6));
  const Distribution nested =
      Distribution::mixture({0.5, 0.5}, {law, Distribution::mixture({1.0, 1.0}, {law, Distribution::constant(1.0)})});
  CHECK(nested.components().size() == 7);
  CHECK(nested.quantile(0.4374) == 1.0);  // 0.5 x 0.25 + 0.25 x 0.25 + 0.25
  CHECK(nested.quantile(0.4376) > 2.0);
  CHECK(Distribution::mixture({0.0, 2.0}, {law, Distribution::constant(7.0)}).is_constant());
}

TEST_CASE("laws describe themselves and refuse parameters out of range") {
  CHECK(Distribution::lognormal(0.002, 0.7).describe() == "lognormal(mean 0.002, cv 0.7)");
  CHECK(Distribution::lognormal(0.002, 0.7).scaled(2.0).describe() == "lognormal(mean 0.004, cv 0.7)");
  CHECK(Distribution::pareto(2.5, 3.0).describe() == "pareto(shape 2.5, minimum 3)");
  CHECK(Distribution::mixture({1.0, 3.0}, {Distribution::constant(1.0), Distribution::exponential(2.0)}).describe() ==
        "mixture(0.25 constant(1), 0.75 exponential(mean 2))");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(Distribution::constant(nan), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::uniform(2.0, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::exponential(0.0), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::lognormal(1.0, -0.1), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::lognormal(nan, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::gamma(1.0, 4.1), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::weibull(0.01, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::pareto(2.0, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::empirical({}), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::empirical({{0.5, 1.0}, {0.4, 2.0}}), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::empirical({{0.5, 2.0}, {0.6, 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::empirical({{0.5, 2.0}, {1.6, 3.0}}), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::mixture({1.0}, {}), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::mixture({-1.0}, {Distribution()}), std::invalid_argument);
  CHECK_THROWS_AS(Distribution::mixture({0.0}, {Distribution()}), std::invalid_argument);
}
