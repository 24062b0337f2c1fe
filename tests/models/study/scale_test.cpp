// Studies of jobs on many like nodes of which some are simulated, with what a short run of all of them differs by.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/coverage.hpp"
#include "tests/models/like_nodes_scenario.hpp"

using namespace headrace::models;
using headrace::models::test::many_nodes;
using headrace::testing::Coverage;
namespace sim = headrace::sim;

namespace {

constexpr double kBusyStore = 40e9;  ///< bytes per second that 320 ranks of many_nodes() wait for

Outcome study_of(Scale scale, std::uint64_t seed, std::uint64_t steps, double store_bytes_per_s) {
  StudyOptions options;
  options.scale = scale;
  options.seed = seed;
  options.steps = steps;
  options.relief = false;
  options.courses = false;
  options.threads = 1;
  options.granularity = Granularity{};
  return simulate(many_nodes(store_bytes_per_s), options);
}

bool warns(const Outcome& outcome, const std::string& part) {
  return std::any_of(outcome.warnings.begin(), outcome.warnings.end(), [&](const Warning& warning) {
    return (warning.seen + warning.cause).find(part) != std::string::npos;
  });
}

void count(Coverage& coverage, const Outcome& outcome, double truth_s) {
  const Metric* step = outcome.find("step_time_s");
  sim::SteadyStateResult result;
  result.mean = step->mean;
  if (step->ci95) result.interval = sim::Interval{step->ci95->low, step->ci95->high};
  coverage.count(result, truth_s);
}

}  // namespace

TEST_CASE("an outcome of sampled nodes says so, and how far a full run was from it") {
  const Outcome outcome = study_of(Scale::sampled, 1, 512, kBusyStore);
  CHECK(warns(outcome, "32 of 160 nodes were simulated in full; measured difference to a full run of "));
  CHECK(outcome.windows.at(0).control == "nodes are sampled");
  const Metric* step = outcome.find("step_time_s");
  REQUIRE(step->ci95.has_value());
  CHECK(step->mean == Approx(0.128).epsilon(0.05));
  const Outcome full = study_of(Scale::full, 1, 128, kBusyStore);
  CHECK(outcome.find("time_to_first_step_s")->mean == full.find("time_to_first_step_s")->mean);
}

TEST_CASE("all nodes are simulated where a sample does not stand for them, and the outcome says why") {
  Scenario scenario = many_nodes(kBusyStore);
  scenario.cluster.pools[0].nodes = 100;
  StudyOptions options;
  options.steps = 300;
  options.relief = false;
  options.threads = 1;
  options.granularity = Granularity{};
  const Outcome full = simulate(scenario, options);
  options.scale = Scale::sampled;
  const Outcome sampled = simulate(scenario, options);
  CHECK(warns(sampled, "every node was simulated"));
  CHECK(warns(sampled, "a job of 100 nodes is simulated whole"));
  CHECK_FALSE(warns(full, "every node was simulated"));
  CHECK(full.find("step_time_s")->mean == sampled.find("step_time_s")->mean);
}

TEST_CASE("auto simulates every node of a job that is not large") {
  const Outcome full = study_of(Scale::full, 1, 128, kBusyStore);
  const Outcome automatic = study_of(Scale::automatic, 1, 128, kBusyStore);
  CHECK(full.find("step_time_s")->mean == automatic.find("step_time_s")->mean);
  CHECK(automatic.warnings.size() == full.warnings.size());
}

TEST_CASE("a study of sampled nodes gives the same bytes on any number of threads") {
  StudyOptions options;
  options.scale = Scale::sampled;
  options.steps = 512;
  options.granularity = Granularity{};
  options.threads = 1;
  const Outcome one = simulate(many_nodes(kBusyStore), options);
  options.threads = 3;
  const Outcome three = simulate(many_nodes(kBusyStore), options);
  CHECK(one.find("step_time_s")->mean == three.find("step_time_s")->mean);
  CHECK(one.find("step_time_s")->ci95->high == three.find("step_time_s")->ci95->high);
  REQUIRE(one.relief.size() == three.relief.size());
  for (std::size_t i = 0; i < one.relief.size(); ++i) CHECK(one.relief[i].mean == three.relief[i].mean);
}
