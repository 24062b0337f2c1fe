// What somebody meant who wrote something else: messages name the very thing to write.
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::ContainsSubstring;
using headrace::testing::run;

namespace {

void helps(const std::string& command, const std::string& help) {
  const headrace::testing::Run done = run(command);
  INFO(command);
  CHECK(done.status == 2);
  CHECK_THAT(done.err, ContainsSubstring(help));
}

int errors_in(const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find("error["); at != std::string::npos; at = text.find("error[", at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a slip in a file, a value or the kind of a file says what to write", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string mine = folder.path("mine.json");
  REQUIRE(run("init --gpus '8 x H100' -o '" + mine + "'").status == 0);
  helps("bound '" + folder.path("mne.json") + "'", "did you mean '" + mine + "'?");
  helps("bound '" + mine + "' --set /jobs/0/loader/workers=ten", "write a whole number without unit, such as 8");
  helps("bound '" + folder.write("x.csv", "hello\n") + "'", "a scenario is a JSON object");
  helps("import dlio '" + mine + "'", "this is a scenario, not a DLIO workload");
  helps("report '" + folder.path("nothing.json") + "'", "no such file");
  helps("explain mlperf", "names with it: mlperf_au_v1_percent");
}

TEST_CASE("an override without its pointer is answered by the pointer", "[cli]") {
  helps("simulate image-node --set jobs/0/loader/workers=16", "write --set /jobs/0/loader/workers=16");
  helps("simulate image-node --set workers=16", "write --set /jobs/0/loader/workers=16");
  helps("simulate image-node --set prefetch=3", "headrace explain prefetch shows the path");
  helps("simulate image-node --set /jobs/0/loader/workers", "write --set /jobs/0/loader/workers=VALUE");
  helps("simulate image-node --set /jobs/train/loader/workers=3", "write 0 for 'train'");
  helps("simulate image-node --set /jobs/7/loader/workers=3", "write 0 to 0, or - to add one");
  helps("simulate image-node --set 'stores/bandwidth=5 GB/s'", "write --set /stores/0/bandwidth=5 GB/s");
  helps("simulate image-node --set '/stores/bandwidth=5 GB/s'", "write --set /stores/0/bandwidth=5 GB/s");
  helps("simulate image-node --set jobs/train/loader/workers=3", "write --set /jobs/0/loader/workers=3");
  helps("simulate tiered-cache --set stores/storage/bandwith=1", "/stores/0/");
}

TEST_CASE("a word that no flag, verb or shipped name has is answered by the nearest", "[cli]") {
  helps("bound image-node --level flwo", "did you mean 'flow'?");
  helps("sweep loader-workers --level bonud", "did you mean 'bound'?");
  helps("plan image-node --inputs rangs", "did you mean 'ranges'?");
  helps("plan image-node --emit torh", "did you mean 'torch'?");
  helps("growth growing-fleet --format cvs", "did you mean 'csv'?");
  helps("tco image-node --level estimat", "did you mean 'estimate'?");
  helps("import foi x.json", "did you mean 'fio'?");
  helps("schema scenaro", "did you mean 'scenario'?");
  helps("simulate image-node --granularity sampl", "did you mean 'sample'?");
  helps("sweep loader-workers --rank step_tim", "did you mean 'step_time_s'?");
  helps("sweep loader-workers --rank 'step time'", "did you mean 'step_time_s'?");
  helps("sweep loader-workrs", "did you mean the shipped space 'loader-workers'?");
  helps("sweep image-node", "'image-node' is a scenario");
  helps("bakeoff vision-cluster-offers --offers ofer-a", "did you mean the shipped offer 'offer-a'?");
  helps("growth growing-fleat", "did you mean the shipped scenario 'growing-fleet'?");
  helps("tco image-node --levl flow", "did you mean '--level'?");
  helps("sweep loader-workers --shrad 1/2", "did you mean '--shard'?");
  helps("bakeoff vision-cluster-offers --ofers offer-a", "did you mean '--offers'?");
  helps("image-node", "headrace simulate image-node");
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
  const std::string file =
      folder.write("jobs.json", R"({"jobs": [{"name": "train", "datasets": [{"dataset": "d"}]}]})");
  const headrace::testing::Run done = run("simulate " + file);
  CHECK(done.status == 2);
  CHECK_THAT(done.err,
             ContainsSubstring("this is a layer for a system") && ContainsSubstring("headrace simulate SCENARIO FILE"));
  CHECK_THAT(done.err, !ContainsSubstring("E0211"));  // nor one complaint for each reference into the missing system
  CHECK(errors_in(done.err) == 1);                    // the job may be one of a scenario
  const std::string jobs = folder.write(
      "whole.json",
      R"({"datasets": [{"name": "d", "store": "s", "files": 10, "samples_per_file": 1, "sample_bytes": "1 MB"}],
                                      "jobs": [{"name": "train", "pool": "p", "datasets": [{"dataset": "d"}], "loader": {"workers": 1},
                                      "step": {"batch": 1, "step_time": "1 s"}}]})");
  CHECK_THAT(run("simulate " + jobs).err, ContainsSubstring("headrace simulate storage-nvme-host FILE"));
}

TEST_CASE("a layer that adds a job by a slip in its name is told the names there are, once", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string file = folder.write("more.json", R"({"jobs": [{"name": "training", "loader": {"workers": 12}}]})");
  const headrace::testing::Run done = run("simulate image-node " + file);
  CHECK(done.status == 2);
  CHECK(errors_in(done.err) == 1);
  CHECK_THAT(done.err, ContainsSubstring("the scenario has no job 'training', and a new job also needs ") &&
                           ContainsSubstring("step/batch") && ContainsSubstring("write its name: train"));
}

TEST_CASE("a layer of a store that nothing uses is told by every verb, and not hidden behind other warnings", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string file = folder.write("faster.json", R"({"stores": [{"name": "storge", "bandwidth": "200 GB/s"}]})");
  const std::string said = "store 'storge' has no effect";
  CHECK_THAT(run("validate image-node " + file).err, ContainsSubstring(said));
  CHECK_THAT(run("simulate image-node --steps 64 " + file).out, ContainsSubstring(said));
  CHECK_THAT(run("check image-node --slo 'gpu_idle_fraction < 5 %' " + file).out, ContainsSubstring(said));
}

TEST_CASE("answers that cannot be read show one that can, and a name that is none in a path is left out", "[cli]") {
  helps("init --gpus '64 nodes by eight H100 cards'", "such as: 64 nodes x 8 H100");
  helps("init --store '100 GB/s object store, $0.02/GB'", "$0.02/GB-month");
  helps("simulate image-node --set /stores/lustre/bandwidth=5GB/s", "write --set /stores/0/bandwidth=5GB/s");
}

TEST_CASE("a value that is missing is not told as a missing comma", "[cli]") {
  const headrace::testing::Folder folder;
  const headrace::testing::Run done = run("validate " + folder.write("bad.json", R"({"a": 1, "b": })"));
  CHECK(done.status == 2);
  CHECK_THAT(done.err, ContainsSubstring("a value is missing before this") &&
                           ContainsSubstring("values are checked once every file can be read"));
}

TEST_CASE("a comparison that asks nothing passes nothing", "[cli]") {
  const std::string sides = "compare image-node image-node --set-b /jobs/0/loader/workers=6";
  CHECK_THAT(run(sides).out, !ContainsSubstring("pass") && !ContainsSubstring("mlperf_au"));
  CHECK_THAT(run(sides + " --fail-if 'mlperf_au_percent < -20 points'").out,
             ContainsSubstring("pass: ") && ContainsSubstring("mlperf_au_percent"));
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
  CHECK_THAT(done.err,
             ContainsSubstring("this is a result, not a scenario") && ContainsSubstring("headrace report FILE"));
  CHECK(errors_in(done.err) == 1);
}

namespace {

/// What every verb that reads a file says of one of another kind: once, what it is, and which verb takes it.
void refuses_once(const std::string& command, const std::string& what, const std::string& verb) {
  const headrace::testing::Run done = run(command);
  INFO(command << "\n" << done.err);
  CHECK(done.status == 2);
  CHECK(done.out.empty());
  CHECK_THAT(done.err, ContainsSubstring("this is " + what) && ContainsSubstring(verb));
  CHECK(done.err.find("error", done.err.find("error") + 5) == std::string::npos);
}

}  // namespace

TEST_CASE("a document of another kind is one complaint, for every verb that reads a file", "[cli][long_2]") {
  const headrace::testing::Folder folder;
  const auto made = [&folder](const std::string& call, const std::string& name) {
    const int status = run(call + " --json -o '" + folder.path(name) + "'").status;
    CHECK((status == 0 || status == 1 || status == 3));
    return "'" + folder.path(name) + "'";
  };
  const std::string result = made("bound image-node", "result.json");
  const std::string plan = made("plan image-node --decide /jobs/0/loader/workers=4,8 --inputs nominal", "plan.json");
  const std::string total = made("tco vision-cluster-offers --level flow", "tco.json");
  const std::string growth = made("growth growing-fleet --simulate off", "growth.json");
  const std::string check = made("check image-node --slo 'gpu_idle_fraction < 50 %'", "check.json");
  const std::string offer = "'" HEADRACE_SOURCE_DIR "/scenarios/offers/offer-a.json'";
  const std::string space = "'" HEADRACE_SOURCE_DIR "/scenarios/spaces/loader-workers.json'";
  const std::string scenario = "'" HEADRACE_SOURCE_DIR "/scenarios/shipped/image-node.json'";
  const std::string yaml = "'" HEADRACE_SOURCE_DIR "/scenarios/workloads/unet3d_h100.yaml'";
  const std::string store = "'" + folder.path("r.db") + "'";
  REQUIRE(run("sweep loader-workers --level bound -o " + store).status == 0);
  for (const char* verb :
       {"simulate", "bound", "validate", "plan", "tco", "growth", "campaign", "evidence",
        "check --slo 'gpu_idle_fraction < 5 %'", "compare image-node", "bakeoff --offers offer-a --"}) {
    const std::string call = std::string(verb) + " ";
    if (!call.starts_with("compare")) refuses_once(call + result, "a result, not a scenario", "headrace report FILE");
    refuses_once(call + plan, "a plan, not a scenario", "headrace report FILE");
    refuses_once(call + total, "a total cost", "headrace tco SCENARIO");
    refuses_once(call + growth, "a result of headrace growth", "headrace report FILE");
    refuses_once(call + check, "a result of headrace check", "headrace report FILE");
    refuses_once(call + offer, "an offer, not a scenario", "headrace bakeoff SCENARIO --offers FILE");
    refuses_once(call + space, "a space of scenarios", "headrace sweep FILE");
    refuses_once(call + yaml, "a DLIO workload in YAML", "headrace import dlio FILE");
    refuses_once(call + store, "a results store", "headrace report FILE");
  }
  refuses_once("sweep " + result, "a result, not a space of scenarios", "headrace report FILE");
  refuses_once("sweep " + scenario, "a scenario, not a space of scenarios", "\"axes\"");
  refuses_once("sweep " + offer, "an offer", "headrace bakeoff");
  refuses_once("sweep " + yaml, "a DLIO workload", "headrace import dlio");
  refuses_once("bakeoff vision-cluster-offers --offers " + plan, "a plan, not an offer", "headrace report");
  refuses_once("bakeoff vision-cluster-offers --offers " + scenario, "a scenario, not an offer", "before --offers");
  refuses_once("bakeoff vision-cluster-offers --offers " + yaml, "a DLIO workload", "headrace import dlio");
  refuses_once("report " + offer, "an offer", "headrace bakeoff");
  refuses_once("report " + scenario, "a scenario", "headrace simulate");
  CHECK(run("report " + total + " -o '" + folder.path("total.html") + "'").status == 0);
  refuses_once("report " + yaml, "a DLIO workload", "headrace import dlio");
  refuses_once("merge -o '" + folder.path("all.db") + "' " + plan, "a plan, not a results store", "headrace report");
  refuses_once("verify image-node --measured " + result, "a result, not a table", "headrace report");
  refuses_once("backtest " + plan, "a plan, not a table", "headrace report");
  refuses_once("calibrate --show " + result, "a result, not a file of headrace calibrate", "headrace report");
  refuses_once("import fio " + result, "a result, not a file of fio", "headrace report");
  refuses_once("check image-node --slo 'gpu_idle_fraction < 5 %' --baseline " + offer, "an offer, not a baseline",
               "headrace bakeoff");
  const std::string other = folder.write("other.yaml", "name: mine\ncluster:\n  pools: []\n");
  refuses_once("validate '" + other + "'", "YAML, not JSON", "yq -o json");
}

TEST_CASE("an element of a layer without its name is told how layers find elements", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string file = folder.write("files.json", R"({"datasets": [{"files": 1000}]})");
  const headrace::testing::Run done = run("simulate image-node " + file);
  CHECK(done.status == 2);
  CHECK_THAT(done.err, ContainsSubstring("a layer changes the element of a list that has the same name"));
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
  CHECK_THAT(headrace::testing::unbroken(done.err),
             ContainsSubstring(
                 "32 nodes of 8 GPUs; network of a node 50.00 GB/s (400.0 Gb/s); storage 60.00 GB/s (480.0 Gb/s). "));
  CHECK_THAT(run("init --gpus '256 H100 SXM' --store '60 Gb/s file system'").err,
             ContainsSubstring("storage 7.500 GB/s"));
}

TEST_CASE("an assumed metadata service that decides the verdict is named first", "[cli]") {
  const headrace::testing::Run done =
      run("init --gpus '32 nodes x 8 H100' --data '50 TB JPEG' --layout files --store '60 GB/s file system'");
  CHECK_THAT(
      headrace::testing::first_sentence(done.err),
      ContainsSubstring("limited by an assumed 128 metadata servers") && ContainsSubstring("set /stores/0/metadata"));
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
  CHECK_THAT(headrace::testing::unbroken(fewer.out), ContainsSubstring("are not of the same work"));
  CHECK_THAT(fewer.out, ContainsSubstring("/jobs/0/loader/workers"));
  CHECK_THAT(run("compare image-node image-node --set-b /jobs/0/loader/workers=6").out,
             !ContainsSubstring("not of the same work"));
}
