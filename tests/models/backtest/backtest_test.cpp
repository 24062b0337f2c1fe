// The whole backtest on tables that obey its own physics: there it has to be right.
#include <cmath>

#include "models/backtest/backtest.hpp"
#include "models/backtest/closed_loop.hpp"
#include "models/twins/order_statistics.hpp"
#include "tests/catch.hpp"

namespace headrace::models {
namespace {

constexpr double kCapacity = 40e9;

MeasuredRun row(const char* workload, const char* accelerator, double compute_s, std::uint64_t accelerators) {
  MeasuredRun run;
  run.system = std::string("s");  // g++ 12 sees an overlap where a literal is assigned
  run.figures = {workload, accelerator, compute_s, 10, 1e7, 0.0, 1, 8, 2, true, 0.9};
  run.accelerators = accelerators;
  run.read_threads = 8;
  run.steps = 1000;
  run.published = true;
  const double au = utilization(run, accelerators, kCapacity, free_overhead_s(run, accelerators));
  run.au_percent = 100.0 * au;
  run.samples_per_s = samples_per_s(run, au, first_step_s(run, accelerators, kCapacity));
  return run;
}

MeasuredRun largest_row(const char* workload, const char* accelerator, double compute_s) {
  MeasuredRun run = row(workload, accelerator, compute_s, 1);
  const auto overhead_s = [&](std::uint64_t count) { return free_overhead_s(run, count); };
  return row(workload, accelerator, compute_s, largest_count(run, kCapacity, overhead_s));
}

}  // namespace

TEST_CASE("from one accelerator's largest count to another's, exactly") {
  std::vector<MeasuredRun> runs{largest_row("w", "slow", 0.2), largest_row("w", "fast", 0.1)};
  runs[0].calibrates = true;
  const Backtest result = run_backtest(runs);
  CHECK(result.calibrated == 1);
  CHECK(result.predicted == 1);
  const BacktestRow& fast = result.rows[1];
  CHECK(fast.status == RowStatus::predicted);
  CHECK(fast.prediction.basis == Basis::same_workload);
  CHECK(fast.prediction.predicted.max_accelerators == static_cast<double>(runs[1].accelerators));
  CHECK(fast.measured.max_accelerators == static_cast<double>(runs[1].accelerators));
  CHECK(fast.prediction.guess.max_accelerators == Approx(static_cast<double>(runs[0].accelerators) / 2.0));
  REQUIRE(result.bars.size() == 1);
  CHECK(result.bars[0].id == "V1");
  CHECK(result.bars[0].met);
}

TEST_CASE("samples/s follow AU and the first step") {
  std::vector<MeasuredRun> runs{largest_row("w", "slow", 0.2), largest_row("w", "fast", 0.1)};
  runs[0].calibrates = true;
  const BacktestRow fast = run_backtest(runs).rows[1];
  CHECK(std::fabs(*fast.prediction.predicted.au_percent - *runs[1].au_percent) < 3.0);
  CHECK(*fast.prediction.predicted.samples_per_s == Approx(*runs[1].samples_per_s).epsilon(0.03));
}

TEST_CASE("the nearest rows calibrate: series, workload, system, nothing") {
  std::vector<MeasuredRun> runs{row("w", "a", 0.1, 30), row("w", "b", 0.2, 60), row("v", "a", 0.1, 30),
                                row("w", "a", 0.1, 40)};
  for (int i = 0; i < 3; ++i) runs[static_cast<std::size_t>(i)].calibrates = true;
  const auto basis = [&runs] { return run_backtest(runs).rows[3].prediction.basis; };
  CHECK(basis() == Basis::same_series);
  runs[0].system = "other";
  CHECK(basis() == Basis::same_workload);
  runs[1].system = "other";
  CHECK(basis() == Basis::other_workload);
  runs[2].submitter = "other";
  CHECK(basis() == Basis::declared);
}

TEST_CASE("a published row is never predicted under its threshold, a row of one's own may be") {
  std::vector<MeasuredRun> runs{largest_row("w", "a", 0.2), row("w", "b", 0.1, 200)};
  runs[0].calibrates = true;
  CHECK(*run_backtest(runs).rows[1].prediction.predicted.au_percent == Approx(90.0));
  runs[1].published = false;
  CHECK(*run_backtest(runs).rows[1].prediction.predicted.au_percent == Approx(20.0).epsilon(0.02));
}

TEST_CASE("a published row with nothing beside it lies in the middle between threshold and ceiling") {
  std::vector<MeasuredRun> runs{largest_row("w", "a", 0.1)};
  const double count = static_cast<double>(runs[0].accelerators);
  const double ceiling =
      100.0 * utilization(runs[0], runs[0].accelerators, 1e18, free_overhead_s(runs[0], runs[0].accelerators));
  CHECK(*run_backtest(runs).rows[0].prediction.predicted.au_percent == Approx(0.5 * (90.0 + ceiling)));
  // fewer accelerators are nearer to the ceiling, on the line from one of them
  runs.push_back(row("w", "a", 0.1, 6));
  const double top = 100.0 * utilization(runs[1], 6, 1e18, free_overhead_s(runs[1], 6));
  const double load = (6.0 - 1.0) / (count - 1.0);
  CHECK(*run_backtest(runs).rows[1].prediction.predicted.au_percent == Approx(top - 0.5 * load * (top - 90.0)));
}

TEST_CASE("no calibrating row leaves another accelerator without a feasible count") {
  for (const double au : {90.0, 90.5, 93.0, 98.0}) {  // an overhead of that size fails the threshold of the fast one
    std::vector<MeasuredRun> runs{row("w", "slow", 0.2, 102), row("w", "fast", 0.02, 10)};
    runs[0].calibrates = true;
    runs[0].au_percent = au;
    const Prediction fast = run_backtest(runs).rows[1].prediction;
    INFO("AU " << au << ", plain " << *fast.guess.max_accelerators);
    REQUIRE(fast.predicted.max_accelerators.has_value());
    CHECK(*fast.predicted.max_accelerators >= std::floor(*fast.guess.max_accelerators));
    CHECK(*fast.predicted.max_accelerators <= *fast.guess.max_accelerators / 0.9);
  }
}

TEST_CASE("systems of one kind calibrate each other's steps, not their counts") {
  std::vector<MeasuredRun> runs{row("w", "a", 0.1, 4), largest_row("w", "a", 0.1)};
  runs[0].system = std::string("s1");
  runs[1].system = std::string("s2");
  runs[0].calibrates = true;
  CHECK(run_backtest(runs).rows[1].prediction.basis == Basis::declared);
  for (MeasuredRun& run : runs) run.kind = std::string("k");
  const Prediction larger = run_backtest(runs).rows[1].prediction;
  CHECK(larger.basis == Basis::same_kind);
  CHECK_FALSE(larger.predicted.max_accelerators.has_value());
  CHECK(larger.no_max_reason.find("another size") != std::string::npos);
  runs[0].au_percent = 91.0;  // near the threshold with four: more of them are not better
  CHECK(*run_backtest(runs).rows[1].prediction.predicted.au_percent < 91.0);
}

TEST_CASE("where storage grew with the job, the overhead grows as the longest delay of the ranks") {
  std::vector<MeasuredRun> runs{row("w", "a", 0.1, 4), row("w", "a", 0.1, 64)};
  for (MeasuredRun& run : runs) {
    run.kind = std::string("k");
    run.system = std::to_string(run.accelerators);
    run.storage = run.system;
    run.hosts = run.accelerators;
  }
  runs[0].calibrates = true;
  runs[0].au_percent = 98.0;
  const auto predicted = [&runs] { return *run_backtest(runs).rows[1].prediction.predicted.au_percent; };
  const double free_s = free_overhead_s(runs[0], 4);
  const double extra_s = 0.1 / 0.98 - 0.1 - free_s;
  const double longest = twins::lognormal_max_ratio(64, twins::lognormal_sigma(2.0)) /
                         twins::lognormal_max_ratio(4, twins::lognormal_sigma(2.0));
  CHECK(predicted() == Approx(100.0 * 0.1 / (0.1 + free_overhead_s(runs[1], 64) + longest * extra_s)).epsilon(1e-6));
  runs[0].au_percent = 91.0;  // a published row met its threshold
  CHECK(predicted() == Approx(90.0));
  runs[0].au_percent = 98.0;
  const double grown = predicted();
  runs[1].hosts = 8;  // eight share what one had
  CHECK(predicted() != Approx(grown).margin(0.1));
  runs[1].hosts = 64;
  runs[1].storage = runs[0].storage;
  CHECK(predicted() != Approx(grown).margin(0.1));
}

TEST_CASE("what is not known is not predicted, with the reason") {
  std::vector<MeasuredRun> runs{row("w", "a", 0.1, 2), row("w", "a", 0.1, 4), row("v", "a", 0.1, 4)};
  runs[0].calibrates = true;
  runs[1].missing = "num_accelerators is missing";
  const Backtest result = run_backtest(runs);
  CHECK(result.not_predicted == 1);
  CHECK(result.rows[1].status == RowStatus::not_predicted);
  CHECK(result.rows[1].reason == "num_accelerators is missing");
  CHECK(result.rows[2].prediction.predicted.au_percent.has_value());
  CHECK_FALSE(result.rows[2].prediction.predicted.max_accelerators.has_value());
  CHECK(result.rows[2].prediction.no_max_reason.find("clients") != std::string::npos);
  runs[0].au_percent.reset();
  CHECK(run_backtest(runs).rows[0].status == RowStatus::not_calibrated);
  CHECK(run_backtest(runs).rows[2].prediction.no_max_reason.find("no row calibrates") != std::string::npos);
}

TEST_CASE("a slow first step names no largest count") {
  for (const double start_up_s : {0.3, 1.0, 3.0, 6.0}) {
    for (const std::uint64_t count : {1U, 2U, 4U, 8U}) {
      INFO("start-up " << start_up_s << " s, " << count << " calibrate");
      std::vector<MeasuredRun> runs{row("w", "a", 0.1, count), largest_row("w", "a", 0.1)};
      const double late_s = first_step_s(runs[0], count, kCapacity) + start_up_s - kLoop.start_up_s;
      runs[0].read_threads = 32;
      runs[0].samples_per_s = samples_per_s(runs[0], *runs[0].au_percent / 100.0, late_s);
      runs[0].calibrates = true;
      const Prediction more = run_backtest(runs).rows[1].prediction;
      CHECK_FALSE(more.predicted.max_accelerators.has_value());
      CHECK(*more.predicted.au_percent > 90.0);
    }
  }
}

TEST_CASE("waits near the limit are not charged to a few accelerators") {
  // a system of this overhead a step, whose waits add up to 1.2 ms at 24 accelerators of 5.51 ms
  for (const double overhead_s : {-0.2e-3, 0.0, 0.4e-3}) {
    const auto with_waits = [&](double compute_s, std::uint64_t accelerators) {
      MeasuredRun run = row("w", compute_s < 5e-3 ? "fast" : "slow", compute_s, accelerators);
      run.figures = {"w", run.figures.accelerator, compute_s, 1, 2.8e6, 0.0, 1, 4, 2, false, 0.7};
      run.published = false;
      const double offered = static_cast<double>(accelerators) / compute_s;
      const double waits_s = 1.2e-3 * std::pow(offered * 5.51e-3 / 24.0, 3.0);
      const double step_s = compute_s + free_overhead_s(run, accelerators) + overhead_s + waits_s;
      run.au_percent = 100.0 * compute_s / step_s;
      run.samples_per_s.reset();
      return run;
    };
    for (const std::uint64_t target : {1U, 2U, 4U, 8U}) {
      std::vector<MeasuredRun> runs{with_waits(5.51e-3, 4), with_waits(5.51e-3, 16), with_waits(3.5e-3, target)};
      runs[0].calibrates = runs[1].calibrates = true;
      const double predicted = *run_backtest(runs).rows[2].prediction.predicted.au_percent;
      INFO(overhead_s << " s, " << target << " accelerators: " << predicted << " for " << *runs[2].au_percent);
      CHECK(std::fabs(predicted - *runs[2].au_percent) < 2.5);
    }
  }
}

TEST_CASE("a row of one's own meets the threshold up to the predicted count and not beyond") {
  for (const double fill : {0.0, 20e9}) {
    std::vector<MeasuredRun> runs{largest_row("w", "a", 0.2), row("w", "b", 0.1, 4)};
    runs[0].calibrates = true;
    runs[0].read_threads = 64;
    if (fill > 0.0)
      runs[0].samples_per_s =
          samples_per_s(runs[0], *runs[0].au_percent / 100.0, first_step_s(runs[0], runs[0].accelerators, fill));
    runs[1].published = false;
    for (std::uint64_t count = 1; count < 80; ++count) {
      runs[1].accelerators = count;
      const Prediction own = run_backtest(runs).rows[1].prediction;
      INFO(count << " of " << own.predicted.max_accelerators.value_or(0.0));
      REQUIRE(own.predicted.max_accelerators.has_value());
      const bool passes = *own.predicted.au_percent >= 90.0;
      CHECK(passes == (static_cast<double>(count) <= *own.predicted.max_accelerators));
    }
  }
}

TEST_CASE("a declared rate stands in for a calibrating row") {
  std::vector<MeasuredRun> runs{largest_row("w", "a", 0.1)};
  runs[0].storage_bytes_per_s = kCapacity;
  const BacktestRow only = run_backtest(runs).rows[0];
  CHECK(only.prediction.system.known == CapacityKnown::declared);
  CHECK(only.prediction.predicted.max_accelerators == static_cast<double>(runs[0].accelerators));
}

TEST_CASE("the measured largest count: of published series, or where the next count failed") {
  std::vector<MeasuredRun> runs{row("w", "a", 0.1, 20), row("w", "a", 0.1, 30), row("w", "a", 0.1, 60)};
  const auto largest = [&runs](std::size_t i) { return run_backtest(runs).rows[i].measured.max_accelerators; };
  CHECK_FALSE(largest(0).has_value());
  for (MeasuredRun& run : runs) run.published = false;
  REQUIRE(*runs[2].au_percent < 90.0);
  CHECK_FALSE(largest(0).has_value());
  CHECK(largest(1) == 30.0);
  CHECK_FALSE(largest(2).has_value());
}

TEST_CASE("a failed row beside published ones leaves them their largest count and is not lifted to the threshold") {
  const MeasuredRun full = largest_row("w", "a", 0.1);
  for (const std::uint64_t more : {1U, 4U, 20U}) {
    std::vector<MeasuredRun> runs{row("w", "a", 0.1, 4), full, row("w", "a", 0.1, full.accelerators + more)};
    runs[2].published = false;
    REQUIRE(*runs[2].au_percent < 90.0);
    runs[1].calibrates = true;
    const Backtest result = run_backtest(runs);
    INFO(full.accelerators << " and " << more << " more");
    CHECK(result.rows[1].measured.max_accelerators == static_cast<double>(full.accelerators));
    CHECK_FALSE(result.rows[2].measured.max_accelerators.has_value());
    const Prediction failed = result.rows[2].prediction;
    CHECK(*failed.predicted.max_accelerators == Approx(static_cast<double>(full.accelerators)).margin(1));
    CHECK(*failed.predicted.au_percent < 90.0);
    CHECK(*failed.predicted.au_percent == Approx(*runs[2].au_percent).margin(2.0));
  }
}

TEST_CASE("errors: AU in points, the others in per cent, skill against the guess") {
  std::vector<MeasuredRun> runs{largest_row("w", "slow", 0.2), largest_row("w", "fast", 0.1)};
  runs[0].calibrates = true;
  const auto predicted = run_backtest(runs).rows[1].prediction;
  runs[1].au_percent = *predicted.predicted.au_percent - 1.5;
  runs[1].samples_per_s = *predicted.predicted.samples_per_s / 1.25;
  const Backtest result = run_backtest(runs);
  CHECK(result.au.mean_abs_error == Approx(1.5));
  CHECK(result.au.mean_error == Approx(1.5));
  CHECK(result.samples_per_s.median_abs_error == Approx(25.0));
  const double guess_error = std::fabs(*predicted.guess.au_percent - *runs[1].au_percent);
  CHECK(result.au.baseline_mean_abs_error == Approx(guess_error));
  CHECK(*result.au.skill == Approx(1.0 - 1.5 / guess_error));
}

}  // namespace headrace::models
