// Goodput of a transport as a curve over the bytes of a request and the connections of a node.
#include "models/path/goodput.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/path/checkpoint_times.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/goodput.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// Points of the two laws.
Transport measured_transport() {
  Transport transport;
  for (const double bytes : {4096.0, 65536.0, 1e6, 16e6})
    transport.by_request.push_back({bytes, twins::goodput_of_request_size(bytes, 1e6)});
  for (const double connections : {1.0, 8.0, 32.0})
    transport.by_connections.push_back({connections, twins::goodput_of_windows(connections, 4e6, 1e-3, 32e9)});
  return transport;
}

/// Two nodes of two loaders of four workers, whose samples of 1 MB are limited by the NIC alone.
Scenario nic_bound() {
  Scenario scenario = test::small_scenario(2);
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e9;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(1e-3);
  scenario.jobs[0].step.overhead_s = DistributionSpec::constant(0.0);
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  scenario.stores[0].latency_s = DistributionSpec::constant(0.0);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  scenario.stores[0].stream_bytes_per_s.reset();
  return scenario;
}

}  // namespace

TEST_CASE("between its points a curve follows the laws of fixed cost and of windows exactly") {
  const Transport transport = measured_transport();
  for (const double bytes : {4096.0, 5000.0, 30000.0, 65536.0, 3e5, 4e6, 16e6})
    CHECK(goodput_of_requests(transport, bytes) == Approx(twins::goodput_of_request_size(bytes, 1e6)).epsilon(1e-12));
  for (const double connections : {0.5, 1.0, 3.0, 8.0, 31.0, 32.0, 100.0})
    CHECK(goodput_of_connections(transport, connections) ==
          Approx(twins::goodput_of_windows(connections, 4e6, 1e-3, 32e9) >= 1.0
                     ? 1.0
                     : transport.by_connections.front().share * connections)
              .epsilon(1e-12));
}

TEST_CASE("outside its points a curve has the time of the smallest request and the share of the largest") {
  const Transport transport = measured_transport();
  CHECK(goodput_of_requests(transport, 2048.0) == Approx(0.5 * transport.by_request.front().share));
  CHECK(goodput_of_requests(transport, 1e9) == transport.by_request.back().share);
  CHECK(goodput_of_requests({}, 1.0) == 1.0);
  CHECK(goodput_of_connections({}, 1.0) == 1.0);
}

TEST_CASE("a NIC brings what requests and connections let it, at every level of answer") {
  Scenario scenario = nic_bound();
  CHECK(resolve_path(scenario, 0, {}).nic_bytes_per_s == 1e9);
  scenario.fabric.transport.by_request = measured_transport().by_request;  // 1 MB: a half
  scenario.fabric.transport.by_connections = {{1.0, 0.1}, {16.0, 1.0}};    // 8 connections: 0.1 + 7 / 15 x 0.9
  const IngestPath path = resolve_path(scenario, 0, {});
  const double share = 0.5 * (0.1 + 7.0 / 15.0 * 0.9);
  CHECK(*path.nic_bytes_per_s == Approx(share * 1e9));
  CHECK(*path.flow_cap_bytes_per_s == Approx(share * 1e9));
  CHECK(path.bulk_nic_bytes_per_s == 1e9);
  CHECK(path.leaf_bytes_per_s == 2e9);  // a limit of the end points only
  const double step_s = 2.0 * 16.0 * 1e6 / (share * 1e9);
  CHECK(flow_bound(scenario).find("step_time_s")->mean == Approx(step_s));
  CHECK(queueing_estimate(scenario, 1).find("step_time_s")->mean == Approx(step_s).epsilon(0.02));
  ClusterRun run(path, 1, 0, {});
  run.run_to(60);
  const auto& records = run.log().records;
  const double simulated_s = sim::seconds(records[59].start_ns - records[19].start_ns) / 40.0;
  CHECK(simulated_s == Approx(step_s).epsilon(0.005));
}

TEST_CASE("long transfers do not feel the curve of small requests") {
  Scenario scenario = nic_bound();
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 10e9;
  scenario.jobs[0].checkpoint = checkpoint;
  const auto save_s = [&] {
    return checkpoint_save_s(*scenario.jobs[0].checkpoint, scenario.stores[0], resolve_path(scenario, 0, {}), false);
  };
  const double before_s = save_s();
  scenario.fabric.transport.by_request = {{1e6, 0.25}};
  CHECK(resolve_path(scenario, 0, {}).nic_bytes_per_s == 0.25e9);
  CHECK(save_s() == before_s);
}
