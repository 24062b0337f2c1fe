// Checkpoints and failures: times by hand, shares against the closed form and a simulated renewal process, and what
// they make of an outcome.
#include "models/interruptions/interruptions.hpp"

#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/outcome/ledger.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/study.hpp"
#include "models/twins/checkpoint_interval.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "sim/tally.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// Two nodes of two GPUs, 10 GB/s each; a store of their own for checkpoints that writes 1 GB/s and reads 4 GB/s.
Scenario with_checkpoints(double bytes, double interval_s) {
  Scenario scenario = test::small_scenario(2);
  Store store;
  store.name = "vault";
  store.bandwidth_bytes_per_s = 4e9;
  store.write_bandwidth_bytes_per_s = 1e9;
  store.price.capacity_usd_per_byte_month = 1e-9;
  scenario.stores.push_back(store);
  Checkpoint checkpoint;
  checkpoint.store = "vault";
  checkpoint.bytes = bytes;
  checkpoint.interval_s = interval_s;
  scenario.jobs[0].checkpoint = checkpoint;
  return scenario;
}

Interruptions of(const Scenario& scenario, double start_up_s = 0.0) {
  return *interruptions_of(scenario, resolve_path(scenario, 0, {}), start_up_s);
}

/// Share of time that is work which lasts, over `cycles` checkpoints: failures strike work, writes and restarts alike.
sim::Tally simulated_shares(const twins::CheckpointCosts& costs, double interval_s, std::uint64_t runs,
                            std::uint64_t cycles) {
  sim::Tally shares;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::uint64_t draw = 0;
    const auto life_s = [&] {
      const double u = sim::uniform({5, static_cast<std::uint32_t>(run), sim::Purpose{17}, 0}, draw++);
      return -costs.mtbf_s * sim::plog(u);
    };
    double now_s = 0.0;
    double failure_s = life_s();
    const auto gets_through = [&](double duration_s) {  // false: failed on the way, the clock stands at the failure
      if (failure_s >= now_s + duration_s) {
        now_s += duration_s;
        return true;
      }
      now_s = failure_s;
      failure_s = now_s + life_s();
      return false;
    };
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle)
      while (!gets_through(interval_s + costs.write_s))
        while (!gets_through(costs.restart_s)) {
        }
    shares.add(static_cast<double>(cycles) * interval_s / now_s);
  }
  return shares;
}

}  // namespace

TEST_CASE("a restart does not copy the dataset to its store again") {
  Scenario scenario = with_checkpoints(4e9, 600.0);
  scenario.faults = Faults{};
  scenario.faults->node_mtbf_s = 1e6;
  scenario.faults->detection_s = 100.0;
  const double copy_s = 5000.0;
  const double plain_s = of(scenario, 10.0).restart_s;
  Staging staging;
  staging.mode = StagingMode::prestage_store;
  staging.bandwidth_bytes_per_s = corpus_of(scenario, scenario.jobs[0]).bytes / copy_s;
  scenario.jobs[0].staging = staging;
  REQUIRE(staging_time_s(scenario, 0) >= copy_s * (1.0 - 1e-9));
  CHECK(of(scenario, 10.0 + staging_time_s(scenario, 0)).restart_s == Approx(plain_s));

  StudyOptions options;
  options.steps = 64;
  const Outcome bound = flow_bound(scenario);
  const Outcome simulated = simulate(scenario, options);
  CHECK(simulated.find("time_to_first_step_s")->mean > copy_s * (1.0 - 1e-9));
  CHECK(simulated.find("restart_s")->mean < bound.find("restart_s")->mean + 10.0);
}

TEST_CASE("a synchronous checkpoint stops the job for its bytes over the tightest of store, NICs and writers") {
  Scenario scenario = with_checkpoints(100e9, 900.0);
  Interruptions i = of(scenario);
  CHECK(i.save_s == Approx(100.0));
  CHECK(i.load_s == Approx(4 * 25.0));  // each of the four replicas reads all of it
  CHECK(i.training == Approx(0.9));
  CHECK(i.checkpoint == Approx(0.1));
  CHECK(i.failure == 0.0);
  scenario.jobs[0].checkpoint->restore = Restore::one_replica;
  CHECK(of(scenario).load_s == Approx(25.0));
  scenario.jobs[0].checkpoint->writer_bytes_per_s = 0.1e9;  // four GPUs
  CHECK(of(scenario).save_s == Approx(250.0));
  scenario.jobs[0].checkpoint->writers = 1;
  CHECK(of(scenario).save_s == Approx(1000.0));
  scenario.jobs[0].checkpoint->writer_bytes_per_s.reset();
  scenario.stores[1].write_bandwidth_bytes_per_s = 100e9;
  CHECK(of(scenario).save_s == Approx(10.0));  // the NIC of the one node that writes
  scenario.jobs[0].checkpoint->writers = 2;
  CHECK(of(scenario).save_s == Approx(5.0));  // two NICs of 10 GB/s
  scenario.stores[1].kind = StoreKind::nvme;
  scenario.stores[1].write_bandwidth_bytes_per_s = 2e9;
  CHECK(of(scenario).save_s == Approx(25.0));  // two drives, no NIC in between
  scenario.jobs[0].checkpoint->writers = 1;
  CHECK(of(scenario).save_s == Approx(50.0));
}

TEST_CASE("a state that the GPUs of a replica cannot hold is shared by all GPUs and read once") {
  Scenario scenario = with_checkpoints(100e9, 900.0);
  scenario.cluster.pools[0].gpu.hbm_bytes = 80e9;
  CHECK(of(scenario).load_s == Approx(25.0));
  scenario.jobs[0].checkpoint->restore = Restore::every_replica;
  CHECK(of(scenario).load_s == Approx(4 * 25.0));
  scenario.jobs[0].checkpoint->restore = Restore::automatic;
  scenario.cluster.pools[0].gpu.hbm_bytes = 141e9;
  CHECK(of(scenario).load_s == Approx(4 * 25.0));
  scenario.jobs[0].model = TrainingModel{};
  scenario.jobs[0].model->zero_stage = 1;
  CHECK(of(scenario).load_s == Approx(25.0));
}

TEST_CASE("a load takes its bytes over the rates of all readers if these are the tightest") {
  Scenario scenario = with_checkpoints(100e9, 900.0);
  Checkpoint& checkpoint = *scenario.jobs[0].checkpoint;
  checkpoint.restore = Restore::one_replica;
  checkpoint.reader_bytes_per_s = 10e9;  // four GPUs read 40 GB/s, the store gives 4
  CHECK(of(scenario).load_s == Approx(25.0));
  checkpoint.reader_bytes_per_s = 0.5e9;
  CHECK(of(scenario).load_s == Approx(50.0));
  CHECK(of(scenario).save_s == Approx(100.0));
  checkpoint.writers = 2;  // two files, so that two GPUs read
  CHECK(of(scenario).load_s == Approx(100.0));
  checkpoint.restore = Restore::every_replica;  // four copies of two files, for four GPUs
  CHECK(of(scenario).load_s == Approx(200.0));
  checkpoint.writers = 0;
  checkpoint.restore = Restore::failed_node;  // half of it, by two GPUs
  CHECK(of(scenario).load_s == Approx(50.0));
}

TEST_CASE("files are created one after the other, and all at once at the metadata service") {
  Scenario scenario = with_checkpoints(1e9, 900.0);
  scenario.stores[1].metadata.latency_s = DistributionSpec::constant(0.01);
  scenario.stores[1].latency_s = DistributionSpec::constant(0.02);
  scenario.jobs[0].checkpoint->files_per_writer = 50;
  CHECK(of(scenario).save_s == Approx(1.0 + 50 * 0.03));
  scenario.stores[1].metadata.servers = 1;
  CHECK(of(scenario).save_s == Approx(1.0 + 4 * 50 * 0.01));
}

TEST_CASE("an asynchronous checkpoint stops the job for the copy into host memory, unless the store lags behind") {
  Scenario scenario = with_checkpoints(100e9, 900.0);
  scenario.jobs[0].checkpoint->mode = CheckpointMode::async;
  scenario.jobs[0].checkpoint->snapshot_bytes_per_s = 5e9;
  CHECK(of(scenario).stall_s == Approx(5.0));  // 25 GB of each of four GPUs
  scenario.jobs[0].checkpoint->interval_s = 60.0;
  const Interruptions late = of(scenario);
  CHECK(late.stall_s == Approx(40.0));
  CHECK(late.interval_s + late.stall_s == Approx(late.save_s));
  scenario.jobs[0].checkpoint->interval_s = 900.0;
  scenario.jobs[0].checkpoint->writers = 1;
  CHECK(of(scenario).stall_s == Approx(20.0));  // all of it from one GPU
  scenario.jobs[0].checkpoint->writers = 0;
  scenario.jobs[0].checkpoint->interval_s = 60.0;
  const Outcome outcome = flow_bound(scenario);
  REQUIRE_FALSE(outcome.warnings.empty());
  CHECK(outcome.warnings.back().seen.find("still being written") != std::string::npos);
}

TEST_CASE("the size follows from the parameters as published checkpoints do") {
  Checkpoint checkpoint;
  checkpoint.parameters = 405e9;
  // MLPerf Storage v2.0, closed: 8B 105 GB, 70B 912 GB, 405B 5.29 TB. The default counts every byte of Adam's state.
  CHECK(checkpoint.total_bytes() == Approx(5.29e12).epsilon(0.08));
  checkpoint.bytes = 1e12;
  CHECK(checkpoint.total_bytes() == 1e12);
}

TEST_CASE("without a size of its own a checkpoint holds weights and optimizer of the job's model") {
  Scenario scenario = with_checkpoints(0.0, 900.0);
  scenario.jobs[0].model = TrainingModel{};
  scenario.jobs[0].model->parameters = 7e9;
  CHECK(of(scenario).bytes == Approx(7e9 * 14.0));  // 2 bytes, an fp32 copy, two moments
  CHECK(of(scenario).save_s == Approx(98.0));
  scenario.jobs[0].model->precision = Precision::fp32;
  CHECK(of(scenario).bytes == Approx(7e9 * 12.0));
  scenario.jobs[0].model->optimizer_bytes = 4.0;  // momentum alone
  CHECK(of(scenario).bytes == Approx(7e9 * 8.0));
  scenario.jobs[0].model->zero_stage = 3;  // the same states, in other places
  CHECK(of(scenario).bytes == Approx(7e9 * 8.0));
  scenario.jobs[0].checkpoint->parameters = 1e6;  // of an adapter
  CHECK(of(scenario).bytes == Approx(14e6));
}

TEST_CASE("a job that fails before it can write a checkpoint is infeasible, and no figure is beyond all bounds") {
  Scenario scenario = with_checkpoints(1e12, 3600.0);
  for (const double node_mtbf_s : {1.0, 60.0, 600.0, 1e4}) {
    scenario.faults = Faults{node_mtbf_s, 60.0, 300.0, {}, {}};
    const Outcome outcome = flow_bound(scenario);
    INFO(node_mtbf_s);
    double states = 0.0;
    for (const GpuStateShare& state : outcome.gpu_states) states += state.share;
    CHECK(states == Approx(1.0));
    for (const Metric& metric : outcome.metrics) {
      INFO(metric.name << " " << metric.mean);
      CHECK(std::isfinite(metric.mean));
      CHECK(metric.mean >= 0.0);
    }
    if (node_mtbf_s > 100.0) continue;
    CHECK(outcome.verdict == Verdict::infeasible);
    bool said = false;
    for (const Warning& warning : outcome.warnings) said = said || warning.seen.find("makes no progress") < 100;
    CHECK(said);
  }
}

TEST_CASE("what interruptions take decides before the exchange of gradients where it takes more") {
  Scenario scenario = with_checkpoints(1e9, 900.0);
  scenario.jobs[0].collective = Collective{};
  scenario.jobs[0].collective->bytes = 2e9;
  scenario.jobs[0].collective->overlap = 0.0;
  scenario.faults = Faults{1000 * 3600.0, 60.0, 300.0, {}, {}};
  CHECK(flow_bound(scenario).verdict == Verdict::collective_bound);
  scenario.faults->node_mtbf_s = 600.0;
  CHECK(flow_bound(scenario).verdict == Verdict::checkpoint_bound);
}

TEST_CASE("failures take restarts and lost work, and the interval left open is the best one") {
  Scenario scenario = with_checkpoints(60e9, 0.0);
  scenario.jobs[0].checkpoint->restore = Restore::one_replica;
  scenario.faults = Faults{20 * 3600.0, 45.0, 200.0, {}, {}};
  const Interruptions i = of(scenario, 40.0);
  CHECK(i.mtbf_s == Approx(10 * 3600.0));
  CHECK(i.restart_s == Approx(45.0 + 200.0 + 15.0 + 40.0));
  const twins::CheckpointCosts costs{60.0, 36000.0, 300.0};
  CHECK(i.interval_s == Approx(twins::optimal_interval_s(costs)));
  CHECK(i.training == Approx(twins::checkpoint_efficiency(costs, i.interval_s)));
  CHECK(i.training + i.checkpoint + i.failure == Approx(1.0));
  for (const double factor : {0.8, 1.25}) {
    scenario.jobs[0].checkpoint->interval_s = factor * i.interval_s;
    CHECK(of(scenario, 40.0).training < i.training);
  }
}

// 400 runs of 200 checkpoints; each comparison fails by chance with probability 6e-5 (four standard errors).
TEST_CASE("the share that lasts is that of a simulated run with failures", "[statistical]") {
  for (const double interval_s : {600.0, 2000.0, 8000.0}) {
    Scenario scenario = with_checkpoints(60e9, interval_s);
    scenario.jobs[0].checkpoint->restore = Restore::one_replica;
    scenario.faults = Faults{3 * 3600.0, 45.0, 240.0, {}, {}};
    const Interruptions i = of(scenario);
    const sim::Tally shares = simulated_shares({i.stall_s, i.mtbf_s, i.restart_s}, interval_s, 400, 200);
    // A share over a random time is biased by about its variance.
    const double standard_error = std::sqrt(shares.variance() / 400.0);
    CHECK(std::abs(shares.mean() - i.training) < 4.0 * standard_error + shares.variance());
  }
}

TEST_CASE("an outcome with interruptions keeps its sums and tells the longer epoch") {
  Scenario scenario = with_checkpoints(100e9, 900.0);
  scenario.stores[0].bandwidth_bytes_per_s = 0.5e9;  // ingest-bound too
  scenario.faults = Faults{20 * 3600.0, 60.0, 300.0, {}, {}};
  StudyOptions options;
  options.steps = 2048;
  const Outcome with = simulate(scenario, options);
  scenario.faults.reset();
  scenario.jobs[0].checkpoint.reset();
  const Outcome without = simulate(scenario, options);
  CHECK(without.find("checkpoint_save_s") == nullptr);
  double states = 0.0;
  double training = 1.0;
  for (const GpuStateShare& state : with.gpu_states) {
    states += state.share;
    if (state.state == GpuState::checkpoint || state.state == GpuState::failure) {
      CHECK(state.share > 0.01);
      training -= state.share;
    }
  }
  CHECK(states == Approx(1.0));
  double blamed = 0.0;
  for (const StageShare& share : with.blame) blamed += share.mean;
  CHECK(blamed == Approx(with.find("gpu_idle_fraction")->mean));
  const auto ratio = [&](const char* name) { return with.find(name)->mean / without.find(name)->mean; };
  CHECK(ratio("step_time_s") == 1.0);
  CHECK(ratio("mlperf_au_percent") == 1.0);
  CHECK(ratio("gpu_utilization") == Approx(training));
  CHECK(ratio("goodput_fraction") == Approx(training));
  CHECK(ratio("samples_per_s") == Approx(training));
  CHECK(ratio("epoch_time_s") == Approx(1.0 / training));
  CHECK(ratio("idle_cost_per_epoch_usd") == 1.0);
  CHECK(with.find("cost_per_epoch_usd")->mean == Approx(total_usd(with.ledger)));
  CHECK(with.ledger.back().item == "checkpoint storage");
  CHECK(with.ledger.back().usd > 0.0);
  CHECK(with.find("samples_per_s")->ci95->low < with.find("samples_per_s")->mean);
  CHECK(with.find("restart_s")->mean > 360.0);
  CHECK(with.jobs[0].metrics.size() == with.metrics.size());
}

TEST_CASE("where checkpoints cost more than waiting for data the verdict says so") {
  Scenario scenario = with_checkpoints(100e9, 900.0);
  CHECK(flow_bound(scenario).verdict == Verdict::checkpoint_bound);
  scenario.jobs[0].checkpoint->interval_s = 36000.0;
  CHECK(flow_bound(scenario).verdict == Verdict::fed);
  scenario.stores[1].capacity_bytes = 150e9;
  const Outcome full = flow_bound(scenario);
  CHECK(full.verdict == Verdict::infeasible);
  CHECK(full.warnings.back().fix.find("retained") != std::string::npos);
}
