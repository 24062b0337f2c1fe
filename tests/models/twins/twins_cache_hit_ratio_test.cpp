// Cache twins: profiles integrate to the mean, special cases meet, exact forms by enumeration.
#include <array>
#include <cmath>
#include <stdexcept>

#include "models/twins/cache_hit_ratio.hpp"
#include "tests/catch.hpp"
#include "tests/twins/cache_streams.hpp"

namespace twins = headrace::models::twins;

namespace {

template <class F>
double integral(const F& f) {
  double sum = 0.0;
  constexpr int kSteps = 20'000;
  for (int i = 0; i < kSteps; ++i) sum += f((i + 0.5) / kSteps);
  return sum / kSteps;
}

}  // namespace

TEST_CASE("hit profiles over the epoch integrate to the hit ratio") {
  for (double c : {0.05, 0.5, 0.9}) {
    CHECK(integral([c](double y) { return twins::lru_reshuffle_profile(c, y); }) ==
          Approx(twins::lru_reshuffle_hit_ratio(c)).epsilon(1e-5));
    CHECK(integral([c](double y) { return twins::random_reshuffle_profile(c, y); }) ==
          Approx(twins::random_reshuffle_hit_ratio(c)).epsilon(1e-5));
  }
}

TEST_CASE("no policy beats pinning under reshuffle, and many nodes make LRU nearly as good") {
  for (double c : {0.1, 0.5, 0.9}) {
    CHECK(twins::lru_reshuffle_hit_ratio(c) < twins::random_reshuffle_hit_ratio(c));
    CHECK(twins::random_reshuffle_hit_ratio(c) < twins::pinned_hit_ratio(c));
    CHECK(twins::lru_reshuffle_hit_ratio(c, 1) == twins::lru_reshuffle_hit_ratio(c));
    CHECK(twins::lru_reshuffle_hit_ratio(c, 8) < twins::lru_reshuffle_hit_ratio(c, 32));
    CHECK(twins::lru_reshuffle_hit_ratio(c, 10'000) == Approx(c).epsilon(1e-3));
  }
  CHECK(twins::lru_reshuffle_hit_ratio(1.0) == 1.0);
  CHECK(twins::random_reshuffle_hit_ratio(1.0) == Approx(1.0).epsilon(1e-12));
  CHECK(twins::random_reshuffle_hit_ratio(1e-4) < 1e-7);
}

TEST_CASE("partitioned caches") {
  const auto hits = twins::partitioned_hit_ratio(0.3, 8);
  CHECK(hits.any == 1.0);
  CHECK(hits.local == 0.3);
  CHECK(hits.remote == Approx(0.7).epsilon(1e-12));
}

TEST_CASE("characteristic time: equal popularities hit as often as the cache is large") {
  const auto uniform = twins::zipf_popularities(1000, 0.0);
  CHECK(twins::che_lru(uniform, 250.0).hit_ratio == Approx(0.25).epsilon(1e-9));
  CHECK(twins::che_fifo(uniform, 250.0).hit_ratio == Approx(0.25).epsilon(1e-9));
  CHECK_THROWS_AS(twins::che_lru(uniform, 1000.0), std::invalid_argument);
}

TEST_CASE("exact LRU and FIFO of two and three items by hand") {
  // One place: the item asked for last is there, so the hit ratio is the sum of squares, for every policy.
  const std::array p{0.5, 0.3, 0.2};
  CHECK(twins::exact_lru_hit_ratio(p, 1) == Approx(0.38).epsilon(1e-12));
  CHECK(twins::exact_fifo_hit_ratio(p, 1) == Approx(0.38).epsilon(1e-12));
  CHECK(twins::exact_lru_hit_ratio(p, 3) == Approx(1.0).epsilon(1e-12));
  // FIFO with two places: pairs weigh 15, 10, 6 of 31 and hit .8, .7, .5.
  CHECK(twins::exact_fifo_hit_ratio(p, 2) == Approx((15 * 0.8 + 10 * 0.7 + 6 * 0.5) / 31.0).epsilon(1e-12));
  CHECK(twins::exact_lru_hit_ratio(p, 2) > twins::exact_fifo_hit_ratio(p, 2));
}

TEST_CASE("mean access time gives the last tier the rest") {
  const std::array hits{0.3, 0.5};
  const std::array latencies{1.0, 10.0, 100.0};
  CHECK(twins::mean_access_time_s(hits, latencies) == Approx(0.3 + 5.0 + 20.0).epsilon(1e-12));
}
