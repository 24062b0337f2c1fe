// What somebody meant who wrote something else: messages name the very thing to write.
#include <sstream>

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
  helps("simulate image-node --slo 'gpu_idle_fraction < 5 %'", "it is a flag of headrace plan, headrace check");
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
  CHECK_THAT(done.err,
             Contains("this is a layer for a system") && Contains("headrace simulate storage-nvme-host FILE"));
  CHECK_THAT(done.err, !Contains("E0211"));  // nor one complaint for each reference into the missing system
}

TEST_CASE("a comparison that asks nothing passes nothing", "[cli]") {
  const std::string sides = "compare image-node image-node --set-b /jobs/0/loader/workers=6";
  CHECK_THAT(run(sides).out, !Contains("pass") && !Contains("mlperf_au"));
  CHECK_THAT(run(sides + " --fail-if 'mlperf_au_percent < -20 points'").out,
             Contains("pass: ") && Contains("mlperf_au_percent"));
}

TEST_CASE("a limit of more than 100 % on a share is refused: 5 is not 5 %", "[cli]") {
  helps("check image-node --slo 'gpu_idle_fraction < 5'", "write \"5 %\", or 0.05");
  helps("compare image-node image-node --fail-if 'gpu_idle_fraction > 3'", "write \"3 %\", or 0.03");
  CHECK(run("check image-node --slo 'gpu_idle_fraction < 0.5'").status == 0);
  CHECK(run("check image-node --slo 'gpu_idle_fraction < 100 %'").status == 0);
}

TEST_CASE("a result in place of a scenario is told, once", "[cli]") {
  const headrace::testing::Folder folder;
  REQUIRE(run("bound image-node --json -o " + folder.path("answer.json")).status == 0);
  const headrace::testing::Run done = run("simulate " + folder.path("answer.json"));
  CHECK(done.status == 2);
  CHECK_THAT(done.err, Contains("this is a result, not a scenario") && Contains("headrace report FILE"));
  CHECK(done.err.find("error[", done.err.find("error[") + 1) == std::string::npos);
}

TEST_CASE("an element of a layer without its name is told how layers find elements", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string file = folder.write("files.json", R"({"datasets": [{"files": 1000}]})");
  const headrace::testing::Run done = run("simulate image-node " + file);
  CHECK(done.status == 2);
  CHECK_THAT(done.err, Contains("a layer changes the element of a list that has the same name"));
}

TEST_CASE("a report has the format that the name of its file says", "[cli]") {
  const headrace::testing::Folder folder;
  REQUIRE(run("bound image-node --json -o " + folder.path("answer.json")).status == 0);
  REQUIRE(run("report " + folder.path("answer.json") + " -o " + folder.path("answer.md")).status == 0);
  CHECK(headrace::testing::file_text(folder.path("answer.md")).starts_with("## "));
  REQUIRE(run("report " + folder.path("answer.json") + " -o " + folder.path("answer.html")).status == 0);
  CHECK(headrace::testing::file_text(folder.path("answer.html")).starts_with("<!"));
}

TEST_CASE("init does not replace a scenario that is there, unless it is forced", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string file = folder.write("mine.json", "{}");
  helps("init --gpus 8 -o " + file, "--force to replace it");
  CHECK(headrace::testing::file_text(file) == "{}");
  CHECK(run("init --gpus '8 H100' --force -o " + file).status == 0);
  CHECK(headrace::testing::file_text(file) != "{}");
}

TEST_CASE("init reads what people write, and says what it read", "[cli]") {
  const headrace::testing::Run done =
      run("init --gpus '32 nodes, 8 H100s per node' --data '50 TB of JPEG images' --layout files "
          "--store '60 GB/sec file system' --network 2x200GbE");
  REQUIRE(done.status == 0);
  CHECK_THAT(done.err, Contains("Read as: 32 nodes of 8 GPUs, 50.00 GB/s network each; storage 60.00 GB/s.\n"));
  CHECK_THAT(run("init --gpus '256 H100 SXM' --store '60 Gb/s file system'").err, Contains("storage 7.500 GB/s"));
}

TEST_CASE("an assumed metadata service that decides the verdict is named first", "[cli]") {
  const headrace::testing::Run done =
      run("init --gpus '32 nodes x 8 H100' --data '50 TB JPEG' --layout files --store '60 GB/s file system'");
  CHECK_THAT(headrace::testing::first_sentence(done.err),
             Contains("limited by an assumed 128 metadata servers") && Contains("set /stores/0/metadata"));
}

TEST_CASE("the help of every verb fits a terminal", "[cli]") {
  for (const char* verb :
       {"", "simulate ", "init ", "report ", "plan ", "sweep ", "check ", "compare ", "calibrate "}) {
    std::istringstream lines(run(std::string(verb) + "--help").out);
    for (std::string line; std::getline(lines, line);) {
      INFO(verb << ": " << line);
      CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("sides that read different amounts an epoch are told, and each side has overrides of its own", "[cli]") {
  const headrace::testing::Run fewer =
      run("compare image-node image-node --set-b /datasets/0/files=100 --set-a /jobs/0/loader/workers=6");
  CHECK_THAT(headrace::testing::unbroken(fewer.out), Contains("are not of the same work"));
  CHECK_THAT(fewer.out, Contains("/jobs/0/loader/workers"));
  CHECK_THAT(run("compare image-node image-node --set-b /jobs/0/loader/workers=6").out,
             !Contains("not of the same work"));
}
