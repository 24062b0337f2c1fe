// Further points of docs/validation.md that one published figure each allows. Closed forms: nothing can fail by chance.
#include <array>

#include "models/answer/flow_bound.hpp"
#include "tests/validation/shipped.hpp"

namespace headrace {

TEST_CASE("V10: a disk of 180 MB/s feeds ResNet", "[validation]") {
  // M. Kuchnik et al., Plumber, MLSys 2022, section 5.2: Seagate ST4000NM0023, 180 MB/s, batches of 128 records of 110
  // kB; 12.7 batches/s observed, 11.06 predicted there.
  const models::Outcome bound = models::flow_bound(
      testing::shipped("cache-policies",
                       {"/cluster/pools/0/gpus_per_node=1", "/cluster/pools/0/cache={\"policy\": \"none\"}",
                        "/stores/0={\"name\": \"storage\", \"kind\": \"hdd\", \"bandwidth\": \"180 MB/s\"}",
                        "/datasets/0/sample_bytes=110 kB", "/datasets/0/files=100", "/datasets/0/samples_per_file=1000",
                        "/datasets/0/order=shard_sequential", "/datasets/0/request_bytes=110 MB",
                        "/jobs/0/step/batch=128", "/jobs/0/step/step_time=20 ms"}));
  CHECK(1.0 / testing::mean(bound, "step_time_s") == Approx(12.7).epsilon(0.02));
}

TEST_CASE("checkpoints of language models have the size that MLPerf Storage states", "[validation]") {
  // mlcommons/storage at caa90c9, Submission_guidelines.md, table 2: 105, 912 and 5290 "GB", which are GiB; weights in
  // 16 bits, Adam's states and a copy of the weights in 32. The fourth, 18 TB for "1T", is a third more.
  constexpr std::array<std::array<double, 2>, 3> kStated{{{8e9, 105.0}, {70e9, 912.0}, {405e9, 5290.0}}};
  for (const auto& [parameters, gib] : kStated) {
    models::Checkpoint checkpoint;
    checkpoint.parameters = parameters;
    CHECK(checkpoint.total_bytes() / testing::kGiB == Approx(gib).epsilon(0.01));
  }
}

}  // namespace headrace
