// A store whose capacity changes over time.
#include "models/interruptions/capacity_states.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// Reads of 627 MB/s on a store of 0.4 GB/s: an offered load of 1.57.
Scenario short_of_capacity() {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = 0.4e9;
  scenario.stores[0].latency_s = DistributionSpec::constant(0.002);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  return scenario;
}

CapacitySchedule controlled() {
  CapacitySchedule schedule;
  schedule.period_s = 86400.0;
  schedule.autoscaling = Autoscaling{7200.0, 0.8, 600.0, 0.5, 4.0};
  schedule.usd_per_hour = 10.0;
  return schedule;
}

double mean(const Outcome& outcome, const char* name) { return outcome.find(name)->mean; }

/// The controller, second by second.
std::vector<CapacityState> simulated_controller(const Autoscaling& control, double load) {
  std::vector<CapacityState> states{{0.0, 1.0, true}};
  double found_s = -1.0;
  for (double t = 0.0; t < control.busy_s; t += 1.0) {
    double factor = states.back().factor;
    if (found_s >= 0.0 && t - found_s >= control.delay_s) {
      factor = std::min(control.most, factor + control.step);
      states.push_back({0.0, factor, true});
      found_s = -1.0;
    }
    if (found_s < 0.0 && load / factor > control.threshold && factor < control.most) found_s = t;
    states.back().lasting_s += 1.0;
  }
  states.back().changing = false;
  return states;
}

}  // namespace

TEST_CASE("the closed form of the controller is what it does second by second") {
  for (const double load : {0.5, 0.79, 1.57, 3.0, 10.0}) {
    INFO(load);
    const std::vector<CapacityState> closed = capacity_states(controlled(), load);
    const std::vector<CapacityState> simulated = simulated_controller(*controlled().autoscaling, load);
    REQUIRE(closed.size() == simulated.size());
    for (std::size_t i = 0; i < closed.size(); ++i) {
      CHECK(closed[i].factor == Approx(simulated[i].factor));
      CHECK(closed[i].lasting_s == Approx(simulated[i].lasting_s).margin(static_cast<double>(closed.size()) + 1.0));
    }
  }
}

TEST_CASE("a plan with ramps divides the period") {
  CapacitySchedule schedule;
  schedule.period_s = 1000.0;
  schedule.steps = {{100.0, 2.0}, {600.0, 1.0}};
  CHECK(mean_capacity_factor(schedule, 1.0) == Approx(1.5));
  CHECK(capacity_states(schedule, 1.0).size() == 2);
  schedule.ramp_s = 200.0;  // up and down take as much and as little
  CHECK(mean_capacity_factor(schedule, 1.0) == Approx(1.5));
  double all_s = 0.0;
  double changing_s = 0.0;
  for (const CapacityState& state : capacity_states(schedule, 1.0)) {
    all_s += state.lasting_s;
    if (state.changing) changing_s += state.lasting_s;
  }
  CHECK(all_s == Approx(1000.0));
  CHECK(changing_s == Approx(400.0));
}

TEST_CASE("GPUs wait while the capacity grows, and the capacity is paid for") {
  Scenario scenario = short_of_capacity();
  scenario.stores[0].schedule = controlled();
  CHECK(offered_load(scenario, scenario.stores[0]) == Approx(64e6 / 0.102 / 0.4e9).epsilon(1e-3));
  // 1.57 / 1 and 1.57 / 1.5 are over 0.8, 1.57 / 2 is not: two steps of ten minutes.
  const Outcome bound = flow_bound(scenario);
  const double slow_s = 64e6 / 0.4e9;
  const double less_slow_s = 64e6 / 0.6e9;
  const double rate = (600.0 / slow_s + 600.0 / less_slow_s + 6000.0 / 0.102) / 7200.0;
  CHECK(mean(bound, "step_time_s") == Approx(1.0 / rate));
  CHECK(mean(bound, "store_ramp_s") == 1200.0);
  const double idle_s = 600.0 * (1.0 - 0.102 / slow_s) + 600.0 * (1.0 - 0.102 / less_slow_s);
  CHECK(mean(bound, "store_ramp_idle_s") == Approx(idle_s));
  // 600 s at 1, 600 at 1.5, 6,000 and 600 more at 2, the rest of the day at 1.
  const double factor = (600.0 + 900.0 + 6600.0 * 2.0 + (86400.0 - 7800.0)) / 86400.0;
  CHECK(mean(bound, "store_capacity_factor") == Approx(factor));
  const double hours = mean(bound, "epoch_time_s") * 12.0 * factor / 3600.0;
  CHECK(bound.ledger.back().usd == Approx(10.0 * hours));
  // What follows from the averages follows them.
  const Pool& pool = scenario.cluster.pools[0];
  const double useful_hours = static_cast<double>(pool.nodes * pool.gpus_per_node) * mean(bound, "gpu_utilization") *
                              mean(bound, "epoch_time_s") / 3600.0;
  CHECK(mean(bound, "cost_per_useful_gpu_hour_usd") == Approx(mean(bound, "cost_per_epoch_usd") / useful_hours));
  CHECK(mean(bound, "mlperf_au_percent") == Approx(100.0 * mean(bound, "gpu_utilization")));

  const Outcome estimate = queueing_estimate(scenario, 1);
  CHECK(mean(estimate, "step_time_s") >= mean(bound, "step_time_s"));
  StudyOptions options;
  options.steps = 1500;
  options.relief = false;
  const Outcome simulated = simulate(scenario, options);
  // The interval of 1,500 steps is under 1 %; fixed seed.
  CHECK(mean(simulated, "step_time_s") == Approx(mean(estimate, "step_time_s")).epsilon(0.05));
  CHECK(mean(simulated, "store_ramp_idle_s") == Approx(idle_s).epsilon(0.1));
}

TEST_CASE("the first epoch goes through the capacities of a controller in turn, day after day") {
  Scenario scenario = short_of_capacity();
  scenario.stores[0].schedule = controlled();
  Dataset& data = scenario.datasets[0];
  const auto with_bytes = [&](double bytes) {
    data.files = static_cast<std::uint64_t>(bytes / (data.bytes() / static_cast<double>(data.files)));
    StudyOptions options;
    options.steps = 400;
    options.relief = false;
    return mean(simulate(scenario, options), "first_epoch_time_s");
  };
  // 600 s at 0.4 GB/s, then 0.6 GB/s.
  const double within_ramp_s = with_bytes(400e9);
  CHECK(within_ramp_s ==
        Approx(600.0 + (data.bytes() - 240e9) / 0.6e9).epsilon(0.01));  // 400 steps are known to 1 %; fixed seed
  // A day of training takes 240 and 360 GB, and 6,000 s of steps of 64 MB in 0.102 s.
  const double day_bytes = 600e9 + 6000.0 * 64e6 / 0.102;
  const double in_third_day_s = with_bytes(2.0 * day_bytes + 100e9);
  CHECK(in_third_day_s == Approx(2.0 * 7200.0 + (data.bytes() - 2.0 * day_bytes) / 0.4e9).epsilon(0.01));
}

TEST_CASE("training under a controller begins with the first step of the stated capacity") {
  Scenario scenario = short_of_capacity();
  const auto first_step = [](const Scenario& of) {
    StudyOptions options;
    options.steps = 128;
    options.relief = false;
    return mean(simulate(of, options), "time_to_first_step_s");  // the same draws of the first batches
  };
  const double stated_s = first_step(scenario);
  Scenario twice = scenario;
  twice.stores[0].bandwidth_bytes_per_s *= 2.0;
  CHECK(first_step(twice) < 0.9 * stated_s);
  scenario.stores[0].schedule = controlled();
  CHECK(first_step(scenario) == Approx(stated_s).epsilon(1e-9));
}

TEST_CASE("a plan that holds one capacity is that capacity") {
  Scenario scenario = short_of_capacity();
  CapacitySchedule schedule;
  schedule.steps = {{0.0, 2.0}};
  scenario.stores[0].schedule = schedule;
  Scenario twice = short_of_capacity();
  twice.stores[0].bandwidth_bytes_per_s *= 2.0;
  CHECK(mean(flow_bound(scenario), "step_time_s") == Approx(mean(flow_bound(twice), "step_time_s")));
}
