// What somebody meant who wrote something else: messages name the very thing to write.
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::Contains;
using headrace::testing::run;

namespace {

void helps(const std::string& command, const std::string& help) {
  const headrace::testing::Run done = run(command);
  INFO(command);
  CHECK(done.status == 2);
  CHECK_THAT(done.err, Contains(help));
}

}  // namespace

TEST_CASE("an override without its pointer is answered by the pointer", "[cli]") {
  helps("simulate image-node --set jobs/0/loader/workers=16", "write --set /jobs/0/loader/workers=16");
  helps("simulate image-node --set workers=16", "write --set /jobs/0/loader/workers=16");
  helps("simulate image-node --set prefetch=3", "headrace explain prefetch shows the path");
  helps("simulate image-node --set /jobs/0/loader/workers", "write --set /jobs/0/loader/workers=VALUE");
  helps("simulate image-node --set /jobs/train/loader/workers=3", "write 0 for 'train'");
  helps("simulate image-node --set /jobs/7/loader/workers=3", "write 0 to 0, or - to add one");
}

TEST_CASE("a flag of another verb is told with its verb", "[cli]") {
  helps("simulate image-node --slo 'gpu_idle_fraction < 5 %'", "it is a flag of headrace check");
}

TEST_CASE("words of a metric are answered by its name", "[cli]") {
  helps("check image-node --slo 'idle < 5 %'", "did you mean 'gpu_idle_fraction'?");
  helps("check image-node --slo 'Step Time < 5 s'", "did you mean 'step_time_s'?");
  helps("compare image-node image-node --fail-if 'cost > +3 %'", "did you mean 'cost_per_epoch_usd'?");
}

TEST_CASE("a layer of jobs alone asks for its system, once", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string file = folder.write("jobs.json", R"({"jobs": [{"name": "train", "dataset": "d"}]})");
  const headrace::testing::Run done = run("simulate " + file);
  CHECK(done.status == 2);
  CHECK_THAT(done.err, Contains("this is a layer for a system") && Contains("headrace simulate storage-nvme-host FILE"));
  CHECK(done.err.find("error[", done.err.find("error[") + 1) == std::string::npos);
}

TEST_CASE("a comparison that asks nothing passes nothing", "[cli]") {
  const std::string sides = "compare image-node image-node --set-b /jobs/0/loader/workers=6";
  CHECK_THAT(run(sides).out, !Contains("pass") && !Contains("mlperf_au"));
  CHECK_THAT(run(sides + " --fail-if 'mlperf_au_percent < -20 points'").out, Contains("pass: ") && Contains("mlperf_au_percent"));
}
