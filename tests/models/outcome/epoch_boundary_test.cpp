// The boundary of an epoch: constant times against the closed form, random ones against epochs of their own.
#include <algorithm>
#include <cmath>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/point_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/timeline.hpp"
#include "models/engine/uncontended_run.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/path/cpu_bound.hpp"
#include "tests/twins/receiving.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

constexpr double kEpochSteps = 400.0;  ///< of an epoch

Scenario anew(const twins::ReceivingRank& rank, const EpochStart& start) {
  Scenario scenario = test::cpu_bound(static_cast<std::uint64_t>(rank.workers), {});
  scenario.datasets[0].files = static_cast<std::uint64_t>(kEpochSteps);
  Job& job = scenario.jobs[0];
  job.loader.order = DeliveryOrder::in_order;
  job.loader.outstanding = static_cast<std::uint64_t>(rank.outstanding);
  job.loader.cpu_s_per_sample = DistributionSpec::constant(rank.batch_s);
  job.loader.receive.fixed_s = rank.receive_s;
  job.loader.receive.pin_thread = rank.pin_thread;
  job.loader.epoch_start = start;
  job.step.step_time_s = DistributionSpec::constant(rank.step_s);
  return scenario;
}

Outcome simulated(const Scenario& scenario) {
  StudyOptions options;
  options.steps = 800;
  options.threads = 1;
  options.relief = false;
  return simulate(scenario, options);
}

double mean_of_metric(const Outcome& outcome, const char* name) { return outcome.find(name)->mean; }

}  // namespace

TEST_CASE("with constant times the boundary is the start of workers and the first batch, or a part of it and steps") {
  const twins::ReceivingRank ranks[] = {
      {4, 8, 0.100, 0.010, 0.030, false},  // never waits but for its first batch
      {4, 8, 0.200, 0.010, 0.030, false},  // workers are the limit
      {4, 8, 0.100, 0.010, 0.030, true},
      {6, 12, 0.450, 0.000, 0.030, false},
  };
  for (const twins::ReceivingRank& rank : ranks) {
    INFO("batch " << rank.batch_s << " s, receiving " << rank.receive_s << " s");
    const Outcome outcome = simulated(anew(rank, {2.0, false}));
    const double boundary_s = 2.0 + rank.refill_s();
    CHECK(mean_of_metric(outcome, "epoch_boundary_s") == Approx(boundary_s).epsilon(1e-6));
    CHECK(mean_of_metric(outcome, "epoch_time_s") ==
          Approx(boundary_s + kEpochSteps * mean_of_metric(outcome, "step_time_s")).epsilon(1e-9));
    const Outcome estimate = queueing_estimate(anew(rank, {2.0, false}), 1);
    CHECK(mean_of_metric(estimate, "epoch_boundary_s") == Approx(boundary_s).epsilon(1e-4));
    const Outcome bound = flow_bound(anew(rank, {2.0, false}));
    CHECK(mean_of_metric(bound, "epoch_boundary_s") <= boundary_s * (1.0 + 1e-9));
    CHECK(mean_of_metric(bound, "epoch_time_s") <= mean_of_metric(outcome, "epoch_time_s") * (1.0 + 1e-9));
  }
}

// Fixed seeds; |z| > 4: 1 in 16,000. Epochs, boundaries and steps have an error each.
TEST_CASE("an epoch of random batches takes its steps and the boundary", "[statistical][long_2]") {
  Scenario scenario = anew({4, 8, 0.1, 0.004, 0.030, false}, {0.0, true});
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::lognormal(0.1, GENERATE(0.3, 1.0));
  constexpr std::uint64_t kEpochs = 200;
  const IngestPath path = resolve_path(scenario, 0, {});
  RunSwitches off;
  off.contention = false;
  std::vector<double> epochs_s;
  double sum_s = 0.0;
  for (std::uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
    const ItineraryMaker itineraries(path, 17, 0, off);
    UncontendedRun run(path, itineraries, epoch * 1000);
    run.run_to(static_cast<std::uint64_t>(kEpochSteps));
    const StepRecord& last = run.log().records[static_cast<std::size_t>(kEpochSteps) - 1];
    epochs_s.push_back(sim::seconds(last.start_ns + last.busy_ns()));
    sum_s += epochs_s.back();
  }
  const double mean_s = sum_s / kEpochs;
  double squares = 0.0;
  for (const double epoch_s : epochs_s) squares += (epoch_s - mean_s) * (epoch_s - mean_s);
  const double error_s = std::sqrt(squares / (kEpochs * (kEpochs - 1.0)));
  StudyOptions options;
  options.steps = 40000;
  options.replications = 16;
  options.threads = 1;
  options.relief = false;
  const Outcome outcome = simulate(scenario, options);
  const Metric& step = *outcome.find("step_time_s");
  REQUIRE(step.ci95);
  const double step_error_s = (step.ci95->high - step.ci95->low) / 4.0;
  // A boundary varies no more than the epoch that it begins.
  const double boundary_error_s = error_s * std::sqrt(static_cast<double>(kEpochs) / options.replications);
  const double all_s = std::hypot(error_s, boundary_error_s, (kEpochSteps + 32.0) * step_error_s);
  const double predicted_s = mean_of_metric(outcome, "epoch_time_s");
  INFO("an epoch takes " << mean_s << " +- " << error_s << " s, predicted " << predicted_s << ", boundary "
                         << mean_of_metric(outcome, "epoch_boundary_s"));
  CHECK(std::abs(predicted_s - mean_s) < 4.0 * all_s);
  CHECK(all_s < 0.02 * mean_s);
  const double estimate_s = mean_of_metric(queueing_estimate(scenario, 1), "epoch_time_s");
  CHECK(estimate_s == Approx(mean_s).epsilon(0.02));
}

TEST_CASE(
    "workers that persist start once, more workers than cores start in turns, and without a word nothing starts") {
  const twins::ReceivingRank rank{4, 8, 0.100, 0.0, 0.030, false};
  const Outcome anew_each = flow_bound(anew(rank, {2.0, false}));
  const Outcome persistent = flow_bound(anew(rank, {2.0, true}));
  CHECK(mean_of_metric(anew_each, "epoch_boundary_s") == Approx(2.1));
  CHECK(mean_of_metric(persistent, "epoch_boundary_s") == Approx(0.1));
  Scenario crowded = anew(rank, {2.0, false});
  crowded.cluster.pools[0].host.cores = 2;
  CHECK(resolve_path(crowded, 0, {}).worker_start_s == Approx(4.0));
  const Outcome first = simulated(anew(rank, {2.0, true}));
  CHECK(mean_of_metric(first, "first_epoch_time_s") - mean_of_metric(first, "epoch_time_s") == Approx(2.0));
  CHECK(mean_of_metric(first, "time_to_first_step_s") == Approx(2.1));
  Scenario lasting = anew(rank, {});
  lasting.jobs[0].loader.epoch_start.reset();
  const Outcome as_before = flow_bound(lasting);
  CHECK(as_before.find("epoch_boundary_s") == nullptr);
  CHECK(mean_of_metric(as_before, "epoch_time_s") == Approx(kEpochSteps * 0.03));
}

TEST_CASE("money and the bound of one configuration count the boundary too") {
  const Scenario scenario = anew({4, 8, 0.100, 0.0, 0.030, false}, {2.0, false});
  const Outcome bound = flow_bound(scenario);
  const double hours = mean_of_metric(bound, "epoch_time_s") / 3600.0;
  CHECK(mean_of_metric(bound, "cost_per_epoch_usd") == Approx(hours * scenario.prices.gpu_hour_usd));
  CHECK(mean_of_metric(bound, "idle_cost_per_epoch_usd") == Approx(2.1 / 3600.0 * scenario.prices.gpu_hour_usd));
  const PointBound point = point_bound(scenario);
  CHECK(point.epoch_time_s(point.step_time_s) == Approx(mean_of_metric(bound, "epoch_time_s")));
  CHECK(point.cost_usd(point.step_time_s) == Approx(mean_of_metric(bound, "cost_per_epoch_usd")));
}

TEST_CASE("a timeline shows from empty queues to the first step") {
  TimelineOptions options;
  options.steps = 10;
  const Timeline timeline = record_timeline(anew({4, 8, 0.100, 0.0, 0.030, false}, {2.0, false}), options);
  REQUIRE(timeline.spans.size() == 1);
  CHECK(timeline.spans[0].end_ns == timeline.jobs[0].steps.records[0].start_ns);
  CHECK(timeline.spans[0].facts.front().second == 2.0);
}
