#include "models/path/epoch_windows.hpp"

#include "models/twins/cache_hit_ratio.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

TEST_CASE("windows cover the epoch and their hits match the epoch's mean") {
  Scenario scenario = test::small_scenario(1);
  NodeCache& cache = scenario.cluster.pools[0].cache;
  cache.policy = CachePolicy::lru;
  cache.fidelity = CacheFidelity::statistical;
  cache.bytes = 0.5 * scenario.datasets[0].bytes();
  const auto windows = epoch_windows(scenario, 0, 1);
  double weight = 0.0;
  double hits = 0.0;
  for (const EpochWindow& window : windows) {
    weight += window.weight;
    hits += window.weight * window.hit_ratio;
  }
  CHECK(weight == Approx(1.0));
  CHECK(hits == Approx(twins::lru_reshuffle_hit_ratio(0.5)).margin(1e-3));
  CHECK(windows.size() > 4);

  cache.policy = CachePolicy::pinned;
  const auto pinned = epoch_windows(scenario, 0, 1);
  REQUIRE(pinned.size() == 1);
  CHECK(pinned[0].hit_ratio == Approx(0.5));
  scenario.jobs[0].epochs = 1;
  CHECK(epoch_windows(scenario, 0, 1)[0].hit_ratio == 0.0);
}
