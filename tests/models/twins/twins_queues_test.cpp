// Queue twins against each other: identities that hold between independent formulas, and limits known by hand.
#include <array>
#include <cmath>
#include <stdexcept>

#include "models/twins/closed_networks.hpp"
#include "tests/catch.hpp"
#include "tests/twins/closed_loops.hpp"
#include "tests/twins/finite_queues.hpp"
#include "tests/twins/open_queues.hpp"

namespace twins = headrace::models::twins;

TEST_CASE("M/M/1 by hand") {
  const auto q = twins::mm1(0.8, 1.0);
  CHECK(q.number_in_system == Approx(4.0).epsilon(1e-12));
  CHECK(q.number_in_queue == Approx(3.2).epsilon(1e-12));
  CHECK(q.response_time_s == Approx(5.0).epsilon(1e-12));
  CHECK(q.waiting_time_s == Approx(4.0).epsilon(1e-12));
  CHECK(twins::mm1_probability(0.8, 1.0, 3) == Approx(0.1024).epsilon(1e-12));
  CHECK(twins::mm1_response_quantile_s(0.8, 1.0, 0.5) == Approx(5.0 * std::log(2.0)).epsilon(1e-12));
}

TEST_CASE("special cases of the open queues meet") {
  const auto one = twins::mm1(0.7, 1.0);
  CHECK(twins::mmc(0.7, 1.0, 1).waiting_time_s == Approx(one.waiting_time_s).epsilon(1e-12));
  CHECK(twins::mg1(0.7, 1.0, 1.0).waiting_time_s == Approx(one.waiting_time_s).epsilon(1e-12));
  CHECK(twins::md1(0.7, 1.0).waiting_time_s == Approx(0.5 * one.waiting_time_s).epsilon(1e-12));
  CHECK(twins::mg1_processor_sharing(0.7, 1.0).response_time_s == Approx(one.response_time_s).epsilon(1e-12));
  CHECK(twins::kingman_waiting_time_s(0.7, 1.0, 1.0, 1.0) == Approx(one.waiting_time_s).epsilon(1e-12));
  CHECK(twins::erlang_c(0.7, 1) == Approx(0.7).epsilon(1e-12));
  const std::array rates{1.0, 0.8};
  CHECK(twins::jackson_tandem(0.5, rates).response_time_s == Approx(2.0 + 1.0 / 0.3).epsilon(1e-12));
}

TEST_CASE("Erlang B of two servers by hand") {
  // a^2/2 / (1 + a + a^2/2) at a = 1
  CHECK(twins::erlang_b(1.0, 2) == Approx(0.2).epsilon(1e-12));
}

TEST_CASE("an open queue without a steady state is refused") {
  CHECK_THROWS_AS(twins::mm1(1.0, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(twins::mmc(4.0, 1.0, 4), std::invalid_argument);
  CHECK_THROWS_AS(twins::mg1(-0.1, 1.0, 1.0), std::invalid_argument);
}

TEST_CASE("finite queues: flow balance, duality and the limit of a large buffer") {
  const auto q = twins::mm1k(0.85, 1.0, 4);
  CHECK(q.throughput_per_s == Approx(1.0 - q.empty_probability).epsilon(1e-12));  // mu P(busy)
  // Blocking at load r is emptiness at load 1/r.
  CHECK(q.blocking_probability == Approx(twins::mm1k(1.0 / 0.85, 1.0, 4).empty_probability).epsilon(1e-12));
  CHECK(twins::mm1k(0.5, 1.0, 200).number_in_system == Approx(1.0).epsilon(1e-12));
  CHECK(twins::mmck(1.0, 1.0, 2, 2).blocking_probability == Approx(twins::erlang_b(1.0, 2)).epsilon(1e-12));
  CHECK(twins::mmck(900.0, 1.0, 1000, 1000).blocking_probability == Approx(twins::erlang_b(900.0, 1000)).epsilon(1e-9));
}

TEST_CASE("M/D/1/K: balance, one place, and the limit M/D/1") {
  const auto q = twins::md1k(0.85, 1.0, 5);
  CHECK(q.throughput_per_s == Approx(1.0 - q.empty_probability).epsilon(1e-12));
  CHECK(twins::md1k(0.5, 1.0, 1).blocking_probability == Approx(0.5 / 1.5).epsilon(1e-12));  // Erlang B, insensitive
  CHECK(twins::md1k(0.5, 1.0, 40).number_in_system == Approx(twins::md1(0.5, 1.0).number_in_system).epsilon(1e-9));
}

TEST_CASE("mean-value analysis: one customer, saturation, Little") {
  const std::array demands{0.01, 0.004};
  CHECK(twins::mean_value_analysis(demands, 0.0, 1).throughput_per_s == Approx(1.0 / 0.014).epsilon(1e-12));
  const auto many = twins::mean_value_analysis(demands, 0.05, 500);
  CHECK(many.throughput_per_s == Approx(100.0).epsilon(1e-9));
  CHECK(many.queue_length[0] + many.queue_length[1] + many.throughput_per_s * 0.05 == Approx(500.0).epsilon(1e-12));
  // Two customers at two equal stations without think time: each is busy 2/3 of the time.
  const std::array equal{1.0, 1.0};
  CHECK(twins::mean_value_analysis(equal, 0.0, 2).utilization[0] == Approx(2.0 / 3.0).epsilon(1e-12));
}

TEST_CASE("fewest workers for a utilization, on both sides of the boundary") {
  const std::array demand{0.008};
  for (double target : {0.8, 0.95, 0.99}) {
    const int n = twins::workers_for_utilization(0.008, 0.05, target);
    CHECK(twins::mean_value_analysis(demand, 0.05, n).utilization[0] >= target);
    CHECK(twins::mean_value_analysis(demand, 0.05, n - 1).utilization[0] < target);
    CHECK(twins::closed_throughput_bound_per_s(0.008, 0.05, n) >=
          twins::mean_value_analysis(demand, 0.05, n).throughput_per_s);
  }
  CHECK_THROWS_AS(twins::workers_for_utilization(0.008, 0.05, 1.0), std::invalid_argument);
}

TEST_CASE("aggregating the samples of a batch keeps the utilization") {
  const std::array demand{0.008};
  const double single = twins::mean_value_analysis(demand, 0.05, 10).utilization[0];
  CHECK(twins::aggregated_batch_loop(10, 32, 0.05, 0.008).utilization[0] == Approx(single).epsilon(1e-12));
}
