#include "models/study/study.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

StudyOptions quick(unsigned threads = 1) {
  StudyOptions options;
  options.steps = 1500;
  options.threads = threads;
  return options;
}

double mean(const Outcome& outcome, const char* name) {
  const Metric* metric = outcome.find(name);
  REQUIRE(metric != nullptr);
  return metric->mean;
}

void check_same(const Outcome& resumed, const Outcome& fresh) {
  CHECK(resumed.stopped_by == fresh.stopped_by);
  CHECK(resumed.steps == fresh.steps);
  REQUIRE(resumed.metrics.size() == fresh.metrics.size());
  for (std::size_t m = 0; m < fresh.metrics.size(); ++m) {
    CHECK(resumed.metrics[m].mean == fresh.metrics[m].mean);
    REQUIRE(resumed.metrics[m].ci95.has_value() == fresh.metrics[m].ci95.has_value());
    if (fresh.metrics[m].ci95) CHECK(resumed.metrics[m].ci95->high == fresh.metrics[m].ci95->high);
  }
  REQUIRE(resumed.relief.size() == fresh.relief.size());
  for (std::size_t s = 0; s < fresh.relief.size(); ++s) CHECK(resumed.relief[s].mean == fresh.relief[s].mean);
}

}  // namespace

TEST_CASE("a starved job is ingest-bound by its transfer, with blame and relief that say so") {
  const Outcome outcome = simulate(test::starved_scenario(), quick());
  CHECK(outcome.verdict == Verdict::ingest_bound);
  REQUIRE(outcome.binding.has_value());
  CHECK(*outcome.binding == Stage::transfer);
  CHECK(mean(outcome, "step_time_s") == Approx(0.16).epsilon(0.03));
  double states = 0.0;
  for (const GpuStateShare& state : outcome.gpu_states) states += state.share;
  CHECK(states == Approx(1.0));
  double blame = 0.0;
  for (const StageShare& share : outcome.blame) blame += share.mean;
  CHECK(blame == Approx(mean(outcome, "gpu_idle_fraction")).epsilon(1e-9));
  for (const StageShare& share : outcome.relief) {
    if (share.stage != Stage::transfer) continue;
    CHECK(share.mean > 0.9 * mean(outcome, "gpu_idle_fraction"));
    REQUIRE(share.ci95.has_value());
    CHECK(share.ci95->low < share.mean);
  }
  CHECK(outcome.find("step_time_s")->ci95.has_value());
}

// One node, LRU, closed form: all hits fall into the first tenth of the epoch, which is simulated in seven of its eight
// windows. Nothing is shared, so that the mean follows from the mean hit ratio.
TEST_CASE("load times of an epoch weigh its windows by their steps") {
  Scenario scenario = test::small_scenario(1);
  scenario.stores[0].latency_s = DistributionSpec::constant(0.02);
  scenario.stores[0].stream_bytes_per_s = 1e9;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  NodeCache& cache = scenario.cluster.pools[0].cache;
  cache.policy = CachePolicy::lru;
  cache.fidelity = CacheFidelity::statistical;
  cache.bytes = 0.1 * 100000 * 1e6;
  cache.bandwidth_bytes_per_s = 1e12;
  const Outcome outcome = simulate(scenario, quick());
  REQUIRE(outcome.windows.size() == 8);
  const double missed = 1.0 - mean(outcome, "cache_hit_ratio");
  CHECK(missed > 0.99);
  CHECK(mean(outcome, "batch_load_time_s") == Approx(16 * 0.021 * missed).epsilon(0.01));
  REQUIRE(outcome.batch_load_time.has_value());
  CHECK(outcome.batch_load_time->p50_s == Approx(16 * 0.021).epsilon(0.01));
}

TEST_CASE("a job that ingest keeps up with is fed") {
  const Outcome outcome = simulate(test::small_scenario(2), quick());
  CHECK(outcome.verdict == Verdict::fed);
  CHECK(mean(outcome, "gpu_idle_fraction") < 0.01);
  CHECK(mean(outcome, "step_time_s") == Approx(0.102).epsilon(0.01));
  CHECK(mean(outcome, "mlperf_au_percent") == Approx(100.0 * 0.1 / 0.102).epsilon(0.01));
}

TEST_CASE("too short a run is inconclusive and never passes for an answer") {
  StudyOptions options = quick();
  options.steps = 60;
  const Outcome outcome = simulate(test::small_scenario(), options);
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK_FALSE(outcome.warnings.empty());
}

TEST_CASE("a run without an interval is decided where a resource alone makes the GPUs wait") {
  StudyOptions options = quick();
  options.steps = 60;
  const Outcome outcome = simulate(test::starved_scenario(), options);
  CHECK_FALSE(outcome.find("gpu_idle_fraction")->ci95);
  CHECK(flow_bound(test::starved_scenario()).find("gpu_idle_fraction")->mean > 0.05);
  CHECK(outcome.verdict == Verdict::ingest_bound);
  CHECK_FALSE(outcome.warnings.empty());
}

TEST_CASE("results do not depend on the number of threads") {
  Scenario scenario = test::starved_scenario();
  scenario.cluster.pools[0].cache.policy = CachePolicy::lru;
  scenario.cluster.pools[0].cache.bytes = 3e10;
  scenario.cluster.pools[0].cache.fidelity = CacheFidelity::statistical;
  StudyOptions options = quick();
  options.replications = 2;
  options.steps = 700;
  const Outcome one = simulate(scenario, options);
  options.threads = 4;
  const Outcome four = simulate(scenario, options);
  REQUIRE(one.metrics.size() == four.metrics.size());
  for (std::size_t i = 0; i < one.metrics.size(); ++i) CHECK(one.metrics[i].mean == four.metrics[i].mean);
  REQUIRE(one.relief.size() == four.relief.size());
  for (std::size_t i = 0; i < one.relief.size(); ++i) CHECK(one.relief[i].mean == four.relief[i].mean);
  CHECK(one.windows.size() == 4);
}

TEST_CASE("bound, estimate and simulation are ordered and agree where nothing queues") {
  const Scenario scenario = test::starved_scenario();
  const Outcome bound = flow_bound(scenario);
  const Outcome estimate = queueing_estimate(scenario, 1);
  const Outcome simulated = simulate(scenario, quick());
  CHECK(bound.metrics.front().kind == AnswerKind::bound);
  CHECK(estimate.metrics.front().kind == AnswerKind::estimate);
  CHECK(mean(bound, "step_time_s") == Approx(0.16));
  CHECK(mean(estimate, "step_time_s") >= mean(bound, "step_time_s"));
  CHECK(mean(simulated, "step_time_s") > 0.99 * mean(bound, "step_time_s"));
  CHECK(bound.binding == Stage::transfer);
}

TEST_CASE("an epoch's cost is the sum of its ledger") {
  Scenario scenario = test::starved_scenario();
  scenario.prices.node_hour_usd = 1.0;
  scenario.stores[0].price.capacity_usd_per_byte_month = 2e-11;
  scenario.stores[0].price.usd_per_request = 4e-7;
  scenario.stores[0].price.egress_usd_per_byte = 9e-11;
  const Outcome outcome = flow_bound(scenario);
  double usd = 0.0;
  for (const LedgerLine& line : outcome.ledger) usd += line.usd;
  CHECK(usd == Approx(mean(outcome, "cost_per_epoch_usd")));
  const double epoch_s = 100000.0 / 64.0 * 0.16;
  CHECK(mean(outcome, "epoch_time_s") == Approx(epoch_s));
  CHECK(usd ==
        Approx(epoch_s / 3600.0 * (4 * 2.0 + 2 * 1.0) + 1e11 * (2e-11 * epoch_s / 2628000.0 + 9e-11) + 100000 * 4e-7));
}

TEST_CASE("memory that the loaders do not have is infeasible") {
  Scenario scenario = test::small_scenario(2);
  scenario.cluster.pools[0].host.memory_bytes = 1e8;
  CHECK(flow_bound(scenario).verdict == Verdict::infeasible);
}

TEST_CASE("a study that is run on gives the same figures as one that runs at once") {
  StudyOptions options = quick();
  options.control = false;
  options.replications = 2;
  ResumableStudy study(test::starved_scenario(), options);
  const Outcome first = study.run_until(0.05);
  CHECK(first.stopped_by == "precision");
  REQUIRE(first.steps < 5000);
  for (const std::uint64_t steps : {std::uint64_t{5000}, std::uint64_t{6000}}) {
    const Outcome resumed = study.run_to(steps);
    options.steps = steps;
    const Outcome fresh = simulate(test::starved_scenario(), options);
    CHECK(resumed.stopped_by == "steps");
    check_same(resumed, fresh);
  }
}

// A cache with an epoch in windows, each of which ends at a length of its own.
TEST_CASE("a study that is asked for more and more precision gives the figures of one that is asked at once",
          "[long_1]") {
  Scenario scenario = test::starved_scenario();
  NodeCache& cache = scenario.cluster.pools[0].cache;
  cache.policy = CachePolicy::lru;
  cache.fidelity = CacheFidelity::statistical;
  cache.bytes = 0.3 * 100000 * 1e6;
  StudyOptions options = quick();
  options.steps = 0;
  options.replications = 2;
  for (const bool control : {false, true}) {
    CAPTURE(control);
    options.control = control;
    ResumableStudy study(scenario, options);
    std::uint64_t shortest = 0;
    for (const double precision : {0.04, 0.02, 0.01}) {
      const Outcome resumed = study.run_until(precision);
      options.precision = precision;
      const Outcome fresh = simulate(scenario, options);
      check_same(resumed, fresh);
      if (shortest == 0) shortest = resumed.steps;
    }
    CHECK(study.run_until(0.005).steps > shortest);
    CHECK(study.loaders() > 0);
  }
}
