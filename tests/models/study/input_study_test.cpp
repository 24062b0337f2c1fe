#include "models/study/input_study.hpp"

#include <algorithm>
#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

const UncertainInput* find(const std::vector<UncertainInput>& inputs, const std::string& pointer) {
  for (const UncertainInput& input : inputs)
    if (input.pointer == pointer) return &input;
  return nullptr;
}

const MetricDrivers* drivers_of(const Outcome& outcome, const std::string& metric) {
  REQUIRE(outcome.inputs.has_value());
  for (const MetricDrivers& drivers : outcome.inputs->drivers)
    if (drivers.metric == metric) return &drivers;
  return nullptr;
}

/// A store that is clearly too small, so that the step time is bytes over bandwidth.
Scenario store_bound() {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = 0.2e9;
  return scenario;
}

}  // namespace

TEST_CASE("assumed and data-sheet figures are drawn, decisions and switches are not") {
  Scenario scenario = test::small_scenario();
  scenario.cluster.pools[0].nic.efficiency = 0.9;
  scenario.cluster.pools[0].host.memory_bytes = 1e12;
  scenario.cluster.pools[0].gpu.pcie_bytes_per_s = 10e9;
  scenario.stores[0].limit.requests_per_s_per_prefix = 5500.0;
  const auto inputs = uncertain_inputs(scenario);
  const UncertainInput* bandwidth = find(inputs, "/stores/0/bandwidth");
  REQUIRE(bandwidth != nullptr);
  CHECK(bandwidth->low == Approx(40e9 / 1.5));
  CHECK(bandwidth->high == Approx(40e9 * 1.5));
  const UncertainInput* pcie = find(inputs, "/cluster/pools/0/gpu/pcie");
  REQUIRE(pcie != nullptr);
  CHECK(pcie->evidence == Evidence::datasheet);
  CHECK(pcie->high == Approx(11e9));
  const UncertainInput* efficiency = find(inputs, "/cluster/pools/0/nic/efficiency");
  REQUIRE(efficiency != nullptr);  // odds 9: 6 to 13.5
  CHECK(efficiency->low == Approx(6.0 / 7.0));
  CHECK(efficiency->high == Approx(13.5 / 14.5));
  const UncertainInput* latency = find(inputs, "/stores/0/latency");
  REQUIRE(latency != nullptr);
  CHECK(latency->value == Approx(0.02));
  CHECK_FALSE(latency->spread_only);
  REQUIRE(find(inputs, "/stores/0/latency/lognormal/cv") != nullptr);
  CHECK(find(inputs, "/stores/0/latency/lognormal/cv")->spread_only);
  for (const char* pointer :
       {"/cluster/pools/0/nic/bandwidth", "/cluster/pools/0/host/memory", "/cluster/pools/0/host/copy",
        "/fabric/efficiency", "/stores/0/front_end", "/stores/0/limit/requests_per_prefix",
        "/stores/0/limit/first_backoff", "/fabric/leaf_oversubscription", "/cluster/pools/0/nodes",
        "/jobs/0/loader/workers", "/stores/0/latency/lognormal/mean"}) {
    INFO(pointer);
    CHECK(find(inputs, pointer) == nullptr);
  }
}

TEST_CASE("knowledge beats the description") {
  const Scenario scenario = test::small_scenario();
  const auto inputs = uncertain_inputs(scenario, [](const NumberSite& site) -> Knowledge {
    if (site.pointer == "/stores/0/bandwidth") return {Evidence::measured, {}, {}};
    if (site.pointer == "/stores/0/latency") return {Evidence::assumed, 0.01, 0.012};
    if (site.pointer == "/cluster/pools/0/host/speed_cv") return {Evidence::assumed, 0.0, 0.2};
    return {};
  });
  CHECK(find(inputs, "/stores/0/bandwidth") == nullptr);
  REQUIRE(find(inputs, "/stores/0/latency") != nullptr);
  CHECK(find(inputs, "/stores/0/latency")->stated);
  CHECK(find(inputs, "/stores/0/latency")->high == 0.012);
  REQUIRE(find(inputs, "/cluster/pools/0/host/speed_cv") != nullptr);  // zero, but somebody thinks otherwise
  CHECK(find(inputs, "/cluster/pools/0/host/speed_cv")->at(0.5) == Approx(0.1));
}

TEST_CASE("drawn values reach the scenario: ends, laws by their mean, nothing else") {
  const Scenario scenario = test::small_scenario();
  const auto inputs = uncertain_inputs(scenario);
  std::vector<double> u(inputs.size(), 0.5);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    CHECK(inputs[i].at(1e-12) >= inputs[i].low * (1.0 - 1e-9));
    CHECK(inputs[i].at(1.0 - 1e-12) <= inputs[i].high * (1.0 + 1e-9));
    CHECK(inputs[i].at(0.2) <= inputs[i].at(0.7));
    if (inputs[i].pointer == "/stores/0/latency") u[i] = 0.75;
    if (inputs[i].pointer == "/datasets/0/sample_bytes") u[i] = 0.25;
  }
  const Scenario changed = with_inputs(scenario, inputs, u);
  CHECK(mean_of(changed.stores[0].latency_s) > 0.02);
  CHECK(mean_of(changed.stores[0].latency_s) < 0.03);
  CHECK(mean_of(changed.datasets[0].sample_bytes) < 1e6);
  CHECK(changed.stores[0].bandwidth_bytes_per_s == Approx(40e9));  // the middle, in ratios
  CHECK(changed.cluster.pools[0].nodes == scenario.cluster.pools[0].nodes);
}

TEST_CASE("a range of a sample's size that keeps the volume changes the number of files") {
  Scenario scenario = test::small_scenario();
  const Dataset& before = scenario.datasets[0];
  const double half_bytes = 0.5 * mean_of(before.sample_bytes);
  for (const bool same_volume : {true, false}) {
    scenario.input_ranges = {{"/datasets/0/sample_bytes", "", "", Evidence::assumed, same_volume}};
    const auto inputs = uncertain_inputs(scenario);
    const UncertainInput* size = find(inputs, "/datasets/0/sample_bytes");
    REQUIRE(size != nullptr);
    const Dataset changed = with_input(scenario, *size, half_bytes).datasets[0];
    CHECK(mean_of(changed.sample_bytes) == Approx(half_bytes));
    CHECK(changed.files == before.files * (same_volume ? 2 : 1));
    CHECK(changed.bytes() == Approx(before.bytes() * (same_volume ? 1.0 : 0.5)));
  }
}

TEST_CASE("the bound ranks what it is made of: a store-bound step is bytes over bandwidth") {
  const Scenario scenario = store_bound();
  const Outcome outcome = flow_bound_over(scenario, uncertain_inputs(scenario), 1);
  const Metric* step = outcome.find("step_time_s");
  REQUIRE(step->input_range.has_value());
  CHECK(step->mean == flow_bound(scenario).find("step_time_s")->mean);
  // log(step) = log(bytes) - log(bandwidth), both uniform on +- log 1.5: their sum is triangular on +- 2 log 1.5, and
  // p10 of it lies at -2 log 1.5 (1 - sqrt 0.2).
  const double reach = std::exp(2.0 * std::log(1.5) * (1.0 - std::sqrt(0.2)));
  CHECK(step->input_range->low == Approx(step->mean / reach).epsilon(0.02));
  CHECK(step->input_range->high == Approx(step->mean * reach).epsilon(0.02));
  const MetricDrivers* drivers = drivers_of(outcome, "step_time_s");
  REQUIRE(drivers != nullptr);
  REQUIRE(drivers->effects.size() == 2);
  for (const InputEffect& effect : drivers->effects) {
    CHECK(effect.share == Approx(0.5).margin(0.03));
    CHECK((effect.parameter == "/stores/0/bandwidth" || effect.parameter == "/datasets/0/sample_bytes"));
  }
  // What moves only the cost comes after what moves the step time.
  REQUIRE(outcome.inputs->measure_next.size() == 3);
  CHECK(outcome.inputs->measure_next[2] == "/prices/gpu_hour");
  CHECK(outcome.inputs->verdicts[static_cast<std::size_t>(Verdict::ingest_bound)] == Approx(1.0));
  CHECK(outcome.jobs.front().metrics.front().input_range.has_value());
  // What only spreads a law cannot move a bound and is not drawn.
  for (const DrawnInput& input : outcome.inputs->inputs) CHECK(input.parameter.find("/cv") == std::string::npos);
}

TEST_CASE("each of several jobs keeps its own figures over ranges, which are those of its answers at the points") {
  Scenario scenario = store_bound();
  scenario.cluster.pools[0].nodes = 2;
  scenario.jobs[0].name = "large";
  scenario.jobs[0].nodes = 1;
  Job small = scenario.jobs[0];
  small.name = "small";
  small.step.batch = 4;
  scenario.jobs.push_back(small);
  const auto inputs = uncertain_inputs(scenario);
  for (const bool estimated : {false, true}) {
    const Outcome own = estimated ? queueing_estimate(scenario, 1) : flow_bound(scenario);
    const Outcome ranged = estimated ? estimate_over(scenario, inputs, 1) : flow_bound_over(scenario, inputs, 1);
    REQUIRE(ranged.jobs.size() == 2);
    for (std::size_t j = 0; j < own.jobs.size(); ++j)
      for (const Metric& metric : own.jobs[j].metrics) {
        INFO(own.jobs[j].name << ": " << metric.name);
        const Metric* found = find_in(ranged.jobs[j].metrics, metric.name);
        REQUIRE(found != nullptr);
        CHECK(found->mean == metric.mean);
        CHECK(found->input_range.has_value());
      }
    const auto step_range = [&](std::size_t j) {
      return find_in(ranged.jobs[j].metrics, "step_time_s")->input_range.value_or(Interval{});
    };
    CHECK(step_range(0).low > step_range(1).low);
    CHECK(step_range(0).high > step_range(1).high);
  }
}

TEST_CASE("the bars of a tornado are the answers at the ends of one range, the others as they are") {
  const Scenario scenario = store_bound();
  const auto inputs = uncertain_inputs(scenario);
  const Outcome outcome = flow_bound_over(scenario, inputs, 1);
  const auto step = std::find_if(outcome.inputs->tornado.begin(), outcome.inputs->tornado.end(),
                                 [](const MetricTornado& tornado) { return tornado.metric == "step_time_s"; });
  REQUIRE(step != outcome.inputs->tornado.end());
  CHECK(step->middle == outcome.find("step_time_s")->mean);
  REQUIRE(step->bars.size() >= 2);
  for (const InputBar& bar : step->bars) {
    const auto input = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const UncertainInput& one) { return one.pointer == bar.parameter; });
    REQUIRE(input != inputs.end());
    for (const bool high : {false, true}) {
      const Outcome there = flow_bound(with_inputs(scenario, {*input}, {high ? 1.0 : 0.0}));
      CHECK((high ? bar.at_high : bar.at_low) == Approx(there.find("step_time_s")->mean).epsilon(1e-9));
    }
    if (bar.parameter != "/stores/0/bandwidth") continue;
    CHECK(bar.at_low == Approx(1.5 * step->middle));
    CHECK(bar.at_high == Approx(step->middle / 1.5));
  }
  for (std::size_t i = 1; i < step->bars.size(); ++i)
    CHECK(std::abs(step->bars[i - 1].at_low - step->bars[i - 1].at_high) * (1.0 + 1e-9) >=
          std::abs(step->bars[i].at_low - step->bars[i].at_high));
}

TEST_CASE("a simulation over ranges: same numbers for any threads, the scenario's own answer unchanged") {
  const Scenario scenario = store_bound();
  StudyOptions options;
  options.steps = 300;
  options.relief = false;
  const auto inputs = uncertain_inputs(scenario);
  options.threads = 1;
  const Outcome one = simulate_over(scenario, inputs, options);
  options.threads = 3;
  const Outcome three = simulate_over(scenario, inputs, options);
  REQUIRE(one.inputs.has_value());
  CHECK(one.inputs->points * one.inputs->steps <= 10 * 300);
  CHECK(one.inputs->points >= 16);
  REQUIRE(one.metrics.size() == three.metrics.size());
  const Outcome alone = simulate(scenario, options);
  for (std::size_t m = 0; m < one.metrics.size(); ++m) {
    INFO(one.metrics[m].name);
    CHECK(one.metrics[m].mean == alone.metrics[m].mean);
    REQUIRE(one.metrics[m].input_range.has_value());
    CHECK(one.metrics[m].input_range->low == three.metrics[m].input_range->low);
    CHECK(one.metrics[m].input_range->high == three.metrics[m].input_range->high);
    CHECK(one.metrics[m].input_range->low <= one.metrics[m].input_range->high);
  }
  CHECK(one.inputs->tornado.size() >= 2);
  REQUIRE(one.inputs->tornado.size() == three.inputs->tornado.size());
  for (std::size_t t = 0; t < one.inputs->tornado.size(); ++t) {
    CHECK(one.inputs->tornado[t].bars.size() <= 5);
    REQUIRE(one.inputs->tornado[t].bars.size() == three.inputs->tornado[t].bars.size());
    for (std::size_t b = 0; b < one.inputs->tornado[t].bars.size(); ++b) {
      CHECK(one.inputs->tornado[t].bars[b].at_low == three.inputs->tornado[t].bars[b].at_low);
      CHECK(one.inputs->tornado[t].bars[b].at_high == three.inputs->tornado[t].bars[b].at_high);
    }
    // The scenario, run as the ends are.
    CHECK(one.inputs->tornado[t].middle == Approx(one.find(one.inputs->tornado[t].metric)->mean).epsilon(0.1));
  }
  // The simulation of a store-bound job agrees with the bound about what moves it.
  const Outcome bound = flow_bound_over(scenario, inputs, 1);
  const Interval simulated = *one.find("step_time_s")->input_range;
  const Interval bounded = *bound.find("step_time_s")->input_range;
  CHECK(simulated.low == Approx(bounded.low).epsilon(0.05));
  CHECK(simulated.high == Approx(bounded.high).epsilon(0.05));
  const MetricDrivers* drivers = drivers_of(one, "step_time_s");
  REQUIRE(drivers != nullptr);
  REQUIRE(drivers->effects.size() >= 2);
  for (std::size_t i = 0; i < 2; ++i) CHECK(drivers->effects[i].share == Approx(0.5).margin(0.1));
}

TEST_CASE("a study that is called off says so and gives no ranges") {
  const Scenario scenario = test::small_scenario();
  Outcome outcome = flow_bound(scenario);
  PointAnswers answers;
  answers.answer = [](const Scenario& at) { return flow_bound(at); };
  answers.cancelled = [] { return true; };
  add_input_ranges(scenario, uncertain_inputs(scenario), answers, outcome);
  CHECK_FALSE(outcome.inputs.has_value());
  CHECK_FALSE(outcome.find("step_time_s")->input_range.has_value());
  REQUIRE(outcome.warnings.size() == 1);
  CHECK(outcome.warnings.front().seen.find("input ranges") != std::string::npos);
}

TEST_CASE("without uncertain inputs every range is a point") {
  const Scenario scenario = test::small_scenario();
  const Outcome outcome = flow_bound_over(scenario, {}, 1);
  CHECK(outcome.find("step_time_s")->input_range->low == outcome.find("step_time_s")->input_range->high);
  CHECK(outcome.inputs->measure_next.empty());
}

TEST_CASE("the high end of one metric over the ranges is that of all of them, and is left out where it is no more") {
  const Scenario scenario = store_bound();
  const std::vector<UncertainInput> inputs = uncertain_inputs(scenario);
  const double high_s = flow_bound_over(scenario, inputs, 1).find("step_time_s")->input_range->high;
  CHECK(bound_high_over(scenario, inputs, 1, "step_time_s", 0.9 * high_s) == high_s);
  CHECK_FALSE(bound_high_over(scenario, inputs, 1, "step_time_s", 1.01 * high_s).has_value());  // by all points
  CHECK_FALSE(bound_high_over(scenario, inputs, 1, "step_time_s", 2.0 * high_s).has_value());   // by the first ones
  CHECK_FALSE(bound_high_over(scenario, inputs, 1, "no such metric", 0.0).has_value());
  CHECK_FALSE(bound_high_over(scenario, {}, 1, "step_time_s", 0.0).has_value());
}
