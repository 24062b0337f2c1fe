// Studies of jobs on many like nodes of which some are simulated, with what a short run of all of them differs by.
#include <algorithm>
#include <cmath>
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

/// Mean step of slow_readers(): four full runs of 20,000 steps behind 200, standard error 2.6e-5 s.
constexpr double kSlowReadersStepS = 0.1163709;

constexpr double kBusyStore = 40e9;  ///< bytes per second that 320 ranks of many_nodes() wait for

/// Workers of unlike speed from batch to batch on a store that is 73 % busy: the slowest of 320 ranks
/// decides.
Scenario slow_readers() {
  Scenario scenario = many_nodes(60e9);
  scenario.jobs[0].loader.workers = 4;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::lognormal(0.002, 2.0);
  return scenario;
}

Outcome study_of(Scale scale, std::uint64_t seed, std::uint64_t steps, const Scenario& scenario) {
  StudyOptions options;
  options.scale = scale;
  options.seed = seed;
  options.steps = steps;
  options.relief = false;
  options.courses = false;
  options.threads = 1;
  options.granularity = Granularity{};
  return simulate(scenario, options);
}

bool warns(const Outcome& outcome, const std::string& part) {
  return std::any_of(outcome.warnings.begin(), outcome.warnings.end(), [&](const Warning& warning) {
    return (warning.seen + warning.cause).find(part) != std::string::npos;
  });
}

struct SampledMeans {
  Coverage coverage;
  double bias_s = 0.0;  ///< of the mean over the seeds
};

/// Studies of 1,024 steps of slow_readers() with seeds of their own.
SampledMeans sampled_means(std::uint64_t first_seed, int seeds) {
  SampledMeans means;
  for (int i = 0; i < seeds; ++i) {
    const Outcome outcome = study_of(Scale::sampled, first_seed + static_cast<std::uint64_t>(i), 1024, slow_readers());
    const Metric* step = outcome.find("step_time_s");
    sim::SteadyStateResult result;
    result.mean = step->mean;
    if (step->ci95) result.interval = sim::Interval{step->ci95->low, step->ci95->high};
    means.coverage.count(result, kSlowReadersStepS);
    means.bias_s += (step->mean - kSlowReadersStepS) / seeds;
  }
  return means;
}

}  // namespace

TEST_CASE("an outcome of sampled nodes says so, and how far a full run was from it") {
  const Outcome outcome = study_of(Scale::sampled, 1, 512, many_nodes(kBusyStore));
  CHECK(warns(outcome, "32 of 160 nodes were simulated in full; measured difference to a full run of "));
  CHECK(outcome.windows.at(0).control == "nodes are sampled");
  const Metric* step = outcome.find("step_time_s");
  REQUIRE(step->ci95.has_value());
  CHECK(step->mean == Approx(0.128).epsilon(0.05));
  const Outcome full = study_of(Scale::full, 1, 128, many_nodes(kBusyStore));
  CHECK(outcome.find("time_to_first_step_s")->mean == full.find("time_to_first_step_s")->mean);
}

TEST_CASE("a sample that nobody holds against all nodes has their batch times, and says nothing of a full run") {
  StudyOptions options;
  options.steps = 512;
  options.relief = false;
  options.courses = false;
  options.granularity = Granularity{};
  options.scale = Scale::sampled;
  options.check_sample = false;
  const Outcome some = simulate(many_nodes(kBusyStore), options);
  const Outcome all = study_of(Scale::full, 1, 512, many_nodes(kBusyStore));
  CHECK(some.windows.at(0).control == "nodes are sampled");
  CHECK(some.sampled_nodes == 32);
  CHECK(all.sampled_nodes == 0);
  CHECK_FALSE(warns(some, "nodes were simulated in full"));
  REQUIRE(some.batch_load_time.has_value());
  CHECK(some.batch_load_time->p50_s == Approx(all.batch_load_time->p50_s).epsilon(0.03));
  CHECK(some.batch_load_time->p999_s == Approx(all.batch_load_time->p999_s).epsilon(0.1));
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
  CHECK(warns(sampled, "100 nodes are fewer than 4 times the 32 of a sample"));
  CHECK_FALSE(warns(full, "every node was simulated"));
  CHECK(full.find("step_time_s")->mean == sampled.find("step_time_s")->mean);
}

TEST_CASE("auto simulates every node of a job that is not large") {
  const Outcome full = study_of(Scale::full, 1, 128, many_nodes(kBusyStore));
  const Outcome automatic = study_of(Scale::automatic, 1, 128, many_nodes(kBusyStore));
  CHECK(full.find("step_time_s")->mean == automatic.find("step_time_s")->mean);
  CHECK(automatic.warnings.size() == full.warnings.size());
}

TEST_CASE("auto samples a large job, unless its length is stated", "[long_3]") {
  Scenario scenario = many_nodes(1e13);
  scenario.cluster.pools[0].nodes = 2048;
  StudyOptions options;
  options.relief = false;
  options.threads = 1;
  options.granularity = Granularity{};
  const Outcome open = simulate(scenario, options);
  CHECK(warns(open, " of 2048 nodes were simulated in full; measured difference"));
  CHECK(open.find("gpu_idle_fraction")->mean == Approx(0.0).margin(1e-3));
  options.steps = 150;
  CHECK_FALSE(warns(simulate(scenario, options), "nodes were simulated in full"));
  options.steps = 0;
  options.scale = Scale::full;
  options.max_wall_s = 5.0;
  CHECK_FALSE(warns(simulate(scenario, options), "nodes were simulated in full"));
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

// One mean has a standard deviation of 3.7e-4 s, so that the bias of 30 fails by chance once in 16,000; the intervals
// are wider than they need be, and 27 of 30 of a true coverage of 0.95 are missed with probability 2e-3: fixed seeds.
TEST_CASE("means of sampled nodes are those of all nodes", "[statistical][long_3]") {
  const SampledMeans means = sampled_means(1, 30);
  CHECK(means.coverage.with_interval == 30);
  CHECK(means.coverage.covered >= 27);
  CHECK(std::abs(means.bias_s) <= 4.0 * 3.7e-4 / std::sqrt(30.0));
}

TEST_CASE("long coverage study of sampled nodes", "[.nightly]") {
  const SampledMeans means = sampled_means(10'000, 1000);
  means.coverage.print("`simulate --scale sampled`, 32 of 160 nodes, 1,024 steps");
  CHECK(means.coverage.with_interval >= 990);
  CHECK(means.coverage.share() >= 0.93);
  CHECK(std::abs(means.bias_s) <= 4.0 * (3.7e-4 / std::sqrt(1000.0) + 2.6e-5));
}
