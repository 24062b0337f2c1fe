#include "models/outcome/merged_batches.hpp"

#include <algorithm>

#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

bool warned(const Outcome& outcome) {
  return std::any_of(outcome.warnings.begin(), outcome.warnings.end(),
                     [](const Warning& warning) { return warning.seen.find("just enough") != std::string::npos; });
}

/// Four workers with one batch each, 80 % of whose time is taken, at a station that is 85 % busy.
struct Case {
  IngestPath path;
  Outcome outcome;

  Case() {
    path.workers = path.outstanding = 4;
    path.batch_samples = 16;
    path.compute_s = headrace::sim::Distribution::constant(0.1);
    outcome.batch_load_time = LoadTimeQuantiles{0.32, 0.34, 0.36, 0.37};
    outcome.stations.emplace_back();
    outcome.stations.back().utilization = 0.85;
  }
  bool warns() {
    outcome.warnings.clear();
    warn_of_merged_batches(path, outcome);
    return warned(outcome);
  }
};

}  // namespace

TEST_CASE("merged batches: just enough workers with one batch each are warned of") {
  Case just_enough;
  CHECK(just_enough.warns());
  CHECK(just_enough.outcome.warnings.front().fix.find("chunk(8)") != std::string::npos);
}

TEST_CASE("merged batches: no warning where the decision found no difference") {
  Case c;
  SECTION("batches in stock") { c.path.outstanding = 8; }
  SECTION("chunks") { c.path.granularity = {Granularity::Kind::chunk, 8}; }
  SECTION("samples") { c.path.granularity = {Granularity::Kind::sample, 1}; }
  SECTION("any order") { c.path.order = DeliveryOrder::any_order_shared; }
  SECTION("one sample") { c.path.batch_samples = 1; }
  SECTION("fast enough") { c.path.compute_s = headrace::sim::Distribution::constant(0.2); }
  SECTION("too slow") { c.path.compute_s = headrace::sim::Distribution::constant(0.05); }
  SECTION("varies") { c.outcome.batch_load_time->p99_s = 0.6; }
  SECTION("nothing shared is busy") { c.outcome.stations.back().utilization = 0.5; }
  SECTION("saturated") { c.outcome.stations.back().utilization = 1.0; }
  SECTION("nothing was simulated") { c.outcome.batch_load_time.reset(); }
  CHECK_FALSE(c.warns());
}

TEST_CASE("merged batches: a simulation tells it") {
  Scenario scenario = test::small_scenario(1);
  scenario.cluster.pools.front().gpus_per_node = 1;
  scenario.cluster.pools.front().host.cores = 3;
  scenario.stores.front().latency_s = DistributionSpec::constant(0.001);
  scenario.stores.front().metadata.latency_s = DistributionSpec::constant(0.001);
  Job& job = scenario.jobs.front();
  job.loader.prefetch = 1;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.02);
  job.step.step_time_s = DistributionSpec::constant(0.115);
  StudyOptions options;
  options.steps = 400;
  CHECK_FALSE(warned(simulate(scenario, options)));  // the pilot by samples finds the same step time, 117 ms
  options.relief = false;
  options.granularity = Granularity{};  // no pilot
  const Outcome outcome = simulate(scenario, options);
  INFO("load time " << outcome.batch_load_time->p50_s << " to " << outcome.batch_load_time->p99_s << " s");
  CHECK(warned(outcome));
  job.loader.prefetch = 2;
  CHECK_FALSE(warned(simulate(scenario, options)));
}
