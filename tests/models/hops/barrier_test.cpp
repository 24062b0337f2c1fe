// The barrier of a step: the mean of the longest delay against the integral over order statistics and closed forms, the
// step against its closed form at all levels, both engines against each other, and its split from the wait for loaders.
#include "models/hops/barrier.hpp"

#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/point_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/slowest_of.hpp"
#include "models/describe/to_distribution.hpp"
#include "models/outcome/unused_training_inputs.hpp"
#include "models/study/study.hpp"
#include "models/twins/order_statistics.hpp"
#include "tests/catch.hpp"
#include "tests/models/engines_agree.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// `nodes` nodes of two ranks that meet at a barrier of 1 ms and 0.1 ms a round; a store that keeps up.
Scenario at_barrier(std::uint64_t nodes, const DistributionSpec& delay) {
  Scenario scenario = test::small_scenario(nodes);
  scenario.jobs[0].loader.workers = 8;
  scenario.jobs[0].loader.prefetch = 4;
  scenario.jobs[0].step.barrier = Barrier{1e-3, 1e-4, delay};
  return scenario;
}

Outcome barrier_simulated(const Scenario& scenario, std::uint64_t steps) {
  StudyOptions options;
  options.steps = steps;
  options.threads = 1;
  return simulate(scenario, options);
}

double barrier_value(const Outcome& outcome, const char* name) {
  const Metric* metric = outcome.find(name);
  REQUIRE(metric != nullptr);
  return metric->mean;
}

}  // namespace

TEST_CASE("the longest delay of n ranks is that of order statistics") {
  for (const double cv : {0.1, 0.47, 1.0, 2.0, 3.0})
    for (const std::int64_t n : {1, 2, 16, 70, 1250, 100000}) {
      INFO("cv " << cv << ", " << n << " ranks");
      CHECK(mean_of_slowest(sim::Distribution::lognormal(0.004, cv), static_cast<double>(n)) ==
            Approx(0.004 * twins::lognormal_max_ratio(n, twins::lognormal_sigma(cv))).epsilon(1e-5));
    }
  for (const std::int64_t n : {2, 70, 10000})
    CHECK(mean_of_slowest(sim::Distribution::exponential(0.004), static_cast<double>(n)) ==
          Approx(0.004 * twins::harmonic_number(n)).epsilon(1e-5));
  // a rare stall: n of them have it with probability 1 - (1 - p)^n
  DistributionSpec rare;
  rare.family = Family::mixture;
  rare.parts = {{0.99, DistributionSpec::constant(0.0)}, {0.01, DistributionSpec::constant(0.2)}};
  CHECK(mean_of_slowest(to_distribution(rare), 70) ==
        Approx(0.2 * twins::any_of_n_probability(0.01, 70)).epsilon(3e-3));
}

TEST_CASE("a barrier has its rounds, and the delays of its ranks") {
  const Barrier stated{1e-3, 1e-4, DistributionSpec::lognormal(1e-3, 2.0)};
  CHECK(barrier_times(stated, 1).fixed_s == Approx(1e-3));
  CHECK(barrier_times(stated, 1).slowest_rank_s == Approx(1e-3));
  CHECK(barrier_times(stated, 1).mean_s() == Approx(barrier_times(stated, 64).single_rank_s(stated)));
  CHECK(barrier_times(stated, 64).fixed_s == Approx(1.6e-3));
  CHECK(barrier_times(stated, 65).fixed_s == Approx(1.7e-3));
}

// 40,000 draws, fixed seed; |t| > 4.5: 7 in a million.
TEST_CASE("drawn times at the barrier have the mean of the closed form", "[statistical]") {
  const BarrierTimes times = barrier_times({1e-3, 1e-4, DistributionSpec::lognormal(1e-3, 2.0)}, 70);
  double sum_s = 0.0;
  double squares = 0.0;
  constexpr int kDrawn = 40'000;
  for (int step = 0; step < kDrawn; ++step) {
    const double s = sim::seconds(barrier_ns(times, {7, 0, {}, 0}, static_cast<std::uint64_t>(step)));
    sum_s += s;
    squares += s * s;
  }
  const double mean_s = sum_s / kDrawn;
  const double error_s = std::sqrt((squares / kDrawn - mean_s * mean_s) / kDrawn);
  INFO("drawn " << mean_s << " +- " << error_s << ", closed form " << times.mean_s());
  CHECK(std::fabs(mean_s - times.mean_s()) < 4.5 * error_s);
}

TEST_CASE("a fed step takes compute, overhead and barrier at every level") {
  for (const std::uint64_t nodes : {1U, 4U, 16U}) {
    const Scenario scenario = at_barrier(nodes, DistributionSpec::constant(0.005));
    const double step_s = 0.102 + 1e-3 + 1e-4 * doublings(2.0 * static_cast<double>(nodes)) + 0.005;
    CHECK(barrier_value(flow_bound(scenario), "step_time_s") == Approx(step_s).epsilon(1e-9));
    CHECK(point_bound(scenario).step_time_s == Approx(step_s).epsilon(1e-9));
    CHECK(barrier_value(queueing_estimate(scenario, 1), "step_time_s") == Approx(step_s).epsilon(1e-6));
    CHECK(barrier_value(barrier_simulated(scenario, 300), "step_time_s") == Approx(step_s).epsilon(1e-6));
  }
}

// Fixed seeds. A step's spread of 4.4 ms gives 0.1 ms over 2,000 steps and less over the 16,000 of the estimate; 4.5
// standard errors, 7 in a million each.
TEST_CASE("random delays lengthen the step by their order statistic, and loaders are not blamed", "[statistical]") {
  const Scenario scenario = at_barrier(16, DistributionSpec::lognormal(1e-3, 2.0));
  const double slowest_s = 1e-3 * twins::lognormal_max_ratio(32, twins::lognormal_sigma(2.0));
  const double step_s = 0.102 + 1.5e-3 + slowest_s;
  CHECK(barrier_value(flow_bound(scenario), "step_time_s") == Approx(step_s).epsilon(1e-6));
  CHECK(std::fabs(barrier_value(queueing_estimate(scenario, 1), "step_time_s") - step_s) < 4.5e-4);
  for (const Outcome& outcome :
       {flow_bound(scenario), queueing_estimate(scenario, 1), barrier_simulated(scenario, 2000)}) {
    CHECK(barrier_value(outcome, "barrier_s") == Approx(1.5e-3 + slowest_s).epsilon(1e-5));
    CHECK(barrier_value(outcome, "slowest_rank_wait_s") == Approx(slowest_s).epsilon(1e-5));
    CHECK(barrier_value(outcome, "slowest_loader_wait_s") < 5e-4);
  }
  const Outcome simulated = barrier_simulated(scenario, 2000);
  CHECK(std::fabs(barrier_value(simulated, "step_time_s") - step_s) < 4.5e-4);
}

// Simulated steps differ by the law of the longest delay only; see above for the number of standard errors.
TEST_CASE("what loaders and barrier cost adds up to the step", "[statistical]") {
  Scenario scenario = at_barrier(8, DistributionSpec::lognormal(1e-3, 2.0));
  scenario.jobs[0].loader.workers = 1;
  scenario.jobs[0].loader.prefetch = 1;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::lognormal(0.006, 2.0);
  const Outcome outcome = barrier_simulated(scenario, 2000);
  const double loaders_s = barrier_value(outcome, "slowest_loader_wait_s");
  CHECK(loaders_s > 0.01);  // the slowest of 16 loaders
  CHECK(std::fabs(barrier_value(outcome, "step_time_s") - 0.102 - loaders_s - barrier_value(outcome, "barrier_s")) <
        4.5e-4);
}

TEST_CASE("both engines draw the same barrier") {
  Scenario scenario = at_barrier(4, DistributionSpec::lognormal(1e-3, 2.0));
  scenario.stores[0].bandwidth_bytes_per_s = 1e15;
  const StepLog log = test::check_engines_agree(resolve_path(scenario, 0, {}), 400);
  CHECK(log.records[0].overhead_ns != log.records[1].overhead_ns);
}

TEST_CASE("a barrier without times, or whose rounds count twice, is named") {
  Scenario scenario = at_barrier(2, DistributionSpec::constant(0.0));
  const auto told = [&scenario] {
    std::vector<Warning> unused;
    add_unused_training_inputs(scenario, scenario.jobs[0], unused);
    for (const Warning& warning : unused)
      if (warning.seen.find("barrier") != std::string::npos) return warning.seen;
    return std::string{};
  };
  CHECK(told().empty());
  scenario.jobs[0].collective = Collective{};
  scenario.jobs[0].collective->barrier_s = 1e-4;
  CHECK(told().find("twice") != std::string::npos);
  scenario.jobs[0].step.barrier = Barrier{};
  CHECK(told().find("changes nothing") != std::string::npos);
}
