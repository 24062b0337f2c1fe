// Collation against its closed form: one worker that hands over batch after batch takes its time of before and the
// bytes of a batch over the rate.
#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/engines_agree.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// One worker that never keeps up, with constant times.
Scenario one_worker(std::optional<double> collate_bytes_per_s) {
  Scenario scenario = test::small_scenario(1);
  scenario.cluster.pools[0].gpus_per_node = 1;
  scenario.stores[0].latency_s = DistributionSpec::constant(0.02);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.001);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e5);
  scenario.datasets[0].decoded_bytes_per_sample = 602112;
  scenario.jobs[0].loader.workers = 1;
  scenario.jobs[0].loader.collate_bytes_per_s = collate_bytes_per_s;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.001);
  return scenario;
}

}  // namespace

TEST_CASE("collation adds the bytes of a batch over the rate to a worker's time, at all three levels") {
  constexpr double kRate = 1.3e9;
  const double added_s = 16 * 602112 / kRate;
  const Scenario before = one_worker(std::nullopt);
  const Scenario scenario = one_worker(kRate);
  const double batch_s = mean_batch_time_s(resolve_path(before, 0, {}));
  CHECK(mean_batch_time_s(resolve_path(scenario, 0, {})) == Approx(batch_s + added_s).epsilon(1e-12));
  StudyOptions options;
  options.steps = 200;
  options.threads = 1;
  options.relief = false;
  for (const Outcome& outcome : {flow_bound(scenario), queueing_estimate(scenario, 1), simulate(scenario, options)})
    CHECK(outcome.find("step_time_s")->mean == Approx(batch_s + added_s).epsilon(1e-6));
}

TEST_CASE("with collation both engines agree to the nanosecond, once per batch at every granularity") {
  Granularity granularity;
  granularity.kind = GENERATE(Granularity::Kind::batch, Granularity::Kind::sample);
  const IngestPath path = resolve_path(one_worker(1.3e9), 0, granularity);
  test::check_engines_agree(path, 50);
  const ItineraryMaker with(path, 7, 0, {.contention = false});
  const IngestPath without_path = resolve_path(one_worker(std::nullopt), 0, granularity);
  const ItineraryMaker without(without_path, 7, 0, {.contention = false});
  CHECK(with.uncontended_ns(0, 3) - without.uncontended_ns(0, 3) == sim::transfer_ns(16 * 602112, 1.3e9));
}
