// What a store must deliver: against hand-worked rates, and verified by simulation at the answer and 5 % below it.
#include "scenarios/requirements/requirements.hpp"

#include <fmt/format.h>

#include <cmath>

#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "scenarios/requirements/most_fed.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

const StoreRequirement& figure_of(const Requirements& found, StoreAxis axis) {
  return found.figures.at(static_cast<std::size_t>(axis));
}

Requirements required(const LoadedScenario& loaded, bool curves = false) {
  RequirementOptions how;
  how.curves = curves;
  how.probe.threads = 2;
  const auto found = require_of_store(loaded, how);
  if (!found) FAIL(print_text(found.error()));
  return *found;
}

/// A job of 2 nodes x 2 GPUs that waits for nothing but its store: 4 x batch x bytes of a sample per step.
LoadedScenario small_job(const Strings& more = {}) {
  Strings sets{"/cluster/pools/0/nodes=2", "/cluster/pools/0/gpus_per_node=2", "/jobs/0/loader/cpu_per_sample=0.2 ms",
               "/slo={\"gpu_idle_fraction\": \"< 5 %\"}"};
  sets.insert(sets.end(), more.begin(), more.end());
  return load_shipped("image-node", sets);
}

/// Of the scenario with the figures of `strength`, without the probe that found them.
double idle_with(const LoadedScenario& loaded, const Requirements& found, double share) {
  models::Scenario scenario = loaded.value;
  const std::size_t store = shared_store(scenario, found.store);
  const TailShape shape = tail_shape(scenario.stores[store]);
  scenario.stores[store] = ample(scenario.stores[store]);
  for (const StoreRequirement& one : found.figures)
    if (one.required)
      set_axis(scenario.stores[store], one.axis,
               scenarios::figure_of(one.axis, share * strength_of(one.axis, one.least)), shape);
  models::StudyOptions study;
  study.seed = 77;  // other draws than those of the search
  study.granularity = models::Granularity{};
  study.relief = false;
  study.threads = 2;
  return models::simulate(scenario, study).find("gpu_idle_fraction")->mean;
}

/// A problem drawn from a seed: nodes, batch, step, size of samples, workers, limit.
LoadedScenario drawn(std::uint32_t seed) {
  auto pick = [state = seed * 2654435761U + 12345U](std::uint32_t count) mutable {
    state = state * 1664525U + 1013904223U;
    return (state >> 16) % count;
  };
  const std::uint32_t nodes = 1 + pick(4);
  const std::uint32_t gpus = 1 + pick(4);
  const std::uint32_t batch = 32U << pick(3);
  const std::uint32_t step_ms = 60 + 20 * pick(8);
  const std::uint32_t sample_kb = 50 + 50 * pick(8);
  const std::uint32_t limit = 2 + pick(8);
  const std::uint32_t down = pick(3);
  Strings more{
      fmt::format("/cluster/pools/0/nodes={}", nodes),
      fmt::format("/cluster/pools/0/gpus_per_node={}", gpus),
      fmt::format("/jobs/0/step/batch={}", batch),
      fmt::format("/jobs/0/step/step_time={} ms", step_ms),
      fmt::format("/datasets/0/sample_bytes={{\"lognormal\": {{\"mean\": \"{} kB\", \"cv\": 0.3}}}}", sample_kb),
      fmt::format("/jobs/0/loader/workers={}", 4 + pick(5)),
      fmt::format("/slo={{\"gpu_idle_fraction\": \"< {} %\"}}", limit)};
  if (down == 0)
    more.push_back("/must_hold_under=[{\"event\": \"storage_node_down\", \"servers\": 8, \"idle\": \"10 %\"}]");
  return small_job(more);
}

void check_problem(std::uint32_t seed) {
  INFO("problem " << seed);
  const LoadedScenario loaded = drawn(seed);
  const Requirements found = required(loaded);
  REQUIRE(found.possible);
  CHECK(found.any_required());
  CHECK(found.sure());
  for (const StoreRequirement& one : found.figures) {
    INFO(traits_of(one.axis).name);
    if (!one.required) continue;
    CHECK(one.settled.at.decision == models::Ruling::pass);
    CHECK(one.settled.below.decision == models::Ruling::fail);
  }
}

}  // namespace

// 4 GPUs x 256 samples x 110 kB in (100 + 2) ms are 1.104 GB/s at full speed; a job that may idle 5 % of the time needs
// 95 % of that.
TEST_CASE("bandwidth alone is what the job reads at its limit", "[requirements][long_4]") {
  const LoadedScenario loaded = small_job();
  const Requirements found = required(loaded);
  REQUIRE(found.possible);
  const double full = 4.0 * 256.0 * 110e3 / 0.102;
  CHECK(found.profile.read_bytes_per_s == Approx(full).epsilon(0.01));
  CHECK(figure_of(found, StoreAxis::read).alone == Approx(0.95 * full).epsilon(0.04));
  // Requests are 4 MiB of a shard each.
  CHECK(figure_of(found, StoreAxis::requests).alone == Approx(0.95 * full / 4194304.0).epsilon(0.04));
  CHECK_FALSE(figure_of(found, StoreAxis::write).required);
  CHECK(figure_of(found, StoreAxis::write).why_not == "no job writes checkpoints to it");
  CHECK(found.limit_texts == Strings{"train: gpu_idle_fraction < 5 % (/slo/gpu_idle_fraction)"});
  CHECK(found.profile.clients == 2.0);
  CHECK(found.profile.capacity_bytes() == Approx(4000.0 * 10000.0 * 110e3));
  for (const StoreRequirement& one : found.figures) {
    if (!one.required) continue;
    const bool less = traits_of(one.axis).less_is_better;
    CHECK(one.asked == Approx(less ? one.least / 1.2 : one.least * 1.2));
    CHECK((less ? one.least <= one.alone * 1.001 : one.least >= one.alone * 0.999));
  }
}

// Other draws: the idle share of about 2,000 steps has a standard error below 0.3 points.
TEST_CASE("with the joint answer a run of other draws meets the limit, and 5 % below it does not",
          "[requirements][long_4]") {
  const LoadedScenario loaded = small_job();
  const Requirements found = required(loaded);
  REQUIRE(found.joint);
  CHECK(found.sure());
  CHECK(idle_with(loaded, found, 1.0) < 0.055);
  CHECK(idle_with(loaded, found, 0.95) > 0.05);
}

TEST_CASE("a lost server asks for more of the store", "[requirements][long_1]") {
  const Requirements normal = required(small_job());
  const Requirements lost =
      required(small_job({"/must_hold_under=[{\"event\": \"storage_node_down\", \"servers\": 4, \"idle\": \"5 %\"}]"}));
  const double ratio = figure_of(lost, StoreAxis::read).alone / figure_of(normal, StoreAxis::read).alone;
  CHECK(ratio == Approx(4.0 / 3.0).epsilon(0.04));
  CHECK(lost.limit_texts.at(figure_of(lost, StoreAxis::read).limit) ==
        "train: gpu_idle_fraction <= 5 % during storage_node_down (/must_hold_under/0/idle)");
}

// 120 GB by 2 x 2 GPUs in 60 s are 2 GB/s.
// Checkpoints that take for ever keep GPUs from training: the share of the time that they wait for data says nothing.
TEST_CASE("a job that writes checkpoints asks for no less together than alone", "[requirements][long_4]") {
  const Requirements found = required(
      small_job({"/jobs/0/checkpoint={\"bytes\": \"120 GB\", \"interval\": \"30 min\", \"store\": \"storage\"}"}));
  REQUIRE(found.joint);
  CHECK_FALSE(figure_of(found, StoreAxis::write).required);
  for (const StoreRequirement& one : found.figures) {
    if (!one.required) continue;
    INFO(traits_of(one.axis).name);
    const bool less = traits_of(one.axis).less_is_better;
    CHECK((less ? one.least <= one.alone * 1.001 : one.least >= one.alone * 0.999));
  }
}

TEST_CASE("a limit on checkpoints asks for write bandwidth", "[requirements][long_3]") {
  const Requirements found =
      required(small_job({"/jobs/0/checkpoint={\"bytes\": \"120 GB\", \"interval\": \"1 h\", \"store\": \"storage\"}",
                          "/slo={\"gpu_idle_fraction\": \"< 5 %\", \"checkpoint_save_s\": \"< 60 s\"}"}));
  REQUIRE(figure_of(found, StoreAxis::write).required);
  CHECK(figure_of(found, StoreAxis::write).alone == Approx(2e9).epsilon(0.04));
  CHECK(found.limit_texts.at(figure_of(found, StoreAxis::write).limit).find("checkpoint_save_s < 60 s") !=
        std::string::npos);
}

TEST_CASE("what no store can do is told, and a drive of a node is no store to tender", "[requirements]") {
  const Requirements found = required(small_job({"/jobs/0/loader/cpu_per_sample=20 ms"}));
  CHECK_FALSE(found.possible);
  CHECK(found.figures.empty());
  CHECK(found.ample_waits == "decode");
  const LoadedScenario loaded = small_job();
  RequirementOptions unknown;
  unknown.store = "nowhere";
  CHECK_THROWS_AS(require_of_store(loaded, unknown), models::UnusableRequest);
  models::Scenario local = loaded.value;
  local.stores.front().kind = models::StoreKind::nvme;
  CHECK_THROWS_AS(shared_store(local, ""), models::UnusableRequest);
}

// Short runs put the critical latency of the eighth a sixth off.
TEST_CASE("an answer that short runs put far off is still verified on both sides", "[requirements][.nightly]") {
  check_problem(8);
}

TEST_CASE("answers of 31 drawn problems are verified on both sides", "[requirements][.nightly]") {
  for (std::uint32_t seed = 1; seed <= 31; ++seed) check_problem(seed);
}

// A node reads 512 samples of 110 kB in 102 ms, 0.552 GB/s; at 5 % idle 0.525 GB/s: 3 GB/s feed 5.7 nodes.
TEST_CASE("the most GPUs are those whose reads the store can serve", "[requirements]") {
  MostOptions how;
  how.probe.threads = 2;
  const auto found = most_fed(small_job({"/stores/0/bandwidth=3 GB/s"}), how);
  REQUIRE(found);
  CHECK(found->sure());
  CHECK(found->most == 5.0);
  CHECK(found->above == 6.0);
  CHECK(found->gpus_of_one == 2.0);
  CHECK(found->resource == "store bandwidth");
}

TEST_CASE("demand grows until the store is full", "[requirements]") {
  MostOptions how;
  how.what = Most::growth;
  how.probe.threads = 2;
  const auto found = most_fed(small_job({"/stores/0/bandwidth=3 GB/s"}), how);
  REQUIRE(found);
  CHECK(found->sure());
  // Demand may be 3 GB/s over 95 % of 1.104 GB/s; the answer lies up to 5 % below that.
  const double critical = 3e9 / (0.95 * 4.0 * 256.0 * 110e3 / 0.102);
  CHECK(found->most < critical * 1.01);
  CHECK(found->above > critical * 0.99);
}

}  // namespace headrace::scenarios
