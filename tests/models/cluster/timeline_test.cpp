#include "models/cluster/timeline.hpp"

#include <algorithm>
#include <map>

#include "models/cluster/cluster_run.hpp"
#include "models/path/epoch_windows.hpp"
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
  CHECK(job.batches.size() <= 64);
  CHECK(job.steps.steps() + 1 == 64 / job.watched);
}

TEST_CASE("a timeline of jobs of unlike pace keeps as many steps of each") {
  Scenario scenario = starved();
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[0].name = "slow";
  scenario.jobs[1].name = "fast";
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(1.0);
  scenario.jobs[0].nodes = scenario.jobs[1].nodes = 1;
  TimelineOptions options = all_nodes(40);
  const Timeline timeline = record_timeline(scenario, options);
  REQUIRE(timeline.jobs.size() == 2);
  for (const JobTimeline& job : timeline.jobs) {
    CHECK(job.steps.steps() == 40);
    CHECK(job.batches.size() == std::size_t{job.watched} * 41);
  }
  CHECK(timeline.jobs[0].steps.records.back().start_ns > timeline.jobs[1].steps.records.back().start_ns);
}

TEST_CASE("the batches that lie ready when a timeline ends are those of a longer one") {
  Scenario scenario = test::small_scenario(3);
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.5);
  const Timeline brief = record_timeline(scenario, all_nodes(40));
  const Timeline longer = record_timeline(scenario, all_nodes(120));
  const sim::TimeNs end_ns = brief.jobs[0].steps.records.back().start_ns;
  std::size_t ready = 0;
  for (const TimelineBatch& batch : longer.jobs[0].batches)
    ready += batch.step > 40 && batch.ready_ns <= end_ns ? 1 : 0;
  CHECK(ready > brief.jobs[0].loaders);
  CHECK(brief.jobs[0].waiting.size() == ready);
  for (const TimelineBatch& batch : brief.jobs[0].waiting) CHECK(batch.ready_ns <= end_ns);
}

TEST_CASE("a recording is made in the window of the epoch that is asked for, the first by default, the last at most") {
  Scenario scenario = starved();
  NodeCache& cache = scenario.cluster.pools[0].cache;
  cache.policy = CachePolicy::lru;
  cache.bytes = 0.5 * scenario.datasets[0].bytes();
  const std::vector<EpochWindow> windows = epoch_windows(scenario, 0, 1);
  REQUIRE(windows.size() > 2);
  REQUIRE(windows.front().hit_ratio > windows.back().hit_ratio);
  TimelineOptions options = all_nodes(10);
  CHECK(record_timeline(scenario, options).jobs[0].hit_ratio == windows.front().hit_ratio);
  options.window = 2;
  CHECK(record_timeline(scenario, options).jobs[0].hit_ratio == windows[2].hit_ratio);
  options.window = 1000;
  CHECK(record_timeline(scenario, options).jobs[0].hit_ratio == windows.back().hit_ratio);
}
