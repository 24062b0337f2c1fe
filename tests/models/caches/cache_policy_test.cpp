#include "models/caches/cache_policy.hpp"

#include <cmath>

#include "models/caches/hit_laws.hpp"
#include "models/caches/zipf_law.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/twins/cache_hit_ratio.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/cache_streams.hpp"

using namespace headrace::models;

namespace {

double mean_over_epoch(const ReshuffledCache& cache) {
  double mean = 0.0;
  for (int i = 0; i < 2000; ++i) mean += hit_ratio_at(cache, (i + 0.5) / 2000) / 2000;
  return mean;
}

}  // namespace

TEST_CASE("profiles of every policy integrate to their twins") {
  const double c = GENERATE(0.1, 0.5, 0.75, 0.9);
  const int n = GENERATE(1, 8);
  CHECK(mean_over_epoch({CachePolicy::fifo, c, 1.0 * n}) == Approx(twins::fifo_reshuffle_hit_ratio(c, n)).margin(2e-4));
  CHECK(mean_over_epoch({CachePolicy::random, c, 1.0 * n}) ==
        Approx(twins::random_reshuffle_hit_ratio(c, n)).margin(2e-4));
  CHECK(mean_over_epoch({CachePolicy::clock, c, 1.0 * n}) == Approx(twins::lru_reshuffle_hit_ratio(c, n)).margin(2e-4));
  CHECK(mean_over_epoch({CachePolicy::pinned, c, 1.0 * n}) == Approx(c));
  CHECK(mean_over_epoch({CachePolicy::clairvoyant, c, 1.0 * n}) == Approx(c));
  CHECK(mean_over_epoch({CachePolicy::none, c, 1.0 * n}) == 0.0);
}

TEST_CASE("the closed forms of FIFO and random eviction give the simulated reference values") {
  // Reference cases of group `cache`: 0.0053, 0.0377, 0.193, 0.571, 0.828 simulated with 1e5 items.
  CHECK(twins::fifo_reshuffle_hit_ratio(0.10) == Approx(0.0053).margin(2e-4));
  CHECK(twins::fifo_reshuffle_hit_ratio(0.25) == Approx(0.0377).margin(4e-4));
  CHECK(twins::fifo_reshuffle_hit_ratio(0.50) == Approx(0.193).margin(1e-3));
  CHECK(twins::fifo_reshuffle_hit_ratio(0.75) == Approx(0.571).margin(1e-3));
  CHECK(twins::fifo_reshuffle_hit_ratio(0.90) == Approx(0.828).margin(1e-3));
  CHECK(twins::random_reshuffle_hit_ratio(0.5, 1) == Approx(twins::random_reshuffle_hit_ratio(0.5)).epsilon(1e-12));
  CHECK(twins::lru_reshuffle_hit_ratio(0.5, 8) == Approx(0.466).margin(1e-3));
}

TEST_CASE("every item sent through a cache gives the closed form of its policy", "[statistical]") {
  // 40,000 items: the standard error of a window's ratio is below 0.007, so 0.035 is five of them; false-failure rate
  // below 1e-5 per check, with a fixed seed.
  const CachePolicy policy = GENERATE(CachePolicy::fifo, CachePolicy::clock, CachePolicy::random, CachePolicy::pinned);
  const double c = GENERATE(0.3, 0.8);
  for (const std::uint32_t nodes : {1U, 3U}) {
    for (const std::uint64_t epochs : {std::uint64_t{2}, UINT64_MAX}) {
      const std::vector<double> profile = profile_per_item(policy, c, nodes, 40000, 4, 5, epochs);
      for (std::size_t w = 0; w < 4; ++w) {
        double expected = 0.0;
        for (int i = 0; i < 50; ++i)
          expected +=
              hit_ratio_at({policy, c, 1.0 * nodes, epochs}, (static_cast<double>(w) + (i + 0.5) / 50) / 4) / 50;
        INFO(static_cast<int>(policy) << " c " << c << " nodes " << nodes << " window " << w << " young "
                                      << (epochs == 2));
        CHECK(std::abs(profile[w] - expected) < 0.035);
      }
    }
  }
}

TEST_CASE("a fixed order defeats recency, and random eviction less") {
  CHECK(cyclic_hit_ratio(CachePolicy::lru, 0.99) == 0.0);
  CHECK(cyclic_hit_ratio(CachePolicy::fifo, 0.99) == 0.0);
  CHECK(cyclic_hit_ratio(CachePolicy::clock, 0.5) == 0.0);
  CHECK(cyclic_hit_ratio(CachePolicy::lru, 1.0) == 1.0);
  CHECK(cyclic_hit_ratio(CachePolicy::pinned, 0.4) == 0.4);
  const double h = cyclic_hit_ratio(CachePolicy::random, 0.5);
  CHECK(h == Approx(std::exp(-(1.0 - h) / 0.5)).epsilon(1e-9));
  CHECK(h == Approx(0.2032).margin(1e-4));
}

TEST_CASE("hit ratios under a Zipf law agree with sums over single items") {
  const double alpha = GENERATE(0.6, 0.8, 1.0, 1.2);
  const double c = GENERATE(0.01, 0.1, 0.5);
  const auto popularities = twins::zipf_popularities(10000, alpha);
  const ZipfLaw law(10000, alpha);
  CHECK(law.hit_ratio(CachePolicy::lru, 10000 * c) ==
        Approx(twins::che_lru(popularities, 10000 * c).hit_ratio).margin(1e-3));
  CHECK(law.hit_ratio(CachePolicy::random, 10000 * c) ==
        Approx(twins::che_fifo(popularities, 10000 * c).hit_ratio).margin(1e-3));
  double best = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(10000 * c); ++i) best += popularities[i];
  CHECK(law.hit_ratio(CachePolicy::clairvoyant, 10000 * c) == Approx(best).margin(1e-3));
  CHECK(law.hit_ratio(CachePolicy::pinned, 10000 * c) <= best + 1e-3);
  // From empty: the first draws hit less, later ones as the full cache.
  CHECK(law.hit_ratio(CachePolicy::lru, 10000 * c, 0.0, 1000.0) <
        law.hit_ratio(CachePolicy::lru, 10000 * c, 9000.0, 1e4));
  CHECK(law.hit_ratio(CachePolicy::lru, 10000 * c, 1e9, 1.1e9) ==
        Approx(law.hit_ratio(CachePolicy::lru, 10000 * c)).epsilon(1e-9));
}

TEST_CASE("billions of items cost as little as thousands") {
  const ZipfLaw law(4.5e9, 0.9);
  const double hit = law.hit_ratio(CachePolicy::lru, 4.5e8);
  CHECK(hit > 0.5);
  CHECK(hit < 0.9);
}

TEST_CASE("policies, order, skew and contents of the node's cache decide its windows") {
  Scenario scenario = test::small_scenario(1);
  NodeCache& cache = scenario.cluster.pools[0].cache;
  Dataset& data = scenario.datasets[0];
  cache.fidelity = CacheFidelity::statistical;
  cache.bytes = 0.5 * data.bytes();
  const auto epoch_hits = [&] {
    double hits = 0.0;
    for (const EpochWindow& window : closed_form_windows(scenario, 0)) hits += window.weight * window.hit_ratio;
    return hits;
  };
  scenario.jobs[0].epochs = 50;
  cache.policy = CachePolicy::fifo;
  CHECK(epoch_hits() == Approx(twins::fifo_reshuffle_hit_ratio(0.5)).margin(2e-3));
  CHECK(closed_form_windows(scenario, 0).size() == 8);
  cache.policy = CachePolicy::random;
  CHECK(epoch_hits() == Approx(twins::random_reshuffle_hit_ratio(0.5)).margin(2e-3));
  cache.policy = CachePolicy::clairvoyant;
  CHECK(epoch_hits() == Approx(0.5));
  CHECK(closed_form_windows(scenario, 0).size() == 1);

  data.decoded_bytes_per_sample = 2.0 * mean_of(data.sample_bytes);
  cache.holds = CacheContent::tensors;
  CHECK(epoch_hits() == Approx(0.25));
  cache.holds = CacheContent::samples;

  data.skew = 1.0;
  cache.policy = CachePolicy::lru;
  const auto popularities = twins::zipf_popularities(100000, 1.0);
  CHECK(epoch_hits() == Approx(twins::che_lru(popularities, 50000).hit_ratio).margin(2e-3));
  const auto first = first_epoch_window(scenario, 0);
  REQUIRE(first.has_value());
  CHECK(first->hit_ratio > 0.5);  // a popular sample comes back within the epoch
  CHECK(first->hit_ratio < epoch_hits());
  data.skew = 0.0;
  data.order = SampleOrder::fixed;
  CHECK(epoch_hits() == 0.0);
  cache.policy = CachePolicy::pinned;
  CHECK(epoch_hits() == Approx(0.5));
}
