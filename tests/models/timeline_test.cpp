#include "models/timeline.hpp"

#include <algorithm>
#include <map>

#include "models/cluster_run.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// Workers that cannot keep up, so that GPUs wait for their own batches and for peers'.
Scenario starved() {
  Scenario scenario = test::small_scenario(3);
  scenario.jobs[0].loader.workers = 2;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.01);
  return scenario;
}

TimelineOptions all_nodes(std::uint64_t steps) {
  TimelineOptions options;
  options.nodes = 1000;
  options.steps = steps;
  return options;
}

}  // namespace

TEST_CASE("the stages of a recorded batch follow each other from assignment to delivery") {
  const Timeline timeline = record_timeline(starved(), all_nodes(40));
  REQUIRE(timeline.jobs.size() == 1);
  const JobTimeline& job = timeline.jobs[0];
  CHECK(job.watched == job.loaders);
  REQUIRE(job.batches.size() == std::size_t{job.loaders} * job.steps.records.size());
  for (const TimelineBatch& batch : job.batches) {
    sim::TimeNs at_ns = batch.assigned_ns;
    for (const TimelineVisit& visit : batch.visits) {
      CHECK(visit.begin_ns == at_ns);
      CHECK(visit.service_ns <= visit.end_ns - visit.begin_ns);
      at_ns = visit.end_ns;
    }
    CHECK(at_ns == batch.ready_ns);
    CHECK(batch.ready_ns <= batch.taken_ns);
    CHECK(batch.taken_ns == job.steps.records[batch.step].start_ns);
  }
}

TEST_CASE("the waits of the recorded GPUs sum to those of the steps") {
  const Timeline timeline = record_timeline(starved(), all_nodes(40));
  const JobTimeline& job = timeline.jobs[0];
  std::map<std::uint64_t, std::pair<sim::TimeNs, sim::TimeNs>> waits;
  for (const TimelineBatch& batch : job.batches) {
    if (batch.step == 0) continue;
    const StepRecord& before = job.steps.records[batch.step - 1];
    const sim::TimeNs idle_ns = before.start_ns + before.busy_ns();
    const sim::TimeNs own_end_ns = std::clamp(batch.ready_ns, idle_ns, batch.taken_ns);
    waits[batch.step - 1].first += own_end_ns - idle_ns;
    waits[batch.step - 1].second += batch.taken_ns - own_end_ns;
  }
  sim::TimeNs all_ns = 0;
  for (std::size_t step = 0; step < job.steps.steps(); ++step) {
    CHECK(waits[step].first == job.steps.records[step].wait_own_ns);
    CHECK(waits[step].second == job.steps.records[step].wait_peer_ns);
    all_ns += waits[step].first + waits[step].second;
  }
  CHECK(all_ns > 0);
}

TEST_CASE("watching changes nothing") {
  const Scenario scenario = starved();
  const Timeline timeline = record_timeline(scenario, all_nodes(40));
  ClusterRun run(resolve_path(scenario, 0, {}), 1, 0, {});
  run.run_to(40);
  REQUIRE(run.log().records.size() == timeline.jobs[0].steps.records.size());
  for (std::size_t step = 0; step < run.log().records.size(); ++step)
    CHECK(run.log().records[step].start_ns == timeline.jobs[0].steps.records[step].start_ns);
}

TEST_CASE("a timeline keeps to its nodes and its number of batches") {
  TimelineOptions options;
  options.nodes = 1;
  options.most_batches = 64;
  const Timeline timeline = record_timeline(starved(), options);
  const JobTimeline& job = timeline.jobs[0];
  CHECK(job.watched < job.loaders);
  for (const TimelineBatch& batch : job.batches) CHECK(batch.node == 0);
  CHECK(job.batches.size() <= 64 + job.watched);
  CHECK(job.steps.steps() == 64 / job.watched);
}
