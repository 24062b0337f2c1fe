// Exchange of gradients and memory of a GPU: against the closed forms of models/twins, a recursion over buckets, and
// published figures.
#include "models/path/exchange.hpp"

#include <algorithm>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/slowest_of.hpp"
#include "models/outcome/gpu_memory.hpp"
#include "models/study/study.hpp"
#include "models/twins/order_statistics.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/scaling.hpp"

using namespace headrace::models;

namespace {

/// 8 nodes of 8 GPUs on 25 GB/s per GPU, a model of a billion parameters.
Scenario ddp(std::uint64_t nodes = 8) {
  Scenario scenario = test::small_scenario(nodes);
  scenario.cluster.pools[0].gpus_per_node = 8;
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 200e9;
  scenario.cluster.pools[0].gpu.hbm_bytes = 80e9;
  scenario.jobs[0].model = TrainingModel{};
  scenario.jobs[0].model->parameters = 1e9;
  scenario.jobs[0].collective = Collective{};
  scenario.jobs[0].collective->inside_bytes_per_s = 450e9;
  return scenario;
}

Exchange exchange(const Scenario& scenario) {
  return exchange_of(resolve_path(scenario, 0, {}), scenario.cluster.pools[0], scenario.jobs[0]);
}

}  // namespace

TEST_CASE("all-reduces cost what the alpha-beta forms say") {
  AllReduceShape shape{2e9, 8, 8, 450e9, 25e9, 0.0, 0.0};
  CHECK(all_reduce_s(ExchangeAlgorithm::hierarchical, shape, 1) ==
        Approx(twins::hierarchical_all_reduce_s({2e9, 8, 8, 450e9, 25e9})).epsilon(1e-12));
  CHECK(all_reduce_s(ExchangeAlgorithm::hierarchical, shape, 1) == Approx(0.025277778).epsilon(1e-6));
  for (const double nodes : {8.0, 64.0, 1024.0}) {  // one rank a node: the reference cases of ring and tree
    shape = {2e9, 1, nodes, 450e9, 25e9, 3e-6, 5e-6};
    CHECK(all_reduce_s(ExchangeAlgorithm::ring, shape, 1) ==
          Approx(twins::ring_all_reduce_s(2e9, 25e9, 5e-6, nodes)).epsilon(1e-12));
    CHECK(all_reduce_s(ExchangeAlgorithm::hierarchical, shape, 1) ==
          Approx(twins::ring_all_reduce_s(2e9, 25e9, 5e-6, nodes)).epsilon(1e-12));
    CHECK(all_reduce_s(ExchangeAlgorithm::tree, shape, 1) ==
          Approx(twins::tree_all_reduce_s(2e9, 25e9, 5e-6, nodes)).epsilon(1e-12));
  }
  shape = {2e9, 8, 1, 450e9, 25e9, 3e-6, 5e-6};  // one node: the network is not touched
  CHECK(all_reduce_s(ExchangeAlgorithm::hierarchical, shape, 1) ==
        Approx(twins::ring_all_reduce_s(2e9, 450e9, 3e-6, 8)).epsilon(1e-12));
  shape = {1e9, 1, 16, 0.0, 10e9, 0.0, 0.0};  // 16 ranks push and pull 1 GB through 4 servers of 10 GB/s
  CHECK(all_reduce_s(ExchangeAlgorithm::parameter_server, shape, 4) == Approx(2 * 16 * 1e9 / 40e9));
  shape.nodes = 1;
  CHECK(all_reduce_s(ExchangeAlgorithm::ring, shape, 1) == 0.0);
}

TEST_CASE("buckets that become ready one by one are hidden as a recursion over them says") {
  for (const int buckets : {1, 3, 40})
    for (const double bucket_s : {0.001, 0.02, 0.5}) {
      const double window_s = 1.0;
      double free_s = 0.0;
      for (int i = 1; i <= buckets; ++i) free_s = std::max(free_s, window_s * i / buckets) + bucket_s;
      CHECK(exposed_time_s(buckets, bucket_s, window_s) == Approx(free_s - window_s).epsilon(1e-9));
    }
  CHECK(exposed_time_s(10, 0.1, 0.0) == Approx(1.0));  // nothing to hide behind
}

TEST_CASE("the slowest of n is that of order statistics") {
  for (const double cv : {0.02, 0.1, 0.3, 1.0})
    for (const std::int64_t n : {1, 8, 1250, 10000, 100000})
      CHECK(slowest_over_mean(static_cast<double>(n), cv) ==
            Approx(twins::lognormal_max_ratio(n, twins::lognormal_sigma(cv))).epsilon(1e-5));
  CHECK(slowest_over_mean(64, 0.0) == 1.0);
}

TEST_CASE("bytes, micro-batches, ZeRO and overlap act on the exchange as they should") {
  Scenario scenario = ddp();
  const Exchange plain = exchange(scenario);
  CHECK(plain.gradient_bytes == 2e9);
  scenario.jobs[0].model->precision = Precision::fp32;
  CHECK(exchange(scenario).gradients_s > 1.9 * plain.gradients_s);
  scenario.jobs[0].model->precision = Precision::mixed;
  scenario.jobs[0].model->zero_stage = 3;
  CHECK(exchange(scenario).gradients_s == Approx(1.5 * plain.gradients_s));
  scenario.jobs[0].model->zero_stage = 0;
  scenario.jobs[0].step.micro_batches = 4;
  CHECK(exchange(scenario).gradients_s == Approx(plain.gradients_s));
  CHECK(exchange(scenario).exposed_s > plain.exposed_s);  // only the last micro-batch hides it
  scenario.jobs[0].step.micro_batches = 1;
  scenario.jobs[0].collective->overlap = 0.0;
  CHECK(exchange(scenario).exposed_s == Approx(plain.gradients_s));
  scenario.jobs[0].collective->barrier_s = 1e-5;
  CHECK(exchange(scenario).barrier_s == Approx(6e-5));  // 64 ranks
  scenario.jobs[0].parallelism.tp = 8;
  scenario.jobs[0].model->layers = 10;
  scenario.jobs[0].model->hidden = 1000;
  scenario.jobs[0].model->tokens_per_sample = 100;
  // 16 samples x 100 tokens x 1000 x 2 B = 3.2 MB, four times a layer, over NVLink.
  CHECK(exchange(scenario).tensor_s == Approx(40 * twins::ring_all_reduce_s(3.2e6, 450e9, 3e-6, 8)));
  CHECK(exchange(scenario).gradient_bytes == 0.25e9);
  scenario.jobs[0].parallelism.dp = 1;
  CHECK(exchange(scenario).gradients_s == 0.0);
}

TEST_CASE("bound, estimate and simulation add the same exchange to the step") {
  Scenario scenario = ddp(2);
  scenario.stores[0].bandwidth_bytes_per_s = 400e9;
  scenario.jobs[0].loader.workers = 8;
  scenario.jobs[0].step.overhead_s = DistributionSpec::constant(0.0);
  scenario.jobs[0].collective->gpu_speed_cv = 0.05;
  scenario.jobs[0].collective->overlap = 0.0;
  const Exchange added = exchange(scenario);
  CHECK(added.total_s() > 0.02);
  const Outcome bound = flow_bound(scenario);
  CHECK(bound.find("step_time_s")->mean == Approx(0.1 + added.total_s()));
  CHECK(queueing_estimate(scenario, 1).find("step_time_s")->mean == Approx(0.1 + added.total_s()).epsilon(0.02));
  StudyOptions options;
  options.steps = 400;
  const Outcome run = simulate(scenario, options);
  CHECK(run.find("step_time_s")->mean == Approx(0.1 + added.total_s()).epsilon(0.02));
  CHECK(run.find("collective_exposed_s")->mean == Approx(added.exposed_s));
  CHECK(run.find("scaling_efficiency")->mean == Approx(0.1 / (0.1 + added.total_s())).epsilon(0.02));
  CHECK(bound.verdict == Verdict::collective_bound);
  scenario.jobs[0].step.collective_exposed_s = 0.01;  // the stated figure stays and adds
  CHECK(flow_bound(scenario).find("step_time_s")->mean == Approx(0.11 + added.total_s()));
}

TEST_CASE("a model says how many FLOPs a sample takes") {
  Scenario scenario = ddp();
  scenario.cluster.pools[0].gpu.peak_flops_per_s = 1e15;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.0);
  scenario.jobs[0].step.arithmetic = ArithmeticStep{0.0, 0.4};
  scenario.jobs[0].model->tokens_per_sample = 2048;
  CHECK(resolve_path(scenario, 0, {}).compute_s.mean() == Approx(6e9 * 2048 * 16 / 4e14));
  scenario.jobs[0].model->active_parameters = 0.5e9;
  CHECK(resolve_path(scenario, 0, {}).compute_s.mean() == Approx(3e9 * 2048 * 16 / 4e14));
  scenario.jobs[0].step.arithmetic->flops_per_sample = 1e12;
  CHECK(resolve_path(scenario, 0, {}).compute_s.mean() == Approx(1e12 * 16 / 4e14));
}

TEST_CASE("a GPU holds the states of its share of the model, by ZeRO stage") {
  // Rajbhandari et al., 2020, figure 1: 7.5e9 parameters, 64 GPUs: 120, 31.4, 16.6, 1.9 GB.
  Scenario scenario = ddp();
  scenario.jobs[0].model->parameters = 7.5e9;
  const double expected_gb[] = {120.0, 31.4, 16.6, 1.9};
  for (std::uint64_t stage = 0; stage < 4; ++stage) {
    scenario.jobs[0].model->zero_stage = stage;
    const Outcome outcome = flow_bound(scenario);
    CHECK(outcome.find("gpu_memory_bytes")->mean == Approx(expected_gb[stage] * 1e9).epsilon(0.02));
    CHECK((outcome.verdict == Verdict::infeasible) == (stage == 0));
  }
  scenario.jobs[0].model->zero_stage = 0;
  scenario.jobs[0].parallelism.tp = 2;
  CHECK(flow_bound(scenario).find("gpu_memory_bytes")->mean == Approx(60e9));
}

TEST_CASE("activations and prefetched batches lie on the GPU, offloaded states on the host") {
  Scenario scenario = ddp(1);
  TrainingModel& model = *scenario.jobs[0].model;
  model.layers = 10;
  model.hidden = 1000;
  model.tokens_per_sample = 100;
  scenario.jobs[0].step.device_prefetch = 3;
  scenario.jobs[0].step.micro_batches = 4;
  const IngestPath path = resolve_path(scenario, 0, {});
  const Requirement room = gpu_memory_of(path, scenario.cluster.pools[0], scenario.jobs[0]);
  REQUIRE(room.needs.size() == 5);
  CHECK(room.needs[3].bytes == Approx(10 * 34.0 * 4 * 100 * 1000));  // 34 s b h a layer, 4 of 16 samples
  CHECK(room.needs[4].bytes == Approx(3 * 16 * 1e6));
  model.recompute = Recompute::full;
  CHECK(gpu_memory_of(path, scenario.cluster.pools[0], scenario.jobs[0]).needs[3].bytes == Approx(10 * 2.0 * 4 * 1e5));
  model.offload = true;
  scenario.cluster.pools[0].host.memory_bytes = 90e9;
  scenario.cluster.pools[0].gpu.pcie_bytes_per_s = 50e9;
  CHECK(gpu_memory_of(path, scenario.cluster.pools[0], scenario.jobs[0]).needs.size() == 4);
  CHECK(flow_bound(scenario).verdict == Verdict::infeasible);  // eight copies of 12 GB
  model.zero_stage = 1;
  CHECK(flow_bound(scenario).verdict != Verdict::infeasible);
  CHECK(exchange(scenario).offload_s == Approx(2 * 2e9 / 8 / 50e9));
}
