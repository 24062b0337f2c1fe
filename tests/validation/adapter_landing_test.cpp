// V8 of docs/validation.md: bytes straight into 1, 2 and 4 GPUs over one 400 GbE adapter, and from four local drives
// (FarmGPU, gds-bench.farmgpu.net/nfsordma and /gdsio). Constant service times: nothing can fail by chance.
#include <array>
#include <utility>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/path/gpu_landing.hpp"
#include "tests/validation/shipped.hpp"

namespace headrace {
namespace {

constexpr std::array kMeasured{std::pair{1, 26.41}, std::pair{2, 40.15}, std::pair{4, 43.43}};  // GPUs, GiB/s

double gib_per_s(const models::Outcome& outcome) {
  return testing::mean(outcome, "ingest_bytes_per_s") / testing::kGiB;
}

}  // namespace

TEST_CASE("V8: the limit passes from the GPUs' links to the adapter", "[validation]") {
  for (const auto& [gpus, measured] : kMeasured) {
    const models::Scenario scenario =
        testing::shipped("gds-four-gpus", {testing::set("/cluster/pools/0/gpus_per_node=", gpus)});
    const double bound = gib_per_s(models::flow_bound(scenario));
    const double simulated = gib_per_s(testing::simulated(scenario, 4000));
    INFO(gpus << " GPUs: " << measured << " GiB/s measured, bound " << bound << ", simulated " << simulated);
    CHECK(bound == Approx(measured).epsilon(0.05));
    CHECK(simulated == Approx(measured).epsilon(0.05));
    CHECK(gib_per_s(models::queueing_estimate(scenario, 1)) == Approx(measured).epsilon(0.05));
    CHECK(simulated < bound * 1.02);  // 64 batches of stock over 4,000 steps
  }
}

TEST_CASE("V8: the slower of the two links alone is too much for two GPUs", "[validation]") {
  const testing::Strings any_number{"/cluster/pools/0/nic/landing_bursts=0", "/cluster/pools/0/gpus_per_node=2"};
  const double slower = gib_per_s(models::flow_bound(testing::shipped("gds-four-gpus", any_number)));
  CHECK(slower == Approx(45.65).epsilon(0.001));
  CHECK(slower > 1.13 * 40.15);
  // Also with both limits set to what was measured.
  const double most = models::landing_bytes_per_s(43.43, 26.41, 2, 100000);
  CHECK(most == Approx(43.43).epsilon(0.001));
  CHECK(most > 1.08 * 40.15);
  CHECK(models::landing_bytes_per_s(43.43, 26.41, 2, 8) == Approx(40.15).epsilon(0.05));
}

TEST_CASE("V8: four local drives and one to four GPUs", "[validation]") {
  // Four Solidigm D7-PS1010 of 14.5 GB/s by their datasheet.
  const testing::Strings local{"/stores/0/kind=nvme", "/stores/0/bandwidth=58 GB/s"};
  testing::Strings one = local;
  one.emplace_back("/cluster/pools/0/gpus_per_node=1");
  CHECK(gib_per_s(models::flow_bound(testing::shipped("gds-four-gpus", local))) == Approx(53.0).epsilon(0.05));
  // One GPU takes 24.3 GiB/s of the 26.8 that its link could: drives behind the same processor, missed by 10 %.
  const double alone = gib_per_s(models::flow_bound(testing::shipped("gds-four-gpus", one)));
  CHECK(alone == Approx(24.3).epsilon(0.12));
  CHECK(alone > 24.3);
}

}  // namespace headrace
