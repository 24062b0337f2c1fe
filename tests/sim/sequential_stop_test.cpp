#include "sim/sequential_stop.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

constexpr StopRule kRule{1000, 10'000};
const WarmUpVerdict kWarm{100, true, {}};

StopCriterion step_time(double half_width) {
  return {2.0, Interval{2.0 - half_width / 2, 2.0 + half_width}, kStepTimePrecision};
}
StopCriterion idle(double mean, double half_width) {
  return {mean, Interval{mean - half_width, mean + half_width / 2}, kIdleFractionPrecision};
}

}  // namespace

TEST_CASE("precision is the larger of the relative and the absolute target, for the longer arm") {
  CHECK(is_precise(step_time(0.0199)));
  CHECK_FALSE(is_precise(step_time(0.0201)));
  CHECK(is_precise(idle(0.001, 0.0019)));
  CHECK_FALSE(is_precise(idle(0.001, 0.0021)));
  CHECK(is_precise(idle(0.5, 0.049)));
  CHECK_FALSE(is_precise(idle(0.5, 0.051)));
  CHECK(is_precise(idle(0.0, 0.0)));
  CHECK_FALSE(is_precise({1.0, std::nullopt, {1e9, 1e9}}));
  CHECK(is_precise({-2.0, Interval{-2.01, -1.99}, {0.01, 0.0}}));
}

TEST_CASE("looks double from the minimum and end at the maximum") {
  CHECK(next_look(0, kRule) == 1000);
  CHECK(next_look(999, kRule) == 1000);
  CHECK(next_look(1000, kRule) == 2000);
  CHECK(next_look(1001, kRule) == 2000);
  CHECK(next_look(4000, kRule) == 8000);
  CHECK(next_look(8000, kRule) == 10'000);
  CHECK(next_look(0, {1000, 500}) == 500);
}

TEST_CASE("a run stops, continues or ends inconclusive") {
  const std::vector<StopCriterion> good{step_time(0.01), idle(0.05, 0.004)};
  const std::vector<StopCriterion> wide{step_time(0.01), idle(0.05, 0.006)};
  const std::vector<StopCriterion> unknown{step_time(0.01), {0.05, std::nullopt, kIdleFractionPrecision}};

  CHECK(sequential_stop(good, kWarm, 1000, kRule).decision == StopDecision::kStop);
  // Never before the first look, however good it seems.
  CHECK(sequential_stop(good, kWarm, 999, kRule).decision == StopDecision::kContinue);
  CHECK(sequential_stop(good, kWarm, 999, kRule).next_look_steps == 1000);

  for (const auto& criteria : {wide, unknown}) {
    CHECK(sequential_stop(criteria, kWarm, 2000, kRule).decision == StopDecision::kContinue);
    CHECK(sequential_stop(criteria, kWarm, 2000, kRule).next_look_steps == 4000);
    const StopVerdict last = sequential_stop(criteria, kWarm, 10'000, kRule);
    CHECK(last.decision == StopDecision::kInconclusive);
    CHECK_FALSE(last.reason.empty());
  }
  CHECK(sequential_stop(good, kWarm, 10'000, kRule).decision == StopDecision::kStop);
}

TEST_CASE("without a reliable warm-up there is no stop") {
  const std::vector<StopCriterion> good{step_time(0.01)};
  const WarmUpVerdict cold{900, false, "MSER-5 cuts more than half of the series"};
  CHECK(sequential_stop(good, cold, 1000, kRule).decision == StopDecision::kContinue);
  CHECK(sequential_stop(good, cold, 10'000, kRule).decision == StopDecision::kInconclusive);
  CHECK(sequential_stop(good, cold, 10'000, kRule).reason == cold.reason);
}
