// Compute time that follows the micro-batch (R. Hockney, C. Jesshope, 1981: r_inf and n_1/2).
#include "models/answer/flow_bound.hpp"
#include "models/path/ingest_path.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

double compute_s(const Scenario& scenario) { return resolve_path(scenario, 0, {}).compute_s.mean(); }

Scenario with_efficiency(double half_batch, double measured_at) {
  Scenario scenario = test::small_scenario(2);
  scenario.jobs[0].step.efficiency = BatchEfficiency{half_batch, measured_at};
  return scenario;
}

}  // namespace

TEST_CASE("a micro-batch of half_batch samples reaches half the rate of a large one") {
  const BatchEfficiency efficiency{4.0, 0.0};
  CHECK(efficiency.of(4.0) == 0.5);
  CHECK(efficiency.of(12.0) == 0.75);
  CHECK(efficiency.time_factor(4.0) == 2.0);
  CHECK(BatchEfficiency{4.0, 12.0}.time_factor(12.0) == 1.0);
}

TEST_CASE("a measured micro-batch tells the compute time of any batch") {
  Scenario scenario = with_efficiency(4.0, 16.0);  // 100 ms for 16 samples: 5 ms for each of them and 4 more
  CHECK(compute_s(scenario) == Approx(0.1));
  scenario.jobs[0].step.batch = 32;
  CHECK(compute_s(scenario) == Approx(0.1 * 36.0 / 20.0));
  scenario.jobs[0].step.micro_batches = 4;
  CHECK(compute_s(scenario) == Approx(4.0 * 0.1 * 12.0 / 20.0));
  scenario.jobs[0].step.efficiency->half_batch = 0.0;  // in proportion
  CHECK(compute_s(scenario) == Approx(0.2));
}

TEST_CASE("samples per second grow with the micro-batch and saturate") {
  double last = 0.0;
  Scenario scenario = with_efficiency(8.0, 16.0);
  scenario.jobs[0].step.overhead_s = DistributionSpec::constant(0.0);
  scenario.stores[0].bandwidth_bytes_per_s = 1e13;
  scenario.stores[0].stream_bytes_per_s = 1e11;
  scenario.stores[0].latency_s = DistributionSpec::constant(0.0);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e12;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  const double limit = 4.0 * 24.0 / 0.1;  // four ranks, large micro-batches
  for (const std::uint64_t batch : {1U, 2U, 8U, 64U, 512U}) {
    scenario.jobs[0].step.batch = batch;
    const double rate = flow_bound(scenario).find("samples_per_s")->mean;
    const double b = static_cast<double>(batch);
    CHECK(rate == Approx(limit * b / (b + 8.0)).epsilon(1e-6));
    CHECK(rate > last);
    last = rate;
  }
}

TEST_CASE("the share of the peak that arithmetic reaches follows the micro-batch too") {
  Scenario scenario = test::small_scenario(2);
  TrainingStep& step = scenario.jobs[0].step;
  step.step_time_s = DistributionSpec::constant(0.0);
  step.arithmetic = ArithmeticStep{1e12, 0.5};
  scenario.cluster.pools[0].gpu.peak_flops_per_s = 1e15;
  const double large_s = compute_s(scenario);
  step.efficiency = BatchEfficiency{16.0, 0.0};
  CHECK(compute_s(scenario) == Approx(2.0 * large_s));
  step.efficiency->measured_at = 16.0;
  CHECK(compute_s(scenario) == Approx(large_s));
}
