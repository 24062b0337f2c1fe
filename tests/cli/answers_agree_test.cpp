// Verbs that answer for one scenario say the same of it, and say why: its confidence, what limits it, what a plan does
// not recommend. Tables fit a terminal, remedies can be pasted.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::ContainsSubstring;

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

/// Path of a draft of 128 GPUs that read images in shards from this store (and over this network).
std::string draft_in(const Folder& folder, const std::string& store) {
  const std::string file = folder.path("own.json");
  REQUIRE(run("init --workload images --gpus '16 nodes x 8 H100' --data '20 TB JPEG' --layout shards --store " + store +
              " -o '" + file + "'")
              .status == 0);
  return file;
}

/// A store of which nothing but the bandwidth of its kind is known, in shards.
std::string object_store(const Folder& folder) { return "'" + draft_in(folder, "'object store'") + "' "; }

const std::string kWorkersPlan =
    "plan image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2 --set "
    "'/prices/gpu_hour=$3/h' --set '/prices/resources={\"core_hour\": \"$0.05/h\"}' --decide "
    "/jobs/0/loader/prefetch=2 --decide ";

}  // namespace

TEST_CASE("an assumed figure limits the answer only where a better one changes it", "[cli]") {
  const Folder folder;
  const std::string scenario = object_store(folder);
  CHECK_THAT(run("bound " + scenario).out, ContainsSubstring("limited by an assumed"));
  // One connection is the limit: twice the assumed 100 GB/s changes nothing.
  const std::string one_stream = scenario + "--set '/stores/0/stream=20 MB/s'";
  const Run stream = run("bound " + one_stream);
  CHECK_THAT(stream.out, ContainsSubstring("ingest-bound") && !ContainsSubstring("assumed 100"));
  CHECK(document_of("evidence " + one_stream)["confidence"]["grade"] != "assumed");
  CHECK_THAT(run("evidence tiered-cache").out, !ContainsSubstring("assumed 0 requests"));
}

TEST_CASE("verbs that have the same verdict of a scenario say the same of its confidence", "[cli][long_3]") {
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
               ContainsSubstring(evidence["confidence"]["reason"].get<std::string>()));
  }
}

TEST_CASE("a plan says the confidence of its recommendation as other verbs do of that scenario", "[cli]") {
  const std::string decided = "tls-ingest --set /jobs/0/loader/workers=8";
  const Run planned = run("plan tls-ingest --inputs nominal --decide /jobs/0/loader/workers=8 --json");
  REQUIRE(planned.status != 2);
  CHECK(AgreeJson::parse(planned.out)["confidence"] == document_of("evidence " + decided)["confidence"]);
  CHECK_THAT(run("plan tls-ingest --inputs nominal --decide /jobs/0/loader/workers=8").out,
             ContainsSubstring("Confidence in the recommended configuration: "));
}

TEST_CASE("every verb names the same bottleneck, also where the removal of another stage gains as much",
          "[cli][long_1]") {
  // Without protocol or without transfer no GPU waits: most waits arise in protocol.
  const AgreeJson simulated = document_of("simulate tls-ingest");
  REQUIRE(simulated["verdict"] == "ingest_bound");
  const std::string binding = simulated["binding"];
  CHECK(binding == "protocol");
  CHECK(document_of("compare tls-ingest tls-ingest")["a"]["binding"] == binding);
  CHECK(document_of(
            "check tls-ingest --slo 'gpu_idle_fraction < 5 %' --slo 'batch_load_time_s < 1 s'")["outcome"]["binding"] ==
        binding);
  const AgreeJson planned = document_of("plan tls-ingest --inputs nominal --decide /jobs/0/loader/workers=4");
  CHECK(planned["recommended"]["binding"] == binding);
  const std::string tie = "Removing transfer instead gains as much";
  CHECK_THAT(unbroken(run("simulate tls-ingest").out), ContainsSubstring("ingest-bound by protocol or transfer"));
  CHECK_THAT(unbroken(run("simulate tls-ingest --verbose").out), ContainsSubstring(tie));
  CHECK_THAT(unbroken(run("compare tls-ingest tls-ingest").out),
             ContainsSubstring("Both are ingest-bound by protocol") && ContainsSubstring(tie));
}

TEST_CASE("a page frames the workers where no shared resource is full, and names a stage that gains as much", "[cli]") {
  const Folder folder;
  const std::string page = folder.path("page.html");
  REQUIRE(run("simulate tls-ingest --steps 512 --report '" + page + "'").status == 0);
  const std::string html = file_text(page);
  const std::size_t framed = html.find("class=\"station binding\">");
  REQUIRE(framed != std::string::npos);
  CHECK(html.substr(framed, 60).find("workers") != std::string::npos);
  CHECK_THAT(html, ContainsSubstring("Removing transfer instead gains as much"));
}

TEST_CASE("GPUs that do not wait as stated, and may over the ranges of inputs, are told so at once", "[cli]") {
  const Folder folder;
  const std::string page = folder.path("page.html");
  const Run done = run("simulate image-node --report '" + page + "'");
  const std::string text = unbroken(done.out);
  INFO(text);
  const AgreeJson ranged = document_of("bound image-node --inputs ranges");
  const double most = ranged["metrics"]["gpu_idle_fraction"]["input_range"][1];
  const std::string said = fmt::format(
      "In a tenth of the draws of its inputs the GPUs wait {:.1f} % or more (by flow bounds): ", 100.0 * most);
  CHECK_THAT(text, ContainsSubstring(said + "--inputs ranges"));
  CHECK_THAT(file_text(page), ContainsSubstring(said + "<span class=\"option\">--inputs</span> ranges"));
  CHECK_THAT(unbroken(run("simulate tiered-cache --steps 600").out), !ContainsSubstring("In a tenth of the draws"));
}

TEST_CASE("a verdict that a stated range turns says so, and how to answer over the ranges", "[cli]") {
  const Folder folder;
  const std::string file = draft_in(folder, "'40 GB/s file system' --network 2x200G");
  const Run done = run("simulate '" + file + "'");
  const std::string text = unbroken(done.out);
  INFO(done.out);
  CHECK_THAT(text, !ContainsSubstring("faster storage will not help") &&
                       ContainsSubstring("Compute-bound at the scenario's values") &&
                       ContainsSubstring("assumed range of ") &&
                       ContainsSubstring("Confidence: assumed; the verdict may be wrong") &&
                       ContainsSubstring("Details: headrace evidence " + file));
  CHECK_THAT(done.out, !ContainsSubstring("0 .. 0"));
  CHECK(document_of("simulate '" + file + "'")["confidence"]["grade"] == "assumed");
  // A range that turns nothing leaves the verdict as it is.
  const std::string narrow = "'" + file +
                             "' --set '/input_ranges=[{\"parameter\": \"/jobs/0/step/step_time\", \"low\": "
                             "\"0.14 s\", \"high\": \"0.15 s\"}]'";
  CHECK_THAT(run("simulate " + narrow).out,
             ContainsSubstring("faster storage will not help") && !ContainsSubstring("--inputs ranges"));
}

TEST_CASE("a check that its input ranges fail says what passes and what is required", "[cli][long_4]") {
  const Folder folder;
  const std::string file = draft_in(folder, "'40 GB/s file system' --network 2x200G");
  const Run failed = run("check '" + file + "' --slo 'gpu_idle_fraction < 5 %' --require '95 %'");
  INFO(failed.out);
  REQUIRE(failed.status == 1);
  CHECK_THAT(unbroken(failed.out), !ContainsSubstring("fail: 1 of 1 thresholds pass") &&
                                       ContainsSubstring("draws of the inputs pass, 95 % are required") &&
                                       ContainsSubstring("at the scenario's values 1 of 1 thresholds pass"));
}

TEST_CASE("a remedy says where it is beyond the machine, and what fits comes first", "[cli]") {
  const Run fits = run("simulate image-node --set /jobs/0/loader/workers=5 --steps 1024");
  CHECK_THAT(unbroken(fits.out), ContainsSubstring("use 8 workers in each loader, as many as the cores hold"));
  const AgreeJson few = document_of(
      "simulate image-node --set /jobs/0/loader/workers=5 --set /cluster/pools/0/host/cores=40 --steps 1024");
  const std::string change = few["first_remedy"]["change"];
  INFO(change);
  CHECK_THAT(change, !ContainsSubstring("workers") || ContainsSubstring("beyond the machine"));
}

TEST_CASE("the first remedy of a slow remote store is not its latency", "[cli]") {
  const Folder folder;
  const std::string file = draft_in(folder, "'object store'");
  const AgreeJson slow = document_of("simulate '" + file + "' --set '/stores/0/latency=2 s' --steps 2048");
  REQUIRE(slow["verdict"] == "ingest_bound");
  CHECK_THAT(slow["first_remedy"]["change"].get<std::string>(), !ContainsSubstring("latency"));
}

TEST_CASE("a plan that feeds nothing says so, and what outside its decisions would", "[cli][long_3]") {
  const Folder folder;
  const std::string file = draft_in(folder, "'object store'");
  const std::string call = "plan '" + file + "' --set '/stores/0/latency=2 s' --inputs nominal ";
  const Run text = run(call);
  CHECK_THAT(unbroken(text.out), ContainsSubstring("With it the GPUs still wait for data"));
  CHECK_THAT(unbroken(text.out), ContainsSubstring("a change outside these decisions feeds the GPUs better") &&
                                     ContainsSubstring("plan with it: add --set"));
  const std::string document = folder.path("plan.json");
  run(call + "--json -o '" + document + "'");
  const Run memo = run("report '" + document + "' --memo --format markdown");
  CHECK_THAT(memo.out, ContainsSubstring("Outside these decisions: ") && ContainsSubstring("Confidence in the") &&
                           ContainsSubstring("| assumed |") && !ContainsSubstring("stated in the scenario"));
  CHECK_THAT(run("report '" + document + "' --format csv").err, ContainsSubstring("--memo"));
}

TEST_CASE("a comparison tells the cost of an epoch of each side", "[cli]") {
  const Run compared =
      run("compare image-node image-node --set '/prices={\"gpu_hour\": \"$3/h\"}' --set-b /jobs/0/loader/workers=5 "
          "--steps 512");
  INFO(compared.out);
  CHECK_THAT(unbroken(compared.out), ContainsSubstring("an epoch; B ") && !ContainsSubstring("gained saves"));
}

TEST_CASE("a comparison names its sides by what is changed, and figures by their labels and units", "[cli]") {
  const Run compared = run(
      "compare image-node image-node --set-b /jobs/0/loader/workers=5 --set-b /jobs/0/loader/prefetch=3 --steps 1024");
  INFO(compared.out);
  CHECK_THAT(unbroken(compared.out),
             ContainsSubstring("A: image-node, B: image-node with /jobs/0/loader/workers=5 and 1 more"));
  CHECK_THAT(compared.out, !ContainsSubstring("gpu_idle_fraction") && ContainsSubstring("GPU idle time") &&
                               ContainsSubstring(" pt\n") && ContainsSubstring(" %\n"));
  CHECK(longest_of(compared.out).size() <= 80);
}

TEST_CASE("a plan that its time limit ends says so first, and one that meets nothing is no green page", "[cli]") {
  const Folder folder;
  const Run stopped = run("plan plan-1250-nodes --max-wall 0.5s");
  INFO(stopped.out);
  CHECK(stopped.status == 3);
  CHECK_THAT(unbroken(stopped.out.substr(0, 700)), ContainsSubstring("--max-wall ended"));
  const std::string page = folder.path("plan.html");
  CHECK(run(kWorkersPlan + "/jobs/0/loader/workers=1,2 --report '" + page + "'").status == 1);
  CHECK_THAT(file_text(page),
             !ContainsSubstring("class=\"verdict good\"") && ContainsSubstring("Not fed often enough"));
}

TEST_CASE("a plan counts the values that it tried, and says what an error of an input means", "[cli]") {
  const Run planned = run(kWorkersPlan + "/jobs/0/loader/workers=2:16 --verbose");
  INFO(planned.out);
  const std::string text = unbroken(planned.out);
  CHECK_THAT(text, ContainsSubstring("workers: 2, 3, 4 ... 16 (15 values)") &&
                       ContainsSubstring("To try it, add to this call"));
  CHECK_THAT(text, ContainsSubstring("If one input is wrong, towards more ") && ContainsSubstring("5 % more") &&
                       !ContainsSubstring("+5 %"));
  CHECK_THAT(text, ContainsSubstring("shorter than those of headrace simulate"));
}

TEST_CASE("the name of an output file says its form", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("answer.md");
  REQUIRE(run("simulate image-node --steps 512 -o '" + file + "'").status == 0);
  CHECK_THAT(file_text(file), ContainsSubstring("## fed") && ContainsSubstring("| metric | mean |") &&
                                  !ContainsSubstring("over input ranges"));
}

TEST_CASE("a plan says why the best as stated and the runner-up are not recommended", "[cli]") {
  const Run planned = run(kWorkersPlan + "/jobs/0/loader/workers=6,8 --verbose");
  INFO(planned.out << planned.err);
  const std::string text = unbroken(planned.out);
  CHECK_THAT(text, ContainsSubstring("Best as stated: prefetch 2, workers 6; not recommended: it is fed in "));
  CHECK_THAT(text, ContainsSubstring("of the input ranges, and 90 % are asked for."));
  CHECK_THAT(text, !ContainsSubstring("over their ranges (") && !ContainsSubstring("of the ranges of"));
  // An epoch on the cheaper machines costs less as stated: no longer step would make them win, and why they are not
  // recommended is told once.
  CHECK_THAT(text, ContainsSubstring("Runner-up: prefetch 2, workers 6 at $") &&
                       !ContainsSubstring("Next cheaper machines") && !ContainsSubstring("They would win"));
  CHECK_THAT(text, ContainsSubstring("The closed form of the first step"));
}

TEST_CASE("a plan shows what each change that it recommends gains, where runs of twice the length tell it", "[cli]") {
  const Run planned = run("plan prefetch-queue");
  INFO(planned.out << planned.err);
  REQUIRE(planned.status == 0);
  CHECK_THAT(planned.out, ContainsSubstring("prefetch     5      3"));
  CHECK_THAT(planned.out, ContainsSubstring("2.  prefetch 3 to 5"));
  CHECK_THAT(planned.out, !ContainsSubstring("No gain told"));
  CHECK_THAT(planned.out, !ContainsSubstring("the most that was tried"));  // its GPUs wait no more
}

TEST_CASE("a pinned cache that the last epoch still fills is warned of, one that is full is not", "[cli]") {
  const std::string cached =
      "bound image-node --set '/cluster/pools/0/drives/capacity=8 TB' --set '/cluster/pools/0/cache={\"policy\": "
      "\"pinned\", \"medium\": \"nvme\", \"bytes\": \"4 TB\", \"bandwidth\": \"20 GB/s\", \"latency\": \"100 us\"}' ";
  const std::string two = unbroken(run(cached + "--set /jobs/0/epochs=2").out);
  CHECK_THAT(two, ContainsSubstring("the cache of a node still fills in epoch 2, the last: 25 % of reads hit"));
  CHECK_THAT(two, ContainsSubstring("jobs/0/epochs"));
  for (const char* epochs : {"1", "40"})  // nothing is read again; all that fits is there
    CHECK_THAT(run(cached + "--set /jobs/0/epochs=" + epochs).out, !ContainsSubstring("still fills"));
}

TEST_CASE("a step that takes longer lengthens the epoch by no less than all steps of it", "[cli]") {
  const auto plan = nlohmann::json::parse(run("plan prefetch-queue --json").out);
  const double epoch_s = plan["recommended"]["metrics"]["epoch_time_s"]["mean"].get<double>();
  std::size_t told = 0;
  for (const auto& error : plan["input_errors"]) {
    if (error["parameter"] != "/jobs/0/step/step_time") continue;
    ++told;
    constexpr double kSteps = 1e6;  // of a second each
    CHECK(epoch_s + error["change"]["mean"].get<double>() >= kSteps * (1.0 + error["error"].get<double>()) - 1e-3);
  }
  CHECK(told == 2);
}

TEST_CASE("a plan that no configuration keeps fed at the default level ends with 1", "[cli]") {
  const Run few = run(kWorkersPlan + "/jobs/0/loader/workers=1,2");
  INFO(few.out << few.err);
  CHECK(few.status == 1);
  const std::string text = unbroken(few.out);
  CHECK_THAT(text, ContainsSubstring("No configuration is fed in 90 % of the input ranges (exit status 1)"));
  CHECK_THAT(text, ContainsSubstring("none is fed in any draw") && !ContainsSubstring("with ."));
  CHECK(run(kWorkersPlan + "/jobs/0/loader/workers=8,9").status == 0);
  CHECK_THAT(unbroken(run("plan --help").out), ContainsSubstring("where no configuration is, the exit status is 1"));
}

TEST_CASE("a plan refuses --slo and says which limit to write", "[cli]") {
  const Run refused = run("plan image-node --slo 'gpu_idle_fraction < 5 %'");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err, ContainsSubstring("--slo limits the answers of --require and --max") &&
                              ContainsSubstring("--set '/subject_to/idle=5 %'"));
}

TEST_CASE("a plan says where it uses more cores than a node has", "[cli]") {
  const Run planned = run(
      "plan image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=1 --inputs nominal --set "
      "/cluster/pools/0/host/cores=4 --decide /jobs/0/loader/workers=8 --decide /jobs/0/loader/prefetch=2 --verbose");
  INFO(planned.out << planned.err);
  CHECK_THAT(unbroken(planned.out), ContainsSubstring("uses 8 cores of each node, which has 4") &&
                                        ContainsSubstring("--set /subject_to/cores=1") &&
                                        ContainsSubstring("more than there are"));
}

TEST_CASE("a title is followed by what --set changes", "[cli]") {
  CHECK_THAT(run("bound image-node --set /cluster/pools/0/nodes=2").out,
             ContainsSubstring("Images in tar shards on 4 nodes of 8 GPUs (with /cluster/pools/0/nodes = 2)\n"));
  CHECK_THAT(unbroken(run("check image-node --set /cluster/pools/0/nodes=2 --set /jobs/0/loader/workers=8 --slo "
                          "'gpu_idle_fraction < 5 %'")
                          .out),
             ContainsSubstring("(with /cluster/pools/0/nodes = 2 and 1 more)"));
  CHECK_THAT(run("bound image-node --set '/title=Mine'").out, ContainsSubstring("Mine\n"));
}

TEST_CASE("a comparison of several jobs tells the change of each, and mixes none of their steps", "[cli]") {
  const Run result = run("compare shared-store shared-store --set-b '/jobs/1/step/step_time=600 ms' --steps 128");
  INFO(result.out << result.err);
  const std::string text = unbroken(result.out);
  CHECK_THAT(text, ContainsSubstring("the step time of video-128-gpus"));
  CHECK_THAT(text, ContainsSubstring("video-128-gpus: step time"));
  CHECK(result.out.find("\n  step time") == std::string::npos);
  CHECK(result.out.find("  samples per second") == std::string::npos);
}

TEST_CASE("a title names what is in a list or record that --set changes", "[cli]") {
  const auto title = [](const std::string& set) { return unbroken(run("bound shared-store --set '" + set + "'").out); };
  CHECK_THAT(title(R"(/jobs/0/step={"batch": 64, "step_time": "200 ms"})"),
             ContainsSubstring("(with /jobs/0/step = {batch, step_time})"));
  CHECK_THAT(title(R"(/background=[{"name": "scrub", "store": "files", "bandwidth": "1 GB/s"}])"),
             ContainsSubstring("(with /background = [scrub])"));
  CHECK_THAT(title(R"(/decide=[{"parameter": "/jobs/0/loader/workers", "values": [4, 8]}])"),
             ContainsSubstring("(with /decide = [1 value])"));
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
    const double gain = document["first_remedy"]["gain"];  // GPU time that the same work takes less
    CHECK(then["metrics"]["gpu_idle_fraction"]["mean"].get<double>() ==
          Approx(std::max(0.0, (now - gain) / (1.0 - gain))).margin(1e-9));
  }
  const std::string text =
      run("check image-node --set '/stores/0/bandwidth=2 GB/s' --slo 'gpu_idle_fraction < 1 %'").out;
  CHECK_THAT(text, ContainsSubstring("Try it with\n  --set "));
}

TEST_CASE("a remedy that was simulated briefly saves what it saves when it is tried", "[cli][long_2]") {
  const AgreeJson now = document_of("simulate sizing-sheet --no-relief");
  REQUIRE(now["first_remedy"]["kind"] == "simulated");
  const AgreeJson then =
      document_of("simulate sizing-sheet --no-relief " + now["first_remedy"]["options"].get<std::string>());
  const auto cost_usd = [](const AgreeJson& outcome) {
    return outcome["metrics"]["cost_per_epoch_usd"]["mean"].get<double>();
  };
  // Counted from the wait of the brief run it was half as much again.
  CHECK(now["first_remedy"]["cost_per_epoch_change_usd"].get<double>() ==
        Approx(cost_usd(then) - cost_usd(now)).epsilon(0.15));
}

TEST_CASE("a value below 0 that is taken for a flag is explained", "[cli]") {
  const Run seed = run("simulate image-node --seed -1");
  CHECK(seed.status == 2);
  CHECK_THAT(seed.err, ContainsSubstring("'-1' begins with a minus sign") && ContainsSubstring("--seed=-1"));
  CHECK_THAT(run("simulate image-node --seed=-1").err, ContainsSubstring("'-1' is below 0"));
  const Run set = run("simulate image-node --set /jobs/0/loader/workers -5");
  CHECK(set.status == 2);
  CHECK_THAT(set.err, ContainsSubstring("write --set /jobs/0/loader/workers=-5") && !ContainsSubstring("E0302"));
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
  CHECK_THAT(fits("growth growing-fleet --verbose --simulate off --inputs nominal"), ContainsSubstring("GPUs waiting"));
  CHECK_THAT(fits("tco vision-cluster-offers --verbose --level estimate"), ContainsSubstring("present value"));
  CHECK_THAT(fits("bakeoff vision-cluster-offers --offers offer-a offer-b --draws 8 --steps 64"),
             ContainsSubstring("wins below") && ContainsSubstring("Warning: runs of 64 steps are too short for "));
  fits(
      "compare image-node image-node --steps 600 --set-b /jobs/0/loader/workers=3 --set-b "
      "'/prices/resources={\"core_hour\": \"$0.05/h\"}' --set-b '/stores/0/bandwidth=20 GB/s'");
}

TEST_CASE("a cost without a price of egress says so", "[cli]") {
  const std::string scenario = "image-node --set /stores/0/kind=object_store --set '/prices/gpu_hour=$3/h' ";
  const std::string said = "no egress price stated for store 'storage': set /stores/0/price/egress";
  CHECK_THAT(run("bound " + scenario).out, ContainsSubstring(said));
  CHECK_THAT(run("bound --verbose " + scenario).out, ContainsSubstring("free or not stated"));
  CHECK_THAT(run("bound " + scenario + "--set '/stores/0/price/egress=$0/GB'").out, !ContainsSubstring(said));
  CHECK_THAT(run("tco --level flow " + scenario).err, ContainsSubstring(said));
  // A scenario without any price has a list of what it uses, and no column of costs.
  CHECK_THAT(run("bound --verbose image-node").out, ContainsSubstring("Used in one epoch") &&
                                                        ContainsSubstring("without prices: state them with") &&
                                                        !ContainsSubstring("free or not stated"));
  CHECK_THAT(run("bound image-node --set '/prices/gpu_hour=$3/h'").out, !ContainsSubstring("egress price"));
}

TEST_CASE("a plan that packs files says that they are still read in any order", "[cli]") {
  const std::string call =
      "plan image-node --set /cluster/pools/0/nodes=1 --set /datasets/0/order=random "
      "--decide /datasets/0/samples_per_file=1,100 --decide /jobs/0/loader/workers=8 --inputs nominal ";
  CHECK_THAT(unbroken(run(call).out), ContainsSubstring("order stays random"));
  CHECK_THAT(unbroken(run(call + "--set /datasets/0/order=shard_sequential").out), !ContainsSubstring("stays random"));
}

TEST_CASE("waits that are longer than checkpoints are the verdict, and a checkpoint is read back as fast by bounds",
          "[cli]") {
  const auto told = [](const std::string& call) { return nlohmann::json::parse(run(call + " --json").out); };
  const std::string slow =
      "simulate overlapped-snapshots --no-relief --steps 600 --set '/stores/0/bandwidth=10.5 GB/s'";
  const auto waits = told(slow);
  const double interrupted =
      waits["gpu_states"]["checkpoint"].get<double>() + waits["gpu_states"]["failure"].get<double>();
  REQUIRE(waits["metrics"]["gpu_idle_fraction"]["mean"].get<double>() > interrupted);
  CHECK(waits["verdict"] == "ingest_bound");
  const auto simulated = told("simulate overlapped-snapshots --no-relief --steps 600");
  const auto bound = told("bound overlapped-snapshots");
  CHECK(bound["metrics"]["checkpoint_load_s"]["mean"].get<double>() ==
        Approx(simulated["metrics"]["checkpoint_load_s"]["mean"].get<double>()).epsilon(1e-9));
}

TEST_CASE("goodput is a share of the whole epoch, with the time between epochs", "[cli]") {
  const auto metrics = nlohmann::json::parse(run("bound torch-epochs --json").out)["metrics"];
  const auto mean = [&](const char* name) { return metrics[name]["mean"].get<double>(); };
  REQUIRE(mean("epoch_boundary_s") > 0.0);
  CHECK(mean("goodput_fraction") ==
        Approx(mean("gpu_utilization") * (1.0 - mean("epoch_boundary_s") / mean("epoch_time_s"))));
}

TEST_CASE("waits for the largest batch are told, and no step is shorter than that of one replica", "[cli]") {
  const Run answer = run("simulate interleaved-vision-language --no-relief --steps 600");
  CHECK_THAT(testing::unbroken(answer.out), ContainsSubstring("is the wait for the replica with the largest batch") &&
                                                ContainsSubstring("balance batches by size"));
  const auto metrics = nlohmann::json::parse(run("bound interleaved-vision-language --json").out)["metrics"];
  const auto mean = [&](const char* name) { return metrics[name]["mean"].get<double>(); };
  CHECK(mean("largest_batch_wait_s") > 0.3 * mean("step_time_s"));
  CHECK(mean("scaling_efficiency") < 0.7);
}

}  // namespace headrace

TEST_CASE("a side whose GPUs have no price is not said to be cheaper", "[cli]") {
  const std::string call = "compare unet3d-h100 unet3d-h100 --steps 200 --set-b /jobs/0/loader/workers=5";
  const headrace::testing::Run unpriced = headrace::testing::run(call + " --set-b /prices=null");
  INFO(unpriced.out << unpriced.err);
  CHECK(unpriced.out.find("the GPUs of B have no price, so costs are not compared: set /prices") != std::string::npos);
  CHECK(unpriced.out.find("cost per epoch") == std::string::npos);
  CHECK(unpriced.out.find("an epoch; ") == std::string::npos);
  const headrace::testing::Run document = headrace::testing::run(call + " --set-b /prices=null --json");
  CHECK(document.out.find("_usd\"") == std::string::npos);
  CHECK(headrace::testing::run(call).out.find("have no price") == std::string::npos);
}
