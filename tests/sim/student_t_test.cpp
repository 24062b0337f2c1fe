#include "sim/student_t.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using namespace headrace::sim;

TEST_CASE("Student-t quantiles agree with Boost.Math") {
  double worst = 0.0;
  for (const int df :
       {1, 2, 3, 4, 5, 7, 10, 29, 63, 64, 127, 199, 200, 201, 202, 255, 1000, 4095, 100'000, 1'000'000}) {
    const boost::math::students_t oracle(df);
    for (const double tail : {1e-12, 1e-9, 1e-6, 0.0005, 0.005, 0.025, 0.05, 0.1, 0.25, 0.4, 0.49, 0.4999}) {
      const double expected = -boost::math::quantile(oracle, tail);
      worst = std::fmax(worst, std::abs(-student_t_quantile(tail, df) / expected - 1.0));
      CHECK(student_t_quantile(tail, df) == Approx(-expected).epsilon(1e-9));
      if (tail >= 1e-6) {
        CHECK(student_t_quantile(1.0 - tail, df) == Approx(expected).epsilon(1e-9));
      }
    }
  }
  INFO("worst relative error " << worst);
  CHECK(worst < 1e-9);
}

TEST_CASE("Student-t tails agree with Boost.Math") {
  for (const int df : {1, 2, 3, 8, 31, 63, 200, 201, 999, 50'000}) {
    const boost::math::students_t oracle(df);
    for (const double t : {0.0, 0.001, 0.3, 1.0, 1.6, 1.75, 1.96, 3.0, 6.0, 12.0}) {
      const double expected = boost::math::cdf(boost::math::complement(oracle, t));
      CHECK(std::abs(student_t_upper_tail(t, df) - expected) <= 1e-10 * expected);
      CHECK(student_t_upper_tail(-t, df) == Approx(1.0 - expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("Student-t quantiles at the edges") {
  CHECK(student_t_quantile(0.5, 3) == 0.0);
  CHECK(student_t_quantile(0.0, 3) == -std::numeric_limits<double>::infinity());
  CHECK(student_t_quantile(1.0, 3) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(student_t_quantile(0.9, 0)));
  CHECK(std::isnan(student_t_quantile(1.1, 5)));
  CHECK(student_t_upper_tail(std::numeric_limits<double>::infinity(), 5) == 0.0);
  // Closed form for two degrees of freedom: t = (2p - 1) / sqrt(2 p (1 - p)).
  CHECK(student_t_quantile(0.975, 2) == Approx(0.95 / std::sqrt(2.0 * 0.975 * 0.025)).epsilon(1e-12));
}
