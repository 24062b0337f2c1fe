// The shipped scenarios against the numbers that their comments and docs/features.md promise. Simulated values lie
// within five standard errors of exact ones: false failures below 1e-6 a comparison, and seeds are fixed.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "models/twins/closed_networks.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/twins/prefetch_queue.hpp"
#include "tests/validation/shipped.hpp"

namespace headrace {
namespace {

using testing::mean;
using testing::shipped;
using testing::simulated;
using testing::Strings;

double standard_error(const models::Outcome& outcome, const char* metric) {
  const models::Metric* found = outcome.find(metric);
  REQUIRE(found != nullptr);
  REQUIRE(found->ci95.has_value());
  return (found->ci95->high - found->ci95->low) / (2.0 * 1.96);
}

const models::LedgerLine& line(const models::Outcome& outcome, const std::string& item) {
  for (const models::LedgerLine& candidate : outcome.ledger)
    if (candidate.item == item) return candidate;
  FAIL("no ledger line " << item);
  return outcome.ledger.front();
}

constexpr double kLinkTimeS = 0.008;  // 1 MB over 1 Gb/s

}  // namespace

TEST_CASE("50 ms, 1 MB, 1 Gb/s: the link's utilization against workers is that of the closed network",
          "[validation][statistical]") {
  const std::array<double, 1> demands{kLinkTimeS};
  for (const int workers : {6, 8, 11}) {
    const auto exact = models::twins::mean_value_analysis(demands, 0.05, workers);
    const models::Outcome outcome =
        simulated(shipped("dataloader-50ms", {"/jobs/0/loader/workers=" + std::to_string(workers)}), 30000);
    const double step_s = mean(outcome, "step_time_s");
    const double utilization = kLinkTimeS / step_s;
    const double error = utilization * standard_error(outcome, "step_time_s") / step_s;
    INFO(workers << " workers: " << utilization << " against " << exact.utilization[0] << ", error " << error);
    CHECK(error < 0.005);
    CHECK(std::abs(utilization - exact.utilization[0]) < 5.0 * error);
  }
  CHECK(models::twins::mean_value_analysis(demands, 0.05, 8).utilization[0] == Approx(0.864).margin(0.0005));
  CHECK(models::twins::workers_for_utilization(kLinkTimeS, 0.05, 0.95) == 11);
}

TEST_CASE("50 ms, 1 MB, 1 Gb/s: 6.25 workers by N S / L, 7.25 with the transfer", "[validation]") {
  const models::Scenario scenario = shipped("dataloader-50ms", {"/jobs/0/loader/workers=7"});
  const models::IngestPath path = models::resolve_path(scenario, 0, {});
  const double link_bytes_per_s = path.nic_bytes_per_s.value();
  CHECK(link_bytes_per_s * path.request_latency_s.mean() / path.mean_sample_bytes() == Approx(6.25));
  CHECK(link_bytes_per_s * models::mean_batch_time_s(path) / path.mean_sample_bytes() == Approx(7.25));
  // Seven workers are too few and eight enough, as a bound.
  CHECK(models::step_time_bound_s(path) == Approx(0.058 / 7));
  const models::Scenario eight = shipped("dataloader-50ms");
  CHECK(models::step_time_bound_s(models::resolve_path(eight, 0, {})) == Approx(kLinkTimeS));
}

TEST_CASE("a 400 Gb/s link needs thousands of workers", "[validation]") {
  const models::Scenario scenario = shipped("dataloader-50ms", {"/cluster/pools/0/nic/bandwidth=400 Gb/s"});
  const models::IngestPath path = models::resolve_path(scenario, 0, {});
  CHECK(*path.nic_bytes_per_s * path.request_latency_s.mean() / path.mean_sample_bytes() == Approx(2500));
}

TEST_CASE("prefetch depth: idle of the two-sided Lindley recursion", "[validation][statistical]") {
  for (const int slots : {1, 2, 4}) {
    const double exact = models::twins::prefetch_one_producer(0.85, 1.0, 1.0, slots).idle_fraction;
    const models::Outcome outcome =
        simulated(shipped("prefetch-queue", {"/jobs/0/loader/prefetch=" + std::to_string(slots + 1)}), 60000);
    const double idle = mean(outcome, "gpu_idle_fraction");
    const double error = standard_error(outcome, "gpu_idle_fraction");
    INFO(slots << " slots: " << idle << " against " << exact << ", error " << error);
    CHECK(error < 0.1 * exact);
    CHECK(std::abs(idle - exact) < 5.0 * error);
    // The folklore formula is far outside.
    CHECK(std::abs(models::twins::folklore_empty_probability(0.85, slots) - exact) > 5.0 * error);
  }
}

TEST_CASE("text does not hit the wall: 38 MB/s feed 10,000 GPUs", "[validation]") {
  const models::Scenario scenario = shipped("llm-70b-tokens");
  const models::IngestPath path = models::resolve_path(scenario, 0, {});
  CHECK(path.gpus == 10000);
  CHECK(path.loaders == 625);
  const double demand = path.samples_per_step * path.mean_sample_bytes() / path.compute_s.mean();
  CHECK(demand == Approx(37.7e6).epsilon(0.002));
  CHECK(demand / 4.0 / path.gpus == Approx(942.3).epsilon(0.001));  // tokens/s and GPU
  const models::Outcome bound = models::flow_bound(scenario);
  CHECK(mean(bound, "gpu_idle_fraction") == 0.0);
}

TEST_CASE("images hit the wall: 10,000 GPUs ask for 26.4 Tb/s", "[validation]") {
  const models::Scenario scenario = shipped("imagenet-1250-nodes");
  const models::IngestPath path = models::resolve_path(scenario, 0, {});
  CHECK(path.gpus == 10000);
  CHECK(path.samples_per_step / path.compute_s.mean() / path.gpus == Approx(3000).epsilon(0.001));
  const double demand = path.samples_per_step * path.mean_sample_bytes() / path.compute_s.mean();
  CHECK(8.0 * demand == Approx(26.4e12).epsilon(0.001));
  CHECK(mean(models::flow_bound(scenario), "gpu_idle_fraction") == 0.0);
  // Half the store, and GPUs wait for it.
  const models::Outcome half = models::flow_bound(shipped("imagenet-1250-nodes", {"/stores/0/bandwidth=2 TB/s"}));
  CHECK(mean(half, "gpu_idle_fraction") > 0.3);
  REQUIRE(half.binding.has_value());
  CHECK(*half.binding == models::Stage::transfer);
}

TEST_CASE("prefixes: too few of them throttle, and no run is faster than their limit", "[validation]") {
  const models::Scenario scenario = shipped("imagenet-1250-nodes", {"/stores/0/limit/prefixes=100"});
  const models::Outcome bound = models::flow_bound(scenario);
  REQUIRE(bound.binding.has_value());
  CHECK(*bound.binding == models::Stage::throttle);
  for (const models::StationReport& station : bound.stations)
    if (station.name == "request limit") CHECK(station.throughput == Approx(550000));
}

TEST_CASE("oversubscription halves what a node gets", "[validation][statistical]") {
  // Four nodes under one leaf, so many workers that the links are always busy.
  const Strings many{"/cluster/pools/0/nodes=4", "/jobs/0/loader/workers=40"};
  Strings twice = many;
  twice.emplace_back("/fabric/leaf_oversubscription=2");
  const double share = mean(simulated(shipped("dataloader-50ms", many), 6000), "ingest_bytes_per_s") / 4.0;
  const double halved = mean(simulated(shipped("dataloader-50ms", twice), 6000), "ingest_bytes_per_s") / 4.0;
  CHECK(share == Approx(125e6).epsilon(0.02));
  CHECK(halved == Approx(62.5e6).epsilon(0.02));
}

TEST_CASE("40 % idle at an I/O load of 1.67, and 40 % of the GPU bill with it", "[validation][statistical]") {
  // The link delivers a batch each 8 ms, the GPU could take one each 4.8 ms.
  const models::Scenario scenario = shipped(
      "dataloader-50ms", {"/jobs/0/loader/workers=40", "/jobs/0/step/step_time=4.8 ms", "/prices/gpu_hour=$4/h"});
  const models::Outcome outcome = simulated(scenario, 10000);
  const double idle = mean(outcome, "gpu_idle_fraction");
  CHECK(idle == Approx(0.4).margin(0.01));
  CHECK(mean(outcome, "idle_cost_per_epoch_usd") == Approx(idle * line(outcome, "gpu hours").usd).epsilon(1e-6));
  CHECK(mean(models::flow_bound(scenario), "gpu_idle_fraction") == Approx(0.4));
}

TEST_CASE("the hand-over lock caps throughput at B S / s(N)", "[validation][statistical]") {
  // s(16) = 50 us x 16^0.75 = 400 us; 16 workers could bring a batch each 62.5 us.
  const models::Scenario scenario =
      shipped("dataloader-50ms", {"/jobs/0/loader/workers=16", "/jobs/0/step/batch=32", "/stores/0/latency=31.25 us",
                                  "/datasets/0/sample_bytes=1 kB", "/cluster/pools/0/nic/bandwidth=400 Gb/s",
                                  "/jobs/0/loader/lock={\"single_worker\": \"50 us\", \"exponent\": 0.75}"});
  const double capped = 32 * 1000.0 / 400e-6;
  CHECK(mean(models::flow_bound(scenario), "ingest_bytes_per_s") == Approx(capped).epsilon(1e-6));
  CHECK(mean(simulated(scenario, 10000), "ingest_bytes_per_s") == Approx(capped).epsilon(0.01));
}

TEST_CASE("reading 500 TB once costs 25,000 to 45,000 dollars of egress", "[validation]") {
  const std::string no_cache = "/cluster/pools/0/cache/policy=none";
  for (const auto& [price, usd] : {std::pair{"$0.05/GB", 25000.0}, std::pair{"$0.09/GB", 45000.0}}) {
    const models::Outcome bound =
        models::flow_bound(shipped("imagenet-1250-nodes", {no_cache, std::string("/stores/0/price/egress=") + price}));
    CHECK(line(bound, "egress").usd == Approx(usd).epsilon(1e-6));
  }
}

TEST_CASE("metadata: one object per image needs a thousand times the opens of shards", "[validation]") {
  const Strings service{"/stores/0/metadata={\"latency\": \"10 ms\", \"servers\": 100000}"};
  Strings objects = service;
  for (const char* set : {"/datasets/0/files=4545455000", "/datasets/0/samples_per_file=1", "/datasets/0/order=random"})
    objects.emplace_back(set);
  const auto opens_per_s = [](const models::Outcome& outcome) {
    for (const models::StationReport& station : outcome.stations)
      if (station.name == "metadata") return station.throughput / 0.01 * mean(outcome, "step_time_s");
    return 0.0;
  };
  const double of_shards = opens_per_s(models::flow_bound(shipped("imagenet-1250-nodes", service)));
  const double of_objects = opens_per_s(models::flow_bound(shipped("imagenet-1250-nodes", objects)));
  CHECK(of_objects == Approx(1000.0 * of_shards).epsilon(1e-6));
}

// Published rows of MLPerf Storage v3.0; the first calibrates. A closed form: the same numbers every time.
TEST_CASE("LP-22: the slowest of many hosts, from the row of three", "[validation]") {
  struct Row {
    const char* nodes;
    const char* bandwidth;
    double au_percent;
    double margin;
  };
  for (const Row& row : {Row{"3", "20 GB/s", 98.2, 0.1}, Row{"16", "100 GB/s", 96.0, 0.5},
                         Row{"46", "300 GB/s", 92.8, 1.5}, Row{"70", "512 GB/s", 92.1, 1.5}}) {
    const models::Outcome bound =
        models::flow_bound(shipped("unet3d-70-hosts", {std::string("/cluster/pools/0/nodes=") + row.nodes,
                                                       std::string("/stores/0/bandwidth=") + row.bandwidth}));
    INFO(row.nodes << " hosts");
    CHECK(mean(bound, "mlperf_au_percent") == Approx(row.au_percent).margin(row.margin));
    CHECK(mean(bound, "slowest_loader_wait_s") == Approx(0.0).margin(1e-9));
    CHECK(mean(bound, "slowest_rank_wait_s") < mean(bound, "barrier_s"));
  }
}

}  // namespace headrace
