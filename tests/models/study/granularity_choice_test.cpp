// Fixed seeds; the differences are 14 % and none.
#include "models/study/granularity_choice.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// Four ranks with one worker and one batch each, which begin together and share a metadata server.
Scenario in_lockstep() {
  Scenario scenario = test::small_scenario(2);
  scenario.jobs[0].loader.workers = 1;
  scenario.jobs[0].loader.prefetch = 1;
  scenario.stores[0].latency_s = DistributionSpec::constant(0.003);
  scenario.stores[0].metadata.latency_s = DistributionSpec::exponential(0.0014);
  scenario.stores[0].metadata.servers = 1;
  return scenario;
}

GranularityChoice chosen(const Scenario& scenario, Granularity granularity = {}) {
  return choose_granularity(resolve_path(scenario, 0, granularity), 1);
}

Outcome simulated(const Scenario& scenario, std::optional<Granularity> granularity) {
  StudyOptions options;
  options.steps = 1000;
  options.threads = 1;
  options.granularity = granularity;
  return simulate(scenario, options);
}

std::size_t warnings_of(const Outcome& outcome, const char* words) {
  return static_cast<std::size_t>(
      std::count_if(outcome.warnings.begin(), outcome.warnings.end(),
                    [&](const Warning& warning) { return warning.seen.find(words) != std::string::npos; }));
}

constexpr Granularity kSample{Granularity::Kind::sample, 1};

}  // namespace

TEST_CASE("batches that are in each other's way are simulated as finely as it takes") {
  const GranularityChoice choice = chosen(in_lockstep());
  CHECK(choice.piloted);
  CHECK(choice.granularity.kind != Granularity::Kind::batch);
  CHECK(choice.batch_error > 0.05);
}

TEST_CASE("batches are whole where every rank has its own server, and as asked where somebody asks") {
  Scenario alone = in_lockstep();
  alone.stores[0].metadata.servers = 64;
  const GranularityChoice choice = chosen(alone);
  CHECK(choice.piloted);
  CHECK(choice.granularity.kind == Granularity::Kind::batch);
  CHECK(choice.batch_error == 0.0);
  CHECK_FALSE(chosen(in_lockstep(), kSample).piloted);
}

TEST_CASE("pilots of ranks that wait for nothing end early, those of others do not") {
  Scenario quiet = test::small_scenario(2);
  quiet.jobs[0].loader.workers = 16;
  const GranularityChoice of_quiet = chosen(quiet);
  CHECK(of_quiet.piloted);
  CHECK(of_quiet.is_right());
  CHECK(of_quiet.steps <= 5 * 32 + 256);
  CHECK(chosen(in_lockstep()).steps > 1000);
  quiet.stores[0].limit.requests_per_s_per_prefix = 1e6;  // whose tokens may run out later
  quiet.stores[0].limit.prefixes = 1;
  CHECK(chosen(quiet).steps > 1000);
}

// The two runs share their draws; the bar is what the choice promises, with as much again for the noise of 1000 steps.
TEST_CASE("an answer without a stated granularity is that of samples, and says so") {
  const Outcome open = simulated(in_lockstep(), std::nullopt);
  const Outcome samples = simulated(in_lockstep(), kSample);
  const Outcome whole = simulated(in_lockstep(), Granularity{});
  const double sample_s = samples.find("step_time_s")->mean;
  CHECK(std::abs(open.find("step_time_s")->mean / sample_s - 1.0) < 0.02);
  CHECK(whole.find("step_time_s")->mean / sample_s > 1.05);
  CHECK(warnings_of(open, "simulated at granularity") == 1);
  CHECK(warnings_of(whole, "% too long: batches are simulated as one piece") == 1);
  CHECK(warnings_of(samples, "granularity") + warnings_of(samples, "as one piece") == 0);
}

TEST_CASE("503 answers of whole batches are too few, which the default sees") {
  Scenario throttled = test::small_scenario(1);
  throttled.cluster.pools[0].gpus_per_node = 1;
  throttled.cluster.pools[0].nic.bandwidth_bytes_per_s = 0.125e9;
  throttled.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  throttled.jobs[0].loader.workers = 8;
  throttled.jobs[0].loader.prefetch = 4;
  throttled.jobs[0].loader.order = DeliveryOrder::any_order_shared;
  throttled.jobs[0].step.batch = 8;
  throttled.jobs[0].step.step_time_s = DistributionSpec::constant(1e-5);
  throttled.stores[0].latency_s = DistributionSpec::exponential(0.05);
  throttled.stores[0].metadata = {};
  throttled.stores[0].limit.requests_per_s_per_prefix = 80.0;
  throttled.stores[0].limit.prefixes = 1;
  const GranularityChoice choice = chosen(throttled);
  CHECK(choice.piloted);
  CHECK(choice.batch_error == 0.0);
  CHECK(choice.throttled_error < -0.1);
  CHECK(choice.granularity.kind == Granularity::Kind::sample);
  const Outcome open = simulated(throttled, std::nullopt);
  const Outcome samples = simulated(throttled, kSample);
  CHECK(open.find("throttled_requests_per_s")->mean ==
        Approx(samples.find("throttled_requests_per_s")->mean).epsilon(0.02));
  CHECK(warnings_of(simulated(throttled, Granularity{}), "number of 503 answers is about") == 1);
}

TEST_CASE("two scenarios that are compared have the finer of their granularities") {
  Scenario alone = in_lockstep();
  alone.stores[0].metadata.servers = 64;
  const Scenario together = in_lockstep();
  CHECK(chosen_granularity({}, alone)->kind == Granularity::Kind::batch);
  CHECK(chosen_granularity({}, alone, &together)->kind == chosen(together).granularity.kind);
  StudyOptions stated;
  stated.granularity = Granularity{};
  CHECK(chosen_granularity(stated, together)->kind == Granularity::Kind::batch);
}
