#include "sim/feistel_permutation.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

TEST_CASE("a permutation meets every item once and inverts") {
  for (const std::uint64_t n : {1ull, 2ull, 3ull, 5ull, 16ull, 17ull, 1000ull, 4096ull, 65'537ull}) {
    for (const std::uint64_t key : {0ull, 1ull, ~0ull}) {
      const FeistelPermutation permutation(key, n);
      std::vector<bool> seen(n, false);
      bool good = true;
      for (std::uint64_t i = 0; i < n; ++i) {
        const std::uint64_t item = permutation(i);
        good = good && item < n && !seen[item] && permutation.inverse(item) == i;
        if (item < n) seen[item] = true;
      }
      INFO("n " << n << ", key " << key);
      CHECK(good);
    }
  }
}

TEST_CASE("a permutation reaches 2^62 items") {
  for (const std::uint64_t n : {4'500'000'000ull, (1ull << 62) - 1, 1ull << 62}) {
    const FeistelPermutation permutation(42, n);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::uint64_t place = n - 1 - i * (n / 1000);
      const std::uint64_t item = permutation(place);
      CHECK(item < n);
      CHECK(permutation.inverse(item) == place);
    }
  }
  CHECK_THROWS_AS(FeistelPermutation(1, 0), std::invalid_argument);
  CHECK_THROWS_AS(FeistelPermutation(1, (1ull << 62) + 1), std::invalid_argument);
}

TEST_CASE("over keys, items and neighbours are uniform", "[statistical]") {
  // Chi-square against uniform. 99 degrees of freedom: P(X > 184) < 5e-7 by Wilson-Hilferty, two such checks. The pair
  // (item of place 0, item of place 1) of 6 items has 30 equal outcomes, 29 degrees: P(X > 82) < 6e-7.
  constexpr std::uint64_t kSize = 100;
  constexpr int kKeys = 40'000;
  std::vector<double> of_first(kSize, 0.0);
  std::vector<double> step(kSize, 0.0);
  std::vector<double> pair(36, 0.0);
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    const FeistelPermutation permutation(key, kSize);
    const std::uint64_t a = permutation(17);
    const std::uint64_t b = permutation(18);
    of_first[a] += 1.0;
    step[(b + kSize - a) % kSize] += 1.0;
    const FeistelPermutation small(key, 6);
    pair[small(0) * 6 + small(1)] += 1.0;
  }
  const auto chi_square = [](const std::vector<double>& counts, double expected) {
    double sum = 0.0;
    for (const double count : counts) sum += count > 0.0 ? (count - expected) * (count - expected) / expected : 0.0;
    return sum;
  };
  CHECK(chi_square(of_first, kKeys / 100.0) < 184.0);
  CHECK(step[0] == 0.0);
  CHECK(chi_square(step, kKeys / 99.0) < 184.0);
  CHECK(chi_square(pair, kKeys / 30.0) < 82.0);
}

TEST_CASE("one order looks shuffled: places and items are uncorrelated", "[statistical]") {
  // Items of 50,000 consecutive places of 4.5e9: position and serial correlation have a standard error of
  // 1 / sqrt(50,000) = 0.0045; 5 standard errors: 6e-7 each.
  const FeistelPermutation permutation(7, 4'500'000'000ull);
  constexpr int kItems = 50'000;
  double with_place = 0.0;
  double with_next = 0.0;
  double previous = 0.0;
  for (int i = 0; i < kItems; ++i) {
    const double x = (static_cast<double>(permutation(static_cast<std::uint64_t>(i))) / 4.5e9 - 0.5) * 3.4641016151;
    with_place += x * (static_cast<double>(i) / kItems - 0.5) * 3.4641016151;
    with_next += x * previous;
    previous = x;
  }
  CHECK(std::abs(with_place / kItems) < 5.0 * 0.0045);
  CHECK(std::abs(with_next / kItems) < 5.0 * 0.0045);
}
