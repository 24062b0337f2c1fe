// Stalls that are too rare to wait for: against arithmetic, against the probability 1 - (1 - p)^n, against long runs.
#include "models/outcome/rare_stall.hpp"

#include <cmath>
#include <vector>

#include "models/engine/uncontended_run.hpp"
#include "models/study/study.hpp"
#include "models/twins/order_statistics.hpp"
#include "sim/steady_state_interval.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

DistributionSpec with_stalls(const DistributionSpec& usual, double probability, const DistributionSpec& stall) {
  DistributionSpec spec;
  spec.family = Family::mixture;
  spec.parts = {{1.0 - probability, usual}, {probability, stall}};
  return spec;
}

/// Four ranks that load between their steps: every step lasts as long as the slowest.
Scenario synchronous(double probability) {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].latency_s = DistributionSpec::constant(0.02);
  scenario.stores[0].metadata.latency_s =
      with_stalls(DistributionSpec::constant(0.001), probability, DistributionSpec::constant(30.0));
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  scenario.jobs[0].loader.synchronous = true;
  return scenario;
}

StudyOptions fixed(std::uint64_t steps) {
  StudyOptions options;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  return options;
}

double mean(const Outcome& outcome, const char* name) { return outcome.find(name)->mean; }

}  // namespace

TEST_CASE("a stall in synchronous loading costs its length, in the share 1 - (1 - p)^n of the steps") {
  constexpr double kProbability = 1e-5;
  const Outcome without = simulate(synchronous(0.0), fixed(512));
  const Outcome with = simulate(synchronous(kProbability), fixed(512));
  REQUIRE(with.rare_stalls.size() == 1);
  const StallReport& stall = with.rare_stalls.front();
  CHECK(stall.stage == Stage::metadata);
  CHECK(stall.per_operation == Approx(kProbability));
  CHECK(stall.duration_s == 30.0);
  const double share = twins::any_of_n_probability(kProbability, 4 * 16);
  CHECK(stall.stalled_steps == Approx(share).epsilon(1e-9));
  CHECK(stall.delay_s == Approx(30.0 - 0.001).epsilon(1e-8));
  const double step_s = mean(without, "step_time_s") + share * 29.999;
  CHECK(mean(with, "step_time_s") == Approx(step_s).epsilon(1e-8));
  CHECK(stall.share == Approx(share * 29.999 / step_s).epsilon(1e-8));
  CHECK(without.rare_stalls.empty());
}

TEST_CASE("that the placed stalls are longer than their law by chance does not count") {
  Scenario scenario = synchronous(0.0);
  scenario.stores[0].metadata.latency_s =
      with_stalls(DistributionSpec::constant(0.001), 1e-5, DistributionSpec::exponential(30.0));
  const Outcome outcome = simulate(scenario, fixed(512));
  REQUIRE(outcome.rare_stalls.size() == 1);
  // Synchronous loading waits for all of each stall: what the mean delay is off by is what chance made of durations.
  CHECK(outcome.rare_stalls.front().delay_s == Approx(30.0 - 0.001).epsilon(1e-4));
}

TEST_CASE("stalls keep the accounts: states sum to one, blame to idle") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].metadata.latency_s =
      with_stalls(DistributionSpec::exponential(0.001), 1e-5, DistributionSpec::exponential(20.0));
  StudyOptions options = fixed(2048);
  options.relief = true;
  const Outcome outcome = simulate(scenario, options);
  REQUIRE(outcome.rare_stalls.size() == 1);
  double states = 0.0;
  for (const GpuStateShare& state : outcome.gpu_states) states += state.share;
  CHECK(states == Approx(1.0).epsilon(1e-12));
  double blame = 0.0;
  double metadata = 0.0;
  for (const StageShare& share : outcome.blame) {
    blame += share.mean;
    if (share.stage == Stage::metadata) metadata = share.mean;
  }
  CHECK(blame == Approx(mean(outcome, "gpu_idle_fraction")).epsilon(1e-9));
  CHECK(metadata >= outcome.rare_stalls.front().share * (1.0 - 1e-9));
  CHECK(outcome.binding == Stage::metadata);
  CHECK(outcome.verdict == Verdict::ingest_bound);
}

TEST_CASE("stalls of read requests are found in the latency of the store") {
  Scenario scenario = synchronous(0.0);
  scenario.stores[0].latency_s = with_stalls(DistributionSpec::constant(0.02), 1e-5, DistributionSpec::constant(10.0));
  const Outcome outcome = simulate(scenario, fixed(512));
  REQUIRE(outcome.rare_stalls.size() == 1);
  CHECK(outcome.rare_stalls.front().stage == Stage::request);
  CHECK(outcome.rare_stalls.front().delay_s == Approx(10.0 - 0.02).epsilon(1e-8));
}

TEST_CASE("what comes often, or is not much longer, stays in its law") {
  const auto stalls_of = [](const DistributionSpec& latency) {
    Scenario scenario = synchronous(0.0);
    scenario.stores[0].metadata.latency_s = latency;
    return without_rare_stalls(resolve_path(scenario, 0, {}));
  };
  const DistributionSpec usual = DistributionSpec::constant(0.001);
  const DistributionSpec stall = DistributionSpec::constant(30.0);
  CHECK(stalls_of(with_stalls(usual, 1e-5, stall)).taken.size() == 1);
  const RareStalls frequent = stalls_of(with_stalls(usual, 5e-3, stall));
  CHECK(frequent.taken.empty());
  CHECK(frequent.left.size() == 1);
  const RareStalls common = stalls_of(with_stalls(usual, 0.05, stall));
  CHECK((common.taken.empty() && common.left.empty()));
  const RareStalls mild = stalls_of(with_stalls(usual, 1e-5, DistributionSpec::constant(0.005)));
  CHECK((mild.taken.empty() && mild.left.empty()));
  const RareStalls none = stalls_of(usual);
  CHECK((none.taken.empty() && none.left.empty()));
}

TEST_CASE("a run that is too short for stalls in its law says so, and is not stopped early") {
  Scenario scenario = synchronous(5e-4);  // 3 % of the steps stall: too often to be placed apart
  const Outcome brief = simulate(scenario, fixed(600));
  CHECK(brief.rare_stalls.empty());
  CHECK(brief.verdict == Verdict::ingest_bound);  // loading between the steps: no interval is needed for that
  bool told = false;
  for (const Warning& warning : brief.warnings) told = told || warning.seen.find("rare stalls") != std::string::npos;
  CHECK(told);
}

// Both sides are means with independent errors: a difference of more than five of its standard errors has probability
// 6e-7. Without the stalls the difference would be over a hundred of them.
TEST_CASE("placed stalls agree with a long run that waits for them", "[statistical]") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].metadata.latency_s =
      with_stalls(DistributionSpec::constant(0.001), 2e-5, DistributionSpec::exponential(20.0));
  const IngestPath path = resolve_path(scenario, 0, {});
  RunSwitches uncontended;
  uncontended.contention = false;
  const ItineraryMaker itineraries(path, 99, 0, uncontended);
  UncontendedRun run(path, itineraries);
  constexpr std::uint64_t kSteps = 600'000;
  std::vector<double> durations_s;
  sim::TimeNs before_ns = run.advance();
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    const sim::TimeNs start_ns = run.advance();
    durations_s.push_back(sim::seconds(start_ns - before_ns));
    before_ns = start_ns;
  }
  const sim::SteadyStateResult plain = sim::steady_state_interval(durations_s);
  REQUIRE(plain.enough_data());

  StudyOptions options = fixed(2048);
  options.contention = false;
  const Outcome outcome = simulate(scenario, options);
  REQUIRE(outcome.rare_stalls.size() == 1);
  const Metric& step = *outcome.find("step_time_s");
  REQUIRE(step.ci95.has_value());
  const double arm_1 = plain.interval->half_width(plain.mean);
  const double arm_2 = 0.5 * (step.ci95->high - step.ci95->low);
  const double error = std::sqrt(arm_1 * arm_1 + arm_2 * arm_2) / 1.96;
  INFO("plain " << plain.mean << " +- " << arm_1 << ", placed " << step.mean << " +- " << arm_2);
  CHECK(std::abs(step.mean - plain.mean) < 5.0 * error);
  CHECK(outcome.rare_stalls.front().share * step.mean > 10.0 * error);
}
