#include "sim/binomial.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

std::vector<double> exact_probabilities(unsigned n, double p) {
  std::vector<double> probabilities(n + 1);
  for (unsigned k = 0; k <= n; ++k) {
    probabilities[k] = std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                                k * std::log(p) + (n - k) * std::log1p(-p));
  }
  return probabilities;
}

}  // namespace

TEST_CASE("small binomial counts equal the exact quantile") {
  for (const auto& [n, p] : std::vector<std::pair<unsigned, double>>{
           {1, 0.3}, {8, 0.5}, {32, 0.02}, {32, 0.5}, {32, 0.97}, {256, 0.05}, {4096, 0.001}, {4096, 0.9985}}) {
    const std::vector<double> probabilities = exact_probabilities(n, p);
    double reached = 0.0;
    for (unsigned k = 0; k <= n; ++k) {
      const double before = reached;
      reached += probabilities[k];
      if (probabilities[k] < 1e-9) continue;
      INFO("n " << n << ", p " << p << ", k " << k);
      CHECK(binomial_quantile(n, p, before + 1e-3 * probabilities[k]) == k);
      CHECK(binomial_quantile(n, p, before + 0.999 * probabilities[k]) == k);
    }
  }
}

TEST_CASE("large binomial counts keep mean, spread and distribution") {
  for (const auto& [n, p] : std::vector<std::pair<unsigned, double>>{{33, 0.5},
                                                                     {64, 0.5},
                                                                     {81, 0.2},
                                                                     {170, 0.1},
                                                                     {170, 0.9},
                                                                     {256, 0.07},
                                                                     {4096, 0.004},
                                                                     {4096, 0.3},
                                                                     {4096, 0.995}}) {
    const std::vector<double> exact = exact_probabilities(n, p);
    std::vector<double> found(n + 1, 0.0);
    constexpr int kPoints = 200'000;
    for (int i = 0; i < kPoints; ++i) found[binomial_quantile(n, p, (i + 0.5) / kPoints)] += 1.0 / kPoints;
    double mean = 0.0;
    double square = 0.0;
    double gap = 0.0;
    double difference = 0.0;
    for (unsigned k = 0; k <= n; ++k) {
      mean += k * found[k];
      square += (k - n * p) * (k - n * p) * found[k];
      difference += found[k] - exact[k];
      gap = std::max(gap, std::abs(difference));
    }
    const double deviation = std::sqrt(n * p * (1.0 - p));
    INFO("n " << n << ", p " << p);
    CHECK(std::abs(mean - n * p) < 1e-4 * deviation);
    CHECK(std::abs(std::sqrt(square) / deviation - 1.0) < 2e-4);
    CHECK(gap < 1e-4);
  }
}

TEST_CASE("binomial counts never fall as u rises, down to the last tail") {
  for (const auto& [n, p] : std::vector<std::pair<unsigned, double>>{
           {10, 0.3}, {33, 0.5}, {170, 0.0945}, {170, 0.9055}, {4096, 0.00391}, {4096, 0.0039}, {4096, 0.7}}) {
    unsigned previous = 0;
    int falls = 0;
    const auto visit = [&, n = n, p = p](double u) {
      const unsigned k = binomial_quantile(n, p, u);
      falls += k < previous ? 1 : 0;
      previous = k;
    };
    for (int i = -53 * 50; i < -50; ++i) visit(std::exp2(i / 50.0));
    for (int i = -50; i >= -53 * 50; --i) visit(1.0 - std::exp2(i / 50.0));
    CHECK(falls == 0);
    CHECK(previous <= n);
  }
}

TEST_CASE("binomial counts at the edges") {
  CHECK(binomial_quantile(0, 0.5, 0.5) == 0);
  CHECK(binomial_quantile(10, 0.0, 0.99) == 0);
  CHECK(binomial_quantile(10, -1.0, 0.99) == 0);
  CHECK(binomial_quantile(10, 1.0, 0.01) == 10);
  CHECK(binomial_quantile(10, 0.5, 0.0) == 0);
  CHECK(binomial_quantile(10, 0.5, 1.0) == 10);
  CHECK(binomial_quantile(1'000'000, 1e-12, 0.99) == 0);
}

TEST_CASE("a prepared binomial law gives the same counts bit for bit") {
  for (const auto& [n, p] : std::vector<std::pair<unsigned, double>>{
           {0, 0.5}, {1, 0.3}, {8, 0.0}, {8, 1.0}, {32, 0.5}, {32, 0.97}, {256, 0.05}, {256, 0.4}, {4096, 0.001}}) {
    const BinomialLaw law(n, p);
    INFO("n " << n << ", p " << p);
    for (int i = -1; i <= 20'001; ++i) REQUIRE(law.quantile(i / 20'000.0) == binomial_quantile(n, p, i / 20'000.0));
    for (const double tail : {1e-16, 1e-9, 1.0 - 1e-9, 1.0 - 1e-16})
      REQUIRE(law.quantile(tail) == binomial_quantile(n, p, tail));
  }
}
