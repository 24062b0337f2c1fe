// What an answer leaves open stands beside it: what is assumed, what has no price, what a title does not say, and what
// a short scenario is not good for. What is written as people write it is taken, or answered by what to write instead.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::ContainsSubstring;

namespace headrace {
namespace {

using testing::Folder;
using testing::run;
using testing::Run;
using testing::unbroken;
using BesideJson = nlohmann::json;

const std::string kSmall = "image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2 ";

/// A draft of 128 GPUs that read images in shards; the size of a sample is assumed.
std::string draft(const Folder& folder, const std::string& answers = "") {
  const std::string file = folder.path("mine.json");
  const Run done =
      run("init --force --workload images --gpus '16 nodes x 8 H100' --data '20 TB JPEG' --layout shards "
          "--store '40 GB/s file system' --network 2x200G " +
          answers + " -o '" + file + "'");
  INFO(done.err);
  REQUIRE(done.status == 0);
  return "'" + file + "' ";
}

}  // namespace

TEST_CASE("what a store must deliver says how far it can be trusted, by the jobs and not by the present store",
          "[cli][long_4]") {
  const Folder folder;
  const std::string ranged = folder.write(
      "ranged.json", R"({"input_ranges": [{"parameter": "/datasets/0/sample_bytes", "low": "50 kB", "high": "250 kB"},
                                          {"parameter": "/stores/0/bandwidth", "low": "1 MB/s", "high": "1 TB/s"}]})");
  const Run known = run("plan " + kSmall + "--require");
  CHECK_THAT(unbroken(known.out), ContainsSubstring("Confidence in these figures: ") && !ContainsSubstring("assumed"));
  const BesideJson document = BesideJson::parse(run("plan " + kSmall + "'" + ranged + "' --require --json").out);
  CHECK_THAT(
      document["confidence"]["reason"].get<std::string>(),
      ContainsSubstring("The answer is open over the assumed range of /datasets/0/sample_bytes, 50 kB to 250 kB; "
                        "at 250 kB a store that delivers what is asked misses train: ") &&
          !ContainsSubstring("/stores/0/bandwidth"));
  CHECK(document["confidence"]["grade"] == "assumed");
  CHECK(document["confidence"]["may_change_verdict"] == true);
}

TEST_CASE("a check that passes only as stated says so in its text, JUnit file and annotations", "[cli][long_3]") {
  const Folder folder;
  const std::string junit = folder.path("gate.xml");
  const Run done = run("check " + draft(folder) + "--slo 'gpu_idle_fraction < 5 %' --github --junit '" + junit + "'");
  CHECK(done.status == 0);
  CHECK_THAT(unbroken(done.out), ContainsSubstring("1 of 1 thresholds pass at the scenario's values") &&
                                     ContainsSubstring("::warning title=headrace check::The pass is open over the "
                                                       "assumed range of /datasets/0/sample_bytes") &&
                                     ContainsSubstring("gpu_idle_fraction < 5 %25 fails: "));
  CHECK_THAT(testing::file_text(junit), ContainsSubstring("<property name=\"confidence\" value=\"assumed\"/>") &&
                                            ContainsSubstring("--require &quot;90 % of inputs&quot;"));
  // What passes all over the ranges, and what was asked of the ranges.
  for (const char* asked :
       {"--slo 'gpu_idle_fraction < 99 %'", "--slo 'gpu_idle_fraction < 5 %' --require '10 % of inputs'"}) {
    const Run sure = run("check " + draft(folder) + asked + " --github");
    INFO(sure.out);
    CHECK(sure.status == 0);
    CHECK_THAT(sure.out,
               !ContainsSubstring("thresholds pass at the scenario's values") && !ContainsSubstring("::warning"));
  }
}

TEST_CASE("a total cost says what has no price", "[cli]") {
  const std::string call = "tco " + kSmall + "--level flow ";
  const auto free = [&](const std::string& prices, const std::string& more = "") {
    return BesideJson::parse(run(call + "--set '/prices=" + prices + "' " + more + " --json").out)["unpriced"]
        .get<std::string>();
  };
  CHECK_THAT(free(R"({"node_hour": "$98/h"})"), !ContainsSubstring("GPU") && ContainsSubstring("staff"));
  CHECK_THAT(free(R"({"owned": {"gpu_capital": "$0"}})"), ContainsSubstring("GPUs") && ContainsSubstring("rack space"));
  const std::string hourly = R"({"gpu_hour": "$3/h"})";
  CHECK_THAT(free(hourly, "--set '/stores/0/price={}'"), ContainsSubstring("store 'storage'"));
  CHECK_THAT(free(hourly, R"(--set '/stores/0/price={"egress": "$0.09/GB"}')"), !ContainsSubstring("storage"));
  CHECK_THAT(free(hourly, R"(--set '/stores/0/price={"capacity": "$0.02/GB/month"}')"),
             ContainsSubstring("the bandwidth of store 'storage', of which only bytes kept have a price"));
  CHECK_THAT(unbroken(run(call + "--set '/prices/gpu_hour=$3/h'").out),
             ContainsSubstring("Without a price, so free here: hosts with their drives and network, unless the price "
                               "of a GPU hour holds them; ") &&
                 ContainsSubstring("; staff."));
  const std::string all =
      R"(--set '/prices={"gpu_hour": "$3/h", "node_hour": "$1/h", "total_cost": {"staff": "$10/h"},)"
      R"( "resources": {"store_hour": "$0.1/h"}}' )";
  CHECK_THAT(unbroken(run(call + all).out), !ContainsSubstring("Without a price"));
  const BesideJson document = BesideJson::parse(run(call + "--set '/prices/gpu_hour=$3/h' --json").out);
  CHECK_THAT(document["unpriced"].get<std::string>(), ContainsSubstring("staff"));
}

TEST_CASE("a total cost says which horizon it assumes", "[cli]") {
  const std::string call = "tco " + kSmall + "--level flow --set '/prices/gpu_hour=$3/h' ";
  CHECK_THAT(unbroken(run(call).out),
             ContainsSubstring("Assumed: 3 years in which all jobs run all the time, interest of 8 % "
                               "a year, no value of machines at the end; set /prices/total_cost."));
  CHECK_THAT(unbroken(run(call + R"(--set '/prices/total_cost={"horizon": "5 years"}')").out),
             ContainsSubstring("5 years") && !ContainsSubstring("Assumed: "));
}

TEST_CASE("a layer whose store has a misspelt name is told by every verb", "[cli][long_2]") {
  const Folder folder;
  const std::string layer = folder.write("faster.json", R"({"stores": [{"name": "storge", "bandwidth": "60 GB/s"}]})");
  const std::string told =
      "store 'storge' has no effect; a layer changes the store whose name it has: name it 'storage'";
  for (const std::string& call :
       {"compare " + kSmall + "image-node --steps 200 --with-b '" + layer + "'",
        "campaign " + kSmall + "'" + layer + "' --days 2",
        "plan " + kSmall + "'" + layer + "' --decide /jobs/0/loader/workers=4,8 --inputs nominal",
        "plan " + kSmall + "'" + layer + "' --max gpus", "tco " + kSmall + "'" + layer + "' --level flow",
        "check " + kSmall + "'" + layer + "' --slo 'gpu_idle_fraction < 5 %' --quick"}) {
    const Run result = run(call);
    INFO(call << result.out << result.err);
    CHECK_THAT(unbroken(result.err + result.out), ContainsSubstring(told));
  }
}

TEST_CASE("a checkpoint does not hide that an assumed range turns the verdict", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("mine.json");
  REQUIRE(run("init --workload images --gpus '16 nodes x 8 H100' --data '40 TB JPEG' --layout shards --store '25 GB/s "
              "file system' --network 2x200G --epochs 90 -o '" +
              file + "'")
              .status == 0);
  const std::string layer = folder.write("saves.json", R"({"jobs": [{"name": "train", "checkpoint": {"store": "storage",
    "interval": "30 min", "bytes": "500 GB"}}], "faults": {"node_mtbf": "2000 h"}})");
  for (const std::string& more : {std::string(), " '" + layer + "'"})
    CHECK_THAT(unbroken(run("bound '" + file + "'" + more + " --level estimate").out),
               ContainsSubstring("open over the assumed range of") && ContainsSubstring("Confidence: assumed"));
}

TEST_CASE("a comparison names what one side alone has, and reads nothing of a store that nothing reads", "[cli]") {
  const std::string text = unbroken(run("compare grid-cluster cloud-cluster --steps 64").out);
  CHECK_THAT(text, ContainsSubstring("B alone has: peer hit ratio 96.36 %"));
  CHECK_THAT(text, ContainsSubstring("a cache of 4.00 TB in each costs nothing: set /prices/resources/drives"));
  CHECK_THAT(text, ContainsSubstring("not in B"));
  const Run cloud = run("bound cloud-cluster --json");
  CHECK(BesideJson::parse(cloud.out)["metrics"]["store_bytes_per_s"]["mean"] == 0.0);
}

TEST_CASE("a cache on drives without a price is told beside costs", "[cli]") {
  const std::string cache = R"(--set-b '/cluster/pools/0/cache={"policy": "lru", "medium": "nvme", "bytes": "1 TB", )"
                            R"("bandwidth": "5 GB/s"}' --set-b '/cluster/pools/0/drives/capacity=2 TB')";
  const std::string call = "compare " + kSmall + "image-node --steps 200 --set '/prices/gpu_hour=$3/h' " + cache;
  CHECK_THAT(unbroken(run(call).err + run(call).out), ContainsSubstring("the drives of a node have no price"));
  CHECK_THAT(unbroken(run(call + R"( --set '/prices/resources={"drives": "$0.05/GB-month"}')").err),
             !ContainsSubstring("the drives of a node have no price"));
}

TEST_CASE("what a layer takes out needs no range any more", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("mine.json");
  REQUIRE(
      run("init --workload images --gpus '2 nodes x 8 H100' --store '20 GB/s file system' --checkpoint '30 min' -o '" +
          file + "'")
          .status == 0);
  CHECK(run("bound '" + file + "' --set /faults=null").status == 0);
  const std::string layer = folder.write("without.json", R"({"faults": null})");
  CHECK(run("bound '" + file + "' '" + layer + "'").status == 0);
  CHECK_THAT(run("bound '" + file + R"(' --set '/input_ranges=[{"parameter": "/fautls/node_mtbf"}]')").err,
             ContainsSubstring("E0216"));
}

TEST_CASE("a campaign that goes on behind the epochs of its job says so", "[cli]") {
  const std::string call = "campaign " + kSmall + "--level flow --days 30 --set /jobs/0/epochs=";
  CHECK_THAT(unbroken(run(call + "3").out), ContainsSubstring("The job has its 3 epochs before the campaign ends") &&
                                                ContainsSubstring("--until trained"));
  CHECK_THAT(unbroken(run(call + "100000000").out), !ContainsSubstring("before the campaign ends"));
}

TEST_CASE("a title names the files that change what it was written for", "[cli]") {
  const Folder folder;
  const std::string layer = folder.write("fewer.json", R"({"jobs": [{"name": "train", "loader": {"workers": 4}}]})");
  const std::string titled = folder.write("titled.json", R"({"title": "Four workers"})");
  const std::string extending =
      folder.write("own.json", R"({"extends": "image-node", "jobs": [{"name": "train", "loader": {"workers": 5}}]})");
  const auto title = [](const std::string& inputs) {
    const std::string text = unbroken(run("bound " + inputs).out);
    return text.substr(0, text.find(" Question"));
  };
  const std::string shipped = "Images in tar shards on 4 nodes of 8 GPUs";
  CHECK(title("image-node") == shipped);
  CHECK(title("image-node '" + layer + "'") == shipped + " (with fewer.json)");
  CHECK(title("image-node '" + layer + "' --set /jobs/0/loader/prefetch=3") ==
        shipped + " (with fewer.json, /jobs/0/loader/prefetch = 3)");
  CHECK(title("image-node '" + layer + "' '" + titled + "'") == "Four workers");
  CHECK(title("'" + extending + "'") == shipped + " (with own.json)");
  CHECK(title("image-node '" + layer + "' --set /title=Mine") == "Mine");
}

TEST_CASE("a campaign without failures says that it loses no time to them", "[cli]") {
  CHECK_THAT(unbroken(run("campaign " + kSmall + "--replications 10").out),
             ContainsSubstring("The scenario states no failures, so the campaign loses no time to them"));
}

TEST_CASE("an epoch of few steps of one's own data is warned of", "[cli]") {
  CHECK_THAT(
      unbroken(run("bound " + kSmall + "--set /datasets/0/files=2 --set /datasets/0/samples_per_file=512").err),
      ContainsSubstring("steps, of 1024 samples in all") && ContainsSubstring("state the files of the whole dataset"));
  CHECK_THAT(run("bound " + kSmall).err, !ContainsSubstring("samples in all"));
}

TEST_CASE("slips in layers are answered by what to write", "[cli]") {
  const Folder folder;
  const auto refused = [&](const std::string& scenario, const std::string& layer) {
    const Run done = run("bound " + scenario + " '" + folder.write("layer.json", layer) + "'");
    CHECK(done.status == 2);
    return unbroken(done.err);
  };
  CHECK_THAT(refused("image-node", R"({"jobs": [{"name": "train", "datasets": ["images"]}]})"),
             ContainsSubstring(R"(help: write {"dataset": "images"})"));
  CHECK_THAT(refused("image-node", R"({"datasets": [{"name": "images", "samples": 5}]})"),
             ContainsSubstring("files times samples_per_file"));
  const std::string replaced = refused("image-node", R"({"datasets": [{"name": "images", "catalogue": "tar"}]})");
  CHECK_THAT(replaced, ContainsSubstring("takes nothing from the files before it: 'images' also needs") &&
                           ContainsSubstring("leave \"catalogue\" out") &&
                           !ContainsSubstring("larger than the dataset"));
  // Over an entry of the catalogue, without one in the layer.
  CHECK_THAT(refused("imagenet-1250-nodes", R"({"stores": [{"name": "bucket", "write_cache": {}}]})"),
             !ContainsSubstring("names a catalogue entry"));
  CHECK_THAT(refused("image-node", R"({"datasets": [{"name": "imagse", "catalogue": "tar"}]})"),
             ContainsSubstring("write its name: images"));
  const Run system = run("bound storage-nvme-host");
  CHECK(system.status == 2);
  CHECK_THAT(unbroken(system.err), ContainsSubstring("there are machines, but no jobs that run on them"));
}

TEST_CASE("init takes a count and the size of each, and refuses all three of volume, count and size", "[cli][long_4]") {
  const auto read = [](const std::string& data, const std::string& workload = "images") {
    const Run done = run("init --workload " + workload + " --gpus '8 H100' --data '" + data + "'");
    INFO(data << ": " << done.err);
    CHECK(done.status == 0);
    return BesideJson::parse(done.out)["datasets"][0];
  };
  for (const char* data : {"40M JPEG, 150 kB each", "40M JPEG of 150 kB", "40 million images, 150 kB each",
                           "40M JPEG images of 150 kB", "40 million JPEG files, 150 kB each",
                           "JPEG, 40M files, 150 kB each", "40M JPEG, 150000 bytes each", "6 TB JPEG, 150 kB each"}) {
    const BesideJson dataset = read(data);
    INFO(data);
    CHECK(dataset["files"].get<double>() * dataset["samples_per_file"].get<double>() == Approx(40e6));
    CHECK_THAT(dataset["sample_bytes"].dump(), ContainsSubstring("150 kB"));
  }
  // A size behind "of" is that of a shard, not of a sample, and tokens have sizes of their own.
  CHECK_THAT(read("20 TB JPEG in shards")["sample_bytes"].dump(), ContainsSubstring("115 kB"));
  CHECK(read("15T tokens, 2 bytes each", "text")["sample_bytes"] ==
        read("15T tokens, 2 B each", "text")["sample_bytes"]);
  for (const char* data :
       {"6 TB JPEG, 40M files, 150 kB each", "150 kB each", "20 TB JPEG in shards of 1 GB", "20T JPEG",
        "40M JPEG, 0 kB each", "40M JPEG, 150 kB each, 200 kB each", "2 JPEG, 1 kB each"}) {
    INFO(data);
    CHECK(run("init --workload images --gpus '8 H100' --data '" + std::string(data) + "'").status == 2);
  }
  CHECK_THAT(unbroken(run("init --workload images --data '6 TB JPEG, 40M files, 150 kB each'").err),
             ContainsSubstring("two of the three: a volume (20 TB), a count (40M files)"));
}

TEST_CASE("what is stated counts as stated, also where the catalogue assumes the same", "[cli]") {
  const Folder folder;
  const std::string scenario = draft(folder);
  const auto evidence = [&](const std::string& more, const std::string& pointer) -> std::string {
    const BesideJson document = BesideJson::parse(run("bound " + scenario + more + " --inputs ranges --json").out);
    for (const BesideJson& input : document["inputs"]["drawn"])
      if (input["parameter"] == pointer) return input["evidence"];
    return "not drawn";
  };
  CHECK(evidence("", "/stores/0/bandwidth") == "datasheet");
  CHECK(evidence("--set '/stores/0/bandwidth=100 GB/s'", "/stores/0/bandwidth") == "datasheet");
  CHECK(evidence("", "/stores/0/metadata/latency") == "assumed");
  const BesideJson written = BesideJson::parse(testing::file_text(folder.path("mine.json")));
  for (const BesideJson& range : written["input_ranges"])
    if (range["parameter"] == "/datasets/0/sample_bytes") CHECK(range["same_volume"] == true);
}

TEST_CASE("a comparison says where bandwidth without a price costs nothing", "[cli]") {
  const Run same = run("compare image-node image-node --set-b '/stores/0/bandwidth=80 GB/s'");
  CHECK_THAT(unbroken(same.out), ContainsSubstring("80.0 GB/s of store 'storage' cost "
                                                   "what 40.0 GB/s do"));
}

TEST_CASE("init says which checkpoints it assumes of a language model, and how many epochs", "[cli]") {
  const Folder folder;
  const Run made = run("init --workload text --model 70B --gpus '32 nodes x 8 H100' --data '15T tokens' -o '" +
                       folder.path("t.json") + "'");
  CHECK(made.status == 0);
  const std::string text = unbroken(made.out + made.err);
  CHECK_THAT(text, ContainsSubstring("checkpoints every 30.0 min and a failure of each node every") &&
                       ContainsSubstring("2 epochs") && !ContainsSubstring("cache, checkpoints and failures"));
}

TEST_CASE("a plan shows its answer, and with --verbose how it was found", "[cli]") {
  const std::string call = "plan " + kSmall + "--decide /jobs/0/loader/workers=4,8 --inputs nominal ";
  const Run brief = run(call);
  const Run whole = run(call + "--verbose");
  CHECK_THAT(brief.out, ContainsSubstring("Recommended") && ContainsSubstring("How sure") &&
                            !ContainsSubstring("Beside closed forms") && !ContainsSubstring("What the runs leave out"));
  CHECK_THAT(whole.out, ContainsSubstring("Recommended") && ContainsSubstring("Beside closed forms") &&
                            ContainsSubstring("What the runs leave out") &&
                            ContainsSubstring("configurations bounded"));
}

}  // namespace headrace
