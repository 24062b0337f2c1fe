#include "models/study/paired_difference.hpp"

#include <cmath>

#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

StudyOptions paired(std::uint64_t steps = 2048) {
  StudyOptions options;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  options.control = false;
  options.keep_series = true;
  return options;
}

Scenario starved(double bandwidth_bytes_per_s = 0.4e9) {
  Scenario scenario = test::starved_scenario(bandwidth_bytes_per_s);
  scenario.jobs[0].step.step_time_s = DistributionSpec::lognormal(0.1, 0.05);
  return scenario;
}

double half_width(const Interval& interval) { return 0.5 * (interval.high - interval.low); }

}  // namespace

TEST_CASE("a scenario differs from itself by nothing, and that is known exactly") {
  const Outcome outcome = simulate(starved(), paired(1024));
  for (const char* name : {"step_time_s", "gpu_idle_fraction", "gpu_utilization", "cost_per_epoch_usd"}) {
    const auto difference = paired_difference(outcome, outcome, name);
    REQUIRE(difference);
    CHECK(difference->mean == 0.0);
    CHECK(difference->pairing == Pairing::steps);
    REQUIRE(difference->ci);
    CHECK(half_width(*difference->ci) <= 1e-9);
    CHECK_FALSE(difference->is_significant());
  }
}

TEST_CASE("pairs of steps make the interval of a difference far narrower than those of the results") {
  const Outcome before = simulate(starved(0.4e9), paired());
  const Outcome after = simulate(starved(0.41e9), paired());
  REQUIRE(can_pair(before, after));
  const auto step = paired_difference(before, after, "step_time_s");
  REQUIRE(step);
  REQUIRE(step->ci);
  CHECK(step->pairing == Pairing::steps);
  CHECK(step->pairs >= 64);
  CHECK(step->is_significant());
  CHECK(step->mean == Approx(step->after - step->before));
  const double alone =
      std::hypot(half_width(*before.find("step_time_s")->ci95), half_width(*after.find("step_time_s")->ci95));
  CHECK(half_width(*step->ci) < 0.5 * alone);
  // The store's bandwidth alone decides: the step is shorter by 1/41.
  REQUIRE(step->relative_ci);
  CHECK(*step->relative == Approx(-1.0 / 41.0).margin(0.005));
  CHECK(step->relative_ci->low <= *step->relative);
  CHECK(step->relative_ci->high >= *step->relative);
}

TEST_CASE("what follows from the step time has its interval from the same pairs") {
  const Outcome before = simulate(starved(0.4e9), paired(1024));
  const Outcome after = simulate(starved(0.42e9), paired(1024));
  const auto step = paired_difference(before, after, "step_time_s");
  const auto epoch = paired_difference(before, after, "epoch_time_s");
  const auto cost = paired_difference(before, after, "cost_per_epoch_usd");
  const auto rate = paired_difference(before, after, "samples_per_s");
  const auto idle = paired_difference(before, after, "gpu_idle_fraction");
  const auto utilization = paired_difference(before, after, "gpu_utilization");
  REQUIRE((step && epoch && cost && rate && idle && utilization));
  REQUIRE((step->ci && epoch->ci && cost->ci && rate->ci && idle->ci && utilization->ci));
  CHECK(half_width(*epoch->relative_ci) == Approx(half_width(*step->relative_ci)).epsilon(1e-6));
  // The rate is one over the step time, and so is its derivative: 1 + 1/40 of each other, squared.
  CHECK(half_width(*rate->relative_ci) ==
        Approx(half_width(*step->relative_ci) * std::pow(1.0 + *rate->relative, 2)).epsilon(0.1));
  CHECK(rate->mean > 0.0);
  CHECK(cost->mean < 0.0);
  CHECK(cost->is_significant());
  CHECK(idle->is_significant());
  CHECK(idle->mean < 0.0);
  CHECK(utilization->mean > 0.0);
  // All time is compute, overhead and wait: what idle loses, the others win.
  CHECK(half_width(*idle->ci) < 0.02);
}

TEST_CASE("the interval of a paired difference covers what longer runs find", "[long_3]") {
  // At 99.99 % per metric; three metrics and five seeds: a false failure in 700 runs of other seeds, none with these.
  const Scenario slow = starved(0.4e9);
  const Scenario fast = starved(0.45e9);
  const Outcome long_slow = simulate(slow, paired(16384));
  const Outcome long_fast = simulate(fast, paired(16384));
  for (std::uint64_t seed = 2; seed <= 6; ++seed) {
    StudyOptions options = paired(1024);
    options.seed = seed;
    const Outcome before = simulate(slow, options);
    const Outcome after = simulate(fast, options);
    for (const char* name : {"step_time_s", "gpu_idle_fraction", "cost_per_epoch_usd"}) {
      const auto reference = paired_difference(long_slow, long_fast, name);
      const auto difference = paired_difference(before, after, name, 0.9999);
      REQUIRE((reference && difference && reference->ci && difference->ci));
      CHECK(difference->ci->low <= reference->ci->high);
      CHECK(difference->ci->high >= reference->ci->low);
    }
  }
}

TEST_CASE("runs of other seeds are compared by their own intervals") {
  StudyOptions options = paired();
  const Outcome before = simulate(starved(), options);
  options.seed = 2;
  const Outcome after = simulate(starved(), options);
  CHECK_FALSE(can_pair(before, after));
  const auto difference = paired_difference(before, after, "step_time_s");
  REQUIRE(difference);
  REQUIRE(difference->ci);
  CHECK(difference->pairing == Pairing::independent);
  const double alone =
      std::hypot(half_width(*before.find("step_time_s")->ci95), half_width(*after.find("step_time_s")->ci95));
  CHECK(half_width(*difference->ci) == Approx(alone).epsilon(0.05));
}

TEST_CASE("replications are paired where no steps were kept") {
  StudyOptions options = paired(1024);
  options.keep_series = false;
  options.replications = 5;
  const Outcome before = simulate(starved(0.4e9), options);
  const Outcome after = simulate(starved(0.41e9), options);
  const auto difference = paired_difference(before, after, "step_time_s");
  REQUIRE(difference);
  REQUIRE(difference->ci);
  CHECK(difference->pairing == Pairing::replications);
  CHECK(difference->pairs == 5);
  CHECK(difference->is_significant());
}

TEST_CASE("quantiles need replications", "[long_2]") {
  const Outcome one = simulate(starved(0.4e9), paired(1024));
  const auto single = paired_difference(one, one, "batch_load_time_s.p99");
  REQUIRE(single);
  CHECK_FALSE(single->ci);
  std::vector<Outcome> before;
  std::vector<Outcome> after;
  for (std::uint32_t r = 0; r < 5; ++r) {
    StudyOptions options = paired(600);
    options.first_replication = r;
    before.push_back(simulate(starved(0.4e9), options));
    after.push_back(simulate(starved(0.5e9), options));
  }
  const auto difference = paired_difference(before, after, "batch_load_time_s.p99");
  REQUIRE(difference);
  REQUIRE(difference->ci);
  CHECK(difference->pairs == 5);
  CHECK(difference->is_significant());
  CHECK(difference->mean < 0.0);
  CHECK(needs_replications(*metric_of(one, "batch_load_time_s.p99")));
  CHECK_FALSE(needs_replications(*metric_of(one, "step_time_s")));
}

TEST_CASE("too short runs have no interval of their difference") {
  const Outcome before = simulate(starved(0.4e9), paired(60));
  const Outcome after = simulate(starved(0.41e9), paired(60));
  const auto difference = paired_difference(before, after, "step_time_s");
  REQUIRE(difference);
  CHECK_FALSE(difference->ci);
  CHECK(difference->pairing == Pairing::none);
  CHECK_FALSE(paired_difference(before, after, "no_such_metric"));
}

TEST_CASE("rough intervals of brief runs are as sure as a screening needs", "[long_3]") {
  // At 99 %, of 400 pairs: at most 12 may miss what long runs find (a false failure in 2,000 runs of other seeds at the
  // stated confidence; with these none misses). A ranking gives points up at 99.9 %.
  struct Case {
    double before_bytes_per_s;
    double after_bytes_per_s;
    double cv;
  };
  std::size_t missed = 0;
  std::size_t pairs = 0;
  for (const Case& c :
       {Case{0.4e9, 0.41e9, 0.05}, Case{0.4e9, 0.45e9, 0.3}, Case{0.62e9, 0.66e9, 0.2}, Case{0.55e9, 0.8e9, 0.3}}) {
    const auto scenario = [&c](double bandwidth_bytes_per_s) {
      Scenario scenario = test::starved_scenario(bandwidth_bytes_per_s);
      scenario.jobs[0].step.step_time_s = DistributionSpec::lognormal(0.1, c.cv);
      return scenario;
    };
    const Scenario before = scenario(c.before_bytes_per_s);
    const Scenario after = scenario(c.after_bytes_per_s);
    const auto truth =
        paired_difference(simulate(before, paired(65536)), simulate(after, paired(65536)), "step_time_s");
    REQUIRE((truth && truth->ci));
    for (std::uint64_t seed = 2; seed <= 101; ++seed) {
      StudyOptions options = paired(128);
      options.seed = seed;
      const auto brief = paired_difference(simulate(before, options), simulate(after, options), "step_time_s", 0.99,
                                           headrace::sim::TooShort::rough);
      REQUIRE(brief);
      if (!brief->ci) continue;
      ++pairs;
      missed += brief->ci->low > truth->ci->high || brief->ci->high < truth->ci->low ? 1 : 0;
    }
  }
  CHECK(pairs >= 200);
  CHECK(missed <= 12);
}

TEST_CASE("jobs that share a store are compared one by one and together") {
  Scenario scenario = starved(0.8e9);
  scenario.cluster.pools[0].nodes = 4;
  scenario.jobs[0].nodes = 2;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  Scenario faster = scenario;
  faster.stores[0].bandwidth_bytes_per_s = 0.84e9;
  const Outcome before = simulate(scenario, paired(1024));
  const Outcome after = simulate(faster, paired(1024));
  for (const char* name : {"step_time_s", "jobs/other/step_time_s", "samples_per_s", "epoch_time_s"}) {
    const auto difference = paired_difference(before, after, name);
    REQUIRE(difference);
    REQUIRE(difference->ci);
    CHECK(difference->pairing == Pairing::steps);
    CHECK(difference->is_significant());
  }
  const auto one = paired_difference(before, after, "jobs/other/samples_per_s");
  const auto both = paired_difference(before, after, "samples_per_s");
  CHECK(both->mean == Approx(2.0 * one->mean).epsilon(0.1));
}

TEST_CASE("windows of an epoch are paired window by window") {
  Scenario scenario = starved();
  scenario.cluster.pools[0].cache.policy = CachePolicy::lru;
  scenario.cluster.pools[0].cache.bytes = 3e10;
  scenario.cluster.pools[0].cache.fidelity = CacheFidelity::statistical;
  Scenario faster = scenario;
  faster.stores[0].bandwidth_bytes_per_s = 0.42e9;
  const Outcome before = simulate(scenario, paired(1024));
  const Outcome after = simulate(faster, paired(1024));
  REQUIRE(before.windows.size() > 1);
  for (const char* name : {"step_time_s", "first_epoch_time_s"}) {
    const auto difference = paired_difference(before, after, name);
    REQUIRE(difference);
    REQUIRE(difference->ci);
    CHECK(difference->pairing == Pairing::steps);
    CHECK(difference->is_significant());
  }
}

TEST_CASE("a difference has an interval where neither value has one") {
  Outcome before = simulate(starved(0.4e9), paired());
  Outcome after = simulate(starved(0.41e9), paired());
  const auto told = paired_difference(before, after, "step_time_s");
  for (Outcome* outcome : {&before, &after})
    for (Metric& metric : outcome->metrics) metric.ci95.reset();
  const auto untold = paired_difference(before, after, "step_time_s");
  REQUIRE((told && untold && told->ci && untold->ci));
  CHECK(untold->pairing == Pairing::steps);
  CHECK(half_width(*untold->ci) >= half_width(*told->ci));  // what lies between both means is added
  CHECK(half_width(*untold->ci) < 1.5 * half_width(*told->ci));
  // Of a difference that is not steady either, there is none.
  std::vector<double>& durations_s = after.replications.front().series.duration_s;
  for (std::size_t i = 0; i < durations_s.size(); ++i) durations_s[i] += 1e-5 * static_cast<double>(i);
  CHECK_FALSE(paired_difference(before, after, "step_time_s")->ci);
}

TEST_CASE("windows with the same draws count as one error") {
  const auto halved = [](Outcome outcome) {
    outcome.windows.front().weight = 0.5;
    outcome.windows.push_back(outcome.windows.front());
    outcome.replications.push_back(outcome.replications.front());
    outcome.replications.back().window = 1;
    return outcome;
  };
  const Outcome before = simulate(starved(0.4e9), paired());
  const Outcome after = simulate(starved(0.41e9), paired());
  const auto one = paired_difference(before, after, "step_time_s");
  const auto two = paired_difference(halved(before), halved(after), "step_time_s");
  REQUIRE((one && two && one->ci && two->ci));
  CHECK(half_width(*two->ci) == Approx(half_width(*one->ci)));
}
