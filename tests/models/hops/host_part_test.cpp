// Loaders that slow the step: the law against simulated slices of work, the step against its closed form at all three
// levels, both engines against each other, and what plans and relief see of it.
#include <cmath>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/point_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/hops/host_part.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/engines_agree.hpp"
#include "tests/models/path/cpu_bound.hpp"
#include "tests/twins/host_slowdown.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// One GPU on a node of 16 cores whose loader has `workers`; a batch takes 0.43 core-seconds, a step 0.1 s.
Scenario slowed(std::uint64_t workers, double host_s) {
  Scenario scenario = test::cpu_bound(workers, {});
  scenario.cluster.pools[0].host.cores = 16;
  Job& job = scenario.jobs[0];
  job.loader.order = DeliveryOrder::in_order;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.43);
  job.step.step_time_s = DistributionSpec::constant(0.1);
  job.step.host_part = HostPart{host_s, 1.0};
  return scenario;
}

double step_s(const Outcome& outcome) { return outcome.find("step_time_s")->mean; }

Outcome host_simulated(const Scenario& scenario, bool relief = false) {
  StudyOptions options;
  options.steps = 600;
  options.threads = 1;
  options.relief = relief;
  return simulate(scenario, options);
}

void check_levels(const Scenario& scenario, double twin_s) {
  CHECK(step_s(flow_bound(scenario)) == Approx(twin_s).epsilon(1e-7));
  CHECK(point_bound(scenario).step_time_s == Approx(twin_s).epsilon(1e-7));
  CHECK(step_s(queueing_estimate(scenario, 1)) == Approx(twin_s).epsilon(1e-6));
  CHECK(step_s(host_simulated(scenario)) == Approx(twin_s).epsilon(1e-4));
}

/// Workers that are fastest, of 1 to 24.
std::uint64_t best_workers(Scenario scenario) {
  std::uint64_t best = 0;
  double least_s = 1e9;
  for (std::uint64_t workers = 1; workers <= 24; ++workers) {
    scenario.jobs[0].loader.workers = workers;
    const double own_s = step_s(flow_bound(scenario));
    if (own_s >= least_s) continue;
    least_s = own_s;
    best = workers;
  }
  return best;
}

}  // namespace

// Six means of 40,000 independent slices, fixed seeds; |t| > 4.5: 7 in a million each. Slices of a thousandth of a busy
// period meet its end so rarely that 1 + u^d holds within 0.001.
TEST_CASE("a thread that looks at d cores is slowed by 1 + u^d", "[statistical]") {
  for (const std::uint32_t searched : {1U, 2U, 4U}) {
    for (const double utilization : {0.5, 0.9}) {
      const auto slices = twins::simulated_slices(32, searched, utilization, 1e-3, 40'000, 5 + searched);
      const double law = host_slowdown(utilization, searched);
      INFO(searched << " cores at " << utilization << ": simulated " << slices.mean << " +- " << slices.error);
      CHECK(std::abs(slices.mean - law) < 4.5 * slices.error + 1e-3);
    }
  }
  CHECK(host_slowdown(0.0, 4.0) == 1.0);
  CHECK(host_slowdown(1.0, 4.0) == 2.0);
  CHECK(host_slowdown(1.7, 4.0) == 2.0);
}

TEST_CASE("a fed step is as long as its closed form at all three levels") {
  for (const double background : {0.0, 4.0}) {
    for (const double host_s : {0.01, 0.05, 0.1}) {
      Scenario scenario = slowed(10, host_s);
      scenario.cluster.pools[0].host.core_sharing = CoreSharing{background, 1.0};
      INFO("background " << background << ", host part " << host_s);
      check_levels(scenario, twins::slowed_step_s(0.1, host_s, 0.43, background, 16.0));
    }
  }
}

TEST_CASE("the slowdown is that at the utilization of its own step") {
  Scenario scenario = slowed(10, 0.05);
  const Outcome outcome = flow_bound(scenario);
  const double utilization = 0.43 / step_s(outcome) / 16.0;
  CHECK(outcome.find("host_slowdown")->mean == Approx(1.0 + std::pow(utilization, 4.0)).epsilon(1e-9));
  CHECK(outcome.find("host_wait_s")->mean == Approx(0.05 * std::pow(utilization, 4.0)).epsilon(1e-9));
  CHECK(step_s(outcome) == Approx(0.1 + outcome.find("host_wait_s")->mean));
  check_levels(scenario, step_s(outcome));
}

TEST_CASE("where loading is the limit, a slower host part hides behind it") {
  const Scenario scenario = slowed(2, 0.05);
  check_levels(scenario, 0.43 / 2);
  CHECK(flow_bound(scenario).find("host_slowdown")->mean == Approx(1.0 + std::pow(2.0 / 16.0, 4.0)));
}

TEST_CASE("other processes of the node slow workers and step") {
  Scenario scenario = slowed(16, 0.05);
  Host& host = scenario.cluster.pools[0].host;
  host.core_sharing = CoreSharing{15.0, 4.0};
  // 16 workers, 15 cores of others and the training process: half of the cores are the workers'.
  CHECK(resolve_path(scenario, 0, {}).cpu.capacity_per_s.value() == Approx(16.0 * 16.0 / 32.0));
  check_levels(scenario, 0.1 + 0.05);
  scenario.jobs[0].step.host_part.reset();
  check_levels(scenario, 0.1);
  CHECK(flow_bound(scenario).find("host_slowdown") == nullptr);
}

TEST_CASE("a training process that loads by itself is slowed by other processes only") {
  Scenario scenario = slowed(10, 0.05);
  scenario.jobs[0].loader.synchronous = true;
  check_levels(scenario, 0.1 + 0.43);
  scenario.cluster.pools[0].host.core_sharing = CoreSharing{12.0, 4.0};
  check_levels(scenario, 0.1 + 0.43 + 0.05 * std::pow(12.0 / 16.0, 4.0));
}

TEST_CASE("receiving in the training process and in a pin thread is slowed as much") {
  Scenario scenario = slowed(12, 0.02);
  scenario.cluster.pools[0].host.core_sharing = CoreSharing{10.0, 4.0};
  for (const bool pin_thread : {false, true}) {
    scenario.jobs[0].loader.receive = {{0.01, std::nullopt}, pin_thread};
    const IngestPath path = resolve_path(scenario, 0, {});
    REQUIRE(path.host_load.slowdown > 1.1);
    CHECK((pin_thread ? path.pin_s : path.receive_s) == Approx(0.01 * path.host_load.slowdown));
    check_levels(scenario, 0.1 + 0.02 * (path.host_load.slowdown - 1.0) + path.receive_s);
  }
}

TEST_CASE("both engines agree to the nanosecond where loaders slow the step") {
  Scenario scenario = test::small_scenario(2);
  scenario.cluster.pools[0].host.cores = 8;
  scenario.jobs[0].step.host_part = HostPart{0.04, 1.5};
  scenario.jobs[0].loader.receive = {{0.0019, 1.5e9}, GENERATE(false, true)};
  scenario.jobs[0].loader.workers = GENERATE(3U, 8U);
  const IngestPath path = resolve_path(scenario, 0, {});
  REQUIRE(path.host_load.wait_s > 0.0);
  const StepLog log = test::check_engines_agree(path, 400);
  CHECK(sim::seconds(log.records[0].host_wait_ns) == Approx(path.host_load.wait_s).margin(1e-9));
}

TEST_CASE("nothing changes without a host part, or with one of no time and no cores") {
  Scenario scenario = test::small_scenario(2);
  const Outcome before = host_simulated(scenario, true);
  scenario.jobs[0].step.host_part = HostPart{0.0, 0.0};
  const Outcome after = host_simulated(scenario, true);
  REQUIRE(before.metrics.size() == after.metrics.size());
  for (std::size_t i = 0; i < before.metrics.size(); ++i) CHECK(before.metrics[i].mean == after.metrics[i].mean);
}

TEST_CASE("each window of an epoch has a slowdown of its own") {
  Scenario scenario = slowed(10, 0.05);
  scenario.cluster.pools[0].host.cores = 8;
  IngestPath path = resolve_path(scenario, 0, {});
  path.holds_tensors = true;  // a cache of decoded samples: what it has needs no core
  EpochWindow cold;
  EpochWindow warm;
  cold.weight = warm.weight = 0.5;
  warm.hit_ratio = 1.0;
  const double slow = in_window(path, cold).host_load.slowdown;
  CHECK(slow > 1.05);
  CHECK(in_window(path, warm).host_load.slowdown == 1.0);
  CHECK(in_window(in_window(path, warm), cold).host_load.slowdown == slow);
  CHECK(with_mean_host_part(path, {cold, warm}).host_load.slowdown == Approx(0.5 * (slow + 1.0)));
}

TEST_CASE("relief of decoding gives back what it takes from the host part") {
  Scenario scenario = slowed(12, 0.05);
  scenario.cluster.pools[0].host.cores = 8;
  scenario.cluster.pools[0].host.core_sharing = CoreSharing{1.0, 4.0};
  const Outcome outcome = host_simulated(scenario, true);
  CHECK(outcome.verdict == Verdict::fed);
  const double with_decode_s = step_s(outcome);
  const double without_decode_s = 0.1 + 0.05 * std::pow(1.0 / 8.0, 4.0);
  double decode = 0.0;
  for (const StageShare& share : outcome.relief)
    if (share.stage == Stage::decode) decode = share.mean;
  CHECK(decode == Approx(1.0 - without_decode_s / with_decode_s).epsilon(0.01));
  CHECK(decode > 0.02);
}

TEST_CASE("more workers than pay slow the step: the best number is smaller than without a host part") {
  Scenario scenario = slowed(8, 0.03);
  scenario.cluster.pools[0].host.cores = 12;
  scenario.cluster.pools[0].host.contention = {.sigma = 0.043, .kappa = 0.0101};
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.095);
  const std::uint64_t with_host_part = best_workers(scenario);
  const double fastest_s = [&] {
    scenario.jobs[0].loader.workers = with_host_part;
    return step_s(flow_bound(scenario));
  }();
  Scenario before = scenario;
  before.jobs[0].step.host_part.reset();
  const std::uint64_t without = best_workers(before);
  CHECK(with_host_part == 8);
  CHECK(without == 10);
  scenario.jobs[0].loader.workers = without;
  CHECK(step_s(flow_bound(scenario)) > 1.04 * fastest_s);
  scenario.jobs[0].loader.workers = 16;
  CHECK(step_s(flow_bound(scenario)) > 1.15 * fastest_s);
}
