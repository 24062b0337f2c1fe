#include "models/caches/hit_laws.hpp"

#include <cmath>

#include "models/twins/cache_hit_ratio.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;

TEST_CASE("the LRU profile integrates to its twin") {
  const double c = GENERATE(0.1, 0.5, 0.9);
  const int nodes = GENERATE(1, 2, 8, 64);
  double mean = 0.0;
  for (int i = 0; i < 4000; ++i) mean += lru_hit_ratio_at(c, nodes, (i + 0.5) / 4000) / 4000;
  CHECK(mean == Approx(twins::lru_reshuffle_hit_ratio(c, nodes)).margin(2e-4));
}

TEST_CASE("every item sent through the cache gives the closed form", "[statistical]") {
  // 100,000 items: the standard error of a window's ratio is below 0.005, so 0.025 is five of them; false-failure rate
  // below 1e-5 per check, with a fixed seed.
  for (const std::uint32_t nodes : {1U, 2U}) {
    const std::vector<double> profile = profile_per_item(CachePolicy::lru, 0.5, nodes, 100000, 8, 3);
    for (std::size_t w = 0; w < 8; ++w) {
      double expected = 0.0;
      for (int i = 0; i < 50; ++i)
        expected += lru_hit_ratio_at(0.5, nodes, (static_cast<double>(w) + (i + 0.5) / 50) / 8) / 50;
      CHECK(std::abs(profile[w] - expected) < 0.025);
    }
  }
}

TEST_CASE("a young cache knows only the epochs that have been") {
  // A cache that holds everything on 100 nodes has seen a hundredth of the dataset after one epoch.
  CHECK(lru_hit_ratio_at(1.0, 100, 0.5, 1) == Approx(0.01));
  CHECK(lru_hit_ratio_at(1.0, 100, 0.5, 1000000) == Approx(1.0));
  CHECK(pinned_hit_ratio(0.5, 1, 1) == 0.5);
  CHECK(pinned_hit_ratio(0.5, 100, 1) == Approx(0.01));
  CHECK(pinned_hit_ratio(0.5, 100, 1000) == 0.5);
}
