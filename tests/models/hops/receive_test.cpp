// Transport to the training process and receiving there, before the step or by a pin thread: constant times against the
// slowest cycle, exponential ones against the machine repairman, and both engines against each other.
#include <algorithm>
#include <cmath>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/cluster/timeline.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/engines_agree.hpp"
#include "tests/models/path/cpu_bound.hpp"
#include "tests/twins/receiving.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// A loader that does nothing but CPU work and whose batches are received.
Scenario receiving(const twins::ReceivingRank& rank) {
  Scenario scenario = test::cpu_bound(static_cast<std::uint64_t>(rank.workers), {});
  Job& job = scenario.jobs[0];
  job.loader.order = DeliveryOrder::in_order;
  job.loader.outstanding = static_cast<std::uint64_t>(rank.outstanding);
  job.loader.cpu_s_per_sample = DistributionSpec::constant(rank.batch_s);
  job.loader.receive.fixed_s = rank.receive_s;
  job.loader.receive.pin_thread = rank.pin_thread;
  job.step.step_time_s = DistributionSpec::constant(rank.step_s);
  return scenario;
}

Outcome simulated(const Scenario& scenario) {
  StudyOptions options;
  options.steps = 600;
  options.threads = 1;
  return simulate(scenario, options);
}

/// Mean and standard error of the step time over `replications` of `steps` steps behind a tenth of them.
struct StepMean {
  double mean_s = 0.0;
  double error_s = 0.0;
};

StepMean simulated_step(const Scenario& scenario, std::uint32_t replications, std::uint64_t steps) {
  const IngestPath path = resolve_path(scenario, 0, {});
  std::vector<double> means_s;
  double sum_s = 0.0;
  for (std::uint32_t r = 0; r < replications; ++r) {
    ClusterRun run(path, 11, r, {});
    run.run_to(steps + steps / 10);
    const auto& records = run.log().records;
    const sim::TimeNs elapsed_ns = records[steps + steps / 10].start_ns - records[steps / 10].start_ns;
    means_s.push_back(sim::seconds(elapsed_ns) / static_cast<double>(steps));
    sum_s += means_s.back();
  }
  StepMean result{sum_s / replications, 0.0};
  double squares = 0.0;
  for (const double mean_s : means_s) squares += (mean_s - result.mean_s) * (mean_s - result.mean_s);
  result.error_s = std::sqrt(squares / (replications * (replications - 1.0)));
  return result;
}

double share_of(const std::vector<StageShare>& shares, Stage stage) {
  for (const StageShare& share : shares)
    if (share.stage == stage) return share.mean;
  return 0.0;
}

}  // namespace

TEST_CASE("with constant times a step takes the slowest of workers, slots and rank, at all three levels") {
  for (const bool pin_thread : {false, true}) {
    const twins::ReceivingRank ranks[] = {
        {4, 8, 0.200, 0.004, 0.030, pin_thread},  // workers
        {4, 8, 0.100, 0.010, 0.030, pin_thread},  // step, and receiving where there is no pin thread
        {4, 8, 0.100, 0.045, 0.030, pin_thread},  // receiving
        {4, 4, 0.100, 0.040, 0.002, pin_thread},  // slots or receiving
        {6, 6, 0.090, 0.012, 0.002, pin_thread},  // slots
        {3, 4, 0.080, 0.011, 0.020, pin_thread},  // depth that is no multiple of the workers
    };
    for (const twins::ReceivingRank& rank : ranks) {
      INFO(rank.workers << " workers, receiving " << rank.receive_s << (pin_thread ? " beside" : " before"));
      const Scenario scenario = receiving(rank);
      CHECK(flow_bound(scenario).find("step_time_s")->mean == Approx(rank.period_s()).epsilon(1e-6));
      CHECK(queueing_estimate(scenario, 1).find("step_time_s")->mean == Approx(rank.period_s()).epsilon(1e-6));
      CHECK(simulated(scenario).find("step_time_s")->mean == Approx(rank.period_s()).epsilon(1e-3));
    }
  }
}

// 30 replications, fixed seeds; |t| > 4 with 29 degrees of freedom: 1 in 2500 for each of the four.
TEST_CASE("exponential batches that one server receives are the machine repairman", "[statistical]") {
  for (const int workers : {3, 6}) {
    for (const bool pin_thread : {false, true}) {
      Scenario scenario =
          receiving({static_cast<double>(workers), static_cast<double>(workers), 0.1, 0.03, 1e-9, pin_thread});
      scenario.jobs[0].loader.order = DeliveryOrder::any_order_per_worker;
      scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::exponential(0.1);
      const StepMean step = simulated_step(scenario, 30, 4000);
      const double twin_s = 1.0 / twins::received_per_s(workers, 0.1, 0.03);
      INFO(workers << " workers: simulated " << step.mean_s << " +- " << step.error_s << ", closed form " << twin_s);
      CHECK(step.error_s < 0.005 * twin_s);
      CHECK(std::abs(step.mean_s - twin_s) < 4.0 * step.error_s);
    }
  }
}

TEST_CASE("both engines agree to the nanosecond where ranks receive their batches") {
  Scenario scenario = test::small_scenario(2);
  Loader& loader = scenario.jobs[0].loader;
  loader.receive = {{0.0019, 1.5e9}, GENERATE(false, true)};
  loader.transport = {{0.0005, 2e9}};
  loader.workers = 3;
  loader.outstanding = GENERATE(2, 3, 4, 6);
  scenario.jobs[0].step.step_time_s = DistributionSpec::lognormal(GENERATE(0.1, 0.3), 0.2);
  test::check_engines_agree(resolve_path(scenario, 0, {}), 200);
}

TEST_CASE("receiving before the step is a wait for data, blamed on it") {
  const Scenario scenario = receiving({4, 8, 0.04, 0.02, 0.08, false});
  const Outcome outcome = simulated(scenario);
  CHECK(outcome.find("gpu_idle_fraction")->mean == Approx(0.2));
  CHECK(share_of(outcome.blame, Stage::receive) == Approx(0.2));
  CHECK(share_of(outcome.relief, Stage::receive) == Approx(0.2));
  CHECK(outcome.binding == Stage::receive);
  CHECK(flow_bound(scenario).binding == Stage::receive);
  // A batch that is ready waits for its step, not for receiving.
  CHECK(outcome.find("batch_load_time_s")->mean == Approx(0.06));
}

TEST_CASE("a pin thread that is too slow is the resource that binds, one that is fast enough costs nothing") {
  const Outcome slow = simulated(receiving({4, 8, 0.04, 0.1, 0.08, true}));
  CHECK(slow.binding == Stage::receive);
  CHECK(share_of(slow.blame, Stage::receive) == Approx(0.2));
  const auto thread = std::find_if(slow.stations.begin(), slow.stations.end(),
                                   [](const StationReport& one) { return one.resource == Resource::pin_thread; });
  REQUIRE(thread != slow.stations.end());
  CHECK(thread->utilization == Approx(1.0).epsilon(1e-3));
  CHECK(simulated(receiving({4, 8, 0.04, 0.02, 0.08, true})).find("gpu_idle_fraction")->mean == 0.0);
}

TEST_CASE("transport adds a fixed time and its bytes to the worker, and loading in the training process has neither") {
  Scenario scenario = receiving({2, 4, 0.04, 0.01, 0.001, false});
  scenario.datasets[0].decoded_bytes_per_sample = 3e6;
  const double before_s = mean_batch_time_s(resolve_path(scenario, 0, {}));
  scenario.jobs[0].loader.transport = {{0.002, 1.5e9}};
  CHECK(mean_batch_time_s(resolve_path(scenario, 0, {})) - before_s == Approx(0.002 + 3e6 / 1.5e9));
  scenario.jobs[0].loader.synchronous = true;
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(mean_batch_time_s(path) == Approx(before_s));
  CHECK(path.receive_s == 0.0);
  CHECK(step_time_bound_s(path) == Approx(before_s + 0.001));
}

TEST_CASE("a recorded batch is received when its rank turns to it") {
  TimelineOptions options;
  options.steps = 20;
  const Timeline timeline = record_timeline(receiving({4, 8, 0.04, 0.02, 0.08, false}), options);
  const JobTimeline& job = timeline.jobs.at(0);
  for (const TimelineBatch& batch : job.batches) {
    REQUIRE(!batch.visits.empty());
    const TimelineVisit& last = batch.visits.back();
    CHECK(last.stage == Stage::receive);
    CHECK(last.end_ns - last.begin_ns == sim::duration_ns(0.02));
    CHECK(last.end_ns == job.steps.records[batch.step].start_ns);
  }
  CHECK(!job.waiting.empty());
}
