// What asks for more than a machine has is refused before work begins.
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
