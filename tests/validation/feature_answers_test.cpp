// What docs/features.md says that shipped scenarios answer about loaders, formats, adapters, checkpoints and clouds.
// Seeds are fixed; margins are those of the digits that the page gives.
#include <string>

#include "models/answer/flow_bound.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/validation/shipped.hpp"

namespace headrace {
namespace {

using testing::mean;
using testing::shipped;
using testing::Strings;

double idle(const std::string& name, const Strings& overrides) {
  return mean(testing::simulated(shipped(name, overrides), 400), "gpu_idle_fraction");
}

double station(const models::Outcome& outcome, const std::string& name) {
  for (const models::StationReport& report : outcome.stations)
    if (report.name == name) return report.throughput;
  FAIL("no station " << name);
  return 0.0;
}

}  // namespace

TEST_CASE("loader presets differ by their order and by what they keep ready", "[validation]") {
  const auto with = [](const std::string& preset, const Strings& more = {}) {
    Strings overrides{"/jobs/0/loader/catalogue=" + preset};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return idle("loader-presets", overrides);
  };
  const double torch = with("torch");
  CHECK(torch < 0.005);
  CHECK(with("torch_any_order") <= torch);
  CHECK(with("torch_any_order") < 0.0005);
  CHECK(with("tf_data") == Approx(0.14).margin(0.02));
  CHECK(with("tf_data_any_order") < 0.0005);
  CHECK(with("dali") == Approx(0.14).margin(0.02));
  CHECK(with("dali", {"/jobs/0/loader/ready=7"}) == Approx(torch).margin(1e-9));
  CHECK(with("synchronous") == Approx(0.89).margin(0.01));
}

TEST_CASE("formats differ in the opens that they need", "[validation]") {
  const Strings files{"/datasets/0/catalogue=files", "/datasets/0/files=40000000", "/datasets/0/samples_per_file=1"};
  const auto opens_per_s = [](Strings overrides) {
    overrides.emplace_back(R"(/stores/0/metadata={"latency": "1 us", "servers": 1000000})");
    return station(models::flow_bound(shipped("image-node", overrides)), "metadata") / 1e-6;
  };
  const double single = opens_per_s(files);
  const double shards = opens_per_s({});
  CHECK(single == Approx(80000.0).epsilon(0.01));
  CHECK(shards == Approx(8.0).epsilon(0.05));
}

TEST_CASE("rails and the efficiency of adapters multiply", "[validation]") {
  const auto nic_bytes_per_s = [](const Strings& overrides) {
    return models::resolve_path(shipped("unet3d-h100", overrides), 0, {}).nic_bytes_per_s.value();
  };
  const double one = nic_bytes_per_s({"/cluster/pools/0/nic/rails=1", "/cluster/pools/0/nic/efficiency=1"});
  CHECK(nic_bytes_per_s({"/cluster/pools/0/nic/rails=4", "/cluster/pools/0/nic/efficiency=0.94"}) ==
        Approx(4.0 * 0.94 * one));
  const models::Outcome bound = models::flow_bound(
      shipped("unet3d-h100", {"/cluster/pools/0/nic/efficiency=0.94", "/jobs/0/step/step_time=50 ms"}));
  CHECK(station(bound, "nic") == Approx(47e9).epsilon(0.01));
}

TEST_CASE("a job that somebody restarts by hand trains less than one that is rescheduled", "[validation]") {
  const auto trains = [](const Strings& overrides) {
    return mean(models::flow_bound(shipped("llama3-405b-checkpoints", overrides)), "goodput_fraction");
  };
  CHECK(trains({}) == Approx(0.940).margin(0.0005));
  CHECK(trains({"/faults/reschedule=1 h"}) == Approx(0.699).margin(0.0005));
  CHECK(trains({"/faults/detection=10 min"}) == Approx(0.900).margin(0.0005));
}

TEST_CASE("the grid and the cloud differ in epoch and useful hour as their page says", "[validation]") {
  const models::Outcome grid = models::flow_bound(shipped("grid-cluster"));
  const models::Outcome cloud = models::flow_bound(shipped("cloud-cluster"));
  CHECK(mean(grid, "cost_per_useful_gpu_hour_usd") == Approx(4.71).margin(0.006));
  CHECK(mean(cloud, "cost_per_useful_gpu_hour_usd") == Approx(3.21).margin(0.006));
  CHECK(mean(grid, "epoch_time_s") / 60.0 == Approx(46.0).margin(0.6));
  CHECK(mean(cloud, "epoch_time_s") / 60.0 == Approx(26.0).margin(0.6));
}

}  // namespace headrace
