#include "models/outcome/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/hops/batch_time_law.hpp"
#include "models/hops/drawn_times.hpp"
#include "models/outcome/measured_groups.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/validation/csv_rows.hpp"

using namespace headrace::models;

namespace {

IngestPath path_of(std::uint64_t nodes, std::uint64_t workers) {
  Scenario scenario = test::small_scenario(nodes);
  scenario.jobs[0].loader.workers = workers;
  return resolve_path(scenario, 0, {});
}

/// Without what every path has: the measured loader, and the many GPUs of several.
std::vector<MeasuredPart> of_parts(const IngestPath& path) {
  std::vector<MeasuredPart> parts = evidence_for(path).measured;
  std::erase_if(parts, [](const MeasuredPart& part) {
    return part.part == kMeasuredLoader.part || part.part == kMeasuredRanks.part;
  });
  return parts;
}

}  // namespace

TEST_CASE("every path has measurements of a loader, and of many GPUs where it has them, with where they stand") {
  IngestPath one = path_of(1, 4);
  one.loaders = 1;
  const EvidenceReport alone = evidence_for(one);
  REQUIRE(alone.measured.size() == 1);
  CHECK(alone.measured[0].part == kMeasuredLoader.part);
  const EvidenceReport many = evidence_for(path_of(400, 24));
  REQUIRE(many.measured.size() == 2);
  CHECK(many.measured[0].extrapolates[0].factor == Approx(1.5));  // 16 workers were measured
  CHECK(many.measured[1].extrapolates[0].factor == Approx(800.0 / 540.0));
  for (const MeasuredGroup* group :
       {&kMeasuredLoader, &kMeasuredRanks, &kMeasuredCacheSize, &kMeasuredPageCache, &kMeasuredContention,
        &kMeasuredScaling, &kMeasuredLanding, &kMeasuredHostLoad, &kMeasuredBarrier, &kMeasuredBatchCost,
        &kMeasuredSaves, &kMeasuredLoads, &kMeasuredListing}) {
    EvidenceReport report;
    add_measured(*group, group->low, report);
    const MeasuredPart& part = report.measured.front();
    INFO(part.part);
    CHECK(part.system.size() > 10);
    CHECK(part.source.size() > 10);
    CHECK(part.date.size() >= 4);
    CHECK(part.error.largest >= part.error.mean);
    CHECK(part.error.cases > 0);
  }
}

TEST_CASE("the error of the measured loader is that of the recorded runs at rest") {
  double sum = 0.0;
  double largest = 0.0;
  auto rows = headrace::testing::csv_rows("torch_runs.csv");
  for (const char* file : {"torch_runs_16_cores.csv", "torch_runs_16_cores_images.csv"})
    for (std::vector<std::string>& row : headrace::testing::csv_rows(file)) rows.push_back(std::move(row));
  REQUIRE(rows.size() == kMeasuredLoader.points);
  for (const std::vector<std::string>& row : rows) {
    const double error = 100.0 * std::abs(std::stod(row.at(11)) - std::stod(row.at(12)));
    sum += error;
    largest = std::max(largest, error);
  }
  CHECK(sum / static_cast<double>(rows.size()) == Approx(kMeasuredLoader.error_mean).margin(0.05));
  CHECK(largest == Approx(kMeasuredLoader.error_largest).margin(0.05));
}

TEST_CASE("evidence names the nearest group of cases, its error, and what lies outside by which factor") {
  const EvidenceReport inside = evidence_for(path_of(2, 4));
  REQUIRE(inside.error);
  CHECK(inside.error->largest >= inside.error->mean);
  CHECK(inside.error->cases > 0);
  const EvidenceReport outside = evidence_for(path_of(10000, 4));
  CHECK(outside.nearest_case.find("barrier") == 0);
  bool found = false;
  for (const ExtrapolatedDimension& d : outside.extrapolates) {
    CHECK(d.factor > 1.0);
    if (d.dimension != "loaders") continue;
    found = true;
    CHECK(d.value == 20000.0);
    CHECK(d.factor == Approx(2.0));
  }
  CHECK(found);
}

TEST_CASE("variability, depth and order of delivery are dimensions of the cases too") {
  const auto outside = [](const EvidenceReport& report, const char* dimension) {
    for (const ExtrapolatedDimension& d : report.extrapolates)
      if (d.dimension == dimension) return d.factor;
    return 1.0;
  };
  // The prefetch queue of scenarios/shipped/prefetch-queue.json: one worker, a batch is one request.
  Scenario queue = test::small_scenario(1);
  queue.cluster.pools[0].gpus_per_node = 1;
  queue.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  queue.datasets[0].sample_bytes = DistributionSpec::constant(1.0);
  queue.jobs[0].loader.workers = 1;
  queue.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  queue.jobs[0].step.batch = 1;
  const auto evidence = [&](double cv, std::uint64_t prefetch, std::uint64_t batch, DeliveryOrder order) {
    queue.stores[0].latency_s = DistributionSpec::lognormal(0.085, cv);
    queue.jobs[0].loader.prefetch = prefetch;
    queue.jobs[0].loader.order = order;
    queue.jobs[0].step.batch = batch;
    return evidence_for(resolve_path(queue, 0, {}));
  };
  const char* kCv = "variability of batch times (CV)";
  const char* kDepth = "outstanding batches per worker";
  CHECK(outside(evidence(1.0, 3, 1, DeliveryOrder::in_order), kCv) == 1.0);
  CHECK(outside(evidence(6.0, 3, 1, DeliveryOrder::in_order), kCv) == Approx(3.0).epsilon(1e-3));
  CHECK(outside(evidence(6.0, 3, 16, DeliveryOrder::in_order), kCv) == 1.0);     // 16 draws of a batch: CV 1.5
  CHECK(outside(evidence(1.0, 34, 1, DeliveryOrder::in_order), kDepth) == 1.0);  // deeper prefetch waits less
  CHECK(evidence(1.0, 3, 1, DeliveryOrder::any_order_shared).not_validated.empty());
  queue.cluster.pools[0].nodes = 4;
  CHECK(outside(evidence(0.6, 3, 1, DeliveryOrder::in_order), kCv) == Approx(2.0).epsilon(1e-3));
  CHECK(evidence(0.1, 3, 1, DeliveryOrder::in_order).not_validated.empty());
  CHECK(evidence(0.1, 3, 1, DeliveryOrder::any_order_per_worker).not_validated.size() == 1);
  queue.stores[0].latency_s = DistributionSpec::pareto(0.05, 1.5);
  const EvidenceReport heavy = evidence_for(resolve_path(queue, 0, {}));
  CHECK(heavy.not_validated.front().find("unbounded") != std::string::npos);
}

TEST_CASE("the variability of batches is that of the law that the estimate draws") {
  Scenario scenario = test::small_scenario(1);
  scenario.cluster.pools[0].gpus_per_node = 1;
  scenario.stores[0].latency_s = DistributionSpec::lognormal(0.2, 10.0);
  IngestPath path = resolve_path(scenario, 0, {});
  for (const double hits : {0.0, 0.6}) {
    path.hit_ratio = hits;
    const double cv = batch_time_law(path).cv();
    REQUIRE(cv > 2.0);
    bool found = false;
    for (const ExtrapolatedDimension& d : evidence_for(path).extrapolates) {
      if (d.dimension != "variability of batch times (CV)") continue;
      found = true;
      CHECK(d.value == Approx(cv).epsilon(0.15));  // the law of the estimate cuts its last 1e-8
    }
    CHECK(found);
  }
}

TEST_CASE("the variability of batches holds what the host does with their bytes") {
  Scenario scenario = test::small_scenario(1);
  scenario.datasets[0].sample_bytes = DistributionSpec::lognormal(1e6, 10.0);
  scenario.fabric.decrypt_bytes_per_s = 1e7;
  scenario.datasets[0].parse_bytes_per_s = 1e7;
  const IngestPath path = resolve_path(scenario, 0, {});
  const double bytes_s = 2e-7 + 1.0 / *path.flow_cap_bytes_per_s;  // a byte is transferred, decrypted and parsed
  const double opens = path.metadata_latency_s.variance();
  const double requests = path.request_latency_s.variance();
  CHECK(batch_time_variance(path) ==
        Approx(16 * (path.sample_bytes.variance() * bytes_s * bytes_s + opens + requests)).epsilon(1e-9));
  const EvidenceReport report = evidence_for(path);
  const auto cv = std::find_if(report.extrapolates.begin(), report.extrapolates.end(),
                               [](const ExtrapolatedDimension& d) { return d.dimension.starts_with("variability"); });
  REQUIRE(cv != report.extrapolates.end());  // 0.02 without the protocol and the decoding
  CHECK(cv->value == Approx(batch_time_law(path).cv()).epsilon(0.15));
}

TEST_CASE("one loader is held against the prefetch queue, many against a barrier") {
  IngestPath one = path_of(1, 4);
  one.loaders = 1;
  CHECK(evidence_for(one).nearest_case.find("prefetch queue") == 0);
  CHECK(evidence_for(path_of(3, 4)).nearest_case.find("prefetch queue") == std::string::npos);
}

TEST_CASE("parts of the model that no case holds are named") {
  IngestPath path = path_of(2, 4);
  CHECK(evidence_for(path).not_validated.empty());
  path.limit_requests_per_s = 100.0;
  path.hit_ratio = 0.5;
  CHECK(evidence_for(path).not_validated.size() == 2);
}

TEST_CASE("a cluster has the evidence of the job that lies farthest out, and names what any of its jobs uses") {
  Scenario scenario = test::small_scenario(8);
  scenario.jobs[0].nodes = 2;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "deep";
  scenario.jobs[1].loader.workers = 64;
  scenario.jobs[1].step.efficiency = BatchEfficiency{4.0, 16.0};
  const auto evidence_of = [](const Scenario& jobs) { return flow_bound(jobs).evidence; };
  const EvidenceReport one = evidence_of(scenario);
  std::swap(scenario.jobs[0], scenario.jobs[1]);
  const EvidenceReport other = evidence_of(scenario);
  for (const EvidenceReport* report : {&one, &other}) {
    const auto workers = std::find_if(report->extrapolates.begin(), report->extrapolates.end(),
                                      [](const ExtrapolatedDimension& d) { return d.dimension == "workers"; });
    REQUIRE(workers != report->extrapolates.end());
    CHECK(workers->value == 64.0);
    const auto named = [&](const char* part) {
      return std::count_if(report->not_validated.begin(), report->not_validated.end(),
                           [&](const std::string& text) { return text.find(part) != std::string::npos; });
    };
    CHECK(named("micro-batch") == 1);
    CHECK(named("share a store") == 1);
  }
  CHECK(one.nearest_case == other.nearest_case);
}

TEST_CASE("every part that docs-validation says is not validated is named by an outcome that uses it") {
  const auto names = [](const Scenario& scenario, const char* part) {
    const EvidenceReport evidence = flow_bound(scenario).evidence;
    return std::any_of(evidence.not_validated.begin(), evidence.not_validated.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
  };
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].metadata.servers = 4;
  CHECK(names(scenario, "metadata"));
  scenario = test::small_scenario(2);
  scenario.jobs[0].index = StartIndex{};
  CHECK(names(scenario, "listing"));
  scenario = test::small_scenario(2);
  scenario.jobs[0].checkpoint = Checkpoint{};
  scenario.jobs[0].checkpoint->store = "store";
  scenario.jobs[0].checkpoint->bytes = 1e9;
  CHECK(names(scenario, "checkpoints and failures"));
  scenario = test::small_scenario(2);
  scenario.jobs[0].loader.access = FileAccess{};
  scenario.jobs[0].loader.access->mode = ReadMode::mmap;
  CHECK(names(scenario, "host"));
  scenario = test::small_scenario(2);
  scenario.fabric.decrypt_bytes_per_s = 1e9;
  CHECK(names(scenario, "host"));
  scenario = test::small_scenario(2);
  scenario.jobs[0].collective = Collective{};
  scenario.jobs[0].collective->bytes = 1e9;
  CHECK(names(scenario, "gradients"));
}

TEST_CASE("what was measured of hosts, barriers, batches, checkpoints and listings is named with its error") {
  const auto only = [](const IngestPath& path) {
    const std::vector<MeasuredPart> parts = of_parts(path);
    REQUIRE(parts.size() == 1);
    return parts.front();
  };
  IngestPath path = path_of(1, 4);
  path.host_load.time_s = 0.01;
  path.host_load.cores = 8.0;
  path.host_load.slowdown = 2.94;
  CHECK(only(path).system.find("SPDL") != std::string::npos);
  REQUIRE(only(path).extrapolates.size() == 1);
  CHECK(only(path).extrapolates[0].factor == Approx(1.5));
  path = path_of(1, 4);
  path.receive_s = 1e-3;
  path.memory_bytes_per_sample = 128.0 * 1048576.0 / path.batch_samples;
  CHECK(only(path).system.find("PyTorch") != std::string::npos);
  REQUIRE(only(path).extrapolates.size() == 1);
  CHECK(only(path).extrapolates[0].factor == Approx(2.0));
  EvidenceReport report;
  add_checkpoint_evidence(512.0, false, report);
  CHECK(report.measured.size() == 1);
  add_checkpoint_evidence(4096.0, true, report);
  add_listing_evidence(1e4, report);
  REQUIRE(report.measured.size() == 4);
  CHECK(report.measured[0].extrapolates.empty());
  CHECK(report.measured[1].extrapolates.size() == 1);
  CHECK(report.measured[2].part.find("load") != std::string::npos);
  CHECK(report.measured[2].extrapolates.size() == 1);
  CHECK(report.measured[3].extrapolates.empty());
  for (const MeasuredPart& part : report.measured) CHECK(part.error.largest >= part.error.mean);
}

TEST_CASE("parts of the model that measurements were held against are named, with the error and what lies outside") {
  IngestPath path = path_of(1, 4);
  CHECK(of_parts(path).empty());
  path.hit_ratio = 0.5;
  path.contending_workers = 32.0;
  path.landing_links = 4;
  const EvidenceReport report = evidence_for(path);
  const std::vector<MeasuredPart> measured = of_parts(path);
  REQUIRE(measured.size() == 3);
  for (const MeasuredPart& part : measured) {
    CHECK(part.error.largest >= part.error.mean);
    CHECK(part.error.cases > 0);
  }
  CHECK(measured[0].extrapolates.empty());
  REQUIRE(measured[1].extrapolates.size() == 1);  // 8 workers were measured
  CHECK(measured[1].extrapolates[0].factor == Approx(4.0));
  CHECK(measured[2].extrapolates.empty());
  CHECK(report.not_validated.empty());  // one node's cache is
  path.tiers.shares.page = 0.9;
  path.tiers.linux_pages = false;
  CHECK(of_parts(path).size() == 3);  // strict lru was not
  path.tiers.linux_pages = true;
  const std::vector<MeasuredPart> pages = of_parts(path);
  REQUIRE(pages.size() == 4);
  CHECK(pages[1].error.metric == "page_cache_hit_ratio");
  REQUIRE(pages[1].extrapolates.size() == 1);
  CHECK(pages[1].extrapolates[0].factor == Approx(0.9 / 0.8));
}
