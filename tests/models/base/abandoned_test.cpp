// Runs that nobody waits for any more.
#include "models/base/abandoned.hpp"

#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/outcome/rare_stall.hpp"
#include "models/study/step_control.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// Asks for the end when the GPUs take the batches of a step.
class AsksAtStep final : public BatchWatcher {
 public:
  explicit AsksAtStep(std::uint64_t step) : step_(step) {}
  void taken(const Shipment&, std::uint64_t step, sim::TimeNs) override {
    if (step == step_) source.request_stop();
  }
  std::stop_source source;

 private:
  std::uint64_t step_;
};

}  // namespace

TEST_CASE("an abandoned run ends some batches later, however far it was to go") {
  const IngestPath path = resolve_path(test::small_scenario(2), 0, {});
  AsksAtStep watcher(5);
  ClusterRun run(path, 1, 0, {});
  run.watch(0, watcher, 1);
  run.abandon_on(watcher.source.get_token());
  CHECK_THROWS_AS(run.run_to(1'000'000), Abandoned);
  CHECK(run.common_steps() >= 5);
  CHECK(run.common_steps() <= 5 + 2 + sim::Simulation::kEventsToLook / path.loaders);
}

TEST_CASE("a large cluster that is abandoned before it began does not finish its first step") {
  const IngestPath path = resolve_path(test::small_scenario(2100), 0, {});
  REQUIRE(2 * path.loaders > sim::Simulation::kEventsToLook);
  std::stop_source source;
  source.request_stop();
  ClusterRun run(path, 1, 0, {});
  run.abandon_on(source.get_token());
  CHECK_THROWS_AS(run.run_to(1), Abandoned);
  CHECK(run.common_steps() == 0);
  CHECK_THROWS_AS(ClusterRun(plan_alone(path), 1, 0, {}, source.get_token()), Abandoned);  // nor begins to be built
}

TEST_CASE("a token that asks for nothing changes no bit") {
  const IngestPath path = resolve_path(test::small_scenario(2), 0, {});
  const std::stop_source source;
  ClusterRun watched(path, 1, 0, {});
  watched.abandon_on(source.get_token());
  ClusterRun plain(path, 1, 0, {});
  watched.run_to(300);
  plain.run_to(300);
  CHECK(watched.events() == plain.events());
  REQUIRE(watched.log().steps() == plain.log().steps());
  for (std::size_t i = 0; i < plain.log().steps(); ++i)
    CHECK(watched.log().records[i].start_ns == plain.log().records[i].start_ns);
}

TEST_CASE("a study, its twins and its stalls throw instead of answering once they are abandoned") {
  std::stop_source source;
  StudyOptions options;
  options.steps = 100'000;
  options.threads = 1;
  options.abandon = source.get_token();
  std::uint64_t reached = 0;
  options.progress = [&](const Progress& progress) {
    reached = progress.steps;
    source.request_stop();
  };
  CHECK_THROWS_AS(simulate(test::small_scenario(2), options), Abandoned);
  CHECK(reached < options.steps);
  const IngestPath path = resolve_path(test::small_scenario(2), 0, {});
  StepControl control(path, 1, 0, source.get_token());
  CHECK_THROWS_AS(control.follow_to(1), Abandoned);
  const RareStall stall{Stage::request, 1e-6, sim::Distribution::constant(1.0), 8};
  CHECK_THROWS_AS(measure_stall(path, stall, 1, 0, true, 1e-3, source.get_token()), Abandoned);
}
