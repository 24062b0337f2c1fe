#include "models/path/epoch_windows.hpp"

#include "models/caches/hit_laws.hpp"
#include "models/interruptions/fault_course.hpp"
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

TEST_CASE("caches of several nodes fill over the epochs: the mean of the later ones is below the last") {
  Scenario scenario = test::small_scenario(4);
  NodeCache& cache = scenario.cluster.pools[0].cache;
  cache.policy = CachePolicy::lru;
  cache.fidelity = CacheFidelity::statistical;
  cache.bytes = 0.5 * scenario.datasets[0].bytes();
  scenario.jobs[0].epochs = 5;
  // Item by item: 5 epochs of 20,000 items, 0.3 points of noise in a hit ratio; fixed seed.
  double hits = 0.0;
  double last = 0.0;
  for (std::uint64_t before = 1; before < 5; ++before) {
    last = 0.0;
    for (const double window : profile_per_item(CachePolicy::lru, 0.5, 4, 20'000, 8, 3, before)) last += window / 8.0;
    hits += last / 4.0;
  }
  CHECK(hits == Approx(0.377).margin(0.005));
  CHECK(last == Approx(0.425).margin(0.005));
  const double progress = later_epochs_progress(scenario, 0);
  CHECK(progress == Approx(hits / last).margin(0.015));

  Outcome outcome;
  outcome.metrics.push_back({"epoch_time_s", 60.0, std::nullopt, {}, AnswerKind::simulated});
  outcome.metrics.push_back({"first_epoch_time_s", 100.0, std::nullopt, {}, AnswerKind::simulated});
  Degradation slow;
  slow.store = "store";
  scenario.faults = Faults{};
  scenario.faults->degraded = {slow};
  SlowedState slowed;
  slowed.speed = 1.0;
  outcome.slowed = {slowed};
  CHECK(training_course(scenario, outcome).work_s == Approx(100.0 + 4.0 * (100.0 - 40.0 * progress)));

  scenario.jobs[0].epochs = 2;
  CHECK(later_epochs_progress(scenario, 0) == 1.0);
  scenario.jobs[0].epochs = 1'000'000;
  CHECK(later_epochs_progress(scenario, 0) == Approx(1.0).margin(1e-5));
  cache.bytes = 0.0;
  CHECK(later_epochs_progress(scenario, 0) == 1.0);
}
