// Order statistics against moments known in closed form.
#include <cmath>
#include <numbers>

#include "models/twins/order_statistics.hpp"
#include "tests/catch.hpp"
#include "tests/twins/shards_and_targets.hpp"

namespace twins = headrace::models::twins;

TEST_CASE("harmonic numbers on both sides of the change of method") {
  CHECK(twins::harmonic_number(4) == Approx(25.0 / 12.0).epsilon(1e-14));
  CHECK(twins::harmonic_number(1'000'001) - twins::harmonic_number(1'000'000) == Approx(1e-6).epsilon(1e-4));
}

TEST_CASE("log-normal order statistics: one, the sum of all, and two by hand") {
  const double s = 0.7;
  const double mean = std::exp(0.5 * s * s);
  CHECK(twins::lognormal_order_statistic(1, 1, s) == Approx(mean).epsilon(1e-12));
  double sum = 0.0;
  for (int k = 1; k <= 5; ++k) sum += twins::lognormal_order_statistic(k, 5, s);
  CHECK(sum == Approx(5.0 * mean).epsilon(1e-11));
  // E[max of 2] = 2 e^(s^2/2) Phi(s/sqrt 2)
  const double phi = 0.5 * std::erfc(-s / std::numbers::sqrt2 / std::numbers::sqrt2);
  CHECK(twins::lognormal_order_statistic(2, 2, s) == Approx(2.0 * mean * phi).epsilon(1e-11));
}

TEST_CASE("the maximum stays finite and grows for very many participants") {
  const double ten_thousand = twins::lognormal_max_ratio(10'000, 0.5);
  const double million = twins::lognormal_max_ratio(1'000'000, 0.5);
  CHECK(ten_thousand == Approx(6.1282453).epsilon(1e-7));
  CHECK(million > ten_thousand);
  CHECK(million < 2.0 * ten_thousand);
  CHECK(twins::lognormal_max_ratio(10'000, 0.0) == Approx(1.0).epsilon(1e-10));
}

TEST_CASE("rare hits keep their digits") {
  CHECK(twins::any_of_n_probability(1e-18, 1000.0) == Approx(1e-15).epsilon(1e-12));
  CHECK(twins::any_of_n_probability(1e-3, 1250.0) == Approx(0.71367433).epsilon(1e-8));
  CHECK(twins::any_of_n_probability(1.0, 3.0) == 1.0);
}

TEST_CASE("batches, coupons, shards and shuffle buffers") {
  CHECK(twins::sum_of_samples(4, 2.0, 1.0).mean == 8.0);
  CHECK(twins::sum_of_samples(4, 2.0, 1.0).cv == 0.5);
  CHECK(twins::coupon_draws(2) == Approx(3.0).epsilon(1e-14));
  CHECK(twins::distinct_shards(2.0, 2.0) == Approx(1.5).epsilon(1e-12));
  CHECK(twins::shuffle_residence_tail(2.0, 3.0) == Approx(0.125).epsilon(1e-12));
  CHECK(twins::fork_join_two_response_s(0.5, 1.0) == Approx(2.875).epsilon(1e-14));
  CHECK(twins::exponential_order_statistic(3, 3) == Approx(11.0 / 6.0).epsilon(1e-14));
}

TEST_CASE("the fullest target carries the mean at least, and all of it when alone") {
  CHECK(twins::fullest_target_load(50.0, 1.0) == Approx(50.0).epsilon(1e-9));
  CHECK(twins::fullest_target_load(1250.0, 100.0) > 12.5);
  CHECK(twins::fullest_target_load(1250.0, 100.0) == Approx(22.2115).margin(0.15));  // simulated, not Poissonised
}
