// Tiers of checkpoints, spot nodes, and faults that slow a job down for a while.
#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/interruptions/degradation.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/study/study.hpp"
#include "models/twins/checkpoint_interval.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// Two nodes of two GPUs on 10 GB/s each; node memory of 50 GB/s, drives of 2 GB/s, a vault of 1 GB/s.
Scenario tiered(double bytes) {
  Scenario scenario = test::small_scenario(2);
  const auto add = [&](const char* name, StoreKind kind, double bytes_per_s) {
    Store store;
    store.name = name;
    store.kind = kind;
    store.bandwidth_bytes_per_s = bytes_per_s;
    scenario.stores.push_back(store);
  };
  add("memory", StoreKind::dram, 50e9);
  add("drives", StoreKind::nvme, 2e9);
  add("vault", StoreKind::parallel_fs, 1e9);
  Checkpoint checkpoint;
  checkpoint.store = "vault";
  checkpoint.bytes = bytes;
  checkpoint.interval_s = 900.0;
  checkpoint.restore = Restore::one_replica;
  scenario.jobs[0].checkpoint = checkpoint;
  return scenario;
}

Interruptions interrupted(const Scenario& scenario) {
  return *interruptions_of(scenario, resolve_path(scenario, 0, {}), 0.0);
}

}  // namespace

TEST_CASE("training stops for the first tier alone, and the copies behind it take their time beside it") {
  Scenario scenario = tiered(100e9);
  CHECK(interrupted(scenario).stall_s == Approx(100.0));
  scenario.jobs[0].checkpoint->tiers = {{"memory", false, 0.0}};
  Interruptions i = interrupted(scenario);
  CHECK(i.stall_s == Approx(1.0));
  CHECK(i.drain_s == Approx(100.0));
  CHECK(i.save_s == Approx(101.0));
  CHECK(i.load_s == Approx(100.0));  // the memory is lost: the vault is read
  scenario.jobs[0].checkpoint->tiers[0].peer = true;
  CHECK(interrupted(scenario).stall_s == Approx(5.0));  // over two NICs
  scenario.jobs[0].checkpoint->tiers[0].survives = 0.8;
  CHECK(interrupted(scenario).load_s == Approx(0.8 * 5.0 + 0.2 * 100.0));
  scenario.jobs[0].checkpoint->tiers.push_back({"drives", false, 0.0});
  i = interrupted(scenario);
  CHECK(i.drain_s == Approx(25.0 + 100.0));
  scenario.jobs[0].checkpoint->interval_s = 60.0;  // the vault cannot follow
  CHECK(interrupted(scenario).stall_s == Approx(40.0));
}

TEST_CASE("a failure loses what had not left a tier that does not survive it") {
  Scenario scenario = tiered(100e9);
  scenario.faults = Faults{};
  scenario.faults->node_mtbf_s = 36000.0;
  scenario.jobs[0].checkpoint->tiers = {{"drives", false, 0.25}};
  CHECK(interrupted(scenario).restart_s == Approx(60.0 + 300.0 + 0.25 * 25.0 + 0.75 * (100.0 + 100.0)));
  scenario.jobs[0].checkpoint->restore = Restore::failed_node;
  scenario.jobs[0].checkpoint->tiers.clear();
  CHECK(interrupted(scenario).load_s == Approx(50.0));  // half of the bytes, at the vault's speed
}

TEST_CASE("spot nodes without notice fail like any others: the reference case of 62 to 64 % saved") {
  Scenario scenario = tiered(60e9);
  scenario.jobs[0].checkpoint->interval_s = 0.0;
  scenario.faults = Faults{};
  scenario.faults->spot = Spot{2 * 7200.0, 0.0, 240.0};  // a node of two every 2 h
  const Interruptions i = interrupted(scenario);         // C = 60 s, R = 240 + 60 s
  CHECK(i.mtbf_s == Approx(7200.0));
  CHECK(i.restart_s == Approx(300.0));
  CHECK(i.training == Approx(0.84062914).epsilon(1e-6));
  CHECK(0.3 / i.training == Approx(0.35687557).epsilon(1e-6));  // 70 % off the price
  scenario.faults->node_mtbf_s = 2 * 7200.0;                    // failures as often again
  CHECK(interrupted(scenario).mtbf_s == Approx(3600.0));
  CHECK(interrupted(scenario).restart_s == Approx(0.5 * 360.0 + 0.5 * 240.0 + 60.0));
}

TEST_CASE("enough notice saves the work: a save and a restart each, up to the last second of it") {
  Scenario scenario = tiered(60e9);
  scenario.faults = Faults{};
  scenario.faults->spot = Spot{2 * 7200.0, 60.0, 240.0};
  const Interruptions told = interrupted(scenario);
  CHECK(told.mtbf_s == 0.0);
  const double graceful = (60.0 + 240.0 + 60.0) / 7200.0;
  CHECK(told.preempted == Approx(graceful / (1.0 + graceful)));
  CHECK(told.training == Approx(900.0 / 960.0 / (1.0 + graceful)));
  CHECK(told.training + told.checkpoint + told.failure == Approx(1.0));
  CHECK(flow_bound(scenario).find("preemption_time_fraction")->mean == Approx(told.preempted));
  scenario.faults->spot->notice_s = 59.9;
  CHECK(interrupted(scenario).mtbf_s == Approx(7200.0));
  CHECK(interrupted(scenario).training < told.training);
}

TEST_CASE("a storage server that is down half of the time leaves the mean of both rates") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = 0.5e9;  // 64 MB a step: 128 ms
  const double step_s = flow_bound(scenario).find("step_time_s")->mean;
  CHECK(step_s == Approx(0.128));
  scenario.faults = Faults{};
  scenario.faults->degraded = {{"store", 2000.0, 1000.0, 0.5, 1.0, 0, false}};
  const Outcome bound = flow_bound(scenario);
  CHECK(bound.find("samples_per_s")->mean == Approx(0.5 * 64 / 0.128 + 0.5 * 64 / 0.256));
  CHECK(bound.find("step_time_s")->mean == Approx(1.0 / (0.5 / 0.128 + 0.5 / 0.256)));
  CHECK(bound.find("degraded_time_fraction")->mean == Approx(0.5));
  CHECK(bound.find("gpu_utilization")->mean == Approx(0.5 * 0.1 / 0.128 + 0.5 * 0.1 / 0.256));
  CHECK(queueing_estimate(scenario, 1).find("step_time_s")->mean ==
        Approx(bound.find("step_time_s")->mean).epsilon(0.05));
  StudyOptions options;
  options.steps = 1024;
  options.granularity = Granularity{};  // queues of samples are another test's
  const Outcome run = simulate(scenario, options);
  CHECK(run.find("step_time_s")->mean == Approx(bound.find("step_time_s")->mean).epsilon(0.03));
  double states = 0.0;
  for (const GpuStateShare& state : run.gpu_states) states += state.share;
  CHECK(states == Approx(1.0));
  double blamed = 0.0;
  for (const StageShare& share : run.blame) blamed += share.mean;
  CHECK(blamed == Approx(run.find("gpu_idle_fraction")->mean));
}

TEST_CASE("a job that is fed while all is well waits for data while its store is down") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = 1e9;  // 64 ms a step of 102
  scenario.faults = Faults{};
  scenario.faults->degraded = {{"store", 1000.0, 250.0, 0.25, 1.0, 0, false}};
  const Outcome bound = flow_bound(scenario);
  const double down_s = 0.064 / 0.25;
  const double idle = 0.25 * (1.0 - 0.102 / down_s);
  CHECK(bound.find("gpu_idle_fraction")->mean == Approx(idle));
  CHECK(bound.verdict == Verdict::ingest_bound);
  CHECK(bound.binding == Stage::transfer);
  double waited = 0.0;
  for (const GpuStateShare& state : bound.gpu_states)
    if (state.state == GpuState::ingest_wait_own || state.state == GpuState::ingest_wait_peer) waited += state.share;
  CHECK(waited == Approx(idle));
  const double gpu_usd_per_s = 4 * scenario.prices.gpu_hour_usd / 3600.0;
  CHECK(bound.find("idle_cost_per_epoch_usd")->mean == Approx(idle * gpu_usd_per_s * bound.find("epoch_time_s")->mean));
}

TEST_CASE("while a worker is stuck nobody trains, and a lost worker leaves the others") {
  Scenario scenario = test::small_scenario(2);
  const Outcome healthy = flow_bound(scenario);
  scenario.faults = Faults{};
  scenario.faults->degraded = {{"", 1000.0, 100.0, 1.0, 1.0, 0, true}};
  const Outcome stuck = flow_bound(scenario);
  CHECK(stuck.find("gpu_utilization")->mean == Approx(0.9 * healthy.find("gpu_utilization")->mean));
  CHECK(stuck.find("epoch_time_s")->mean == Approx(healthy.find("epoch_time_s")->mean / 0.9));
  CHECK(stuck.find("cost_per_epoch_usd")->mean == Approx(healthy.find("cost_per_epoch_usd")->mean / 0.9));
  for (const GpuStateShare& state : stuck.gpu_states)
    if (state.state == GpuState::failure) CHECK(state.share == Approx(0.1));
  const Scenario fewer = degraded(scenario, {"", 1.0, 1.0, 1.0, 1.0, 9, false});
  CHECK(fewer.jobs[0].loader.workers == 1);
  CHECK(fewer.faults->degraded.empty());
  const Scenario slower = degraded(scenario, {"store", 1.0, 1.0, 0.5, 10.0, 0, false});
  CHECK(mean_of(slower.stores[0].latency_s) == Approx(0.2));
  CHECK(slower.stores[0].bandwidth_bytes_per_s == 20e9);
}
