// What asks for more than a machine has is refused before work begins.
#include <chrono>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::run;

TEST_CASE("limits: more runs than memory holds are refused with the memory that they would take", "[cli]") {
  const auto refused =
      run("simulate image-node --set /cluster/pools/0/nodes=100000 --replications 100000 --steps 64 --no-relief");
  INFO(refused.err);
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err.find("GB of memory") != std::string::npos);
  CHECK(refused.err.find("lower --replications") != std::string::npos);
}

TEST_CASE("limits: any number of threads gives the same bytes", "[cli]") {
  const std::string call = "simulate image-node --steps 64 --no-relief --json --replications 2 --threads ";
  const auto many = run(call + "4096");
  CHECK(many.status == run(call + "1").status);
  CHECK(many.out == run(call + "1").out);
}

TEST_CASE("limits: a job whose first step does not end within --max-wall is abandoned, not waited for",
          "[cli][long_2]") {
  const auto begin = std::chrono::steady_clock::now();
  const auto late = run("simulate imagenet-1250-nodes --set /cluster/pools/0/nodes=100000 --max-wall 1s --threads 1");
  INFO(late.err);
  CHECK(late.status == 3);
  CHECK(late.out.empty());
  CHECK(late.err.find("error: the study did not end soon after its time limit") != std::string::npos);
  CHECK(late.err.find("headrace bound") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));  // it would take minutes
}
