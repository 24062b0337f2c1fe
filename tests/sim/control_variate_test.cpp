#include "sim/control_variate.hpp"

#include <cmath>
#include <vector>

#include "sim/batch_means.hpp"
#include "tests/catch.hpp"
#include "tests/sim/reference_series.hpp"

using namespace headrace::sim;

namespace {

// Target with mean 10 and control with mean 5, of correlation r.
struct Pair {
  std::vector<double> target;
  std::vector<double> control;
};

Pair correlated(std::uint64_t seed, std::size_t n, double r) {
  Pair pair{reference::normals(seed, n), reference::normals(seed + 1'000'000, n)};
  for (std::size_t i = 0; i < n; ++i) {
    pair.target[i] = 10.0 + r * pair.control[i] + std::sqrt(1.0 - r * r) * pair.target[i];
    pair.control[i] += 5.0;
  }
  return pair;
}

double half_width(const SteadyStateResult& result) { return result.interval->half_width(result.mean); }

}  // namespace

TEST_CASE("a control takes out its share of the variance") {
  const Pair pair = correlated(1, 16'384, 0.95);
  const SteadyStateResult plain = steady_state_interval(pair.target);
  const ControlVariateResult with = controlled_interval(pair.target, pair.control, {5.0, 0.0});
  REQUIRE(plain.enough_data());
  REQUIRE(with.result.enough_data());
  CHECK(with.applied);
  CHECK(with.off_reason.empty());
  CHECK(with.correlation == Approx(0.95).margin(0.06));
  CHECK(with.coefficient == Approx(0.95).margin(0.2));
  // sqrt(1 - 0.95^2) = 0.31
  CHECK(half_width(with.result) < 0.45 * half_width(plain));
  CHECK(with.result.interval->contains(10.0));
}

TEST_CASE("an exact copy as control leaves the control's own error") {
  const std::vector<double> series = reference::mm1_waits(2, 32'768, 0.5);
  const ControlVariateResult exact = controlled_interval(series, series, {1.0, 0.0});
  REQUIRE(exact.result.enough_data());
  CHECK(exact.result.mean == Approx(1.0).epsilon(1e-12));
  CHECK(half_width(exact.result) < 1e-10);

  const ControlVariateResult noisy = controlled_interval(series, series, {1.0, 0.001});
  REQUIRE(noisy.result.enough_data());
  CHECK(half_width(noisy.result) >= 1.95 * noisy.coefficient * 0.001);
  CHECK(half_width(noisy.result) < 0.1 * half_width(steady_state_interval(series)));
}

TEST_CASE("a control whose mean is poorly known is hardly used and never hides its error") {
  const Pair pair = correlated(3, 16'384, 0.95);
  const SteadyStateResult plain = steady_state_interval(pair.target);
  const ControlVariateResult with = controlled_interval(pair.target, pair.control, {5.3, 0.3});
  REQUIRE(with.result.enough_data());
  CHECK(with.coefficient < 0.01);
  CHECK(half_width(with.result) == Approx(half_width(plain)).epsilon(0.1));
}

TEST_CASE("a weak control or too few batches turn it off") {
  const Pair weak = correlated(4, 16'384, 0.2);
  const ControlVariateResult off = controlled_interval(weak.target, weak.control, {5.0, 0.0});
  CHECK_FALSE(off.applied);
  CHECK(off.off_reason == "correlation below 0.5");
  CHECK(off.result.mean == steady_state_interval(weak.target).mean);
  CHECK(off.result.interval->lo == steady_state_interval(weak.target).interval->lo);

  const Pair few = correlated(5, 31, 0.99);
  CHECK(controlled_interval(few.target, few.control, {5.0, 0.0}).off_reason == "fewer than 32 batches");
  const std::vector<double> constant(16'384, 2.0);
  CHECK_FALSE(controlled_interval(constant, weak.control, {5.0, 0.0}).applied);
  CHECK_FALSE(controlled_interval(few.target, weak.control, {5.0, 0.0}).applied);
}

// The control's mean is drawn anew for each of 300 runs with the error that is told. With a true coverage of 0.95,
// under 0.88 has probability 5e-7 (binomial).
TEST_CASE("controlled intervals cover when the control's mean is an estimate", "[statistical]") {
  int covered = 0;
  const std::vector<double> errors = reference::normals(77, 300);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Pair pair = correlated(seed + 100, 2048, 0.9);
    const ControlMean control_mean{5.0 + 0.01 * errors[seed], 0.01};
    const ControlVariateResult with = controlled_interval(pair.target, pair.control, control_mean);
    covered += with.applied && with.result.enough_data() && with.result.interval->contains(10.0) ? 1 : 0;
  }
  INFO("covered " << covered << " of 300");
  CHECK(covered >= 264);
}
