// The copy of a checkpoint into host memory beside the copies of batches to the GPU.
#include "models/interruptions/snapshot_copy.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/copies_both_ways.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// Batches of 400 MB take 40 ms of a link of 10 GB/s and 60 ms of computing; 500 GB of checkpoint per GPU every 600 s.
Scenario copying(double both_ways, double snapshot_bytes_per_s) {
  Scenario scenario = test::small_scenario(2);
  scenario.cluster.pools[0].gpu.pcie_bytes_per_s = 10e9;
  scenario.cluster.pools[0].gpu.pcie_both_ways = both_ways;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e5);
  scenario.datasets[0].decoded_bytes_per_sample = 25e6;
  Job& job = scenario.jobs[0];
  job.step.step_time_s = DistributionSpec::constant(0.06);
  job.step.overhead_s = DistributionSpec::constant(0.0);
  job.step.h2d_overlapped = false;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(1e-4);
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 4.0 * 500e9;
  checkpoint.interval_s = 600.0;
  checkpoint.mode = CheckpointMode::async;
  checkpoint.snapshot_bytes_per_s = snapshot_bytes_per_s;
  checkpoint.snapshot_overlapped = true;
  job.checkpoint = checkpoint;
  return scenario;
}

twins::CopyBesideBatches by_hand(double both_ways, double snapshot_bytes_per_s) {
  const double asked = std::min(1.0, snapshot_bytes_per_s / 10e9);
  return {0.06, 0.04, both_ways, asked, 500e9 / (asked * 10e9)};
}

/// Without the writes to the store, which have states of their own.
std::vector<WriteState> copies_of(const Scenario& scenario) {
  std::vector<WriteState> states = checkpoint_writes(scenario).states;
  std::erase_if(states, [](const WriteState& state) { return !state.copies; });
  return states;
}

}  // namespace

TEST_CASE("batches slow down by what the copy takes of the link, and the copy by what they leave") {
  for (const double both_ways : {1.0, 1.3, 1.7}) {
    for (const double rate : {2e9, 8e9, 20e9}) {
      INFO(both_ways << " " << rate);
      const Scenario scenario = copying(both_ways, rate);
      const twins::CopyBesideBatches twin = by_hand(both_ways, rate);
      const SnapshotCopy copy = *snapshot_copy(scenario, 0);
      CHECK(copy.alone_s == Approx(twin.copy_alone_s));
      CHECK(copy.duration_s == Approx(twins::copy_beside_batches_s(twin)).epsilon(1e-9));
      const std::vector<WriteState> states = copies_of(scenario);
      if (twins::step_beside_copy_s(twin) == Approx(0.1)) {
        CHECK(states.empty());
        continue;
      }
      REQUIRE(states.size() == 1);
      CHECK(states[0].share == Approx(std::min(1.0, copy.duration_s / 600.0)).epsilon(0.02));
      CHECK(resolve_path(states[0].scenario, 0, {}).mean_step_floor_s() ==
            Approx(twins::step_beside_copy_s(twin)).epsilon(1e-9));
      ClusterRun run(resolve_path(states[0].scenario, 0, {}), 1, 0, {});
      run.run_to(40);
      const auto& records = run.log().records;
      CHECK(sim::seconds(records[39].start_ns - records[10].start_ns) / 29.0 ==
            Approx(twins::step_beside_copy_s(twin)).epsilon(1e-6));
    }
  }
}

TEST_CASE("directions that do not disturb each other change nothing") {
  const Scenario scenario = copying(2.0, 20e9);
  CHECK(snapshot_copy(scenario, 0)->left == 1.0);
  CHECK(copies_of(scenario).empty());
  Scenario unlimited = copying(1.0, 20e9);
  unlimited.cluster.pools[0].gpu.pcie_bytes_per_s.reset();
  CHECK(snapshot_copy(unlimited, 0)->duration_s == Approx(25.0));
  CHECK(copies_of(unlimited).empty());
  Scenario stops = copying(1.0, 20e9);
  stops.jobs[0].checkpoint->snapshot_overlapped = false;
  CHECK_FALSE(snapshot_copy(stops, 0));
}

TEST_CASE("a copy beside training stops nobody, unless it lasts longer than the interval") {
  Scenario scenario = copying(1.0, 10e9);
  const auto stall_s = [&] {
    const Scenario timed = checkpoint_writes(scenario).scenario;
    return interruptions_of(timed, resolve_path(timed, 0, {}), 0.0)->stall_s;
  };
  CHECK(stall_s() == 0.0);
  scenario.jobs[0].checkpoint->snapshot_bytes_per_s = 0.5e9;  // a thousand seconds
  CHECK(stall_s() == Approx(400.0));
  scenario.jobs[0].checkpoint->snapshot_bytes_per_s = 10e9;
  scenario.jobs[0].checkpoint->snapshot_overlapped = false;
  CHECK(stall_s() == Approx(50.0));
}

TEST_CASE("mean step time with copies: all levels of answer against the closed form") {
  Scenario scenario = copying(1.0, 10e9);
  scenario.stores[0].bandwidth_bytes_per_s = 1e15;  // writes to the store are nothing beside the copy
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e15;
  const twins::CopyBesideBatches twin = by_hand(1.0, 10e9);
  const double mean_s = twins::mean_step_with_copies_s(twin, 600.0);
  CHECK(mean_s > 0.103);
  CHECK(queueing_estimate(scenario, 1).find("step_time_s")->mean == Approx(mean_s).epsilon(1e-3));
  StudyOptions options;
  options.steps = 60;
  options.relief = false;
  options.threads = 1;
  CHECK(simulate(scenario, options).find("step_time_s")->mean == Approx(mean_s).epsilon(1e-3));
  const double bound_s = flow_bound(scenario).find("step_time_s")->mean;
  CHECK(bound_s <= mean_s);
  CHECK(bound_s > 0.101);
}
