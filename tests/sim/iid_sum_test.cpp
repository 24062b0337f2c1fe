#include "sim/iid_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

std::vector<double> simulated_sums(const Distribution& term, std::uint32_t n, std::uint32_t runs) {
  std::vector<double> sums(runs);
  std::vector<double> draws(n);
  for (std::uint32_t run = 0; run < runs; ++run) {
    uniforms({31, 0, Purpose{5}, run}, 0, draws);
    term.quantiles(draws, draws);
    for (const double draw : draws) sums[run] += draw;
  }
  std::sort(sums.begin(), sums.end());
  return sums;
}

/// `tolerance` bounds the model's error; five standard errors of the simulated quantile are added, estimated from the
/// order statistics five binomial standard deviations away.
void check_against_simulation(const Distribution& term, std::uint32_t n, double u, double tolerance) {
  constexpr std::uint32_t kRuns = 100'000;
  const std::vector<double> sums = simulated_sums(term, n, kRuns);
  const double reach = 5.0 * std::sqrt(kRuns * u * (1.0 - u));
  const double low = sums[static_cast<std::size_t>(kRuns * u - reach)];
  const double high = sums[static_cast<std::size_t>(kRuns * u + reach)];
  const double found = sum_quantile(term, n, u);
  INFO(term.describe() << ", n " << n << ", u " << u << ": " << low << " to " << high << ", found " << found);
  CHECK(found > low * (1.0 - tolerance));
  CHECK(found < high * (1.0 + tolerance));
}

std::vector<Distribution> terms() {
  return {Distribution::lognormal(2.0, 0.3),
          Distribution::lognormal(2.0, 1.0),
          Distribution::exponential(3.0),
          Distribution::gamma(2.0, 0.5),
          Distribution::gamma(2.0, 3.0),
          Distribution::uniform(0.0, 1.0),
          Distribution::weibull(8.0, 1.0),
          Distribution::pareto(2.5, 1.0),
          Distribution::mixture({0.95, 0.05}, {Distribution::lognormal(1.0, 0.3), Distribution::constant(10.0)})};
}

}  // namespace

TEST_CASE("sums of one, of none and of constants are exact") {
  const Distribution term = Distribution::lognormal(2.0, 1.0);
  CHECK(sum_quantile(term, 0, 0.7) == 0.0);
  CHECK(sum_quantile(term, 1, 0.7) == term.quantile(0.7));
  CHECK(sum_quantile(Distribution::constant(3.0), 7, 0.1) == 21.0);
}

TEST_CASE("sums keep mean and variance") {
  // Midpoint rule on 1e5 points: of heavy tails it misses up to 2e-4 of the mean and 2e-2 of the
  // variance.
  for (const Distribution& term : terms()) {
    for (const std::uint32_t n : {2u, 9u, 32u, 1000u}) {
      const IidSum sum(term, n);
      constexpr int kPoints = 100'000;
      double mean = 0.0;
      double variance = 0.0;
      for (int i = 0; i < kPoints; ++i) {
        const double x = sum.quantile((i + 0.5) / kPoints);
        mean += x / kPoints;
        variance += (x - sum.mean()) * (x - sum.mean()) / kPoints;
      }
      INFO(term.describe() << ", n " << n);
      CHECK(sum.mean() == n * term.mean());
      CHECK(mean == Approx(sum.mean()).epsilon(term.cv() > 2.0 ? 3e-4 : 1e-4));
      CHECK(variance == Approx(sum.variance()).epsilon(n < 9 || term.cv() > 2.0 ? 3e-2 : 5e-3));
    }
  }
}

TEST_CASE("sums never fall as u rises, nor below n times the least term") {
  for (const Distribution& term : terms()) {
    for (const std::uint32_t n : {2u, 9u, 32u}) {
      const IidSum sum(term, n);
      double previous = n * term.minimum();
      int falls = 0;
      for (int i = 0; i <= 20'000; ++i) {
        const double x = sum.quantile(i / 20'000.0);
        falls += x < previous ? 1 : 0;
        previous = x;
      }
      INFO(term.describe() << ", n " << n);
      CHECK(falls == 0);
    }
  }
}

TEST_CASE("sums of infinite variance keep the mean and the tail of the largest term") {
  const Distribution term = Distribution::pareto(1.8, 1.0);
  const IidSum sum(term, 32);
  CHECK(sum.variance() == std::numeric_limits<double>::infinity());
  CHECK(sum.mean() == Approx(32.0 * 2.25));
  // P(S > x) ~ n P(X > x): at 1 - 1e-9 the others' mean is all that is left of a difference.
  CHECK(sum.quantile(1.0 - 1e-9) == Approx(term.quantile(1.0 - 1e-9 / 32.0)).epsilon(1e-2));
  CHECK(sum.quantile(0.2) <= sum.quantile(0.3));
  const IidSum without_mean(Distribution::pareto(0.9, 1.0), 4);
  CHECK(without_mean.quantile(0.5) == Approx(Distribution::pareto(0.9, 1.0).quantile(std::pow(0.5, 0.25))));
}

TEST_CASE("sums agree with simulated sums", "[statistical][long_3]") {
  // Five standard errors each way: 6e-7 for each figure.
  const Distribution lognormal = Distribution::lognormal(1.0, 1.0);
  check_against_simulation(lognormal, 32, 0.5, 0.002);
  check_against_simulation(lognormal, 32, 0.99, 0.003);
  const Distribution exponential = Distribution::exponential(1.0);
  check_against_simulation(exponential, 16, 0.5, 0.001);
  check_against_simulation(exponential, 16, 0.99, 0.002);
  const Distribution narrow = Distribution::lognormal(1.0, 0.3);
  check_against_simulation(narrow, 32, 0.1, 0.0005);
  check_against_simulation(narrow, 32, 0.99, 0.0005);
}

TEST_CASE("a rare heavy part is counted first, not smoothed into the others") {
  const Distribution usual = Distribution::constant(0.001);
  const Distribution law = Distribution::mixture({0.9999, 0.0001}, {usual, Distribution::constant(30.0)});
  const std::optional<RarePart> parts = rare_part(law);
  REQUIRE(parts.has_value());
  CHECK(parts->probability == Approx(1e-4).epsilon(1e-12));
  CHECK(parts->rare.mean() == 30.0);
  CHECK(parts->usual.mean() == 0.001);
  const IidSum sum(law, 32);
  const double none = std::pow(0.9999, 32);
  const double one = none + 32 * 1e-4 * std::pow(0.9999, 31);
  CHECK(sum.quantile(none * (1.0 - 1e-9)) == Approx(0.032));
  CHECK(sum.quantile(none * (1.0 + 1e-9)) == Approx(30.031));
  CHECK(sum.quantile(one * (1.0 - 1e-9)) == Approx(30.031));
  CHECK(sum.quantile(one * (1.0 + 1e-9)) == Approx(60.03));
  CHECK(sum.mean() == Approx(32 * law.mean()));
}

TEST_CASE("rare parts are few and far longer than the rest") {
  const auto is_rare = [](double weight, double mean) {
    return rare_part(Distribution::mixture({1.0 - weight, weight},
                                           {Distribution::exponential(1.0), Distribution::constant(mean)}))
        .has_value();
  };
  CHECK(is_rare(0.01, 10.0));
  CHECK_FALSE(is_rare(0.02, 10.0));
  CHECK_FALSE(is_rare(0.01, 9.0));
  CHECK_FALSE(rare_part(Distribution::exponential(1.0)).has_value());
  // Two rare parts go together, the longest first.
  const auto two = rare_part(Distribution::mixture(
      {0.998, 0.001, 0.001}, {Distribution::constant(1.0), Distribution::constant(50.0), Distribution::constant(5e3)}));
  REQUIRE(two.has_value());
  CHECK(two->probability == Approx(0.002));
  CHECK(two->usual.mean() == 1.0);
}

TEST_CASE("the mean of a sum with a rare heavy part is right") {
  const Distribution law =
      Distribution::mixture({0.995, 0.005}, {Distribution::lognormal(1.0, 0.5), Distribution::exponential(100.0)});
  const IidSum sum(law, 16);
  constexpr int kPoints = 1'000'000;
  double mean = 0.0;
  for (int i = 0; i < kPoints; ++i) mean += sum.quantile((i + 0.5) / kPoints) / kPoints;
  CHECK(mean == Approx(16 * law.mean()).epsilon(2e-4));
}

TEST_CASE("no quantile up to a probability is greater than the largest up to it") {
  for (const Distribution& term : terms()) {
    for (const std::uint32_t n : {1U, 2U, 8U, 200U}) {
      const IidSum sum(term, n);
      for (const double u : {0.5, 0.93, 0.9999, 1.0}) {
        const double largest = sum.largest_up_to(u);
        double found = 0.0;
        for (int i = 1; i <= 10'000; ++i) found = std::max(found, sum.quantile(u * i / 10'000.0));
        INFO(term.describe() << ", n " << n << ", u " << u);
        CHECK(found <= largest * (1.0 + 1e-12));
      }
    }
  }
  // With one heavy term the others count with their mean: less than all of them can be together.
  const Distribution rare =
      Distribution::mixture({0.999, 0.001}, {Distribution::lognormal(1.0, 3.0), Distribution::constant(50.0)});
  const IidSum sum(rare, 4);
  CHECK(sum.largest_up_to(1.0) >= sum.quantile(0.99599));
}
