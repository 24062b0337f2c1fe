// The ranking of inputs against functions whose shares are known.
#include "sim/first_order_effects.hpp"

#include <cmath>
#include <stdexcept>

#include "sim/sobol.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

class Cube {
 public:
  Cube(std::size_t points, std::size_t inputs)
      : points_(points, inputs, {11, 0, Purpose{4}, 0}),
        basis_(points, inputs, [this](std::size_t point, std::size_t input) { return points_.at(point, input); }) {}

  template <class F>
  std::vector<double> values(std::size_t points, F f) const {
    std::vector<double> y;
    for (std::size_t i = 0; i < points; ++i) y.push_back(f([this, i](std::size_t d) { return points_.at(i, d); }));
    return y;
  }
  const InputBasis& basis() const { return basis_; }

 private:
  SobolPoints points_;
  InputBasis basis_;
};

}  // namespace

TEST_CASE("a sum of inputs: each share is its squared weight") {
  const Cube cube(512, 8);
  const auto y = cube.values(512, [](auto u) { return 4.0 * u(2) + 2.0 * u(5) - 1.0 * u(7); });
  const Effects effects = first_order_effects({y}, cube.basis());
  CHECK(effects.variance == Approx(21.0 / 12.0).epsilon(0.01));
  CHECK(effects.shares[2] == Approx(16.0 / 21.0).epsilon(0.02));
  CHECK(effects.shares[5] == Approx(4.0 / 21.0).epsilon(0.02));
  CHECK(effects.shares[7] == Approx(1.0 / 21.0).epsilon(0.05));
  for (const std::size_t other : {0U, 1U, 3U, 4U, 6U}) CHECK(effects.shares[other] < 1e-6);
}

TEST_CASE("the g function of Sobol': even effects and what inputs do together") {
  // g = product of (|4u-2| + a) / (1 + a); V_i = 1 / (3 (1+a)^2), V = product of (1 + V_i) - 1.
  const double a[] = {0.0, 1.0, 4.5, 9.0, 99.0, 99.0};
  const Cube cube(512, 6);
  const auto y = cube.values(512, [&](auto u) {
    double g = 1.0;
    for (std::size_t i = 0; i < 6; ++i) g *= (std::abs(4.0 * u(i) - 2.0) + a[i]) / (1.0 + a[i]);
    return g;
  });
  double variance = 1.0;
  for (const double ai : a) variance *= 1.0 + 1.0 / (3.0 * (1.0 + ai) * (1.0 + ai));
  variance -= 1.0;
  const Effects effects = first_order_effects({y}, cube.basis());
  CHECK(effects.variance == Approx(variance).epsilon(0.05));
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(effects.shares[i] == Approx(1.0 / (3.0 * (1.0 + a[i]) * (1.0 + a[i])) / variance).margin(0.03));
}

TEST_CASE("chance is not taken for an effect: 64 points, 30 inputs, one of them real") {
  const Cube cube(64, 30);
  const auto y = cube.values(64, [](auto u) { return std::exp(2.0 * u(17)); });
  const Effects effects = first_order_effects({y}, cube.basis());
  for (std::size_t i = 0; i < 30; ++i)
    if (i == 17)
      CHECK(effects.shares[i] > 0.98);
    else
      CHECK(effects.shares[i] < 0.005);
}

TEST_CASE("a cheap stand-in at more points sharpens shares and quantiles") {
  const Cube cube(512, 12);
  const auto exact = [](auto u) { return u(0) + 0.5 * u(3) + 0.25 * u(9) + 0.1 * u(0) * u(3); };
  const auto y = cube.values(32, exact);
  const auto control = cube.values(512, [](auto u) { return u(0) + 0.5 * u(3) + 0.25 * u(9); });
  const auto all = cube.values(512, exact);
  const Effects reference = first_order_effects({all}, cube.basis());
  const Effects effects = first_order_effects({y, control}, cube.basis());
  for (const std::size_t input : {0U, 3U, 9U})
    CHECK(effects.shares[input] == Approx(reference.shares[input]).margin(0.02));
  for (const double p : {0.1, 0.5, 0.9}) {
    const double truth = quantile_over_points({all}, p);
    CHECK(quantile_over_points({y, control}, p) == Approx(truth).margin(0.02));
  }
}

TEST_CASE("quantiles lie between order statistics") {
  const std::vector<double> y = {4.0, 1.0, 3.0, 2.0};
  CHECK(quantile_over_points({y}, 0.5) == 2.5);
  CHECK(quantile_over_points({y}, 0.125) == 1.0);
  CHECK(quantile_over_points({y}, 0.0) == 1.0);
  CHECK(quantile_over_points({y}, 1.0) == 4.0);
}

TEST_CASE("a constant output has no drivers, too many values are refused") {
  const Cube cube(64, 4);
  const std::vector<double> y(64, 3.0);
  const Effects effects = first_order_effects({y}, cube.basis());
  CHECK(effects.variance == 0.0);
  for (const double share : effects.shares) CHECK(share == 0.0);
  const std::vector<double> longer(65, 3.0);
  CHECK_THROWS_AS(first_order_effects({longer}, cube.basis()), std::invalid_argument);
}
