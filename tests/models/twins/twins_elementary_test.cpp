// The elementary forms: checkpoint interval, scaling, cost, request limits, host path.
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/twins/checkpoint_interval.hpp"
#include "models/twins/cost.hpp"
#include "models/twins/host_path.hpp"
#include "models/twins/request_limits.hpp"
#include "tests/catch.hpp"
#include "tests/twins/egress.hpp"
#include "tests/twins/host_rates.hpp"
#include "tests/twins/retries.hpp"
#include "tests/twins/scaling.hpp"
#include "tests/twins/shared_link.hpp"

namespace twins = headrace::models::twins;

TEST_CASE("the optimal checkpoint interval is a maximum of the efficiency") {
  for (double write_s : {10.0, 60.0, 1800.0}) {
    const twins::CheckpointCosts costs{write_s, 11124.0, 300.0};
    const double best = twins::optimal_interval_s(costs);
    const double top = twins::checkpoint_efficiency(costs, best);
    CHECK(top >= twins::checkpoint_efficiency(costs, best * 0.99));
    CHECK(top >= twins::checkpoint_efficiency(costs, best * 1.01));
    CHECK(top >= twins::checkpoint_efficiency(costs, twins::young_interval_s(costs)));
    CHECK(twins::daly_interval_s(costs) == Approx(best).epsilon(0.01));
  }
  CHECK(twins::daly_interval_s({300.0, 100.0, 0.0}) == 100.0);  // writing takes longer than two lives
}

TEST_CASE("all-reduce: two ranks, and ring against tree") {
  CHECK(twins::ring_all_reduce_s(1e9, 1e9, 0.0, 2.0) == Approx(1.0).epsilon(1e-12));
  CHECK(twins::tree_all_reduce_s(1e9, 1e9, 0.0, 2.0) == Approx(2.0).epsilon(1e-12));
  CHECK(twins::hierarchical_all_reduce_s({1e9, 1.0, 8.0, 1e12, 1e9}) ==
        Approx(twins::ring_all_reduce_s(1e9, 1e9, 0.0, 8.0)).epsilon(1e-12));
}

TEST_CASE("scaling laws: no overhead is linear, the peak is a peak") {
  CHECK(twins::amdahl_speedup(0.0, 64.0) == 64.0);
  CHECK(twins::usl_capacity(0.0, 0.0, 64.0) == 64.0);
  const double peak = twins::usl_peak_workers(0.05, 5e-4);
  CHECK(twins::usl_capacity(0.05, 5e-4, peak) > twins::usl_capacity(0.05, 5e-4, peak * 1.05));
  CHECK(twins::usl_capacity(0.05, 5e-4, peak) > twins::usl_capacity(0.05, 5e-4, peak * 0.95));
  const double sigma = twins::usl_contention_from_efficiency(0.92, 64.0);
  CHECK(twins::usl_capacity(sigma, 0.0, 64.0) / 64.0 == Approx(0.92).epsilon(1e-12));
}

TEST_CASE("a stepped price list charges each step for its own volume") {
  const std::array tiers{twins::PriceTier{10.0, 1.0}, twins::PriceTier{30.0, 0.5},
                         twins::PriceTier{std::numeric_limits<double>::infinity(), 0.1}};
  CHECK(twins::tiered_cost_usd(5.0, tiers) == Approx(5.0));
  CHECK(twins::tiered_cost_usd(10.0, tiers) == Approx(10.0));
  CHECK(twins::tiered_cost_usd(130.0, tiers) == Approx(10.0 + 10.0 + 10.0));
  CHECK(twins::cached_egress_cost_usd(100.0, 0.1, 1.0, 0.9) == Approx(twins::egress_cost_usd(100.0, 0.1, 1.0)));
  CHECK(twins::cost_per_useful_hour(0.5) == 2.0);
  CHECK(twins::spot_cost_ratio(0.0, 1.0) == 1.0);
}

TEST_CASE("request limits at their corners") {
  CHECK(twins::token_bucket_drain_s(10.0, 20.0, 5.0) == 0.0);
  CHECK(twins::token_bucket_drain_s(30.0, 20.0, 5.0) == 2.0);
  CHECK(twins::list_pages(1000.0, 1000.0) == 1.0);
  CHECK(twins::list_pages(1001.0, 1000.0) == 2.0);
  CHECK(twins::list_time_s(4000.0, 1000.0, 0.1, 2.0, 0.5) == 0.7);
  CHECK(twins::latency_bound_throughput_bytes_per_s(1e6, 1e6, 0.05, 1e9) == 1e9);
  CHECK(twins::exponential_backoff(0.0, 1.0).backoff_s == 0.0);
  CHECK_THROWS_AS(twins::exponential_backoff(0.5, 1.0), std::invalid_argument);
}

TEST_CASE("host path: large windows reach the bandwidth, threads share the faults") {
  CHECK(twins::window_throughput_bytes_per_s(1e12, 1e-4, 3e9) == Approx(3e9).epsilon(1e-5));
  const auto one = twins::page_fault_time(1e9, 4096.0, 1e-6, 1e-4, 131072.0, 1.0);
  const auto four = twins::page_fault_time(1e9, 4096.0, 1e-6, 1e-4, 131072.0, 4.0);
  CHECK(one.both_s == Approx(4.0 * four.both_s));
  CHECK(twins::bounce_against_direct(1e9, 25e9, 50e9).host_s > twins::bounce_against_direct(1e9, 25e9, 50e9).direct_s);
  CHECK(twins::fetch_and_decompress(1e9, 1.0, 1e9, 1e30, 1.0).serial_s == Approx(1.0));
}

TEST_CASE("equal split on one link, by hand") {
  const std::array flows{twins::LinkFlow{0.0, 10.0}, twins::LinkFlow{0.5, 10.0}, twins::LinkFlow{1.0, 2.0},
                         twins::LinkFlow{9.0, 5.0}};
  const auto finish = twins::equal_split_finish_s(10.0, flows);
  CHECK(finish[0] == Approx(1.7));
  CHECK(finish[1] == Approx(2.2));
  CHECK(finish[2] == Approx(1.6));
  CHECK(finish[3] == Approx(9.5));  // after an empty link
  CHECK(twins::oversubscribed_share(50e9, 4.0) == 12.5e9);
}
