// The control variate of a study: the uncontended twin of each run.
#include "models/study/step_control.hpp"

#include <cmath>

#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/coverage.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/prefetch_queue.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// One loader with one worker and two slots behind it, batches of mean 0.85 s as variable as their mean, steps of 1 s.
Scenario prefetch_scenario() {
  Scenario scenario = test::small_scenario(1);
  scenario.cluster.pools[0].gpus_per_node = 1;
  scenario.stores[0].stream_bytes_per_s.reset();
  scenario.stores[0].bandwidth_bytes_per_s = 1e12;
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e12;
  scenario.stores[0].latency_s = DistributionSpec::lognormal(0.85, 1.0);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1.0);
  Job& job = scenario.jobs[0];
  job.loader.workers = 1;
  job.loader.prefetch = 3;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  job.step.batch = 1;
  job.step.step_time_s = DistributionSpec::constant(1.0);
  job.step.overhead_s = DistributionSpec::constant(0.0);
  return scenario;
}

/// Stragglers behind a barrier of eight, whose store is busy enough for the twin to miss a part of the waits.
Scenario stragglers() {
  Scenario scenario = test::small_scenario(4);
  scenario.stores[0].latency_s = DistributionSpec::lognormal(0.02, 3.0);
  scenario.stores[0].bandwidth_bytes_per_s = 1.6e9;  // the demand is 128 MB per step of 0.102 s: 78 %
  scenario.jobs[0].loader.workers = 2;
  return scenario;
}

StudyOptions fixed(std::uint64_t seed, std::uint64_t steps, bool control) {
  StudyOptions options;
  options.seed = seed;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  options.control = control;
  return options;
}

const Metric& step_time(const Outcome& outcome) { return *outcome.find("step_time_s"); }

double half_ci95(const Metric& metric) { return 0.5 * (metric.ci95->high - metric.ci95->low); }

struct Study {
  headrace::testing::Coverage coverage;
  int applied = 0;
};

/// Steps 0: until the step time is known to 1 %.
Study covered(const Scenario& scenario, std::uint64_t seeds, std::uint64_t steps, double truth_s, bool control = true) {
  Study study;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Outcome outcome = simulate(scenario, fixed(seed, steps, control));
    const Metric& step = step_time(outcome);
    sim::SteadyStateResult result;
    result.mean = step.mean;
    if (step.ci95) result.interval = sim::Interval{step.ci95->low, step.ci95->high};
    study.coverage.count(result, truth_s);
    study.applied += outcome.windows.front().control == "applied" ? 1 : 0;
  }
  return study;
}

double exact_line_s() { return 1.0 / (1.0 - twins::prefetch_one_producer(0.85, 1.0, 1.0, 2).idle_fraction); }

}  // namespace

TEST_CASE("a control costs no more than it saves") {
  CHECK(control_effort(0.99, 1.5, 5) == 4U);
  CHECK_FALSE(control_effort(0.6, 1.3, 5).has_value());  // one more doubling is cheaper
  CHECK_FALSE(control_effort(0.95, 5.0, 5).has_value());
  CHECK(control_effort(0.999, 5.0, 5).has_value());
  // At the last look there is no running on: a cheap control that cuts a lot is taken even where it is not enough.
  CHECK(control_effort(0.99, 100.0, 0) == 4U);
  CHECK_FALSE(control_effort(0.7, 100.0, 0).has_value());
}

TEST_CASE("twin runs with a far first batch are independent of the first and have the same nodes") {
  Scenario scenario = test::small_scenario(2);
  scenario.cluster.pools[0].host.speed_cv = 0.2;
  const IngestPath path = resolve_path(scenario, 0, {});
  RunSwitches off;
  off.contention = false;
  const ItineraryMaker itineraries(path, 3, 0, off);
  UncontendedRun logged(path, itineraries);
  logged.run_to(50);
  UncontendedRun silent(path, itineraries);
  for (std::size_t i = 0; i < 50; ++i) CHECK(silent.advance() == logged.log().records[i].start_ns);
  CHECK(itineraries.uncontended_ns(0, 0) != itineraries.uncontended_ns(0, std::uint64_t{1} << 40));
}

TEST_CASE("a controlled run keeps its accounts: states sum to one, blame to idle") {
  const Outcome plain = simulate(stragglers(), fixed(1, 4096, false));
  const Outcome with = simulate(stragglers(), fixed(1, 4096, true));
  REQUIRE(with.windows.front().control == "applied");
  CHECK(plain.windows.front().control == "switched off");
  CHECK(plain.windows.front().variance_cut == 1.0);
  CHECK(with.windows.front().variance_cut > 1.5);
  CHECK(half_ci95(step_time(with)) < 0.9 * half_ci95(step_time(plain)));
  CHECK(std::abs(step_time(with).mean - step_time(plain).mean) < 2.0 * half_ci95(step_time(plain)));
  double states = 0.0;
  double waits = 0.0;
  for (const GpuStateShare& state : with.gpu_states) {
    states += state.share;
    if (state.state == GpuState::ingest_wait_own || state.state == GpuState::ingest_wait_peer) waits += state.share;
  }
  CHECK(states == Approx(1.0).epsilon(1e-12));
  const double idle = with.find("gpu_idle_fraction")->mean;
  CHECK(waits == Approx(idle).epsilon(1e-9));
  double blame = 0.0;
  for (const StageShare& share : with.blame) blame += share.mean;
  CHECK(blame == Approx(idle).epsilon(1e-9));
}

TEST_CASE("a control stays off where the twin does not see the same, or where it is not needed") {
  Scenario any_order = stragglers();
  any_order.jobs[0].loader.order = DeliveryOrder::any_order_shared;
  CHECK(simulate(any_order, fixed(1, 2048, true)).windows.front().control == "batches do not arrive in order");
  StudyOptions uncontended = fixed(1, 2048, true);
  uncontended.contention = false;
  CHECK(simulate(stragglers(), uncontended).windows.front().control == "the run itself is uncontended");
  StudyOptions coarse = fixed(1, 8192, true);
  coarse.precision = 0.3;
  CHECK(simulate(stragglers(), coarse).windows.front().control == "not needed");
  Scenario saturated = test::small_scenario(2);  // alone, every batch comes in time: the twin never waits
  saturated.stores[0].bandwidth_bytes_per_s = 0.4e9;
  StudyOptions fine = fixed(1, 8192, true);
  fine.precision = 1e-4;
  CHECK(simulate(saturated, fine).windows.front().control == "correlation below 0.5");
}

TEST_CASE("a controlled study stops earlier, with the same result for any number of threads") {
  StudyOptions options = fixed(1, 0, true);
  options.replications = 3;
  const Outcome one = simulate(prefetch_scenario(), options);
  options.threads = 4;
  const Outcome four = simulate(prefetch_scenario(), options);
  CHECK(step_time(one).mean == step_time(four).mean);
  CHECK(step_time(one).ci95->low == step_time(four).ci95->low);
  CHECK(one.windows.front().control == "applied");
  options.control = false;
  const Outcome plain = simulate(prefetch_scenario(), options);
  CHECK(one.stopped_by == "precision");
  CHECK(plain.stopped_by == "precision");
  CHECK(one.steps < plain.steps);
}

// False-failure rate at most 5.5e-6 (tests/coverage.hpp).
TEST_CASE("controlled intervals of a study cover the exact step time", "[statistical][long_4]") {
  const Study study = covered(prefetch_scenario(), 200, 8192, exact_line_s());
  CHECK(study.applied >= 160);
  CHECK(study.coverage.with_interval >= 160);
  CHECK(study.coverage.share() >= headrace::testing::kLeastShareOf200);
}

// The difference of the two means has a standard error e: |difference| < 5 e fails falsely with probability 6e-7.
TEST_CASE("with contention, controlled runs agree with plain ones of the same cost in their mean",
          "[statistical][long_2]") {
  constexpr int kSeeds = 24;
  double sum = 0.0;
  double squares = 0.0;
  int applied = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Outcome with = simulate(stragglers(), fixed(seed, 2048, true));
    const Outcome plain = simulate(stragglers(), fixed(seed + 1000, 2048, false));
    const double difference = step_time(with).mean - step_time(plain).mean;
    applied += with.windows.front().control == "applied" ? 1 : 0;
    sum += difference;
    squares += difference * difference;
  }
  const double mean = sum / kSeeds;
  const double error = std::sqrt((squares / kSeeds - mean * mean) / (kSeeds - 1));
  CHECK(applied >= kSeeds / 2);
  CHECK(std::abs(mean) < 6.2 * error);  // 5 normal standard errors are 6.2 of Student's t with 23 degrees of freedom
}

TEST_CASE("long coverage study of controlled studies", "[.nightly]") {
  const Study line = covered(prefetch_scenario(), 1000, 16'384, exact_line_s());
  line.coverage.print("simulate, prefetch line with its twin, 16,384 steps");
  CHECK(headrace::testing::in_band(line.coverage));
  CHECK(line.applied >= 900);
  const Study stopped = covered(prefetch_scenario(), 1000, 0, exact_line_s());
  stopped.coverage.print("simulate, prefetch line with its twin, until 1 %");
  CHECK(headrace::testing::in_band(stopped.coverage));
  const Study plain = covered(prefetch_scenario(), 1000, 0, exact_line_s(), false);
  plain.coverage.print("simulate, prefetch line, until 1 %, no control");
  CHECK(headrace::testing::in_band(plain.coverage));
}
