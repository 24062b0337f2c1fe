// Host memory of loaders, shuffle buffers, and shards against workers.
#include "models/answer/flow_bound.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/host_memory.hpp"
#include "models/outcome/shards.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

TEST_CASE("host memory is written out as a sum where it does not suffice") {
  Scenario scenario = test::small_scenario();
  Pool& pool = scenario.cluster.pools[0];
  Loader& loader = scenario.jobs[0].loader;
  loader.worker_memory_bytes = 1e9;
  loader.shuffle_buffer = 1000;
  // Two loaders: 8 batches of 16 MB, 4 workers of 1 GB and 1,000 samples of 1 MB each.
  pool.host.memory_bytes = 10.3e9;
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(host_memory(pool, loader, path).is_met());
  pool.host.memory_bytes = 10.2e9;
  const Requirement room = host_memory(pool, loader, path);
  CHECK(!room.is_met());
  CHECK(room.text() == "10.3 GB of 10.2 GB: batches 256.0 MB + workers 8.0 GB + shuffle buffers 2.0 GB");
  CHECK(room.fix == "lower workers");
  CHECK(flow_bound(scenario).verdict == Verdict::infeasible);
  pool.host.gpudirect = true;
  CHECK(host_memory(pool, loader, path).is_met());
}

TEST_CASE("shards are dealt out to workers, and too few leave some idle") {
  Scenario scenario = test::small_scenario();  // 4 loaders of 4 workers
  Dataset& data = scenario.datasets[0];
  data.order = SampleOrder::shard_sequential;
  data.samples_per_file = 1000;
  const auto at = [&](std::uint64_t files) {
    data.files = files;
    return resolve_path(scenario, 0, {});
  };
  const Loader& loader = scenario.jobs[0].loader;
  CHECK(at(160).workers == 4);
  CHECK(!shard_warning(data, at(160), loader));
  CHECK(shard_warning(data, at(159), loader));
  CHECK(at(16).workers == 4);
  CHECK(at(15).workers == 3);
  CHECK(at(8).workers == 2);
  CHECK(at(8).outstanding == 4);
  CHECK(at(1).workers == 1);
  CHECK(shard_efficiency(data, at(24), loader) == Approx(0.75));
  CHECK(shard_efficiency(data, at(8), loader) == Approx(0.5));
  CHECK(shard_warning(data, at(8), loader)->cause == "workers without a shard are idle");
  data.order = SampleOrder::random;
  CHECK(at(8).workers == 4);
  CHECK(!shard_warning(data, at(8), loader));
}

TEST_CASE("a shuffle buffer fills at the rate of workers and links before the first step") {
  Scenario scenario = test::small_scenario();
  Loader& loader = scenario.jobs[0].loader;
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(shuffle_fill_s(loader, path) == 0.0);
  loader.shuffle_buffer = 16000;  // 1,000 batches
  CHECK(shuffle_fill_s(loader, path) == Approx(1000 * mean_batch_time_s(path) / 4));
}

TEST_CASE("outstanding batches follow from prefetch, from batches kept ready, or are stated") {
  Loader loader;
  loader.workers = 8;
  loader.prefetch = 3;
  CHECK(loader.batches_outstanding() == 24);
  loader.ready = 2;
  CHECK(loader.batches_outstanding() == 10);
  loader.outstanding = 5;
  CHECK(loader.batches_outstanding() == 5);
}
