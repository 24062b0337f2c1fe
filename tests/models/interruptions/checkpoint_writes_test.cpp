// Checkpoints that are written while somebody trains.
#include "models/interruptions/checkpoint_writes.hpp"

#include <algorithm>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/cluster/fair_share.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/study/study.hpp"
#include "sim/shared_station.hpp"
#include "sim/simulation.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/readers_and_writers.hpp"

using namespace headrace::models;

namespace {

/// Two nodes of two GPUs that read 627 MB/s of 1 GB/s, with 4 loaders of 4 workers, and write 60 GB every ten minutes.
Scenario writing(CheckpointMode mode = CheckpointMode::async) {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = 1e9;
  scenario.stores[0].latency_s = DistributionSpec::constant(0.002);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 60e9;
  checkpoint.interval_s = 600.0;
  checkpoint.mode = mode;
  scenario.jobs[0].checkpoint = checkpoint;
  return scenario;
}

double step_s(const Outcome& outcome) { return outcome.find("step_time_s")->mean; }

/// Asks for `work` every `gap_ns`, one request after the other; late requests follow at once.
headrace::sim::Process client(headrace::sim::Simulation& simulation, headrace::sim::SharedStation& drive, double work,
                              headrace::sim::TimeNs gap_ns, double& served) {
  for (headrace::sim::TimeNs due_ns = 0;; due_ns += gap_ns) {
    co_await simulation.until(std::max(due_ns, simulation.now()));
    co_await drive.serve(work);
    served += work;
  }
}

double reads_bytes_per_s() { return 4.0 * 16.0 * 1e6 / 0.102; }

/// What `writers` leave of a store or drive to readers of 16 samples, each 2 ms for its first byte and 2 ms for
/// decoding.
double left_to_reads(double store_bytes_per_s, int readers, double writers) {
  return store_bytes_per_s - twins::fluid_writes_bytes_per_s({store_bytes_per_s, readers, 0.064, 16e6, writers});
}

}  // namespace

TEST_CASE("writes beside synchronous loading take nothing from its bound, since they get on while nobody reads") {
  Scenario scenario = writing();
  scenario.stores[0].bandwidth_bytes_per_s = 0.5e9;
  scenario.jobs[0].loader.synchronous = true;
  const double with_writes = step_s(flow_bound(scenario));
  scenario.jobs[0].checkpoint.reset();
  CHECK(with_writes == Approx(step_s(flow_bound(scenario))));
}

TEST_CASE("the bound of a job with checkpoints is the same alone and beside a job on another store") {
  Scenario alone = writing();
  alone.stores[0].bandwidth_bytes_per_s = 0.7e9;
  Scenario beside = alone;
  beside.cluster.pools[0].nodes = 3;
  beside.jobs[0].nodes = 2;
  beside.stores.push_back(beside.stores[0]);
  beside.stores[1].name = "other";
  beside.datasets.push_back(beside.datasets[0]);
  beside.datasets[1].name = "texts";
  beside.datasets[1].store = "other";
  beside.jobs.push_back(beside.jobs[0]);
  beside.jobs[1].name = "second";
  beside.jobs[1].nodes = 1;
  beside.jobs[1].datasets = {{"texts", 1.0}};
  beside.jobs[1].checkpoint.reset();
  for (const bool swapped : {false, true}) {
    if (swapped) std::swap(beside.jobs[0], beside.jobs[1]);
    const Outcome outcome = flow_bound(beside);
    for (const JobReport& job : outcome.jobs) {
      if (job.name != "job") continue;
      for (const Metric& metric : job.metrics)
        if (metric.name == "step_time_s") CHECK(metric.mean == Approx(step_s(flow_bound(alone))));
    }
  }
}

TEST_CASE("a checkpoint beside reads takes as long as its max-min share of the store lets it") {
  // Sixteen batches under way beside four writers: reads get what they ask for, the rest is for the writes.
  const CheckpointWrites writes = checkpoint_writes(writing());
  REQUIRE(writes.states.size() == 1);
  CHECK(writes.states[0].alone_s == Approx(60.002));
  CHECK(writes.states[0].duration_s == Approx(60e9 / (1e9 - reads_bytes_per_s())).epsilon(1e-3));
  CHECK(writes.states[0].share == Approx(writes.states[0].duration_s / 600.0));
  CHECK(writes.scenario.jobs[0].checkpoint->step_s == std::vector<double>{writes.states[0].duration_s});
  const Interruptions i = *interruptions_of(writes.scenario, resolve_path(writes.scenario, 0, {}), 0.0);
  CHECK(i.save_s == Approx(writes.states[0].duration_s));

  // Sixty-four writers beside sixteen readers: these are left with less than a fifth, since they are not always there.
  Scenario many = writing();
  many.jobs[0].checkpoint->writers = 64;
  const CheckpointWrites eager = checkpoint_writes(many);
  const double left = left_to_reads(1e9, 16, 64.0);
  CHECK(left < 0.2e9);
  CHECK(eager.states[0].duration_s == Approx(60e9 / (1e9 - left)).epsilon(1e-3));
  CHECK(beside_others(eager.states[0].scenario, 0).stores[0].bandwidth_bytes_per_s == Approx(left).epsilon(1e-3));
}

TEST_CASE("a written byte takes as much of the store as its write bandwidth says") {
  Scenario slow = writing();
  slow.stores[0].write_bandwidth_bytes_per_s = 0.5e9;
  const CheckpointWrites writes = checkpoint_writes(slow);
  CHECK(writes.states[0].alone_s == Approx(120.002));
  CHECK(writes.states[0].duration_s == Approx(60e9 / (0.5 * (1e9 - reads_bytes_per_s()))).epsilon(1e-3));
}

TEST_CASE("the simulated write flow gets what the closed form gives it") {
  for (const std::uint64_t writers : {4U, 16U, 64U}) {
    INFO(writers);
    Scenario scenario = writing();
    scenario.jobs[0].checkpoint->writers = writers;
    const CheckpointWrites writes = checkpoint_writes(scenario);
    ClusterRun run(plan_cluster(writes.states[0].scenario, {}), 1, 0, {});
    run.run_to(200);
    run.reset_totals();
    run.run_to(1000);
    // Reads do not ask evenly, so that writes get a little more than the share beside a steady demand. Fixed seed: the
    // same figure in every run.
    const double closed = 60e9 / writes.states[0].duration_s;
    CHECK(run.background()[0]->bytes_per_s() > 0.95 * closed);
    CHECK(run.background()[0]->bytes_per_s() < 1.15 * closed);
  }
}

// One worker that holds one batch: reads slow down beside writes, and leave them more than at full speed.
TEST_CASE("a simulated checkpoint takes as long as its write flow needs beside reads") {
  Scenario scenario = writing();
  scenario.jobs[0].loader.workers = 1;
  scenario.jobs[0].loader.prefetch = 1;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.004);
  scenario.jobs[0].checkpoint->writers = 4;
  StudyOptions options;
  options.steps = 2000;
  options.relief = false;
  const WriteState state = checkpoint_writes(scenario).states.at(0);
  const Outcome beside = simulate(state.scenario, options);
  REQUIRE(beside.background.size() == 1);
  const double saved_s = simulate(scenario, options).find("checkpoint_save_s")->mean;
  CHECK(saved_s == Approx(60e9 / *beside.background[0].served_bytes_per_s).epsilon(1e-3));
  CHECK(saved_s == Approx(state.duration_s).epsilon(0.05));  // the closed network says nearly the same
}

TEST_CASE("reads that fill the NICs leave writes to a faster store their full rate") {
  Scenario scenario = writing();
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 0.2e9;
  StudyOptions options;
  options.steps = 2000;
  options.relief = false;
  const Outcome outcome = simulate(scenario, options);
  CHECK(outcome.find("checkpoint_save_s")->mean == Approx(150.0).epsilon(0.05));
  CHECK(outcome.find("checkpoint_read_slowdown")->mean == Approx(1.0).epsilon(0.02));
}

TEST_CASE("training is the average over the times with and without writes, at every level of answer") {
  Scenario scenario = writing();
  scenario.jobs[0].checkpoint->writers = 64;
  Scenario quiet = scenario;
  quiet.jobs[0].checkpoint.reset();
  const double share = checkpoint_writes(scenario).states[0].share;

  const Outcome estimate = queueing_estimate(scenario, 1);
  const double beside_s = 4.0 * 16.0 * 1e6 / left_to_reads(1e9, 16, 64.0);
  CHECK(step_s(estimate) == Approx(1.0 / ((1.0 - share) / 0.102 + share / beside_s)).epsilon(0.02));
  CHECK(estimate.find("checkpoint_write_time_fraction")->mean == Approx(share));
  CHECK(estimate.find("checkpoint_read_slowdown")->mean == Approx(beside_s / 0.102).epsilon(0.02));
  CHECK(estimate.find("checkpoint_ingest_wait_fraction")->mean > 0.05);

  StudyOptions options;
  options.steps = 2000;
  options.relief = false;
  const Outcome simulated = simulate(scenario, options);
  // Interval of the simulated mean: well under 1 % at 2,000 steps; fixed seed.
  CHECK(step_s(simulated) == Approx(step_s(estimate)).epsilon(0.04));
  CHECK(step_s(flow_bound(scenario)) <= step_s(simulated));
  CHECK(step_s(simulate(quiet, options)) < 0.95 * step_s(simulated));
  double sum = 0.0;
  for (const GpuStateShare& state : simulated.gpu_states) sum += state.share;
  CHECK(sum == Approx(1.0));
}

TEST_CASE("the bound takes the mean of the writes from the store") {
  Scenario scenario = writing();
  scenario.jobs[0].checkpoint->interval_s = 120.0;  // 0.5 GB/s of writes leave half of the store
  const Outcome bound = flow_bound(scenario);
  CHECK(step_s(bound) >= 64e6 / 0.7e9);
  scenario.jobs[0].checkpoint->interval_s = 6000.0;
  CHECK(step_s(flow_bound(scenario)) == Approx(0.102));
}

TEST_CASE("training that stops for its save disturbs others, not itself") {
  const Scenario alone = writing(CheckpointMode::sync);
  CHECK(checkpoint_writes(alone).states.empty());
  Scenario two = alone;
  two.cluster.pools[0].nodes = 4;
  two.jobs[0].nodes = 2;
  two.jobs.push_back(two.jobs[0]);
  two.jobs[1].name = "other";
  two.jobs[1].checkpoint.reset();
  two.jobs[0].checkpoint->writers = 64;
  const CheckpointWrites writes = checkpoint_writes(two);
  REQUIRE(writes.states.size() == 1);
  REQUIRE(writes.states[0].scenario.jobs.size() == 1);
  CHECK(writes.states[0].scenario.jobs[0].name == "other");
  const double save_s = writes.states[0].duration_s;
  CHECK(writes.states[0].share == Approx(save_s / (600.0 + save_s)));  // 600 s of work, and the stop
  const Outcome outcome = queueing_estimate(two, 1);
  const auto of = [&](std::size_t job, std::string_view name) {
    for (const Metric& metric : outcome.jobs[job].metrics)
      if (metric.name == name) return metric.mean;
    return -1.0;
  };
  CHECK(of(0, "checkpoint_write_time_fraction") == 0.0);
  CHECK(of(1, "checkpoint_write_time_fraction") == Approx(writes.states[0].share));
  CHECK(of(1, "checkpoint_read_slowdown") > 1.5);
}

TEST_CASE("a step into the drives of the nodes takes from a cache that lies there") {
  Scenario scenario = writing(CheckpointMode::sync);
  Store drives;
  drives.name = "drives";
  drives.kind = StoreKind::nvme;
  drives.bandwidth_bytes_per_s = 4e9;
  drives.write_bandwidth_bytes_per_s = 2e9;
  Store vault = drives;
  vault.name = "vault";
  vault.kind = StoreKind::parallel_fs;
  scenario.stores.push_back(drives);
  scenario.stores.push_back(vault);
  Pool& pool = scenario.cluster.pools[0];
  pool.cache.policy = CachePolicy::pinned;
  pool.cache.medium = CacheMedium::nvme;
  pool.cache.bytes = 1e12;
  pool.cache.bandwidth_bytes_per_s = 4e9;
  pool.cache.write_bandwidth_bytes_per_s = 2e9;
  pool.drives.capacity_bytes = 2e12;
  Checkpoint& checkpoint = *scenario.jobs[0].checkpoint;
  checkpoint.tiers = {{"drives", false, 0.0}};
  checkpoint.store = "vault";
  // The save stops training; the drain reads the drives, 30 GB a node in 30 s.
  const CheckpointWrites drain = checkpoint_writes(scenario);
  REQUIRE(drain.states.size() == 1);
  CHECK(drain.states[0].step == 1);
  CHECK(drain.states[0].duration_s == Approx(30.002).epsilon(1e-3));
  const double left = drain.states[0].scenario.cluster.pools[0].cache.bandwidth_bytes_per_s.value();
  CHECK(left == Approx(4e9 - 1e9).epsilon(1e-3));
  // Beside training the save writes them: two bytes' worth of reading for each, with two writers beside eight batches.
  checkpoint.mode = CheckpointMode::async;
  const CheckpointWrites both = checkpoint_writes(scenario);
  REQUIRE(both.states.size() == 2);
  CHECK(both.states[0].alone_s == Approx(15.0).epsilon(1e-3));
  CHECK(both.states[0].duration_s > 1.05 * both.states[0].alone_s);
}

namespace {

/// The dataset lies on the drives of the nodes, which the checkpoints pass.
Scenario on_local_drives(std::uint64_t writers) {
  Scenario scenario = writing();
  scenario.stores[0].kind = StoreKind::nvme;
  scenario.stores[0].bandwidth_bytes_per_s = 0.5e9;  // of each node, which reads 314 MB/s of it
  scenario.stores[0].stream_bytes_per_s.reset();
  scenario.jobs[0].checkpoint->writers = writers;
  return scenario;
}

/// Mean step of the engine while a checkpoint is written.
double engine_step_s(const Scenario& scenario) {
  ClusterRun run(plan_cluster(scenario, {}), 1, 0, {});
  run.run_to(500);
  const auto& records = run.log().records;
  return headrace::sim::seconds(records[500].start_ns - records[100].start_ns) / 400.0;
}

}  // namespace

TEST_CASE("the engine writes checkpoints over the drives of the nodes, beside reads") {
  // 64 writers are 32 beside the 8 readers of a node.
  const Scenario crowded = on_local_drives(64);
  const CheckpointWrites writes = checkpoint_writes(crowded);
  REQUIRE(writes.states.size() == 1);
  const IngestPath path = resolve_path(writes.states[0].scenario, 0, {});
  REQUIRE(path.node_flows.size() == 1);
  CHECK(path.node_flows[0].capacity_bytes_per_s == Approx(0.5e9));
  CHECK(path.node_flows[0].writers == 32);
  const double left = left_to_reads(0.5e9, 8, 32.0);
  CHECK(path.device.capacity_per_s.value() == Approx(left).epsilon(0.001));
  CHECK(engine_step_s(writes.states[0].scenario) == Approx(32e6 / left).epsilon(0.04));
  // Two writers a node get what reads leave; reads are hardly longer, where the closed form says not at all.
  const CheckpointWrites few = checkpoint_writes(on_local_drives(4));
  REQUIRE(few.states.size() == 1);
  CHECK(engine_step_s(few.states[0].scenario) == Approx(0.102).epsilon(0.05));
  // Nothing is written where nothing is configured.
  Scenario quiet = crowded;
  quiet.jobs[0].checkpoint.reset();
  CHECK(resolve_path(quiet, 0, {}).node_flows.empty());
  CHECK(engine_step_s(quiet) == Approx(0.102).epsilon(0.01));
}

TEST_CASE("levels of answer agree on checkpoints over local drives") {
  const Scenario scenario = on_local_drives(64);
  StudyOptions options;
  options.steps = 1000;
  options.relief = false;
  const double estimate_s = step_s(queueing_estimate(scenario, 1));
  const double simulated_s = step_s(simulate(scenario, options));
  // Interval of the simulated mean: about 1 % at 1,000 steps; fixed seed.
  CHECK(simulated_s == Approx(estimate_s).epsilon(0.05));
  CHECK(step_s(flow_bound(scenario)) <= simulated_s * 1.002);
}

TEST_CASE("readers and writers on one drive get what max-min gives them") {
  using namespace headrace;
  for (const double asked : {0.3, 0.6, 0.9, 2.0}) {  // by eight readers of 1 B at a time, over the drive
    INFO(asked);
    sim::Simulation simulation;
    sim::SharedStation drive(simulation, 1.0, 1.0);
    std::vector<double> served(10, 0.0);
    const double gap_s = 8.0 / asked;
    for (std::size_t i = 0; i < 10; ++i)
      simulation.spawn(client(simulation, drive, 1.0, i < 8 ? sim::duration_ns(gap_s) : 0, served[i]));
    simulation.run_until(sim::duration_ns(20'000.0));
    double read = 0.0;
    for (std::size_t i = 0; i < 8; ++i) read += served[i] / 20'000.0;
    const std::vector<double> shares = weighted_max_min(1.0, {{asked, 8.0}, {10.0, 2.0}});
    CHECK(read == Approx(shares[0]).epsilon(0.01));
    CHECK((served[8] + served[9]) / 20'000.0 == Approx(shares[1]).epsilon(0.01));
  }
}

TEST_CASE("cache, dataset and checkpoints must fit the drives, and the sum is told") {
  Scenario scenario = writing(CheckpointMode::sync);
  Store drives;
  drives.name = "drives";
  drives.kind = StoreKind::nvme;
  drives.bandwidth_bytes_per_s = 4e9;
  scenario.stores.push_back(drives);
  Pool& pool = scenario.cluster.pools[0];
  pool.cache.policy = CachePolicy::lru;
  pool.cache.bytes = 900e9;
  pool.cache.bandwidth_bytes_per_s = 4e9;
  pool.drives.capacity_bytes = 1e12;
  scenario.jobs[0].checkpoint->tiers = {{"drives", false, 0.0}};
  Outcome outcome = flow_bound(scenario);
  CHECK(outcome.find("drive_headroom_bytes")->mean == Approx(1e12 - 900e9 - 2 * 30e9));
  CHECK(outcome.verdict != Verdict::infeasible);
  scenario.jobs[0].checkpoint->tiers[0].retained = 4;
  outcome = flow_bound(scenario);
  CHECK(outcome.verdict == Verdict::infeasible);
  bool told = false;
  for (const Warning& warning : outcome.warnings)
    told = told || warning.cause.find("cache 900.0 GB + 4 checkpoint shards 120.0 GB") != std::string::npos;
  CHECK(told);
}
