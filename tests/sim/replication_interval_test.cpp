#include "sim/replication_interval.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/sim/reference_series.hpp"

using namespace headrace::sim;

TEST_CASE("the interval of five replications by hand") {
  const std::vector<double> values{9, 10, 11, 12, 13};
  const ReplicationResult result = replication_interval(values);
  REQUIRE(result.enough_data());
  CHECK(result.mean == 11.0);
  CHECK(result.standard_error == Approx(std::sqrt(0.5)));
  // t(0.975, 4 degrees of freedom) = 2.776445...
  CHECK(result.interval->hi == Approx(11.0 + 2.7764451052 * std::sqrt(0.5)).epsilon(1e-9));
  CHECK(result.interval->lo == Approx(11.0 - 2.7764451052 * std::sqrt(0.5)).epsilon(1e-9));
}

TEST_CASE("too few replications give no interval") {
  const std::vector<double> values{1, 2, 3, 4};
  CHECK_FALSE(replication_interval(values).enough_data());
  CHECK(replication_interval(values).mean == 2.5);
  CHECK(replication_interval(values, 0.95, 4).enough_data());
  CHECK_FALSE(replication_interval(std::vector<double>{1.0}, 0.95, 0).enough_data());
  CHECK_FALSE(replication_interval({}, 0.95, 0).enough_data());
}

TEST_CASE("pairs take out what replications have in common") {
  const std::vector<double> before{10, 20, 30, 40, 50};
  const std::vector<double> after{11, 21.5, 31, 40.5, 51};
  const ReplicationResult result = paired_difference_interval(before, after);
  REQUIRE(result.enough_data());
  CHECK(result.mean == 1.0);
  CHECK(result.interval->lo > 0.0);
  CHECK(result.standard_error == Approx(std::sqrt(0.125 / 5)));
  CHECK_FALSE(paired_difference_interval(before, std::vector<double>{1, 2}).enough_data());
}

// Exactly 0.95 for normals: of 2,000 intervals 1,900 +- 9.7 cover; five standard errors, false-failure rate below 1e-6.
TEST_CASE("replication intervals of normals cover as told", "[statistical]") {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    covered += replication_interval(reference::normals(seed, 10)).interval->contains(0.0) ? 1 : 0;
  }
  CHECK(std::abs(covered - 1900) <= 49);
}
