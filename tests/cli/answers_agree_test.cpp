// Verbs that answer for one scenario say the same of it, and say why: its confidence, what limits it, what a plan does
// not recommend. Tables fit a terminal, remedies can be pasted.
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::Contains;

namespace headrace {
namespace {

using testing::file_text;
using testing::Folder;
using testing::run;
using testing::Run;
using testing::unbroken;
using AgreeJson = nlohmann::json;

std::string longest_of(const std::string& text) {
  std::istringstream lines(text);
  std::string longest;
  for (std::string line; std::getline(lines, line);)
    if (line.size() > longest.size()) longest = line;
  return longest;
}

AgreeJson document_of(const std::string& call) {
  const Run done = run(call + " --json");
  INFO(call << "\n" << done.err);
  REQUIRE(done.status != 2);
  return AgreeJson::parse(done.out);
}

/// A store of which nothing but the bandwidth of its kind is known, in shards.
std::string object_store(const Folder& folder) {
  const std::string file = folder.path("own.json");
  REQUIRE(run("init --workload images --gpus '16 nodes x 8 H100' --data '20 TB JPEG' --layout shards --store 'object "
              "store' -o '" +
              file + "'")
              .status == 0);
  return "'" + file + "' ";
}

const std::string kWorkersPlan =
    "plan image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2 --set "
    "'/prices/gpu_hour=$3/h' --set '/prices/resources={\"core_hour\": \"$0.05/h\"}' --decide "
    "/jobs/0/loader/prefetch=2 --decide ";

}  // namespace

TEST_CASE("an assumed figure limits the answer only where a better one changes it", "[cli]") {
  const Folder folder;
  const std::string scenario = object_store(folder);
  CHECK_THAT(run("bound " + scenario).out, Contains("limited by an assumed"));
  // One connection is the limit: twice the assumed 100 GB/s changes nothing.
  const std::string one_stream = scenario + "--set '/stores/0/stream=20 MB/s'";
  const Run stream = run("bound " + one_stream);
  CHECK_THAT(stream.out, Contains("ingest-bound by transfer") && !Contains("assumed 100"));
  CHECK(document_of("evidence " + one_stream)["confidence"]["grade"] != "assumed");
  CHECK_THAT(run("evidence tiered-cache").out, !Contains("assumed 0 requests"));
}

TEST_CASE("verbs that have the same verdict of a scenario say the same of its confidence", "[cli]") {
  const Folder folder;
  for (const std::string& scenario :
       {std::string("fuse-mount "), std::string("tls-ingest "), std::string("sizing-sheet "), object_store(folder)}) {
    INFO(scenario);
    const AgreeJson simulated = document_of("simulate --steps 2048 " + scenario);
    const AgreeJson evidence = document_of("evidence " + scenario);
    const AgreeJson checked = document_of("check " + scenario + "--slo 'gpu_idle_fraction < 0.1 %'");
    REQUIRE(simulated["verdict"] == evidence["verdict"]);
    CHECK(simulated["confidence"] == evidence["confidence"]);
    CHECK(checked["outcome"]["confidence"] == evidence["confidence"]);
    CHECK_THAT(unbroken(run("check " + scenario + "--slo 'gpu_idle_fraction < 0.1 %'").out),
               Contains(evidence["confidence"]["reason"].get<std::string>()));
  }
}

TEST_CASE("a plan says the confidence of its recommendation as other verbs do of that scenario", "[cli]") {
  const std::string decided = "tls-ingest --set /jobs/0/loader/workers=8";
  const Run planned = run("plan tls-ingest --inputs nominal --decide /jobs/0/loader/workers=8 --json");
  REQUIRE(planned.status != 2);
  CHECK(AgreeJson::parse(planned.out)["confidence"] == document_of("evidence " + decided)["confidence"]);
  CHECK_THAT(run("plan tls-ingest --inputs nominal --decide /jobs/0/loader/workers=8").out,
             Contains("Confidence in the recommended configuration: "));
}

TEST_CASE("check and plan say that gains of the stage with most waits were not measured", "[cli]") {
  const std::string sentence = "Most waits arise in the stage decode";
  const Run checked =
      run("check image-node --set /jobs/0/loader/workers=5 --slo 'gpu_idle_fraction < 1 %' --slo 'batch_load_time_s < "
          "1 ms'");
  CHECK_THAT(unbroken(checked.out), Contains(sentence) && Contains("gains were not measured"));
  const Run planned =
      run("plan image-node --inputs nominal --decide /jobs/0/loader/workers=5 --decide "
          "/jobs/0/loader/prefetch=2");
  CHECK_THAT(unbroken(planned.out), Contains(sentence) && Contains("gains were not measured"));
}

TEST_CASE("a plan says why the best as stated and the runner-up are not recommended", "[cli]") {
  const Run planned = run(kWorkersPlan + "/jobs/0/loader/workers=6,8");
  INFO(planned.out << planned.err);
  const std::string text = unbroken(planned.out);
  CHECK_THAT(text, Contains("Best as stated: prefetch 2, workers 6; not recommended: it is fed in "));
  CHECK_THAT(text, Contains("of the input ranges, and 90 % are asked for."));
  CHECK_THAT(text, !Contains("over their ranges (") && !Contains("of the ranges of"));
  // An epoch on the cheaper machines costs less as stated: no longer step would make them win.
  CHECK_THAT(text, Contains("Next cheaper machines: prefetch 2, workers 6, $") && !Contains("They would win"));
  CHECK_THAT(text, Contains("The closed form of the first step"));
}

TEST_CASE("a plan that no configuration keeps fed at the default level ends with 1", "[cli]") {
  const Run few = run(kWorkersPlan + "/jobs/0/loader/workers=1,2");
  INFO(few.out << few.err);
  CHECK(few.status == 1);
  const std::string text = unbroken(few.out);
  CHECK_THAT(text, Contains("No configuration is fed in 90 % of the input ranges (exit status 1)"));
  CHECK_THAT(text, Contains("none is fed in any draw") && !Contains("with ."));
  CHECK(run(kWorkersPlan + "/jobs/0/loader/workers=8,9").status == 0);
  CHECK_THAT(unbroken(run("plan --help").out), Contains("where no configuration is, the exit status is 1"));
}

TEST_CASE("a plan refuses --slo and says which limit to write", "[cli]") {
  const Run refused = run("plan image-node --slo 'gpu_idle_fraction < 5 %'");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err,
             Contains("--slo limits the answers of --require and --max") && Contains("--set '/subject_to/idle=5 %'"));
}

TEST_CASE("a plan says where it uses more cores than a node has", "[cli]") {
  const Run planned = run(
      "plan image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=1 --inputs nominal --set "
      "/cluster/pools/0/host/cores=4 --decide /jobs/0/loader/workers=8 --decide /jobs/0/loader/prefetch=2");
  INFO(planned.out << planned.err);
  CHECK_THAT(unbroken(planned.out), Contains("uses 8 cores of each node, which has 4") &&
                                        Contains("--set /subject_to/cores=1") && Contains("more than there are"));
}

TEST_CASE("a title is followed by what --set changes", "[cli]") {
  CHECK_THAT(run("bound image-node --set /cluster/pools/0/nodes=2").out,
             Contains("Images in tar shards on 4 nodes of 8 GPUs (with /cluster/pools/0/nodes = 2)\n"));
  CHECK_THAT(unbroken(run("check image-node --set /cluster/pools/0/nodes=2 --set /jobs/0/loader/workers=8 --slo "
                          "'gpu_idle_fraction < 5 %'")
                          .out),
             Contains("(with /cluster/pools/0/nodes = 2 and 1 more)"));
  CHECK_THAT(run("bound image-node --set '/title=Mine'").out, Contains("Mine\n"));
}

TEST_CASE("every first remedy has options that can be pasted", "[cli]") {
  // One connection, the adapter and the cores of a node are machines, not settings of a job.
  for (const std::string& scenario :
       {std::string("image-node --set '/stores/0/bandwidth=2 GB/s' "), std::string("small-requests "),
        std::string("tls-ingest "), std::string("roce-vs-tcp ")}) {
    INFO(scenario);
    const AgreeJson document = document_of("bound --level estimate " + scenario);
    if (!document.contains("first_remedy")) continue;
    const std::string options = document["first_remedy"]["options"];
    REQUIRE(options.starts_with("--set "));
    const AgreeJson then = document_of("bound --level estimate " + scenario + options);
    const double now = document["metrics"]["gpu_idle_fraction"]["mean"];
    CHECK(then["metrics"]["gpu_idle_fraction"]["mean"].get<double>() ==
          Approx(std::max(0.0, now - document["first_remedy"]["gain"].get<double>())).margin(1e-9));
  }
  const std::string text =
      run("check image-node --set '/stores/0/bandwidth=2 GB/s' --slo 'gpu_idle_fraction < 1 %'").out;
  CHECK_THAT(text, Contains("Try it with\n  --set "));
}

TEST_CASE("a value below 0 that is taken for a flag is explained", "[cli]") {
  const Run seed = run("simulate image-node --seed -1");
  CHECK(seed.status == 2);
  CHECK_THAT(seed.err, Contains("'-1' begins with a minus sign") && Contains("--seed=-1"));
  CHECK_THAT(run("simulate image-node --seed=-1").err, Contains("'-1' is below 0"));
  const Run set = run("simulate image-node --set /jobs/0/loader/workers -5");
  CHECK(set.status == 2);
  CHECK_THAT(set.err, Contains("write --set /jobs/0/loader/workers=-5") && !Contains("E0302"));
}

TEST_CASE("wide tables are folded to 80 columns", "[cli]") {
  const auto fits = [](const std::string& call) {
    const Run done = run(call);
    INFO(done.err);
    REQUIRE(done.status == 0);
    const std::string longest = longest_of(done.out);
    CAPTURE(call, longest);
    CHECK(longest.size() <= 80);
    return done.out;
  };
  CHECK_THAT(fits("growth growing-fleet --verbose --simulate off --inputs nominal"), Contains("GPUs waiting"));
  CHECK_THAT(fits("tco vision-cluster-offers --verbose --level estimate"), Contains("present value"));
  CHECK_THAT(fits("bakeoff vision-cluster-offers --offers offer-a offer-b --draws 8 --steps 64"),
             Contains("wins below"));
  fits(
      "compare image-node image-node --steps 600 --set-b /jobs/0/loader/workers=3 --set-b "
      "'/prices/resources={\"core_hour\": \"$0.05/h\"}' --set-b '/stores/0/bandwidth=20 GB/s'");
}

TEST_CASE("a cost without a price of egress says so", "[cli]") {
  const std::string scenario = "image-node --set /stores/0/kind=object_store --set '/prices/gpu_hour=$3/h' ";
  const std::string said = "no egress price stated for store 'storage': set /stores/0/price/egress";
  CHECK_THAT(run("bound " + scenario).out, Contains(said));
  CHECK_THAT(run("bound --verbose " + scenario).out, Contains("no price stated"));
  CHECK_THAT(run("bound " + scenario + "--set '/stores/0/price/egress=$0/GB'").out, !Contains(said));
  CHECK_THAT(run("tco --level flow " + scenario).err, Contains(said));
  CHECK_THAT(run("bound image-node --set '/prices/gpu_hour=$3/h'").out, !Contains("egress price"));
}

}  // namespace headrace
