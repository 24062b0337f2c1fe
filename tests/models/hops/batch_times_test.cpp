// Times that batches do not exceed, held against the times themselves. Exact comparisons: no false failures.
#include "models/hops/batch_times.hpp"

#include <string>
#include <utility>
#include <vector>

#include "models/engine/rank_recursion.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

using Law = sim::Distribution;

constexpr std::uint32_t kLoaders = 12;

IngestPath plain_path() {
  IngestPath path;
  path.nodes = 4;
  path.loaders = kLoaders;
  path.batch_samples = 24;
  path.workers = 3;
  path.outstanding = 6;
  path.sample_bytes = Law::lognormal(1e5, 0.6);
  path.flow_cap_bytes_per_s = 1e8;
  path.request_latency_s = Law::lognormal(2e-3, 0.8);
  path.metadata_latency_s = Law::exponential(1e-4);
  path.cpu_s_per_sample = Law::gamma(1e-3, 0.4);
  return path;
}

std::vector<std::pair<std::string, IngestPath>> paths() {
  std::vector<std::pair<std::string, IngestPath>> paths = {{"plain", plain_path()}};
  const auto add = [&](const std::string& name) -> IngestPath& {
    return paths.emplace_back(name, plain_path()).second;
  };
  add("slow nodes").speed_cv = 0.3;
  IngestPath& constant = add("constants");
  constant.sample_bytes = Law::constant(1e5);
  constant.request_latency_s = Law::constant(2e-3);
  constant.metadata_latency_s = constant.cpu_s_per_sample = Law::constant(1e-3);
  IngestPath& hits = add("hits");
  hits.hit_ratio = 0.7;
  hits.cache_latency_s = Law::exponential(1e-3);
  IngestPath& tensors = add("tensors");
  tensors.hit_ratio = 0.3;
  tensors.holds_tensors = true;
  IngestPath& shards = add("shards");
  shards.opens_per_sample = 0.013;
  shards.requests_per_sample = 0.37;
  IngestPath& pieces = add("pieces");
  pieces.batch_samples = 10;
  pieces.granularity.kind = Granularity::Kind::chunk;
  pieces.granularity.chunks = 3;
  pieces.hit_ratio = 0.4;
  pieces.requests_per_sample = 1.7;
  add("rare stalls").request_latency_s = Law::mixture({0.998, 0.002}, {Law::lognormal(2e-3, 0.5), Law::constant(3.0)});
  add("heavy tail").request_latency_s = Law::pareto(2.2, 1e-3);
  add("no variance").request_latency_s = Law::pareto(1.7, 1e-3);
  return paths;
}

}  // namespace

TEST_CASE("no batch takes longer than its draws allow") {
  for (const auto& [name, path] : paths()) {
    INFO(name);
    const ItineraryMaker itineraries(path, 5, 0, {});
    const BatchTimes times(itineraries);
    REQUIRE_FALSE(times.only_exact());
    double exact_s = 0.0;
    double close_s = 0.0;
    for (std::uint32_t loader = 0; loader < path.loaders; ++loader) {
      for (std::uint64_t batch = 0; batch < 2'000; ++batch) {
        const sim::TimeNs exact_ns = itineraries.uncontended_ns(loader, batch);
        const sim::TimeNs close_ns = times.of(loader, batch, Closeness::close);
        const sim::TimeNs rough_ns = times.of(loader, batch, Closeness::rough);
        if (exact_ns > close_ns || exact_ns > rough_ns) FAIL(loader << " " << batch << " " << exact_ns);
        REQUIRE(times.of(loader, batch, Closeness::exact) == exact_ns);
        exact_s += sim::seconds(exact_ns);
        close_s += sim::seconds(close_ns);
      }
    }
    if (name == "constants") CHECK(close_s < 1.001 * exact_s);
    if (name == "plain") CHECK(close_s < 1.6 * exact_s);  // else it would tell nothing
  }
}

TEST_CASE("only the time itself is known with tiers and where no variance would take long") {
  IngestPath varied = plain_path();
  varied.requests_per_sample = 0.37;
  varied.request_latency_s = Law::pareto(1.7, 1e-3);
  CHECK(BatchTimes(ItineraryMaker(varied, 5, 0, {})).only_exact());
  IngestPath tiered = plain_path();
  tiered.tiers.shares.page = 0.2;
  CHECK(BatchTimes(ItineraryMaker(tiered, 5, 0, {})).only_exact());
}

TEST_CASE("ranks arrive at the same times, however closely their batches are known") {
  for (const auto& [name, path] : paths()) {
    for (const std::uint32_t outstanding : {6U, 7U}) {
      for (const double load : {0.4, 0.9, 1.3}) {
        INFO(name << ", " << outstanding << " outstanding, load " << load);
        IngestPath job = path;
        job.outstanding = outstanding;
        const ItineraryMaker itineraries(job, 5, 0, {});
        const BatchTimes times(itineraries);
        BehindWorker behind;
        behind.holder = Holder::pin_thread;
        behind.service_ns = outstanding == 7 ? 1'000'000 : 0;
        RankRecursion known(job, kLoaders, behind);
        RankRecursion told(job, kLoaders, behind);
        std::uint64_t batch = 0;
        std::uint64_t exact = 0;
        const auto batch_ns = [&](std::uint32_t loader, std::uint32_t back, Closeness closeness) {
          exact += closeness == Closeness::exact ? 1 : 0;
          return times.of(loader, batch - back, closeness);
        };
        const auto wait_ns = [&](std::uint32_t loader) { return sim::TimeNs{loader} * 1'000; };
        double mean_s = 0.0;
        for (std::uint32_t i = 0; i < 100; ++i)
          mean_s += sim::seconds(itineraries.uncontended_ns(i % kLoaders, i)) / 100;
        const sim::TimeNs step_ns = sim::duration_ns(mean_s / job.workers / load);
        sim::TimeNs end_ns = 0;
        bool same = true;
        constexpr std::uint64_t kSteps = 500;
        for (; batch < kSteps; ++batch) {
          const RankRecursion::Arrival one = known.arrive(end_ns, RankRecursion::Batches{batch_ns, wait_ns, true});
          if (batch == 0) exact = 0;
          const RankRecursion::Arrival other = told.arrive(end_ns, RankRecursion::Batches{batch_ns, wait_ns, false});
          exact -= batch == 0 ? 0 : kLoaders;  // of `known`
          same = same && one.last_ns == other.last_ns && one.own_ns == other.own_ns && one.loader == other.loader &&
                 one.begin_ns == other.begin_ns && one.ready_ns == other.ready_ns;
          end_ns = one.last_ns + step_ns;
          known.step_ends(end_ns);
          told.step_ends(end_ns);
        }
        CHECK(same);
        if (name == "plain" && load == 0.4) CHECK(exact < kSteps * kLoaders / 4);  // the first rank is always exact
      }
    }
  }
}
