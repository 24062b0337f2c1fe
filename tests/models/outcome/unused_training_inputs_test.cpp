// Inputs of a job that another of its inputs makes meaningless: told where they are stated, and only there. That they
// do mean nothing is shown by bounds that do not move.
#include <algorithm>
#include <functional>
#include <string>

#include "models/answer/flow_bound.hpp"
#include "models/outcome/unused_training_inputs.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

std::vector<Warning> training_inputs_unused(const Scenario& scenario) {
  std::vector<Warning> unused;
  for (const Job& job : scenario.jobs) add_unused_training_inputs(scenario, job, unused);
  return unused;
}

bool is_told(const Scenario& scenario, const std::string& text) {
  const std::vector<Warning> unused = training_inputs_unused(scenario);
  return std::any_of(unused.begin(), unused.end(),
                     [&](const Warning& warning) { return warning.seen.find(text) != std::string::npos; });
}

/// Says so, warns in the outcome, and leaves every metric as it was.
void check_unused(Scenario scenario, const std::function<void(Job&)>& set, const std::string& text) {
  INFO(text);
  const Outcome before = flow_bound(scenario);
  CHECK(!is_told(scenario, text));
  set(scenario.jobs[0]);
  CHECK(is_told(scenario, text));
  const Outcome after = flow_bound(scenario);
  CHECK(after.warnings.size() == before.warnings.size() + 1);
  REQUIRE(after.metrics.size() == before.metrics.size());
  for (std::size_t i = 0; i < after.metrics.size(); ++i) CHECK(after.metrics[i].mean == before.metrics[i].mean);
}

}  // namespace

TEST_CASE("a scenario without contradictions has no unused inputs") {
  CHECK(training_inputs_unused(test::small_scenario()).empty());
}

TEST_CASE("a host part without cores or time, and a search for cores without a host part are told") {
  Scenario scenario = test::small_scenario();
  check_unused(
      scenario,
      [](Job& job) {
        job.step.host_part = HostPart{0.0, 0.0};
      },
      "step/host_part of job 'job' does not slow");
  scenario.cluster.pools[0].host.core_sharing = CoreSharing{0.0, 8.0};
  CHECK(is_told(scenario, "host/core_sharing/cores_searched of job 'job'"));
  scenario.jobs[0].step.host_part = HostPart{0.01, 1.0};
  CHECK(training_inputs_unused(scenario).empty());
  scenario.cluster.pools[0].host.core_sharing.reset();
  scenario.jobs[0].step.host_part.reset();
  scenario.cluster.pools[0].host.cores.reset();
  check_unused(
      scenario,
      [](Job& job) {
        job.step.host_part = HostPart{0.01, 1.0};
      },
      "step/host_part of job 'job' changes nothing");
  scenario.cluster.pools[0].host.core_sharing = CoreSharing{4.0, 4.0};
  CHECK(is_told(scenario, "host/core_sharing of job 'job'"));
}

TEST_CASE("depths of a loader that another depth overrules are told") {
  Scenario scenario = test::small_scenario();
  scenario.jobs[0].loader.outstanding = 6;
  check_unused(
      scenario, [](Job& job) { job.loader.prefetch = 8; }, "loader/prefetch of job 'job'");
  check_unused(
      scenario, [](Job& job) { job.loader.ready = 8; }, "loader/ready of job 'job'");
  scenario.jobs[0].loader.outstanding = 0;
  scenario.jobs[0].loader.ready = 2;
  check_unused(
      scenario, [](Job& job) { job.loader.prefetch = 8; }, "loader/prefetch of job 'job'");
  scenario.jobs[0].loader.ready = 0;
  scenario.jobs[0].loader.synchronous = true;
  check_unused(
      scenario, [](Job& job) { job.loader.prefetch = 8; }, "order and depth of the loader");
  check_unused(
      scenario, [](Job& job) { job.loader.order = DeliveryOrder::any_order_shared; }, "order and depth of the loader");
}

TEST_CASE("receiving and epochs of workers that there are not, or without a time, say that they change nothing") {
  Scenario alone = test::small_scenario();
  alone.jobs[0].loader.synchronous = true;
  check_unused(
      alone, [](Job& job) { job.loader.receive.fixed_s = 0.01; }, "loader/transport and loader/receive of job 'job'");
  check_unused(
      alone,
      [](Job& job) {
        job.loader.epoch_start = EpochStart{1.0, false};
      },
      "loader/epoch_start of job 'job'");
  check_unused(
      test::small_scenario(), [](Job& job) { job.loader.receive.pin_thread = true; },
      "loader/receive/pin_thread of job 'job'");
}

TEST_CASE("reads, servers, experts, copies and faults that mean nothing are told") {
  Scenario scenario = test::small_scenario();
  scenario.jobs[0].loader.access = FileAccess{};
  scenario.jobs[0].loader.access->mode = ReadMode::direct;
  check_unused(
      scenario, [](Job& job) { job.loader.access->asynchronous = true; }, "access/asynchronous");
  scenario = test::small_scenario();
  scenario.jobs[0].collective = Collective{};
  scenario.jobs[0].collective->bytes = 1e9;
  check_unused(
      scenario, [](Job& job) { job.collective->servers = 4; }, "collective/servers");
  check_unused(
      scenario, [](Job& job) { job.parallelism.ep = 2; }, "parallelism/ep");
  check_unused(
      scenario, [](Job& job) { job.step.h2d_overlapped = false; }, "copies to the GPUs");
  scenario.jobs[0].checkpoint = Checkpoint{};
  scenario.jobs[0].checkpoint->store = "store";
  scenario.jobs[0].checkpoint->bytes = 1e9;
  check_unused(
      scenario, [](Job& job) { job.checkpoint->parameters = 1e9; }, "checkpoint/parameters");
  CHECK(!is_told(scenario, "faults"));
  scenario.faults = Faults{};
  CHECK(is_told(scenario, "faults has no effect"));
  scenario = test::small_scenario(1);
  scenario.cluster.pools[0].host.speed_cv = 0.2;
  CHECK(is_told(scenario, "host/speed_cv"));
}
