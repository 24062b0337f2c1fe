// The sizing sheet against numbers worked out by hand. Inputs are chosen so that each formula gives round figures.
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "models/answer/flow_bound.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/cache_hit_ratio.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {

namespace {

/// `nodes` nodes of one GPU each that read constant samples from a store without latency; compute 0.1 s a step.
Scenario plain(std::uint64_t nodes, double sample_bytes, std::uint64_t batch) {
  Scenario scenario = test::small_scenario(nodes);
  Pool& pool = scenario.cluster.pools.front();
  pool.gpus_per_node = 1;
  pool.nodes_per_leaf = 0;
  Store& store = scenario.stores.front();
  store.latency_s = DistributionSpec::constant(0.0);
  store.metadata = {};
  store.stream_bytes_per_s.reset();
  scenario.datasets.front().sample_bytes = DistributionSpec::constant(sample_bytes);
  Job& job = scenario.jobs.front();
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  job.step.batch = batch;
  job.step.overhead_s = DistributionSpec::constant(0.0);
  return scenario;
}

double value(const SizingSheet& sheet, std::string_view name) {
  const SizingFigure* figure = sheet.find(name);
  INFO(name);
  REQUIRE(figure != nullptr);
  return figure->value;
}

double value(const Scenario& scenario, std::string_view name) { return value(sizing_sheet(scenario), name); }

bool near(double a, double b, double relative = 1e-9) { return std::abs(a - b) <= relative * std::abs(b); }

}  // namespace

TEST_CASE("sizing: 10,000 GPUs at 3,000 images/s of 110 kB ask for 26.4 Tb/s") {
  Scenario scenario = plain(1250, 110e3, 300);
  scenario.cluster.pools.front().gpus_per_node = 8;
  const SizingSheet sheet = sizing_sheet(scenario, "demand");
  CHECK(near(value(sheet, "demand_bits_per_s"), 26.4e12));
  CHECK(near(value(sheet, "demand_bytes_per_s"), 3.3e12));
  CHECK(near(value(sheet, "node_demand_bytes_per_s"), 2.64e9));
  CHECK(near(value(sheet, "demand_requests_per_s"), 3e7));
  CHECK(near(value(sheet, "demand_opens_per_s"), 3e7));
  CHECK(sheet.find("demand_cores_per_node") == nullptr);
  scenario.jobs.front().loader.cpu_s_per_sample = DistributionSpec::constant(0.002);
  CHECK(near(value(scenario, "demand_cores_per_node"), 48.0));  // 24,000 images/s at 2 ms
}

TEST_CASE("sizing: six times as fast on four times the data is 24 times the throughput") {
  Scenario scenario = plain(1, 1e6, 10);
  scenario.stores.front().bandwidth_bytes_per_s = 1e9;
  scenario.datasets.front().files = 100000;  // 100 GB at 1 GB/s
  const double before_s = value(scenario, "epoch_of_storage_s");
  CHECK(near(before_s, 100.0));
  scenario.datasets.front().files = 400000;
  scenario.stores.front().bandwidth_bytes_per_s = 24e9;
  scenario.cluster.pools.front().nic.bandwidth_bytes_per_s = 100e9;
  CHECK(near(before_s / value(scenario, "epoch_of_storage_s"), 6.0));
}

TEST_CASE("sizing: 6.25 workers fill 1 Gb/s without the transfer, 7.25 with it, 11 to 95 %") {
  Scenario scenario = plain(1, 1e6, 1);
  scenario.stores.front().latency_s = DistributionSpec::constant(0.05);
  scenario.cluster.pools.front().nic.bandwidth_bytes_per_s = 125e6;
  const SizingSheet sheet = sizing_sheet(scenario, "workers");
  CHECK(near(value(sheet, "sample_wait_s"), 0.05));
  CHECK(near(value(sheet, "workers_without_transfer"), 6.25));
  CHECK(near(value(sheet, "workers_to_fill_link"), 7.25));
  CHECK(value(sheet, "workers_with_random_waits") == 11.0);
  CHECK(near(value(sheet, "ingest_limit_bytes_per_s"), 4e6 / 0.058));  // 4 workers: 69 MB/s, not 80
  CHECK(near(value(sheet, "batch_time_s"), 0.058, 1e-6));
  CHECK(value(sheet, "workers_to_keep_up") == 1.0);
  scenario.cluster.pools.front().nic.bandwidth_bytes_per_s = 50e9;  // 400 Gb/s
  scenario.stores.front().bandwidth_bytes_per_s = 1e12;
  CHECK(near(value(scenario, "workers_without_transfer"), 2500.0));
  CHECK(near(value(scenario, "workers_to_fill_link"), 2501.0));
}

TEST_CASE("sizing: depth from the slowest batch in a thousand") {
  // Log-normal, mean 0.85 s and as variable: q(.999) = exp(-0.5091 + 3.0902 x 0.8326) = 7.88 s.
  Scenario scenario = plain(1, 1.0, 1);
  scenario.stores.front().latency_s = DistributionSpec::lognormal(0.85, 1.0);
  scenario.jobs.front().step.step_time_s = DistributionSpec::constant(1.0);
  const SizingSheet sheet = sizing_sheet(scenario, "prefetch");
  CHECK(near(value(sheet, "batch_time_p999_s"), 7.876, 0.03));
  CHECK(value(sheet, "prefetch_in_order") == 8.0);
  CHECK(value(sheet, "prefetch_any_order") == 2.0);  // four workers
  CHECK(sheet.find("outstanding_that_fit_host") == nullptr);
}

TEST_CASE("sizing: batches in memory, and how many fit") {
  Scenario scenario = plain(1, 110e3, 32);
  scenario.datasets.front().decoded_bytes_per_sample = 12582912.0;  // 1024 x 1024 x 3 in fp32
  Pool& pool = scenario.cluster.pools.front();
  pool.gpus_per_node = 2;
  pool.host.memory_bytes = 10e9;
  pool.gpu.hbm_bytes = 80e9;
  scenario.jobs.front().step.device_prefetch = 8;
  const SizingSheet sheet = sizing_sheet(scenario);
  CHECK(near(value(sheet, "batch_bytes"), 402653184.0));
  CHECK(near(value(sheet, "host_batches_bytes"), 2.0 * 8.0 * 402653184.0));
  CHECK(near(value(sheet, "host_memory_headroom_bytes"), 10e9 - 6442450944.0));
  CHECK(near(value(sheet, "gpu_prefetch_bytes"), 3221225472.0));
  CHECK(near(value(sheet, "gpu_memory_headroom_bytes"), 80e9 - 3221225472.0));
  CHECK(value(sheet, "outstanding_that_fit_host") == 12.0);  // 10 GB over 2 x 403 MB
  CHECK(value(sheet, "device_prefetch_that_fits") == 198.0);
  pool.host.memory_bytes = 5e9;
  CHECK(value(scenario, "host_memory_headroom_bytes") < 0.0);
  CHECK(flow_bound(scenario).verdict == Verdict::infeasible);
}

TEST_CASE("sizing: the smallest cache is one less what the store gives over what is asked") {
  Scenario scenario = plain(2, 1e6, 16);  // 320 MB/s
  scenario.stores.front().bandwidth_bytes_per_s = 80e6;
  const SizingSheet sheet = sizing_sheet(scenario, "cache");
  CHECK(near(value(sheet, "cache_needed_fraction"), 0.75));
  CHECK(near(value(sheet, "cache_needed_bytes_per_node"), 0.75 * 100000 * 1e6));
  const double lru = value(sheet, "lru_cache_needed_fraction");
  CHECK(std::abs(twins::lru_reshuffle_hit_ratio(lru, 2) - 0.75) < 1e-6);
  // With that much the flow bound says fed, with a little less it does not.
  Pool& pool = scenario.cluster.pools.front();
  pool.cache.policy = CachePolicy::pinned;
  pool.drives.capacity_bytes = 1e12;
  pool.cache.bytes = 0.7501 * 100000 * 1e6;
  scenario.jobs.front().epochs = 100;  // until every node has seen everything
  CHECK(near(flow_bound(scenario).find("step_time_s")->mean, 0.1, 1e-3));
  pool.cache.bytes = 0.70 * 100000 * 1e6;
  CHECK(flow_bound(scenario).find("step_time_s")->mean > 0.115);
  scenario.stores.front().price.egress_usd_per_byte = 0.09e-9;
  CHECK(near(value(scenario, "cache_saves_usd_per_tb_epoch"), 90.0));
}

TEST_CASE("sizing: an LRU cache of one node needs half of the data for 15 % of hits") {
  Scenario scenario = plain(1, 1e6, 16);
  scenario.stores.front().bandwidth_bytes_per_s = 160e6 * (1.0 - (0.5 + 0.5 * std::log(0.5)));
  CHECK(near(value(scenario, "lru_cache_needed_fraction"), 0.5, 1e-6));
}

TEST_CASE("sizing: 1 TB in 1,000 shards leaves 24 of 1,024 workers without one") {
  Scenario scenario = plain(16, 1e6, 8);
  scenario.cluster.pools.front().gpus_per_node = 8;
  scenario.stores.front().latency_s = DistributionSpec::constant(0.05);
  scenario.stores.front().stream_bytes_per_s = 125e6;
  Dataset& data = scenario.datasets.front();
  data.files = 1000;
  data.samples_per_file = 1000;
  data.order = SampleOrder::shard_sequential;
  scenario.jobs.front().loader.workers = 8;
  SizingSheet sheet = sizing_sheet(scenario, "shards");
  CHECK(near(value(sheet, "shard_bytes"), 1e9));
  CHECK(near(value(sheet, "shards_per_worker"), 1000.0 / 1024.0));
  CHECK(near(value(sheet, "worker_time_used"), 1000.0 / 1024.0));
  CHECK(near(value(sheet, "largest_shard_bytes"), 1e12 / 10240.0));
  CHECK(near(value(sheet, "sample_time_alone_s"), 0.058));
  CHECK(near(value(sheet, "sample_time_in_shard_s"), 0.00805));
  CHECK(value(sheet, "shard_size_cv") == 0.0);
  CHECK(near(value(sheet, "longest_shard_ratio"), 1.0, 1e-6));
  // Shards of one sample each of CV .2533 (sigma .25): the last of 8 is 1.400 times the mean.
  data.samples_per_file = 4;
  data.sample_bytes = DistributionSpec::lognormal(1e6, 2.0 * std::sqrt(std::exp(0.0625) - 1.0));
  data.files = 8;
  scenario.cluster.pools.front().nodes = 1;
  scenario.jobs.front().loader.workers = 1;
  sheet = sizing_sheet(scenario, "shards");
  CHECK(near(value(sheet, "longest_shard_ratio"), 1.400, 1e-3));
}

TEST_CASE("sizing: 200 million objects take 200,000 pages, 2.8 hours and a dollar") {
  Scenario scenario = plain(1, 1e6, 1);
  scenario.datasets.front().files = 200000000;
  scenario.stores.front().price.usd_per_list = 5e-6;
  scenario.jobs.front().index = StartIndex{};
  scenario.jobs.front().index->round_trip_s = 0.05;
  const SizingSheet sheet = sizing_sheet(scenario);
  CHECK(value(sheet, "list_pages") == 200000.0);
  CHECK(near(value(sheet, "list_time_s"), 10000.0));
  CHECK(near(value(sheet, "list_charge_usd"), 1.0));
  CHECK(near(value(sheet, "every_node_lists_s"), 10000.0));
  CHECK(near(value(sheet, "one_leader_lists_s"), 10000.0));  // nobody to pass it on to
  CHECK(near(value(sheet, "manifest_bytes"), 200000000.0 * 64.0));
  CHECK(value(sheet, "manifest_s") < 2.0);
  CHECK(near(value(sheet, "sample_index_bytes"), 20e9));
  scenario.jobs.front().index->set_up_s = 100.0;
  const SizingSheet later = sizing_sheet(scenario);
  CHECK(near(value(later, "list_time_s"), 10100.0));
  CHECK(near(value(later, "every_node_lists_s"), 10100.0));
  CHECK(near(value(later, "manifest_s"), value(sheet, "manifest_s")));
}

TEST_CASE("sizing: copying ahead takes bytes over the tightest rate") {
  Scenario scenario = plain(2, 1e6, 16);
  scenario.stores.front().write_bandwidth_bytes_per_s = 5e9;
  CHECK(near(value(scenario, "dataset_bytes"), 1e11));
  CHECK(near(value(scenario, "store_fill_s"), 20.0));
  Pool& pool = scenario.cluster.pools.front();
  pool.drives.capacity_bytes = 1e12;
  pool.cache.policy = CachePolicy::pinned;
  pool.cache.bytes = 4e10;
  pool.cache.bandwidth_bytes_per_s = 1e10;
  pool.cache.write_bandwidth_bytes_per_s = 1e9;
  CHECK(near(value(scenario, "cache_fill_bytes"), 8e10));
  CHECK(near(value(scenario, "cache_fill_s"), 40.0));  // 1 GB/s on each of two nodes
}

TEST_CASE("sizing: page faults of 100 TB take 6.8 core hours, read-ahead of 4 MiB triples a stream") {
  Scenario scenario = plain(1, 1e6, 1);
  scenario.datasets.front().files = 100000000;
  scenario.stores.front().latency_s = DistributionSpec::constant(96e-6);
  scenario.stores.front().stream_bytes_per_s = 3e9;
  FileAccess access;
  access.mode = ReadMode::mmap;
  access.fault_around_bytes = 4096.0;
  scenario.jobs.front().loader.access = access;
  const SizingSheet sheet = sizing_sheet(scenario, "pages");
  CHECK(near(value(sheet, "page_faults"), 2.44140625e10));
  CHECK(near(value(sheet, "page_fault_cpu_s") / 3600.0, 6.78, 1e-3));
  const double window_s = 96e-6 + 131072.0 / 3e9;
  CHECK(near(value(sheet, "first_touch_s"), (2.44140625e4 + 1e14 / 131072.0 * window_s) / 4.0));
  const double small = value(sheet, "read_ahead_bytes_per_s");
  CHECK(near(small, 0.938e9, 1e-3));
  CHECK(near(value(sheet, "read_ahead_overlapped_bytes_per_s"), 2.0 * small));
  scenario.jobs.front().loader.access->read_ahead_bytes = 4194304.0;
  CHECK(near(value(scenario, "read_ahead_bytes_per_s") / small, 3.0, 0.01));
}

TEST_CASE("sizing: compression pays below cores x rate") {
  Scenario scenario = plain(1, 1e6, 10);
  scenario.cluster.pools.front().host.cores = 16;
  scenario.cluster.pools.front().nic.bandwidth_bytes_per_s = 1e9;
  scenario.datasets.front().codec = {2.0, 1e9};
  const SizingSheet sheet = sizing_sheet(scenario, "codec");
  CHECK(near(value(sheet, "codec_break_even_bytes_per_s"), 16e9));
  CHECK(near(value(sheet, "codec_serial_break_even_bytes_per_s"), 8e9));
  CHECK(near(value(sheet, "codec_plain_s"), 0.01));
  CHECK(near(value(sheet, "codec_pipelined_s"), 0.005));
  CHECK(near(value(sheet, "codec_serial_s"), 0.005 + 0.01 / 16.0));
}

TEST_CASE("sizing: stored tensors trade cores for bytes and for money") {
  Scenario scenario = plain(1, 1e5, 100);
  scenario.cluster.pools.front().host.cores = 10;
  scenario.cluster.pools.front().nic.bandwidth_bytes_per_s = 4e9;
  scenario.datasets.front().files = 1000000;  // 100 GB
  scenario.datasets.front().decoded_bytes_per_sample = 1e6;
  scenario.stores.front().price.capacity_usd_per_byte_month = 20e-12;
  Job& job = scenario.jobs.front();
  job.loader.workers = 10;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.02);
  job.loader.remote.worker_hour_usd = 0.36;
  const SizingSheet sheet = sizing_sheet(scenario, "preprocessing");
  CHECK(near(value(sheet, "preprocessing_break_even_bytes_per_s"), 10.0 * 1e5 * 10.0 / 0.02));
  CHECK(near(value(sheet, "on_the_fly_step_s"), 0.2, 0.02));  // 100 samples x 20 ms on 10 cores
  CHECK(near(value(sheet, "preprocessed_step_s"), 0.1));      // 100 MB at 4 GB/s: compute
  CHECK(near(value(sheet, "preprocessed_extra_usd_per_month"), 9.0 * 1e11 * 20e-12));
  CHECK(near(value(sheet, "remote_workers_needed"), 20.0));  // 1,000 samples/s at 50/s each
  CHECK(near(value(sheet, "remote_pool_usd_per_epoch"), 20.0 * 1000.0 / 3600.0 * 0.36));
  CHECK(value(sheet, "on_the_fly_usd_per_epoch") > 1.5 * value(sheet, "preprocessed_usd_per_epoch"));
}

TEST_CASE("sizing: a conversion pays after its time over what it saves") {
  Scenario scenario = plain(1, 1e6, 10);
  scenario.cluster.pools.front().host.cores = 4;
  scenario.stores.front().bandwidth_bytes_per_s = 40e9;
  scenario.stores.front().write_bandwidth_bytes_per_s = 20e9;
  Dataset& data = scenario.datasets.front();
  data.files = 1000000;           // 1 TB
  data.parse_s_per_sample = 0.1;  // 1 s of core time a batch on 4 cores: 0.25 s a step
  scenario.jobs.front().loader.workers = 16;
  FormatConversion conversion;
  conversion.bytes_per_s = 1e8;
  conversion.workers = 10;
  conversion.worker_hour_usd = 0.72;
  conversion.intermediate = 0.4;
  conversion.recomputed = 0.3;
  data.conversion = conversion;
  const SizingSheet sheet = sizing_sheet(scenario, "conversion");
  const double time_s = 1000.0 + 0.4e12 / 20e9 + 0.4e12 / 40e9;
  CHECK(near(value(sheet, "conversion_intermediate_s"), 30.0));
  CHECK(near(value(sheet, "conversion_time_s"), time_s));
  CHECK(near(value(sheet, "conversion_usd"), 10.0 * time_s / 3600.0 * 0.72));
  CHECK(near(value(sheet, "conversion_recompute_s"), 0.3 * time_s));
  CHECK(near(value(sheet, "converted_step_s"), 0.1, 1e-6));
  CHECK(near(value(sheet, "conversion_pays_after_epochs"), time_s / (0.15 * 100000.0), 1e-3));
  CHECK(near(value(sheet, "conversion_pays_after_epochs_usd"),
             10.0 * time_s * 0.72 / (0.15 * 100000.0 * scenario.prices.gpu_hour_usd), 1e-3));
}

TEST_CASE("sizing: what deduplication and filters leave") {
  Scenario scenario = plain(1, 1e6, 10);  // 100 GB
  scenario.stores.front().write_bandwidth_bytes_per_s = 1e9;
  scenario.stores.front().price.capacity_usd_per_byte_month = 20e-12;
  DataReduction reduction;
  reduction.unique = 0.5;
  reduction.kept = 0.4;
  reduction.chunk_bytes = 1e5;
  reduction.lookup_s = 1e-4;
  scenario.datasets.front().reduction = reduction;
  const SizingSheet sheet = sizing_sheet(scenario, "reduction");
  CHECK(near(value(sheet, "reduced_bytes"), 2e10));
  CHECK(near(value(sheet, "reduction_saves_s"), 80.0));
  CHECK(near(value(sheet, "reduction_saves_usd_per_month"), 8e10 * 20e-12));
  CHECK(near(value(sheet, "dedup_index_bytes"), 64e6));
  CHECK(near(value(sheet, "dedup_core_s"), 100.0));
}

TEST_CASE("sizing: an upload in parts is bound by requests, then by bytes") {
  Scenario scenario = plain(1, 1e9, 1);
  scenario.datasets.front().files = 1000;
  scenario.stores.front().stream_bytes_per_s = 1e8;
  ObjectUpload upload;
  upload.part_bytes = 1e8;
  upload.part_s = 0.1;
  upload.commit_s = 0.5;
  upload.bandwidth_bytes_per_s = 5e9;
  scenario.datasets.front().upload = upload;
  SizingSheet sheet = sizing_sheet(scenario, "upload");
  CHECK(value(sheet, "upload_parts") == 10000.0);
  CHECK(near(value(sheet, "upload_by_requests_s"), 1150.0));  // (10,000 x 1.1 s + 1,000 x 0.5 s) / 10
  CHECK(near(value(sheet, "upload_by_bytes_s"), 200.0));
  CHECK(near(value(sheet, "upload_time_s"), 1150.0));
  CHECK(value(sheet, "upload_parallel_needed") == 58.0);
  scenario.datasets.front().upload->parallel = 58;
  CHECK(near(value(scenario, "upload_time_s"), 200.0));
}

TEST_CASE("sizing: a long link carries windows and survives losses") {
  Scenario scenario = plain(1, 1e6, 1);
  WideAreaLink link;
  link.loss = 1e-4;
  scenario.datasets.front().origin = DataOrigin{};
  scenario.datasets.front().origin->link = link;
  scenario.datasets.front().origin->bandwidth_bytes_per_s = 1.25e9;
  const SizingSheet sheet = sizing_sheet(scenario, "wan");
  CHECK(near(value(sheet, "wan_window_bytes_per_s"), 320e6));
  CHECK(near(value(sheet, "wan_loss_bytes_per_s"), std::sqrt(15000.0) * 1460.0 / 0.05));
  CHECK(near(value(sheet, "wan_connection_bytes_per_s"), 3.5763e6, 1e-4));
  CHECK(near(value(sheet, "wan_bandwidth_delay_bytes"), 62.5e6));
  CHECK(value(sheet, "wan_connections_to_fill") == 350.0);
}

TEST_CASE("sizing: data gravity: 500 TB over 10 Gb/s, or GPUs at the site") {
  Scenario scenario = plain(1, 1e6, 36);
  scenario.datasets.front().files = 500000000;
  DataOrigin origin;
  origin.bytes_per_day = 200e12;
  origin.link = WideAreaLink{};
  origin.connections = 4;  // of 320 MB/s
  origin.bandwidth_bytes_per_s = 1.25e9;
  origin.usd_per_byte = 0.05e-9;
  origin.gpu_hour_usd = 3.0;
  scenario.datasets.front().origin = origin;
  scenario.prices.gpu_hour_usd = 2.0;
  scenario.jobs.front().epochs = 3;
  const SizingSheet sheet = sizing_sheet(scenario, "gravity");
  CHECK(near(value(sheet, "arrival_bytes_per_s"), 2.3148e9, 1e-4));
  CHECK(near(value(sheet, "origin_link_bytes_per_s"), 1.25e9));
  CHECK(near(value(sheet, "arrival_link_share"), 2.3148 / 1.25, 1e-4));
  CHECK(near(value(sheet, "move_data_s"), 400000.0));
  CHECK(near(value(sheet, "move_data_usd"), 25000.0));
  // An epoch takes 500e6 / 36 steps of 0.1 s on one GPU: 385.8 h, at $1 more.
  CHECK(near(value(sheet, "move_compute_usd"), 3.0 * 385.8, 1e-4));
  CHECK(near(value(sheet, "move_data_pays_after_epochs"), 25000.0 / 385.8, 1e-4));
}

TEST_CASE("sizing: what keeps coming fills a store, unless the old goes") {
  Scenario scenario = plain(1, 1e6, 36);
  scenario.datasets.front().files = 100000000;  // 100 TB
  DataOrigin origin;
  origin.bytes_per_day = 86400e9;  // 1 GB/s
  scenario.datasets.front().origin = origin;
  scenario.stores.front().capacity_bytes = 400e12;
  SizingSheet sheet = sizing_sheet(scenario, "gravity");
  CHECK(near(value(sheet, "store_full_s"), 300e3));
  CHECK(near(value(sheet, "store_full_growing_s"), 100e3 * std::log(4.0)));
  CHECK(near(value(sheet, "retention_s"), 400e3));
  CHECK(sheet.find("update_round_bytes") == nullptr);
  scenario.jobs.front().model = TrainingModel{};
  scenario.jobs.front().model->parameters = 1e9;
  sheet = sizing_sheet(scenario, "gravity");
  CHECK(near(value(sheet, "update_round_bytes"), 4e9));
  CHECK(near(value(sheet, "update_rounds_for_data"), 25000.0));
}

TEST_CASE("sizing: a window of samples mixes few shards") {
  Scenario scenario = plain(1, 1e6, 10);
  Dataset& data = scenario.datasets.front();
  data.files = 100;
  data.samples_per_file = 50;
  data.order = SampleOrder::shard_sequential;
  SizingSheet sheet = sizing_sheet(scenario, "shards");
  CHECK(near(value(sheet, "shuffle_window_share"), 10.0 / 5000.0));
  CHECK(near(value(sheet, "shards_in_batch"), 1.0, 1e-9));
  scenario.jobs.front().loader.shuffle_buffer = 500;
  sheet = sizing_sheet(scenario, "shards");
  CHECK(near(value(sheet, "shuffle_window_share"), 0.1));
  CHECK(near(value(sheet, "shards_in_batch"), 10.0 * (1.0 - std::pow(0.9, 10.0))));
  data.order = SampleOrder::random;
  sheet = sizing_sheet(scenario, "shards");
  CHECK(value(sheet, "shuffle_window_share") == 1.0);
  CHECK(near(value(sheet, "shards_in_batch"), 100.0 * (1.0 - std::pow(0.99, 10.0))));
}

TEST_CASE("sizing: an erasure code costs less and rebuilds more slowly") {
  Scenario scenario = plain(1, 1e6, 1);  // 100 GB
  Store& store = scenario.stores.front();
  store.price.capacity_usd_per_byte_month = 20e-12;
  store.capacity_bytes = 1e15;
  store.redundancy = Redundancy{};
  store.drives = StoreDrives{};
  store.drives->count = 100;
  const SizingSheet sheet = sizing_sheet(scenario, "redundancy");
  CHECK(near(value(sheet, "replicated_usd_per_tb_month"), 60.0));
  CHECK(near(value(sheet, "erasure_coded_usd_per_tb_month"), 27.5));
  CHECK(near(value(sheet, "storage_usd_per_month"), 6.0));
  CHECK(near(value(sheet, "storage_usd_per_gbps_month"), 60000.0 / 40.0));
  const double rate = 40e9 * 0.99 * 0.2;
  CHECK(near(value(sheet, "replicated_rebuild_s"), 3e9 / rate));
  CHECK(near(value(sheet, "erasure_coded_rebuild_s"), 8.0 * 1.375e9 / rate));
}

TEST_CASE("sizing: 500 TB of egress cost $45,000 a pass, twelve times that in a year") {
  Scenario scenario = plain(1, 1e6, 1);
  scenario.datasets.front().files = 500000000;
  scenario.stores.front().price.egress_usd_per_byte = 0.09e-9;
  scenario.stores.front().price.usd_per_request = 0.4e-6;
  scenario.jobs.front().epochs = 1;
  scenario.jobs.front().loads_per_year = 12;
  const SizingSheet sheet = sizing_sheet(scenario, "egress");
  CHECK(near(value(sheet, "egress_pass_usd"), 45000.0));
  CHECK(near(value(sheet, "egress_epoch_usd"), 45000.0));
  CHECK(near(value(sheet, "egress_year_usd"), 540000.0));
  CHECK(near(value(sheet, "requests_pass_usd"), 200.0));
}

TEST_CASE("sizing: checkpoints of a minute against a failure every 3.09 hours") {
  Scenario scenario = plain(1, 1e6, 1);
  Checkpoint checkpoint;
  checkpoint.bytes = 600e9;  // 60 s over one NIC of 10 GB/s, and 60 s back
  checkpoint.store = "store";
  scenario.jobs.front().checkpoint = checkpoint;
  Faults faults;
  faults.node_mtbf_s = 11124.0;
  faults.detection_s = 0.0;
  faults.reschedule_s = 240.0;
  scenario.faults = faults;
  SizingSheet sheet = sizing_sheet(scenario, "checkpoints");
  CHECK(near(value(sheet, "young_interval_s"), 1155.4, 1e-3));
  CHECK(near(value(sheet, "daly_interval_s"), 1116.0, 1e-3));
  CHECK(near(value(sheet, "best_interval_s"), 1116.0, 1e-3));
  CHECK(near(value(sheet, "training_share"), 0.8758, 1e-3));
  CHECK(near(value(sheet, "recovery_s"), 300.0 + 1116.0 / 2.0, 1e-3));
  // Spot: 70 % off, a preemption every two hours, 60 s to save and 300 s to come back: .357 of the price.
  scenario.faults->node_mtbf_s = 0.0;
  scenario.faults->spot = Spot{7200.0, 0.0, 240.0, 0.7};
  sheet = sizing_sheet(scenario, "checkpoints");
  CHECK(near(value(sheet, "spot_cost_ratio"), 0.357, 2e-3));
}

TEST_CASE("sizing: waiting, owning, releasing and investing") {
  Scenario scenario = plain(1, 1e6, 16);
  scenario.stores.front().bandwidth_bytes_per_s = 80e6;  // asked for 160: half of the time is lost
  scenario.prices.gpu_hour_usd = 4.0;
  Reclaim reclaim;
  reclaim.gaps_s = {300.0, 1200.0, 10800.0};
  scenario.prices.reclaim = reclaim;
  Investment investment;
  investment.capital_usd = 35040.0;
  investment.discount_rate = 0.0;
  investment.lifetime_s = 4.0 * 31536000.0;
  scenario.prices.investment = investment;
  const SizingSheet sheet = sizing_sheet(scenario, "money");
  CHECK(near(value(sheet, "machines_usd_per_h"), 4.0));
  CHECK(near(value(sheet, "waiting_usd_per_h"), 2.0));
  CHECK(near(value(sheet, "useful_hour_factor"), 2.0));
  CHECK(near(value(sheet, "reclaim_released_s"), 300.0 + 9900.0));
  CHECK(near(value(sheet, "reclaim_saves_usd_per_day"), (10200.0 - 600.0) / 3600.0 * 4.0));
  CHECK(near(value(sheet, "investment_saves_usd_per_year"), 17520.0));
  CHECK(near(value(sheet, "investment_pays_back_s"), 2.0 * 31536000.0));
  CHECK(near(value(sheet, "investment_return"), 1.0));
  scenario.prices.gpu_hour_usd = 0.0;
  scenario.prices.owned = Ownership{};
  scenario.prices.owned->gpu_capital_usd = 35040.0;
  scenario.prices.owned->discount_rate = 0.0;
  scenario.prices.owned->used = 0.5;
  CHECK(near(value(scenario, "owned_gpu_hour_usd"), 2.0));  // 8,760 $ a year over 4,380 h
}

TEST_CASE("sizing: a figure is shown or said to be missing, never both, for every job") {
  Scenario scenario = plain(1, 1e6, 16);
  scenario.cluster.pools.front().nodes = 2;
  scenario.jobs.front().nodes = 1;
  scenario.jobs.push_back(scenario.jobs.front());
  scenario.jobs.back().name = "other";
  scenario.jobs.back().step.batch = 32;
  const SizingSheet sheet = sizing_sheet(scenario);
  std::size_t told = 0;
  std::set<std::string_view> names;
  for (const SizingRoom* room : sizing_rooms()) {
    told += room->figures.size();
    for (const SizingDescription& figure : room->figures) {
      CHECK(names.insert(figure.name).second);
      CHECK(!figure.formula.empty());
      CHECK(!figure.source.empty());
      CHECK(!figure.needs.empty());
    }
  }
  CHECK(sheet.figures.size() + sheet.missing.size() == 2 * told);
  const auto of_other = [](const SizingFigure& figure) { return figure.job == "other"; };
  const auto found = std::find_if(sheet.figures.begin(), sheet.figures.end(), of_other);
  REQUIRE(found != sheet.figures.end());
  CHECK(found->inputs.front().from == "/jobs/1/readers");
  CHECK(near(found->value, 2.0 * sheet.figures.front().value));
  CHECK(find_sizing_room("demand") == &kDemandRoom);
  CHECK_THROWS_AS(sizing_sheet(scenario, "attic"), std::invalid_argument);
}

TEST_CASE("data that must stay at their site make a job elsewhere infeasible") {
  Scenario scenario = plain(1, 1e6, 16);
  scenario.datasets.front().origin = DataOrigin{};
  scenario.datasets.front().origin->stays = true;
  CHECK(flow_bound(scenario).verdict == Verdict::fed);
  Scenario far = scenario;
  far.datasets.front().origin->link = WideAreaLink{};
  CHECK(flow_bound(far).verdict == Verdict::infeasible);
  Scenario behind = scenario;
  behind.fabric.wan = WideAreaLink{};
  CHECK(flow_bound(behind).verdict == Verdict::infeasible);
  Scenario copied = scenario;
  copied.stores.front().price.intercept.share = 0.5;
  CHECK(flow_bound(copied).verdict == Verdict::infeasible);
  CHECK(flow_bound(copied).warnings.front().seen.find("must not leave its site") != std::string::npos);
}

}  // namespace headrace::models
