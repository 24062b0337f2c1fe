// What a limit on wall time leaves out, and what it never leaves.
#include <algorithm>

#include "models/base/abandoned.hpp"
#include "models/cluster/timeline.hpp"
#include "models/study/granularity_choice.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

StudyOptions brief() {
  StudyOptions options;
  options.steps = 256;
  options.threads = 1;
  return options;
}

bool warns_of(const Outcome& outcome, const std::string& words) {
  return std::any_of(outcome.warnings.begin(), outcome.warnings.end(),
                     [&](const Warning& warning) { return warning.seen.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("a study that is asked to end while it measures relief gives what it has simulated") {
  const Outcome whole = simulate(test::starved_scenario(), brief());
  REQUIRE_FALSE(whole.relief.empty());
  std::stop_source source;
  StudyOptions options = brief();
  options.stop = source.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.phase == "relief") source.request_stop();
  };
  const Outcome cut = simulate(test::starved_scenario(), options);
  CHECK(cut.relief.empty());
  CHECK(warns_of(cut, "gain if a stage is removed was not measured"));
  CHECK(cut.steps == whole.steps);
  CHECK(cut.find("step_time_s")->mean == whole.find("step_time_s")->mean);
}

TEST_CASE("a study that is abandoned while it measures relief throws") {
  std::stop_source source;
  StudyOptions options = brief();
  options.abandon = source.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.phase == "relief") source.request_stop();
  };
  CHECK_THROWS_AS(simulate(test::starved_scenario(), options), Abandoned);
}

TEST_CASE("short simulations and timelines that are abandoned throw") {
  std::stop_source source;
  source.request_stop();
  TimelineOptions options;
  options.abandon = source.get_token();
  CHECK_THROWS_AS(record_timeline(test::small_scenario(), options), Abandoned);
  Scenario lockstep = test::small_scenario(2);
  lockstep.jobs[0].loader.workers = 1;
  lockstep.jobs[0].loader.prefetch = 1;
  lockstep.stores[0].metadata.servers = 1;
  const IngestPath path = resolve_path(lockstep, 0, {});
  REQUIRE(choose_granularity(path, 1).piloted);
  CHECK_THROWS_AS(choose_granularity(path, 1, source.get_token()), Abandoned);
}

TEST_CASE("the first look at a limit on wall time comes after one step") {
  std::uint64_t first = 0;
  StudyOptions options = brief();
  options.progress = [&](const Progress& progress) { first = first == 0 ? progress.steps : first; };
  simulate(test::small_scenario(), options);
  CHECK(first == 1);
}

TEST_CASE("a limit on wall time is one of all states of a scenario that changes over time", "[long_3]") {
  const auto steps_within_limit = [](const Scenario& scenario) {
    std::uint64_t all = 0;
    std::uint64_t last = 0;
    StudyOptions options = brief();
    options.steps = 100'000'000;
    options.max_wall_s = 1.0;
    options.progress = [&](const Progress& progress) {
      if (progress.steps < last) last = 0;  // the next state begins
      all += progress.steps - last;
      last = progress.steps;
    };
    CHECK(simulate(scenario, options).stopped_by == "max_wall");
    return all;
  };
  Scenario scenario = test::starved_scenario();
  const std::uint64_t of_one_state = steps_within_limit(scenario);
  scenario.faults.emplace();
  for (int i = 1; i <= 7; ++i) {
    Degradation degradation;
    degradation.store = "store";
    degradation.every_s = 3600.0;
    degradation.lasting_s = 60.0;
    degradation.remaining = 0.1 * i;
    scenario.faults->degraded.push_back(degradation);
  }
  const std::uint64_t of_eight_states = steps_within_limit(scenario);
  INFO(of_one_state << " steps of one state, " << of_eight_states << " of eight");
  CHECK(of_one_state > 0);
  CHECK(of_eight_states < 4 * of_one_state);  // with a limit of its own each, eight times as many
}
