// Fixed seeds; the differences are 14 % and none.
#include "models/study/merged_batch_pilot.hpp"

#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// Four ranks with one worker and one batch each, which begin together and share a metadata server.
Scenario in_lockstep() {
  Scenario scenario = test::small_scenario(2);
  scenario.jobs[0].loader.workers = 1;
  scenario.jobs[0].loader.prefetch = 1;
  scenario.stores[0].latency_s = DistributionSpec::constant(0.003);
  scenario.stores[0].metadata.latency_s = DistributionSpec::exponential(0.0014);
  scenario.stores[0].metadata.servers = 1;
  return scenario;
}

Outcome piloted(const Scenario& scenario, Granularity granularity = {}) {
  Outcome outcome;
  const IngestPath path = resolve_path(scenario, 0, granularity);
  CHECK(warn_by_pilot(path, 1, outcome) == (granularity.kind == Granularity::Kind::batch));
  return outcome;
}

}  // namespace

TEST_CASE("whole batches that are in each other's way are warned of, with the size of the error") {
  const Outcome outcome = piloted(in_lockstep());
  REQUIRE(outcome.warnings.size() == 1);
  CHECK(outcome.warnings[0].seen.find("% too long") != std::string::npos);
  CHECK(outcome.warnings[0].fix == "--granularity sample");
}

TEST_CASE("whole batches are not warned of where every rank has its own server, nor are samples") {
  Scenario alone = in_lockstep();
  alone.stores[0].metadata.servers = 64;
  CHECK(piloted(alone).warnings.empty());
  CHECK(piloted(in_lockstep(), {Granularity::Kind::sample, 1}).warnings.empty());
}

TEST_CASE("a full answer has the warning of the pilot") {
  StudyOptions options;
  options.steps = 400;
  options.threads = 1;
  const Outcome outcome = simulate(in_lockstep(), options);
  bool warned = false;
  for (const Warning& warning : outcome.warnings)
    warned = warned || warning.seen.find("% too long") != std::string::npos;
  CHECK(warned);
}
