// Soak: what a run holds does not grow with its length, whatever is shared and in whatever order batches come. Hidden
// and run by name: tests_models "[nightly]".
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "models/cluster/cluster_run.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsOurs = false;  // a sanitizer keeps books of its own
#else
constexpr bool kMemoryIsOurs = true;
#endif

/// Resident memory of this program now, without what the allocator keeps for later.
std::int64_t resident_bytes() {
  ::malloc_trim(0);
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  statm >> pages >> resident;
  if (resident <= 0) throw std::runtime_error("cannot read /proc/self/statm");
  return resident * ::sysconf(_SC_PAGESIZE);
}

/// Most of each that was seen at the end of a stretch of steps.
struct Peaks {
  std::size_t events = 0;
  std::uint64_t flows = 0;
  std::size_t frames = 0;
  std::int64_t other_bytes = 0;  ///< resident, without the log of the steps, which has a record for each

  void look_at(ClusterRun& run) {
    const auto log_bytes = static_cast<std::int64_t>(run.log().records.size() * sizeof(StepRecord));
    events = std::max(events, run.simulation().pending_events());
    flows = std::max(flows, run.active_flows());
    frames = std::max(frames, run.simulation().arena().live_frames());
    other_bytes = std::max(other_bytes, resident_bytes() - log_bytes);
  }
};

Scenario busy_scenario(DeliveryOrder order) {
  Scenario scenario = test::small_scenario(4);  // 781 steps an epoch
  scenario.stores[0].bandwidth_bytes_per_s = 1.4e9;
  scenario.stores[0].requests_per_s = 1600;
  scenario.stores[0].metadata.servers = 2;
  scenario.stores[0].limit.requests_per_s_per_prefix = 1400;
  scenario.cluster.pools[0].host.cores = 5;
  scenario.jobs[0].loader.lock.single_worker_s = 1e-3;
  scenario.jobs[0].loader.order = order;
  return scenario;
}

}  // namespace

TEST_CASE("soak: 250 epochs hold no more than the first ten", "[.nightly]") {
  constexpr std::uint64_t kStretch = 97;  // no multiple of anything
  constexpr std::uint64_t kWarmUp = 80 * kStretch;
  constexpr std::uint64_t kEnd = 2000 * kStretch;
  const DeliveryOrder order = GENERATE(DeliveryOrder::in_order, DeliveryOrder::any_order_shared);
  const Granularity granularity = GENERATE(Granularity{}, Granularity{Granularity::Kind::chunk, 4});
  IngestPath path = resolve_path(busy_scenario(order), 0, granularity);
  path.hit_ratio = 0.2;
  path.cache = {4e8, 4e8, true};
  ClusterRun run(path, 3, 0, {});
  Peaks first;
  Peaks rest;
  for (std::uint64_t steps = kStretch; steps <= kEnd; steps += kStretch) {
    run.run_to(steps);
    (steps <= kWarmUp ? first : rest).look_at(run);
  }
  INFO("events " << first.events << " then " << rest.events << ", flows " << first.flows << " then " << rest.flows
                 << ", frames " << first.frames << " then " << rest.frames << ", resident without the log "
                 << first.other_bytes << " B then " << rest.other_bytes << " B");
  // Every worker has one batch under way; beside them there are the training loop and the stations.
  const std::uint64_t workers = std::uint64_t{path.loaders} * path.workers;
  CHECK(rest.flows <= workers);
  CHECK(rest.events <= workers + 16);
  CHECK(rest.frames == first.frames);
  if (kMemoryIsOurs) CHECK(rest.other_bytes <= first.other_bytes + 3'000'000);
}

TEST_CASE("soak: a hundred studies hold no more than the first ten", "[.nightly]") {
  StudyOptions options;
  options.steps = 200;
  options.threads = 2;
  options.replications = 2;
  std::int64_t first_bytes = 0;
  std::int64_t rest_bytes = 0;
  for (int i = 0; i < 100; ++i) {
    options.seed = static_cast<std::uint64_t>(i);
    simulate(busy_scenario(DeliveryOrder::in_order), options);
    std::int64_t& most = i < 10 ? first_bytes : rest_bytes;
    most = std::max(most, resident_bytes());
  }
  INFO("resident " << first_bytes << " B then " << rest_bytes << " B");
  if (kMemoryIsOurs) CHECK(rest_bytes <= first_bytes + 3'000'000);
}
