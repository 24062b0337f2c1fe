// The ways of reading of NoPFS where arithmetic by hand gives the answer, and the steps of the benchmark's loop.
#include "tests/twins/read_policies.hpp"

#include <stdexcept>
#include <vector>

#include "models/backtest/step_times.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;
using twins::ReadPolicy;

namespace {

twins::ReadPolicyCase by_hand() {
  twins::ReadPolicyCase shape;
  shape.nodes = 2;
  shape.batch = 4;
  shape.epochs = 3;
  shape.threads = 2;
  shape.compute_bytes_per_s = 100.0;
  shape.preprocess_bytes_per_s = 50.0;
  shape.file_system_bytes_per_s = 40.0;
  shape.memory_bytes_per_s = 1000.0;
  shape.remote_bytes_per_s = 500.0;
  return shape;
}

}  // namespace

TEST_CASE("samples of one size: every way of reading by hand") {
  // 80 samples of 10 bytes: 10 steps of 2 x 4 in an epoch, 120 samples a node in all; 0.1 s to train on one, 0.2 s to
  // preprocess, 0.5 s to fetch.
  const twins::ReadPolicyCase shape = by_hand();
  const std::vector<double> sizes(80, 10.0);
  CHECK(twins::run_time_s(shape, ReadPolicy::no_stall, sizes) == Approx(120 * 0.1));
  CHECK(twins::run_time_s(shape, ReadPolicy::naive, sizes) == Approx(120 * 0.8));
  // Two threads bring a sample each 0.35 s, and the last one is trained on after that.
  CHECK(twins::run_time_s(shape, ReadPolicy::staged, sizes) == Approx(120 * 0.35 + 0.1));
  // From the second epoch on: 0.2 s and the mean of 0.01 and 0.02 s from memory, by two threads.
  CHECK(twins::run_time_s(shape, ReadPolicy::clairvoyant, sizes) == Approx(40 * 0.35 + 80 * 0.1075 + 0.1));
  twins::ReadPolicyCase half = shape;
  half.held = 0.5;
  CHECK(twins::run_time_s(half, ReadPolicy::clairvoyant, sizes) ==
        Approx(40 * 0.35 + 80 * 0.5 * (0.1075 + 0.35) + 0.1));
}

TEST_CASE("nodes meet after each batch, and too few samples are refused") {
  twins::ReadPolicyCase shape = by_hand();
  shape.epochs = 1;
  std::vector<double> sizes(8, 10.0);
  sizes[0] = 50.0;  // the first node's batch takes 0.8 s, the second's 0.4 s
  CHECK(twins::run_time_s(shape, ReadPolicy::no_stall, sizes) == Approx(0.8));
  sizes.pop_back();
  CHECK_THROWS_AS(twins::run_time_s(shape, ReadPolicy::no_stall, sizes), std::invalid_argument);
}

TEST_CASE("the slowest of n ranks has the quantile of p^(1/n), and samples of one size do not spread") {
  MeasuredRun run;
  run.figures.computation_time_s = 0.3;
  run.figures.batch_size = 4;
  run.figures.record_bytes = 1e6;
  const StepTimes constant(run, 8, 1e9);
  CHECK(constant.mean_load_s() == Approx(4e-3));
  CHECK(constant.load_quantile_s(0.99) == Approx(4e-3));
  CHECK(constant.slowest_quantile_s(0.5) == Approx(0.3 + kLoop.loop_s + 4e-3));
  run.figures.record_stdev_bytes = 5e5;
  const StepTimes one(run, 1, 1e9);
  const StepTimes eight(run, 8, 1e9);
  CHECK(one.slowest_quantile_s(0.9) == Approx(0.3 + kLoop.loop_s + one.load_quantile_s(0.9)));
  CHECK(eight.slowest_quantile_s(0.43046721) == Approx(one.slowest_quantile_s(0.9)));  // 0.9^8
  CHECK(one.load_quantile_s(0.9) > 1.2 * one.load_quantile_s(0.5));
}
