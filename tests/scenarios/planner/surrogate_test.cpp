#include "scenarios/planner/surrogate.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace headrace::scenarios {

TEST_CASE("the surrogate passes through what it saw and doubts what lies far off", "[planner]") {
  std::vector<GapSample> samples;
  for (int i = 0; i <= 8; ++i) {
    const double x = 0.5 * i / 8.0;
    samples.push_back({{x}, 0.2 * std::sin(6.0 * x), 1e-4});
  }
  const GapSurrogate surrogate(samples);
  for (const GapSample& sample : samples) CHECK(std::abs(surrogate.at(sample.at).mean - sample.gap) < 2e-3);
  const GapPrediction between = surrogate.at({0.28});
  CHECK(std::abs(between.mean - 0.2 * std::sin(6.0 * 0.28)) < 5e-3);
  const GapPrediction far = surrogate.at({1.0});
  CHECK(far.deviation > 5.0 * between.deviation);
}

TEST_CASE("noise that is known keeps the surrogate from believing single runs", "[planner]") {
  const GapSurrogate sure({{{0.0}, 0.0, 1e-4}, {{0.1}, 0.3, 1e-4}, {{1.0}, 0.0, 1e-4}});
  const GapSurrogate unsure({{{0.0}, 0.0, 0.3}, {{0.1}, 0.3, 0.3}, {{1.0}, 0.0, 0.3}});
  CHECK(sure.at({0.1}).mean > unsure.at({0.1}).mean + 0.05);
}

}  // namespace headrace::scenarios
