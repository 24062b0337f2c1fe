#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

TEST_CASE("no stage gains more than the GPUs wait", "[long_4]") {
  std::size_t stages = 0;
  for (const double bandwidth_bytes_per_s : {0.3e9, 0.4e9, 0.5e9, 0.6e9})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      StudyOptions options;
      options.steps = 100;
      options.seed = seed;
      const Outcome outcome = simulate(test::starved_scenario(bandwidth_bytes_per_s), options);
      const double idle = outcome.find("gpu_idle_fraction")->mean;
      for (const StageShare& share : outcome.relief) {
        CHECK(share.mean <= idle);
        if (share.ci95) CHECK(share.ci95->low <= share.mean);
        ++stages;
      }
    }
  CHECK(stages > 10);
}
