// V9 of docs/validation.md: the policies naive, staging buffer and NoPFS of N. Dryden et al., SC 2021, against their
// published simulator (five epochs of MNIST on 4 nodes: 1.10, 0.73 and 0.73 s, seed 42, sim/ of the NoPFS repository
// with its own rates) and against its equations. Simulated: standard errors below 0.2 % against limits of 2 %, and
// fixed seeds.
#include "tests/twins/read_policies.hpp"

#include <array>
#include <string>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "sim/distribution.hpp"
#include "sim/random_stream.hpp"
#include "tests/validation/shipped.hpp"

namespace headrace {
namespace {

using models::twins::ReadPolicy;
using models::twins::ReadPolicyCase;
using testing::Strings;

constexpr std::array kPolicies{ReadPolicy::no_stall, ReadPolicy::naive, ReadPolicy::staged, ReadPolicy::clairvoyant};

constexpr double kMiB = 1024.0 * 1024.0;  // the unit of the simulator's rates

/// Section 6.1: four nodes, 64 MiB/s of training, 200 of preprocessing, 1540 of file system, 8 threads.
ReadPolicyCase published() {
  ReadPolicyCase shape;
  shape.nodes = 4;
  shape.batch = 32;
  shape.epochs = 5;
  shape.threads = 8;
  shape.compute_bytes_per_s = 64.0 * kMiB;
  shape.preprocess_bytes_per_s = 200.0 * kMiB;
  shape.file_system_bytes_per_s = 1540.0 * kMiB;
  shape.memory_bytes_per_s = 85800.0 * kMiB;
  shape.remote_bytes_per_s = 24000.0 * kMiB;
  return shape;
}

const std::vector<double>& mnist() {
  static const std::vector<double> sizes(50000, 784.0);
  return sizes;
}

/// As those of ImageNet-1k there: mean 133.7 kB, coefficient of variation 0.604 (a normal law cut at 0).
const std::vector<double>& images() {
  static const std::vector<double> sizes = [] {
    const sim::Distribution law = sim::Distribution::lognormal(133.7e3, 0.604);
    std::vector<double> drawn(256000);
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = law.quantile(sim::uniform({1, 0, sim::Purpose{1}, 0}, i));
    return drawn;
  }();
  return sizes;
}

/// What the policy means in a scenario.
Strings as_overrides(ReadPolicy policy) {
  if (policy == ReadPolicy::naive) return {"/jobs/0/loader/synchronous=true"};
  if (policy != ReadPolicy::clairvoyant) return {};
  return {R"(/cluster/pools/0/cache={"policy": "clairvoyant", "medium": "dram", "scope": "partitioned", )"
          R"("bytes": "120 GB", "bandwidth": "85800 MiB/s"})"};
}

/// All epochs: the first finds cold caches.
double simulated_run_s(const ReadPolicyCase& shape, ReadPolicy policy, Strings overrides) {
  const Strings more = as_overrides(policy);
  overrides.insert(overrides.end(), more.begin(), more.end());
  const auto epoch_s = [&](std::uint32_t epochs) {
    Strings with = overrides;
    with.push_back(testing::set("/jobs/0/epochs=", epochs));
    return testing::mean(testing::simulated(testing::shipped("mnist-four-nodes", with), 2000), "epoch_time_s");
  };
  return epoch_s(1) + (shape.epochs - 1.0) * epoch_s(shape.epochs);
}

Strings image_overrides(const ReadPolicyCase& shape) {
  const double batch_bytes = 133.7e3 * shape.batch;
  return {R"(/datasets/0/sample_bytes={"lognormal": {"mean": "133.7 kB", "cv": 0.604}})",
          "/datasets/0/files=256000",
          "/jobs/0/loader/cpu_per_sample=0 s",
          testing::set("/datasets/0/parse=", shape.preprocess_bytes_per_s * 1e-6, "MB/s"),
          testing::set("/jobs/0/loader/workers=", shape.threads),
          testing::set("/jobs/0/step/step_time=", batch_bytes / shape.compute_bytes_per_s * 1e3, "ms"),
          "/jobs/0/step/follows_sample_size=1"};
}

}  // namespace

TEST_CASE("V9: MNIST on 4 nodes as the published simulator has it", "[validation]") {
  const ReadPolicyCase shape = published();
  const std::array<double, 4> theirs{0.73, 1.10, 0.73, 0.73};
  for (std::size_t i = 0; i < kPolicies.size(); ++i) {
    const double equations = models::twins::run_time_s(shape, kPolicies[i], mnist());
    INFO("policy " << i << ": " << theirs[i] << " s, by the equations " << equations);
    CHECK(equations == Approx(theirs[i]).epsilon(0.02));
    if (kPolicies[i] == ReadPolicy::no_stall) continue;
    const double simulated = simulated_run_s(shape, kPolicies[i], {});
    INFO("simulated " << simulated);
    CHECK(simulated == Approx(theirs[i]).epsilon(0.02));
    CHECK(simulated == Approx(equations).epsilon(0.02));
  }
}

TEST_CASE("V9: images of unequal size, five times the compute", "[validation]") {
  ReadPolicyCase shape = published();
  shape.compute_bytes_per_s *= 5.0;
  shape.preprocess_bytes_per_s *= 5.0;
  for (const ReadPolicy policy : {ReadPolicy::naive, ReadPolicy::staged, ReadPolicy::clairvoyant}) {
    const double equations = models::twins::run_time_s(shape, policy, images());
    const double simulated = simulated_run_s(shape, policy, image_overrides(shape));
    INFO("policy " << static_cast<int>(policy) << ": by the equations " << equations << ", simulated " << simulated);
    CHECK(simulated == Approx(equations).epsilon(0.02));
  }
}

TEST_CASE("V9: one thread that the GPUs wait for, until caches hold the samples", "[validation]") {
  ReadPolicyCase shape = published();
  shape.threads = 1;
  shape.compute_bytes_per_s *= 10.0;
  shape.preprocess_bytes_per_s *= 10.0;
  Strings overrides = image_overrides(shape);
  overrides.emplace_back("/jobs/0/loader/prefetch=64");
  std::array<double, 2> run_s{};
  for (const ReadPolicy policy : {ReadPolicy::staged, ReadPolicy::clairvoyant}) {
    const double equations = models::twins::run_time_s(shape, policy, images());
    const double simulated = simulated_run_s(shape, policy, overrides);
    INFO("policy " << static_cast<int>(policy) << ": by the equations " << equations << ", simulated " << simulated);
    CHECK(simulated == Approx(equations).epsilon(0.02));
    run_s[policy == ReadPolicy::clairvoyant ? 1 : 0] = equations;
  }
  CHECK(run_s[0] > 1.3 * run_s[1]);
}

}  // namespace headrace
