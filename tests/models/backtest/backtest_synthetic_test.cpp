// Systems that nobody fitted anything to: capacity, overhead and start-up are drawn, a step-by-step loop (not the
// closed form of the predictor) runs on them, and its rows are backtested. Seeds are fixed, so nothing fails by chance;
// the tolerances are the aims of docs/validation.md.
#include <algorithm>
#include <cmath>
#include <random>

#include "models/backtest/backtest.hpp"
#include "models/backtest/closed_loop.hpp"
#include "tests/catch.hpp"

namespace headrace::models {
namespace {

constexpr std::uint64_t kSteps = 500;

struct System {
  double capacity_bytes_per_s = 0.0;
  double start_up_s = 0.0;
  double overhead_s = 0.0;  ///< of a step, alone
  double size_error = 0.0;  ///< of the time that a step's bytes take, over its mean: neighbours, retries
};

/// Numbers from 0 to 1, the same on every platform (the engine is specified, distributions are not).
class Draws {
 public:
  explicit Draws(std::uint32_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_()) / 4294967296.0; }
  double between(double least, double most) { return least + (most - least) * uniform(); }
  double logarithmic(double least, double most) { return least * std::pow(most / least, uniform()); }
  /// Mean 0, deviation 1: twelve uniforms.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  std::mt19937 engine_;
};

/// One epoch: a store that works ahead until the buffers are full, ranks that take one batch each a step and wait for
/// it. Fills in AU and samples/s.
void run_epoch(MeasuredRun& run, const System& system, Draws& draws) {
  const auto count = static_cast<double>(run.accelerators);
  const double depth = buffered_batches(run);
  const double load_s = count * run.figures.batch_bytes() / system.capacity_bytes_per_s;
  const double own_s = run.figures.computation_time_s + system.overhead_s * (1.0 + 0.15 * std::log(count));
  double ahead = depth;
  double elapsed_s = 0.0;
  for (std::uint64_t step = 1; step < kSteps; ++step) {
    const bool reads = static_cast<double>(step) + depth <= static_cast<double>(kSteps);
    const double this_s = load_s * std::max(0.2, 1.0 + system.size_error * draws.normal());
    ahead = reads ? ahead + own_s / this_s - 1.0 : depth;
    const double wait_s = ahead < 0.0 ? -ahead * this_s : 0.0;
    ahead = std::clamp(ahead, 0.0, depth);
    elapsed_s += own_s + wait_s;
  }
  const double first_s = system.start_up_s + depth * load_s + run.figures.computation_time_s;
  const double steps = static_cast<double>(kSteps);
  run.au_percent = 100.0 * run.figures.computation_time_s * (steps - 1.0) / elapsed_s;
  run.samples_per_s = count * static_cast<double>(run.figures.batch_size) * steps / (first_s + elapsed_s);
}

WorkloadFigures figures_of(int workload, bool fast) {
  const std::string accelerator = fast ? "fast" : "slow";
  if (workload == 0) return {"volumes", accelerator, fast ? 0.3 : 0.6, 6, 1.5e8, 6e7, 1, 8, 2, true, 0.9};
  if (workload == 1) return {"images", accelerator, fast ? 0.2 : 0.4, 400, 1.2e5, 0.0, 1000, 8, 2, false, 0.9};
  return {"cubes", accelerator, fast ? 0.004 : 0.006, 1, 3e6, 0.0, 1, 4, 2, false, 0.7};
}

/// One alone, half of the largest count, the largest count that passes.
void add_series(std::vector<MeasuredRun>& runs, const MeasuredRun& pattern, const System& system, std::uint32_t seed) {
  const auto measured = [&](std::uint64_t count) {
    MeasuredRun run = pattern;
    run.accelerators = count;
    Draws draws(seed + static_cast<std::uint32_t>(count));
    run_epoch(run, system, draws);
    return run;
  };
  std::uint64_t largest = 0;
  const auto passes = [&](std::uint64_t count) {
    return *measured(count).au_percent >= 100.0 * pattern.figures.au_threshold;
  };
  for (std::uint64_t step = 1024; step > 0; step /= 2)
    if (passes(largest + step)) largest += step;
  std::vector<std::uint64_t> counts{1, largest / 2, largest};
  if (largest < 4) counts = {largest};
  for (const std::uint64_t count : counts) {
    const MeasuredRun run = measured(count);
    if (count > 0 && *run.au_percent >= 100.0 * pattern.figures.au_threshold) runs.push_back(run);
  }
}

std::vector<MeasuredRun> rows_of(std::uint32_t seed) {
  Draws draws(seed);
  std::vector<MeasuredRun> runs;
  for (int i = 0; i < 10; ++i) {
    System system;
    system.capacity_bytes_per_s = draws.logarithmic(4e9, 1.5e11);
    system.start_up_s = draws.logarithmic(0.3, 6.0);
    for (int workload = 0; workload < 3; ++workload) {
      const double least_s[] = {0.006, 0.001, 0.0006};
      const double most_s[] = {0.020, 0.012, 0.0012};
      system.overhead_s = draws.between(least_s[workload], most_s[workload]);
      system.size_error = draws.between(0.02, 0.2);
      MeasuredRun pattern;
      pattern.system = "system " + std::to_string(i);
      pattern.published = true;
      pattern.steps = kSteps;
      pattern.read_threads = std::uint64_t{4} << static_cast<unsigned>(4.0 * draws.uniform());
      for (const bool fast : {false, true}) {
        pattern.figures = figures_of(workload, fast);
        add_series(runs, pattern, system, seed + 5000U * static_cast<std::uint32_t>(runs.size() + 1));
      }
    }
  }
  return runs;
}

template <class Calibrates>
Backtest backtest_of(std::vector<MeasuredRun> runs, Calibrates calibrates) {
  for (MeasuredRun& run : runs) run.calibrates = calibrates(run);
  return run_backtest(runs);
}

Bar bar(const Backtest& result, const std::string& id) {
  const auto found =
      std::find_if(result.bars.begin(), result.bars.end(), [&](const Bar& candidate) { return candidate.id == id; });
  if (found == result.bars.end()) FAIL("no bar " << id);
  return *found;
}

}  // namespace

TEST_CASE("backtests of drawn systems meet the aims that published ones do") {
  for (const std::uint32_t seed : {11U, 12U, 13U, 14U}) {
    const std::vector<MeasuredRun> runs = rows_of(seed);
    INFO("seed " << seed << ", " << runs.size() << " rows");
    REQUIRE(runs.size() > 100);
    for (const bool fast : {false, true}) {
      const std::string from = fast ? "fast" : "slow";
      const Backtest other = backtest_of(runs, [&](const MeasuredRun& run) { return run.figures.accelerator == from; });
      INFO("from " << from);
      CHECK(bar(other, "V1").count > 20);
      CHECK(bar(other, "V1").value <= 6.0);
      CHECK(other.au.mean_abs_error <= 2.0);
      CHECK(other.au.mean_abs_error < other.au.baseline_mean_abs_error);
    }
    const Backtest larger = backtest_of(runs, [](const MeasuredRun& run) { return run.accelerators == 1; });
    CHECK(bar(larger, "V2").count > 60);
    CHECK(bar(larger, "V2").value <= 2.2);
    CHECK(bar(larger, "V2").value < 0.5 * bar(larger, "V2").guess);
    const Backtest workloads =
        backtest_of(runs, [](const MeasuredRun& run) { return run.figures.workload == "volumes"; });
    CHECK(bar(workloads, "V3").value <= 10.0);
  }
}

TEST_CASE("no drawn system with a slow start gets a largest count that its own rows refute") {
  for (const std::uint32_t seed : {21U, 22U, 23U}) {
    const std::vector<MeasuredRun> runs = rows_of(seed);
    const Backtest larger = backtest_of(runs, [](const MeasuredRun& run) { return run.accelerators == 1; });
    for (const BacktestRow& row : larger.rows) {
      const auto predicted = row.prediction.predicted.max_accelerators;
      if (!predicted || !row.measured.max_accelerators) continue;
      INFO("seed " << seed << ", " << runs[row.run].system << " " << runs[row.run].figures.workload);
      CHECK(*predicted + 1.0 >= 0.6 * *row.measured.max_accelerators);
    }
  }
}

}  // namespace headrace::models
