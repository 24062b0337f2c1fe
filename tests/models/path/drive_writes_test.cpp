// Drives whose write cache fills up: the fluid model beside a reservoir followed in small steps, cache fills and
// checkpoints that use it.
#include "models/path/drive_writes.hpp"

#include <algorithm>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/path/checkpoint_times.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// As published for a drive of 1 TB: 4 GB/s for 113 GB, then 1.5 GB/s.
DriveWrites consumer_drive() {
  DriveWrites drives;
  drives.sustained_bytes_per_s = 1.5e9;
  drives.cache = {113e9 * (1.0 - 1.5 / 4.0), 4e9, {}};
  return drives;
}

/// A reservoir followed in steps of `step_s`: time of one write, and the free space that it leaves.
struct Followed {
  double time_s = 0.0;
  double free_bytes = 0.0;
};

Followed follow_write(const DriveWrites& drives, double bytes, double offered, double space, double step_s) {
  Followed now{0.0, space};
  bool full = false;
  for (double left = bytes; left > 0.0;) {
    const double rate = std::min(offered, full ? drives.sustained_bytes_per_s : drives.cache.bandwidth_bytes_per_s);
    const double dt = std::min(step_s, left / rate);
    left -= rate * dt;
    now.time_s += dt;
    if (full) continue;
    now.free_bytes = std::min(drives.cache.bytes, now.free_bytes - (rate - drives.drain_bytes_per_s()) * dt);
    full = now.free_bytes <= 0.0;
  }
  now.free_bytes = std::max(0.0, now.free_bytes);
  return now;
}

double metric_of(const Outcome& outcome, std::string_view name) { return outcome.find(name)->mean; }

}  // namespace

TEST_CASE("a write takes the burst rate until the write cache is full, then the sustained rate") {
  const DriveWrites drives = consumer_drive();
  const double space = drives.cache.bytes;
  // By hand: 113 GB at 4 GB/s, the other 87 GB at 1.5 GB/s. A token bucket that fills at 1.5 GB/s: S + 1.5 t = 200 GB.
  CHECK(bytes_until_full(drives, 1e12, space) == Approx(113e9));
  CHECK(write_time_s(drives, 200e9, 1e12, space) == Approx(113.0 / 4.0 + 87.0 / 1.5));
  CHECK(write_time_s(drives, 200e9, 1e12, space) == Approx((200e9 - space) / 1.5e9));
  CHECK(write_time_s(drives, 100e9, 1e12, space) == Approx(25.0));
  CHECK(write_time_s(drives, 100e9, 1e9, space) == Approx(100.0));  // never as fast as it empties
  CHECK(write_time_s(drives, 100e9, 1e12, 0.0) == Approx(100.0 / 1.5));
  for (const double offered : {1e9, 2e9, 3e9, 1e12})
    for (const double bytes : {20e9, 120e9, 500e9})
      for (const double part : {0.0, 0.3, 1.0}) {
        INFO(offered << " B/s, " << bytes << " B, free " << part);
        CHECK(write_time_s(drives, bytes, offered, part * space) ==
              Approx(follow_write(drives, bytes, offered, part * space, 1e-3).time_s).epsilon(1e-3));
      }
  DriveWrites kept = drives;
  kept.cache.drain_bytes_per_s = 0.0;  // a copy back that begins only when the drive is idle for long
  CHECK(bytes_until_full(kept, 1e12, space) == Approx(space));
}

TEST_CASE("writes that follow each other find the space that the pause has freed") {
  const DriveWrites drives = consumer_drive();
  for (const double bytes : {50e9, 100e9, 200e9, 400e9})
    for (const double interval_s : {60.0, 120.0, 300.0, 3600.0})
      for (const bool between : {false, true}) {
        INFO(bytes << " B every " << interval_s << " s, " << between);
        double space = drives.cache.bytes;
        double found = space;
        for (int write = 0; write < 60; ++write) {
          found = space;
          const Followed after = follow_write(drives, bytes, 1e12, space, 5e-3);
          const double idle_s = between ? interval_s : std::max(0.0, interval_s - after.time_s);
          space = std::min(drives.cache.bytes, after.free_bytes + drives.drain_bytes_per_s() * idle_s);
        }
        CHECK(free_before_write(drives, bytes, 1e12, interval_s, between) ==
              Approx(found).margin(0.01 * drives.cache.bytes));
      }
}

TEST_CASE("a checkpoint that does not fit the write cache of the drives takes longer, also beside reads") {
  Scenario scenario = test::small_scenario(2);
  Store drives;
  drives.name = "drives";
  drives.kind = StoreKind::nvme;
  drives.bandwidth_bytes_per_s = 6e9;
  drives.write_bandwidth_bytes_per_s = 1.5e9;
  scenario.stores.push_back(drives);
  Checkpoint checkpoint;
  checkpoint.store = "drives";
  checkpoint.bytes = 400e9;  // 200 GB a node
  checkpoint.interval_s = 3600.0;
  scenario.jobs[0].checkpoint = checkpoint;
  const IngestPath path = resolve_path(scenario, 0, {});
  const auto save_s = [&] { return checkpoint_save_s(*scenario.jobs[0].checkpoint, scenario.stores[1], path, false); };
  CHECK(save_s() == Approx(200.0 / 1.5));
  scenario.stores[1].write_cache = consumer_drive().cache;
  CHECK(save_s() == Approx(113.0 / 4.0 + 87.0 / 1.5));
  scenario.jobs[0].checkpoint->writer_bytes_per_s = 1.5e9;  // two writers a node: 3 GB/s
  const double until_full = bytes_until_full(consumer_drive(), 3e9, consumer_drive().cache.bytes);
  CHECK(save_s() == Approx(until_full / 3e9 + (200e9 - until_full) / 1.5e9));
  scenario.jobs[0].checkpoint->writer_bytes_per_s.reset();
  scenario.jobs[0].checkpoint->interval_s = 30.0;  // the area empties by 45 GB in between
  CHECK(save_s() == Approx(200.0 / 1.5 - 45.0 / 1.5).epsilon(1e-6));
  CHECK(metric_of(flow_bound(scenario), "checkpoint_save_s") == Approx(save_s()));
  // The way of its bytes takes as much of reads as the mean rate says.
  scenario.jobs[0].checkpoint->interval_s = 600.0;
  scenario.jobs[0].checkpoint->mode = CheckpointMode::async;
  scenario.datasets[0].store = "drives";
  scenario.stores.erase(scenario.stores.begin());
  const CheckpointWrites writes = checkpoint_writes(scenario);
  REQUIRE(writes.states.size() == 1);
  CHECK(writes.states[0].alone_s == Approx(113.0 / 4.0 + 87.0 / 1.5));
}

namespace {

/// Two nodes fill a cache of 200 GB each in the first of three epochs: 400,000 samples of 1 MB, half of them per node.
Scenario filling() {
  Scenario scenario = test::small_scenario(2);
  scenario.datasets[0].files = 400000;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  scenario.jobs[0].epochs = 3;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.005);
  scenario.jobs[0].loader.workers = 16;
  scenario.stores[0].latency_s = DistributionSpec::constant(1e-4);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  Pool& pool = scenario.cluster.pools[0];
  pool.drives.capacity_bytes = 1e12;
  pool.cache.policy = CachePolicy::pinned;
  pool.cache.bytes = 200e9;
  pool.cache.bandwidth_bytes_per_s = 6e9;
  pool.cache.write_bandwidth_bytes_per_s = 1.5e9;
  return scenario;
}

}  // namespace

TEST_CASE("the first epoch fills a cache at the burst rate of its drives until their write cache is full") {
  Scenario scenario = filling();
  const double steps = 400000.0 / 64.0;
  const double slow_s = metric_of(flow_bound(scenario), "epoch_time_s");
  const auto first_s = [&] {
    const IngestPath path = resolve_path(scenario, 0, {});
    return steps * step_time_bound_s(in_window(path, *first_epoch_window(scenario, 0)));
  };
  CHECK(first_s() == Approx(200.0 / 1.5).epsilon(1e-3));  // writes limit it
  scenario.cluster.pools[0].cache.write_cache = consumer_drive().cache;
  CHECK(first_s() == Approx(113.0 / 4.0 + 87.0 / 1.5).epsilon(1e-3));
  // Where reads are no faster than the area empties, nothing is written past it.
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.05);
  CHECK(first_epoch_window(scenario, 0)->tiers.past_write_cache == 0.0);
  // Computing hides the burst but not what comes after: 2.5 GB/s for 172 s would be 430 GB.
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.0108);
  const double pace = 32e6 / 0.0128;
  const double until_full = bytes_until_full(consumer_drive(), pace, consumer_drive().cache.bytes);
  CHECK(first_s() == Approx(until_full / pace + (200e9 - until_full) / 1.5e9).epsilon(1e-3));
  // The last epoch reads the cache.
  CHECK(metric_of(flow_bound(scenario), "epoch_time_s") <= slow_s * 2.0);
}

TEST_CASE("the simulated first epoch takes the time of a burst and of what follows") {
  Scenario scenario = filling();
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::lognormal(0.002, 3.0);  // no batches in step
  scenario.cluster.pools[0].cache.write_cache = consumer_drive().cache;
  StudyOptions options;
  options.steps = 400;
  options.relief = false;
  CHECK(metric_of(simulate(scenario, options), "first_epoch_time_s") == Approx(113.0 / 4.0 + 87.0 / 1.5).epsilon(0.03));
  scenario.cluster.pools[0].cache.write_cache.reset();
  CHECK(metric_of(simulate(scenario, options), "first_epoch_time_s") == Approx(200.0 / 1.5).epsilon(0.03));
}

TEST_CASE("caches that are filled ahead take the burst rate and what follows") {
  Scenario scenario = filling();
  scenario.jobs[0].staging = Staging{};
  scenario.jobs[0].staging->mode = StagingMode::prestage_caches;
  CHECK(staging_time_s(scenario, 0) == Approx(200.0 / 1.5));
  scenario.cluster.pools[0].cache.write_cache = consumer_drive().cache;
  CHECK(staging_time_s(scenario, 0) == Approx(113.0 / 4.0 + 87.0 / 1.5));
}

TEST_CASE("a cache that always takes in new samples bursts only where these come slower than it empties") {
  Scenario scenario = filling();
  Pool& pool = scenario.cluster.pools[0];
  pool.cache.policy = CachePolicy::lru;
  pool.cache.bytes = 20e9;
  pool.cache.write_cache = consumer_drive().cache;
  const auto past = [&] { return mean_window(closed_form_windows(scenario, 0)).tiers.past_write_cache; };
  CHECK(past() == Approx(1.0).epsilon(0.01));  // full since the epoch before
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.05);
  CHECK(past() == 0.0);
}
