#include "sim/batch_means.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/sim/reference_series.hpp"

using namespace headrace::sim;
using Values = std::vector<double>;

TEST_CASE("batch means leave the remainder out at the beginning") {
  const Values series{100, 1, 2, 3, 4, 5, 6};
  CHECK(batch_means(series, 2, 3) == Values{1.5, 3.5, 5.5});
  CHECK(batch_means(series, 3, 2) == Values{2, 5});
  CHECK(spaced(series, 0) == series);
  CHECK(spaced(series, 2) == Values{2, 5});
}

TEST_CASE("moments by hand") {
  const Values values{1, 2, 3, 10};
  CHECK(mean_of(values) == 4.0);
  CHECK(variance_of(values) == Approx(50.0 / 3.0));
  // Sum of cubed deviations 180, times 4 / (3 x 2), over s^3.
  CHECK(skewness_of(values) == Approx(180.0 * 4.0 / 6.0 / std::pow(50.0 / 3.0, 1.5)));
  CHECK(lag1_autocorrelation(values) == Approx((6.0 + 2.0 - 6.0) / 50.0));
  // 1 - (1 + 1 + 49) / 100 over sqrt(2 / 15).
  CHECK(von_neumann_score(values) == Approx(0.49 / std::sqrt(2.0 / 15.0)));
  CHECK(skewness_of(Values{5, 5, 5, 5}) == 0.0);
  CHECK(von_neumann_score(Values{5, 5, 5, 5}) == 0.0);
}

TEST_CASE("constant means equal up to rounding") {
  CHECK(is_constant(Values{0.1 + 0.2, 0.3, 0.3}));
  CHECK(is_constant(Values{0, 0, 0}));
  CHECK_FALSE(is_constant(Values{1.0, 1.0 + 1e-9, 1.0}));
}

TEST_CASE("the standard error of correlated values by hand") {
  // Deviations -2..2: squares sum to 10, products of neighbours to 4.
  CHECK(lag1_autocorrelation(Values{1, 2, 3, 4, 5}) == Approx(0.4));
  CHECK(correlated_standard_error(Values{1, 2, 3, 4, 5}) == Approx(std::sqrt(2.5 / 5 * 1.4 / 0.6)));
  // Unlike neighbours do not make it smaller.
  CHECK(correlated_standard_error(Values{1, 3, 1, 3}) == Approx(std::sqrt(4.0 / 3 / 4)));
  CHECK(correlated_standard_error(Values{7}) == 0.0);
}

// Each of 1,000 scores is standard normal; their mean has standard error 0.032, their variance about 0.045.
// False-failure rate below 1e-6 each (five standard errors).
TEST_CASE("von Neumann's score is standard normal under independence", "[statistical]") {
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const double score = von_neumann_score(reference::normals(seed, 256));
    sum += score;
    squares += score * score;
  }
  CHECK(std::abs(sum / 1000.0) < 5 * 0.032);
  CHECK(std::abs(squares / 1000.0 - 1.0) < 5 * 0.045);
}

// 200 AR(1) series of 4,000 values: the standard error of lag-1 averaged over them is below 0.001, its bias -0.0007.
TEST_CASE("lag-1 autocorrelation of AR(1)", "[statistical]") {
  double sum = 0.0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) sum += lag1_autocorrelation(reference::ar1_series(seed, 4000, 0.6));
  CHECK(std::abs(sum / 200.0 - 0.6) < 0.006);
}
