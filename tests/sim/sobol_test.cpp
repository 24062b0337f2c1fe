#include "sim/sobol.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

constexpr StreamKey kKey{7, 0, Purpose{3}, 0};

std::size_t part(double u, std::size_t parts) { return static_cast<std::size_t>(u * static_cast<double>(parts)); }

}  // namespace

TEST_CASE("on every axis with direction numbers each beginning of the points fills all parts once") {
  const SobolPoints points(256, kSobolDimensions, kKey);
  for (std::size_t d = 0; d < kSobolDimensions; ++d)
    for (const std::size_t n : {16U, 64U, 256U}) {
      std::vector<int> seen(n, 0);
      for (std::size_t i = 0; i < n; ++i) ++seen[part(points.at(i, d), n)];
      INFO("axis " << d << ", " << n << " points");
      CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    }
}

TEST_CASE("the first two axes are a net: every box of area 1/64 holds one of 64 points, scrambled or not") {
  for (const std::uint64_t seed : {1ULL, 2ULL, 99ULL}) {
    const SobolPoints points(64, 2, {seed, 0, Purpose{3}, 0});
    for (unsigned k = 0; k <= 6; ++k) {
      const std::size_t columns = std::size_t{1} << k;
      const std::size_t rows = 64 / columns;
      std::vector<int> seen(64, 0);
      for (std::size_t i = 0; i < 64; ++i) ++seen[part(points.at(i, 0), columns) * rows + part(points.at(i, 1), rows)];
      CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
    }
  }
}

TEST_CASE("axes beyond the direction numbers are stratified over all points") {
  const SobolPoints points(128, kSobolDimensions + 3, kKey);
  for (std::size_t d = kSobolDimensions; d < points.dimensions(); ++d) {
    std::vector<int> seen(128, 0);
    for (std::size_t i = 0; i < 128; ++i) ++seen[part(points.at(i, d), 128)];
    CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
  }
}

// Fixed seeds; 4.9 standard errors: a false failure has a probability of 1e-6.
TEST_CASE("over keys a point is uniform", "[statistical]") {
  constexpr int kKeys = 4096;
  constexpr std::size_t kParts = 16;
  for (const std::size_t axis : {0U, 5U, 40U}) {
    std::vector<int> seen(kParts, 0);
    double sum = 0.0;
    for (int key = 0; key < kKeys; ++key) {
      const double u = SobolPoints(8, axis + 1, {static_cast<std::uint64_t>(key), 0, Purpose{3}, 0}).at(3, axis);
      ++seen[part(u, kParts)];
      sum += u;
    }
    CHECK(std::abs(sum / kKeys - 0.5) < 4.9 * std::sqrt(1.0 / 12.0 / kKeys));
    const double expected = static_cast<double>(kKeys) / kParts;
    double chi_square = 0.0;
    for (const int count : seen) chi_square += (count - expected) * (count - expected) / expected;
    CHECK(chi_square < 57.0);  // 15 degrees of freedom: 1e-6
  }
}

TEST_CASE("keys give other points, the same key the same") {
  const SobolPoints a(16, 3, kKey);
  const SobolPoints b(16, 3, kKey);
  const SobolPoints c(16, 3, {8, 0, Purpose{3}, 0});
  bool differs = false;
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(a.at(i, d) == b.at(i, d));
      differs = differs || a.at(i, d) != c.at(i, d);
    }
  CHECK(differs);
}

TEST_CASE("points come in powers of two") {
  CHECK_THROWS_AS(SobolPoints(100, 2, kKey), std::invalid_argument);
  CHECK_THROWS_AS(SobolPoints(0, 2, kKey), std::invalid_argument);
}
