// The closed-form training loop and what is read back from measured rows.
#include <cmath>
#include <limits>

#include "models/backtest/calibration.hpp"
#include "models/backtest/closed_loop.hpp"
#include "tests/catch.hpp"

namespace headrace::models {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A workload whose samples all have one size: 10 samples of 10 MB every 100 ms, 1 GB/s per accelerator.
MeasuredRun plain_run(std::uint64_t accelerators) {
  MeasuredRun run;
  run.system = std::string("s");  // g++ 12 sees an overlap where a literal is assigned
  run.figures = {"w", "a", 0.1, 10, 1e7, 0.0, 1, 8, 2, true, 0.9};
  run.accelerators = accelerators;
  run.read_threads = 8;
  run.steps = 1001;
  run.published = true;
  return run;
}

/// The row that a system of this capacity and overhead would have published.
MeasuredRun measured(MeasuredRun run, double capacity_bytes_per_s, double extra_overhead_s) {
  const double overhead_s = free_overhead_s(run, run.accelerators) + extra_overhead_s;
  const double au = utilization(run, run.accelerators, capacity_bytes_per_s, overhead_s);
  run.au_percent = 100.0 * au;
  run.samples_per_s = samples_per_s(run, au, first_step_s(run, run.accelerators, capacity_bytes_per_s));
  return run;
}

}  // namespace

TEST_CASE("a rank alone takes compute, loop and hand-over, nothing else") {
  const MeasuredRun run = plain_run(1);
  CHECK(free_overhead_s(run, 1) == Approx(0.75e-3 + 1e8 / 150e9));
  CHECK(step_time_s(run, 1, kInfinity, 0.0) == Approx(0.1));
  CHECK(free_overhead_s(run, 8) - free_overhead_s(run, 1) == Approx(0.15e-3 * std::log(8.0)));
}

TEST_CASE("a saturated step lasts as long as its bytes, less what the first fill brought") {
  const MeasuredRun run = plain_run(20);
  // 1,001 steps of 2 GB, of which the 8 batches of every worker came before step 2
  CHECK(load_time_s(run, 20, 10e9) == Approx(0.2 * 993.0 / 1000.0));
  CHECK(step_time_s(run, 20, 10e9, 0.0) == Approx(0.2 * 993.0 / 1000.0));
  MeasuredRun shallow = run;
  shallow.figures.workers_hold_batches = false;
  CHECK(buffered_batches(shallow) == 2.0);
  CHECK(load_time_s(shallow, 20, 10e9) == Approx(0.2 * 999.0 / 1000.0));
}

TEST_CASE("samples that differ in size cost most where load and compute are equal") {
  MeasuredRun run = plain_run(20);
  run.figures.record_stdev_bytes = run.figures.record_bytes;
  const double capacity = load_time_s(run, 20, 1.0) / 0.1;  // load takes as long as compute
  const double deviation = 0.1 / std::sqrt(10.0);
  CHECK(step_time_s(run, 20, capacity, 0.0) == Approx(0.1 + deviation / std::sqrt(2.0 * M_PI)));
  CHECK(step_time_s(run, 20, 100.0 * capacity, 0.0) == Approx(0.1));
  CHECK(step_time_s(run, 20, 0.01 * capacity, 0.0) == Approx(10.0).epsilon(0.001));
}

TEST_CASE("AU and samples/s are the two formulas of the benchmark") {
  MeasuredRun run = plain_run(4);
  run.steps = 11;
  const double first_s = first_step_s(run, 4, 8e9);
  CHECK(first_s == Approx(0.1 + 0.4 + 8.0 * 4.0 * 1e8 / 8e9));
  // ten steps of 125 ms after the first
  CHECK(samples_per_s(run, 0.8, first_s) == Approx(4.0 * 10.0 * 11.0 / (first_s + 10.0 * 0.125)));
}

TEST_CASE("the largest count is a multiple of the hosts and the last that passes") {
  MeasuredRun run = plain_run(12);
  const double capacity = 40e9;
  const auto largest = [&](double capacity_bytes_per_s) {
    return largest_count(run, capacity_bytes_per_s, [&](std::uint64_t n) { return free_overhead_s(run, n); });
  };
  for (const std::uint64_t hosts : {1U, 3U, 5U}) {
    run.hosts = hosts;
    run.accelerators = 10 * hosts;
    const std::uint64_t count = largest(capacity);
    INFO(hosts << " hosts, count " << count);
    CHECK(count % hosts == 0);
    CHECK(utilization(run, count, capacity, free_overhead_s(run, count)) >= 0.9);
    CHECK(utilization(run, count + hosts, capacity, free_overhead_s(run, count + hosts)) < 0.9);
  }
  CHECK(largest(1.0) == 5);  // never less than one a host
  run.accelerators = 10;
  const std::uint64_t even = largest(capacity);
  run.accelerators = 11;  // not spread evenly
  const std::uint64_t uneven = largest(capacity);
  CHECK(even == uneven / 5 * 5);
  CHECK(utilization(run, uneven + 1, capacity, free_overhead_s(run, uneven + 1)) < 0.9);
  run.hosts = 1;
  run.figures.au_threshold = 0.5;
  CHECK(largest(kInfinity) == 0);
}

TEST_CASE("capacity is read back from a row that waited for it") {
  for (const double capacity : {5e9, 37e9, 400e9}) {
    const auto accelerators = static_cast<std::uint64_t>(capacity / 1e9 * 1.25);
    const MeasuredRun run = measured(plain_run(accelerators), capacity, 0.0);
    const SystemFigures figures = calibrate(CalibratingRow{&run});
    INFO("capacity " << capacity);
    CHECK(figures.known == CapacityKnown::limit);
    CHECK(figures.capacity_bytes_per_s == Approx(capacity).epsilon(0.02));
    CHECK(figures.extra_overhead_s == 0.0);
  }
}

TEST_CASE("a row that nothing held up gives a lower bound and the overhead of its system") {
  MeasuredRun run = plain_run(4);
  run.figures.workers_hold_batches = false;
  run = measured(run, 100e9, 3e-3);
  const SystemFigures figures = calibrate(CalibratingRow{&run});
  CHECK(figures.known == CapacityKnown::at_least);
  CHECK(figures.capacity_bytes_per_s == Approx(4e9).epsilon(0.06));
  CHECK(figures.extra_overhead_s == Approx(3e-3).epsilon(0.01));
}

TEST_CASE("the largest published row charges all its waits to the capacity, however few they are") {
  for (const double extra_s : {0.0, 5e-3, 10e-3}) {  // 10 ms of 110 fail a threshold of 0.9 at any count
    const MeasuredRun run = measured(plain_run(4), 400e9, extra_s);
    const SystemFigures figures = calibrate(CalibratingRow{&run, true});
    INFO("overhead " << extra_s);
    CHECK(figures.known == CapacityKnown::limit);
    CHECK(figures.extra_overhead_s == 0.0);
    CHECK(figures.capacity_bytes_per_s == Approx(4e9 * *run.au_percent / 100.0).epsilon(0.001));
  }
}

TEST_CASE("several rows of a system: the strongest statement, the largest capacity") {
  const MeasuredRun low = measured(plain_run(2), 40e9, 2e-3);
  const MeasuredRun full = measured(plain_run(44), 40e9, 0.0);
  const SystemFigures joined = calibrate(std::vector<CalibratingRow>{{&low, false}, {&full, true}});
  CHECK(joined.known == CapacityKnown::limit);
  CHECK(joined.capacity_bytes_per_s == Approx(40e9).epsilon(0.02));
  CHECK(joined.extra_overhead_s == Approx(calibrate(CalibratingRow{&low}).extra_overhead_s));
}

TEST_CASE("the overhead of a system is that of its least loaded row, waits grow from there with the load") {
  const MeasuredRun few = measured(plain_run(4), 400e9, 1e-3);
  const MeasuredRun many = measured(plain_run(24), 400e9, 3e-3);
  const SystemFigures joined = calibrate(std::vector<CalibratingRow>{{&many, false}, {&few, false}});
  CHECK(joined.extra_overhead_s == Approx(1e-3));
  CHECK(extra_overhead_s(joined, 1e9) == Approx(1e-3));
  CHECK(extra_overhead_s(joined, 4e9) == Approx(1e-3));
  CHECK(extra_overhead_s(joined, 14e9) == Approx(2e-3));
  CHECK(extra_overhead_s(joined, 24e9) == Approx(3e-3));
  CHECK(extra_overhead_s(joined, 60e9) == Approx(3e-3));
  // a row that took less at a higher load shows that the other's excess was no wait
  const MeasuredRun odd = measured(plain_run(2), 400e9, 5e-3);
  const SystemFigures three = calibrate(std::vector<CalibratingRow>{{&odd, false}, {&few, false}, {&many, false}});
  CHECK(extra_overhead_s(three, 2e9) == Approx(1e-3));
}

TEST_CASE("a row that a larger published one surpassed was not limited: what it lost is its system's overhead") {
  const MeasuredRun run = measured(plain_run(8), 400e9, 9e-3);  // 90.5 %, the threshold is 90
  CHECK(calibrate(std::vector<CalibratingRow>{{&run, true, false}}).known == CapacityKnown::limit);
  const SystemFigures surpassed = calibrate(std::vector<CalibratingRow>{{&run, false, true}});
  CHECK(surpassed.known == CapacityKnown::at_least);
  CHECK(surpassed.extra_overhead_s == Approx(9e-3).epsilon(0.01));
}

TEST_CASE("loops that pass batches on without a copy have no hand-over") {
  MeasuredRun run = plain_run(1);
  run.hands_over = false;
  CHECK(free_overhead_s(run, 1) == Approx(0.75e-3));
}

TEST_CASE("declared limits: the slower of cards and drives, page cache hits aside") {
  MeasuredRun run = plain_run(4);
  CHECK(declared_limit_bytes_per_s(run) == kInfinity);
  run.client_nic_bytes_per_s = 25e9;
  CHECK(declared_limit_bytes_per_s(run) == 25e9);
  run.storage_bytes_per_s = 10e9;
  run.page_cache_hits = 0.2;
  CHECK(declared_limit_bytes_per_s(run) == Approx(12.5e9));
  run.page_cache_hits = 1.0;
  CHECK(declared_limit_bytes_per_s(run) == 25e9);
}

}  // namespace headrace::models
