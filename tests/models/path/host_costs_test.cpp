// What the host costs beside decoding: each parameter against its closed form, and the three levels against each other.
#include "models/path/host_costs.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/engine/uncontended_run.hpp"
#include "models/hops/batch_time_law.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/ledger.hpp"
#include "models/path/cache_stack.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/twins/host_path.hpp"
#include "models/twins/preprocessing.hpp"
#include "tests/catch.hpp"
#include "tests/models/engines_agree.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/host_rates.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// One node, one loader, everything constant: 16 samples of 1 MB from a fast store.
Scenario constant_scenario() {
  Scenario scenario = test::small_scenario(1);
  scenario.cluster.pools[0].gpus_per_node = 1;
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 100e9;
  scenario.stores[0].bandwidth_bytes_per_s = 200e9;
  scenario.stores[0].stream_bytes_per_s.reset();
  scenario.stores[0].latency_s = DistributionSpec::constant(0.001);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  scenario.jobs[0].step.overhead_s = DistributionSpec::constant(0.0);
  return scenario;
}

/// Protocol, encryption, mount, codec, format and memory at once.
Scenario costly_scenario() {
  Scenario scenario = test::small_scenario(3);
  scenario.fabric.transport = {0.9, 5e9, 20e-6, 50e-6, false, {}, {}};
  scenario.fabric.decrypt_bytes_per_s = 2e9;
  scenario.fabric.access_check_s = 1e-3;
  scenario.datasets[0].codec = {2.0, 1e9};
  scenario.datasets[0].parse_s_per_sample = 1e-4;
  scenario.datasets[0].parse_bytes_per_s = 2e9;
  scenario.cluster.pools[0].host.fuse = FuseMount{};
  scenario.cluster.pools[0].host.memory_bytes_per_s = 50e9;
  scenario.cluster.pools[0].host.speed_cv = 0.1;
  return scenario;
}

double simulated_step_s(const IngestPath& path, std::uint64_t from = 100, std::uint64_t to = 300) {
  ClusterRun run(path, 7, 0, {});
  run.run_to(to);
  const auto& records = run.log().records;
  return sim::seconds(records[to].start_ns - records[from].start_ns) / static_cast<double>(to - from);
}

double simulated_step_s(const Scenario& scenario) { return simulated_step_s(resolve_path(scenario, 0, {})); }

double floor_of(const IngestPath& path, Resource resource) {
  for (const ResourceFloor& floor : resource_floors(path))
    if (floor.resource == resource) return floor.step_time_s;
  return 0.0;
}

double estimated_step_s(const Scenario& scenario) { return queueing_estimate(scenario, 1).find("step_time_s")->mean; }
double bound_step_s(const Scenario& scenario) { return flow_bound(scenario).find("step_time_s")->mean; }

}  // namespace

TEST_CASE("with host costs both engines agree to the nanosecond when nothing is shared") {
  Scenario scenario = costly_scenario();
  scenario.jobs[0].loader.synchronous = GENERATE(false, true);
  Granularity granularity;
  granularity.kind = GENERATE(Granularity::Kind::batch, Granularity::Kind::sample);
  IngestPath path = resolve_path(scenario, 0, granularity);
  path.hit_ratio = 0.3;
  test::check_engines_agree(path, 100);
}

TEST_CASE("the mean of the itineraries, of the bound's stages and of the estimate's law are one") {
  Scenario scenario = costly_scenario();
  scenario.cluster.pools[0].host.speed_cv = 0.0;
  IngestPath path = resolve_path(scenario, 0, {});
  path.hit_ratio = 0.25;
  const ItineraryMaker itineraries(path, 7, 0, {false, {}, nullptr});
  double sum_s = 0.0;
  constexpr int kBatches = 4000;
  for (int i = 0; i < kBatches; ++i)
    sum_s += sim::seconds(itineraries.uncontended_ns(0, static_cast<std::uint64_t>(i)));
  // Batch times have a cv of about 0.15: the mean of 4,000 is off by 0.24 %; 1.2 % are five standard errors.
  CHECK(sum_s / kBatches == Approx(mean_batch_time_s(path)).epsilon(0.012));
  CHECK(batch_time_law(path).mean() == Approx(mean_batch_time_s(path)));
  const auto stages = mean_stage_times_s(path);
  CHECK(stages[index(Stage::protocol)] > 0.0);
  CHECK(stages[index(Stage::memory)] > 0.0);
}

TEST_CASE("the spread of a batch's bytes is that of all the work on them") {
  Scenario scenario = costly_scenario();
  scenario.cluster.pools[0].host.speed_cv = 0.0;
  scenario.datasets[0].sample_bytes = DistributionSpec::lognormal(20e6, 1.0);
  const IngestPath path = resolve_path(scenario, 0, {});
  const ItineraryMaker itineraries(path, 7, 0, {false, {}, nullptr});
  std::vector<double> times;
  for (std::uint64_t i = 0; i < 4000; ++i) times.push_back(sim::seconds(itineraries.uncontended_ns(0, i)));
  std::sort(times.begin(), times.end());
  // A quantile of 4,000 draws: five standard errors of the 90 % quantile are about 3 % here.
  CHECK(batch_time_law(path).quantile(0.9) == Approx(times[3600]).epsilon(0.04));
}

TEST_CASE("a training process that loads its own batches takes compute and load one after the other") {
  Scenario scenario = constant_scenario();
  scenario.jobs[0].loader.synchronous = true;
  const IngestPath path = resolve_path(scenario, 0, {});
  const double step_s = twins::synchronous_step_s(0.1, mean_batch_time_s(path));
  CHECK(step_s == Approx(0.1 + 16 * 0.001 + 16e6 / 100e9));
  CHECK(simulated_step_s(path) == Approx(step_s).epsilon(1e-6));
  CHECK(bound_step_s(scenario) == Approx(step_s));
  CHECK(estimated_step_s(scenario) == Approx(step_s).epsilon(1e-5));
}

TEST_CASE("receiving and decrypting share the cores with decoding") {
  Scenario scenario = constant_scenario();
  scenario.cluster.pools[0].gpus_per_node = 4;
  scenario.cluster.pools[0].host.cores = 2;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(1e-3);
  scenario.fabric.transport.core_bytes_per_s = 1e9;
  scenario.fabric.decrypt_bytes_per_s = 0.5e9;
  const IngestPath path = resolve_path(scenario, 0, {});
  // 4 x 16 samples of 1 MB: 3 ms of a core each for the protocol, 1 ms to decode.
  CHECK(floor_of(path, Resource::cores) == Approx(64 * 4e-3 / 2));
  CHECK(simulated_step_s(path) == Approx(0.128).epsilon(0.05));  // four batches march in step
  CHECK(twins::cores_for_ingest(64e6 / 0.128, 1e9, 0.5e9) == Approx(1.5));
  const auto stages = mean_stage_times_s(path);
  CHECK(stages[index(Stage::protocol)] == Approx(3.0 * stages[index(Stage::decode)]));
  const Outcome bound = flow_bound(scenario);
  REQUIRE(bound.binding);
  CHECK(*bound.binding == Stage::protocol);
}

TEST_CASE("compression pays as long as the link is slower than the cores decompress") {
  Scenario scenario = constant_scenario();
  scenario.cluster.pools[0].host.cores = 2;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(1e-3);
  scenario.stores[0].latency_s = DistributionSpec::exponential(0.001);  // else all workers march in step
  scenario.jobs[0].loader.prefetch = 4;
  const Codec codec{2.0, 1e9};
  const auto break_even = twins::codec_break_even(codec.ratio, *codec.decompress_bytes_per_s, 2.0);
  CHECK(break_even.pipelined_bytes_per_s == Approx(2e9));
  CHECK(break_even.serial_bytes_per_s == Approx(1e9));
  for (const double link : {1e9, 4e9}) {
    scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = link;
    scenario.jobs[0].loader.workers = 16;
    scenario.datasets[0].codec = {};
    const double plain_s = simulated_step_s(scenario);
    scenario.datasets[0].codec = codec;
    const double coded_s = simulated_step_s(scenario);
    CHECK((coded_s < plain_s) == (link < break_even.pipelined_bytes_per_s));
    const auto twin = twins::fetch_and_decompress(16e6, codec.ratio, link, *codec.decompress_bytes_per_s, 2.0);
    CHECK(plain_s == Approx(twin.plain_s).epsilon(0.05));
    CHECK(coded_s == Approx(twin.pipelined_s).epsilon(0.05));
    CHECK(bound_step_s(scenario) == Approx(twin.pipelined_s));
  }
  // Half the bytes are stored, sent and paid for; the batch in memory is as large as before.
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(path.mean_sample_bytes() == Approx(0.5e6));
  CHECK(path.memory_bytes_per_sample == Approx(1e6));
  CHECK(scenario.datasets[0].bytes() == Approx(0.5e6 * 100000));
}

TEST_CASE("columns that are not read are stored and not sent") {
  Scenario scenario = constant_scenario();
  scenario.datasets[0].columns_read = 0.1;
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(path.mean_sample_bytes() == Approx(1e5));
  CHECK(path.memory_bytes_per_sample == Approx(1e5));
  CHECK(scenario.datasets[0].bytes() == Approx(1e11));
  scenario.cluster.pools[0].cache.policy = CachePolicy::lru;
  scenario.cluster.pools[0].cache.bytes = 1e10;
  CHECK(cache_stack(scenario, 0).node_fraction == Approx(1.0));
}

TEST_CASE("preprocessed tensors trade cores for bytes") {
  Scenario scenario = constant_scenario();
  scenario.cluster.pools[0].host.cores = 4;
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e9;
  scenario.datasets[0].decoded_bytes_per_sample = 3e6;
  scenario.stores[0].latency_s = DistributionSpec::exponential(0.001);
  scenario.jobs[0].loader.prefetch = 4;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(1e-3);
  scenario.jobs[0].loader.workers = 16;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(20e-3);
  const auto twin = twins::preprocessing_times(1e-3, 16, 20e-3, 4, 1e6, 3.0, 1e9);
  CHECK(simulated_step_s(scenario) == Approx(twin.on_the_fly_s).epsilon(0.05));
  scenario.jobs[0].loader.preprocessing = Preprocessing::preprocessed;
  CHECK(simulated_step_s(scenario) == Approx(twin.preprocessed_s).epsilon(0.05));
  CHECK(corpus_bytes(scenario.datasets[0], scenario.jobs[0].loader) == Approx(3e11));
  CHECK(twins::preprocessing_break_even_bytes_per_s(20e-3, 4, 1e6, 3.0) == Approx(0.6e9));
}

TEST_CASE("a remote pool preprocesses at its own rate and sends decoded samples over the NIC") {
  Scenario scenario = constant_scenario();
  scenario.cluster.pools[0].host.cores = 1;
  scenario.datasets[0].decoded_bytes_per_sample = 4e6;
  Loader& loader = scenario.jobs[0].loader;
  loader.workers = 16;
  loader.cpu_s_per_sample = DistributionSpec::constant(20e-3);
  loader.preprocessing = Preprocessing::remote_pool;
  loader.remote = {2, 0.0, 3.6};
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(path.mean_sample_bytes() == Approx(4e6));
  CHECK(path.host.remote.capacity_per_s.value() == Approx(100.0));
  CHECK(simulated_step_s(path, 1000, 4200) == Approx(0.16).epsilon(0.01));  // workers deliver in groups
  CHECK(bound_step_s(scenario) == Approx(0.16));
  CHECK(estimated_step_s(scenario) == Approx(0.16).epsilon(0.01));
  CHECK(floor_of(path, Resource::cores) == 0.0);
  CHECK(floor_of(path, Resource::nic) == Approx(64e6 / 100e9));
  CHECK(floor_of(path, Resource::store_bandwidth) == Approx(16e6 / 200e9));
  const auto ledger = epoch_ledger(scenario, path, 0.0, 3600.0);
  CHECK(ledger.back().item == "remote workers");
  CHECK(ledger.back().usd == Approx(7.2));
}

TEST_CASE("a remote worker without a rate takes what parsing, decompressing and each dataset's own work take") {
  Scenario scenario = constant_scenario();
  Loader& loader = scenario.jobs[0].loader;
  loader.preprocessing = Preprocessing::remote_pool;
  loader.remote = {2, 0.0, 0.0};
  loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  scenario.jobs[0].datasets[0].cpu_s_per_sample = DistributionSpec::constant(10e-3);
  CHECK(resolve_path(scenario, 0, {}).host.remote.capacity_per_s.value() == Approx(200.0));
  scenario.datasets[0].parse_s_per_sample = 5e-3;
  scenario.datasets[0].parse_bytes_per_s = mean_of(scenario.datasets[0].sample_bytes) / 5e-3;
  CHECK(resolve_path(scenario, 0, {}).host.remote.capacity_per_s.value() == Approx(100.0));
  loader.remote.samples_per_s = 400.0;  // stated, with all of it
  CHECK(resolve_path(scenario, 0, {}).host.remote.capacity_per_s.value() == Approx(800.0));
}

TEST_CASE("TLB misses slow the CPU work that is there, of each dataset") {
  Scenario scenario = constant_scenario();
  Loader& loader = scenario.jobs[0].loader;
  loader.cpu_s_per_sample = DistributionSpec::constant(10e-3);
  loader.access = FileAccess{};
  loader.access->mode = ReadMode::mmap;
  loader.access->fault_s = 0.0;
  loader.access->tlb_slowdown = 0.5;
  CHECK(resolve_path(scenario, 0, {}).fault_s_per_sample == Approx(5e-3));
  scenario.jobs[0].datasets[0].cpu_s_per_sample = DistributionSpec::constant(2e-3);
  CHECK(resolve_path(scenario, 0, {}).fault_s_per_sample == Approx(1e-3));
  loader.preprocessing = Preprocessing::preprocessed;
  CHECK(resolve_path(scenario, 0, {}).fault_s_per_sample == 0.0);
}

TEST_CASE("decoding on the GPU lengthens its step and frees the cores") {
  Scenario scenario = constant_scenario();
  Loader& loader = scenario.jobs[0].loader;
  loader.cpu_s_per_sample = DistributionSpec::constant(50e-3);
  scenario.cluster.pools[0].host.cores = 4;
  CHECK(simulated_step_s(scenario) == Approx(0.2).epsilon(0.05));
  loader.preprocessing = Preprocessing::gpu;
  loader.gpu_s_per_sample = 1e-3;
  CHECK(simulated_step_s(scenario) == Approx(0.116).epsilon(1e-3));
  CHECK(bound_step_s(scenario) == Approx(0.116));
  CHECK(estimated_step_s(scenario) == Approx(0.116).epsilon(1e-3));
}

TEST_CASE("bytes over host memory are a limit of the node that GPUDirect avoids") {
  Scenario scenario = constant_scenario();
  Host& host = scenario.cluster.pools[0].host;
  scenario.cluster.pools[0].gpus_per_node = 4;
  host.memory_bytes_per_s = 2e9;
  IngestPath path = resolve_path(scenario, 0, {});
  // 3 passes of what arrives and 4 of the batch, both 64 MB a step.
  CHECK(batch_demand(path, Resource::host_memory) == Approx(7 * 16e6));
  CHECK(floor_of(path, Resource::host_memory) == Approx(7 * 64e6 / 2e9));
  CHECK(simulated_step_s(path) == Approx(0.224).epsilon(0.03));
  host.gpudirect = true;
  host.copy_bytes_per_s = 10e9;
  scenario.fabric.transport.rdma = true;
  path = resolve_path(scenario, 0, {});
  CHECK(floor_of(path, Resource::host_memory) == 0.0);
  CHECK(mean_stage_times_s(path)[index(Stage::copy)] == 0.0);
  CHECK(simulated_step_s(path) == Approx(0.1).epsilon(1e-3));
}

TEST_CASE("a shared PCIe link and copies that compute does not hide delay the step") {
  Scenario scenario = constant_scenario();
  Gpu& gpu = scenario.cluster.pools[0].gpu;
  gpu.pcie_bytes_per_s = 1e9;
  CHECK(resolve_path(scenario, 0, {}).h2d_s == 0.0);  // 16 ms beside 100 ms of compute
  gpu.pcie_shared_by = 8;
  CHECK(resolve_path(scenario, 0, {}).h2d_s == Approx(0.128 - 0.1));
  scenario.jobs[0].step.h2d_overlapped = false;
  CHECK(resolve_path(scenario, 0, {}).h2d_s == Approx(0.128));
}

TEST_CASE("a mount in user space multiplies latencies and costs core time per request") {
  Scenario scenario = constant_scenario();
  const double native_s = mean_batch_time_s(resolve_path(scenario, 0, {}));
  scenario.cluster.pools[0].host.fuse = FuseMount{3.0, 20e-6, 131072.0};
  const double mounted_s = mean_batch_time_s(resolve_path(scenario, 0, {}));
  CHECK(mounted_s - native_s == Approx(16 * 2 * 0.001 + 16e6 / 131072.0 * 20e-6));
}

TEST_CASE("bytes that cross sockets slow the NIC") {
  Pool pool;
  pool.nic.bandwidth_bytes_per_s = 10e9;
  pool.nic.numa_factor = 0.5;
  pool.nic.misplaced = 1.0;
  CHECK(pool.nic_bytes_per_s() == Approx(5e9));
  pool.nic.misplaced = 0.5;
  CHECK(pool.nic_bytes_per_s() == Approx(10e9 / 1.5));
}

TEST_CASE("a connection over a long link carries a window per round trip, or what loss leaves") {
  CHECK(wide_area_bytes_per_s({0.1, 16e6, 0.0, 1460.0}) == Approx(160e6));
  CHECK(wide_area_bytes_per_s({0.1, 16e6, 1.5e-4, 1460.0}) == Approx(1.46e6));
  Scenario scenario = constant_scenario();
  scenario.fabric.wan = WideAreaLink{0.1, 16e6, 0.0, 1460.0};
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(*path.flow_cap_bytes_per_s == Approx(160e6));
  CHECK(mean_stage_times_s(path)[index(Stage::protocol)] == Approx(16 * 2 * 0.1));  // an open and a request each
}

TEST_CASE("collectives beside ingest leave it what they do not use, at least its weight") {
  Scenario scenario = test::small_scenario(4);
  scenario.fabric.collectives = CollectiveTraffic::shared;
  scenario.fabric.collective_bytes = 0.408e9;  // 4 GB/s over 102 ms
  IngestPath path = resolve_path(scenario, 0, {});
  CHECK(*path.nic_bytes_per_s == Approx(6e9));
  CHECK(*path.leaf_bytes_per_s == Approx(16e9));  // one crossing of each of two leaves of 20 GB/s
  const double ingest = 32e6 / 0.102;
  CHECK(path.collective_s == Approx(0.408e9 / (10e9 - ingest) - 0.0408));
  scenario.fabric.collective_bytes = 4e9;
  CHECK(*resolve_path(scenario, 0, {}).nic_bytes_per_s == Approx(5e9));
  scenario.fabric.ingest_weight = 0.8;
  CHECK(*resolve_path(scenario, 0, {}).nic_bytes_per_s == Approx(8e9));
  scenario.fabric.collectives = CollectiveTraffic::separate;
  CHECK(*resolve_path(scenario, 0, {}).nic_bytes_per_s == Approx(10e9));
}

TEST_CASE("a job spread over all leaves uses more uplinks, and its rings cross them more often") {
  Scenario scenario = test::small_scenario(8);
  scenario.cluster.pools[0].nodes_per_leaf = 4;
  scenario.jobs[0].nodes = 4;
  CHECK(resolve_path(scenario, 0, {}).leaves == 1);
  scenario.jobs[0].placement = Placement::spread;
  const IngestPath spread = resolve_path(scenario, 0, {});
  CHECK(spread.leaves == 2);
  CHECK(spread.nodes_per_leaf == 2);
  CHECK(*spread.leaf_bytes_per_s == Approx(40e9));
  scenario.fabric.collectives = CollectiveTraffic::shared;
  scenario.fabric.collective_bytes = 0.102e9;
  CHECK(*resolve_path(scenario, 0, {}).leaf_bytes_per_s == Approx(40e9 - 2 * 1e9));
}

TEST_CASE("estimate and bound are no further from the simulation with host costs than without") {
  const Scenario scenario = costly_scenario();
  const double simulated_s = simulated_step_s(resolve_path(scenario, 0, {}), 200, 1200);
  CHECK(bound_step_s(scenario) <= simulated_s * 1.001);
  CHECK(estimated_step_s(scenario) == Approx(simulated_s).epsilon(0.02));
}
