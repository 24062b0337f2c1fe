// The closed form of the first step of a plan: what a start waits for, and how it lies beside a simulation.
#include "models/study/study.hpp"
#include "scenarios/planner/events.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {

TEST_CASE("the first step waits for staging and for the workers that start one after the other", "[planner]") {
  CHECK(first_step_s(load_shipped("prestaged-dataset").value) > 3900.0);
  models::Scenario scenario = load_shipped("image-node").value;
  const double before_s = first_step_s(scenario);
  scenario.jobs[0].loader.epoch_start.emplace().worker_start_s = 2.0;
  CHECK(first_step_s(scenario) >= before_s + 2.0);
}

TEST_CASE("all workers begin at once, so that a full store delivers their first batches together", "[planner]") {
  const LoadedScenario loaded = load_shipped("vision-cluster-offers");
  models::StudyOptions options;
  options.steps = 128;
  options.relief = false;
  const double simulated_s = models::simulate(loaded.value, options).find("time_to_first_step_s")->mean;
  const double closed_s = first_step_s(loaded.value);
  INFO(closed_s << " s by the closed form, " << simulated_s << " s simulated");
  CHECK(closed_s > 0.6 * simulated_s);  // 0.26 of it without what the workers share; the slowest batch is later still
  CHECK(closed_s < 1.1 * simulated_s);
  models::Scenario fewer = loaded.value;
  fewer.jobs[0].loader.workers = 1;
  CHECK(first_step_s(fewer) < 0.7 * closed_s);
}

}  // namespace headrace::scenarios
