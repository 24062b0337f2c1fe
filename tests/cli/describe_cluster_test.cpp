// What people write about a cluster: units, names, ranges and layers, each refused or warned about with the fix.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::run;

namespace {

headrace::testing::Run with(const std::string& assignment) {
  return run("validate image-node --set '" + assignment + "'");
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a spelling with two readings is refused with its place, both readings and the factor", "[cli]") {
  const auto refused = with("/stores/0/bandwidth=100 gbps");
  CHECK(refused.status == 2);
  CHECK(has(refused.err, "error[E0219]: '100 gbps' can mean two things"));
  CHECK(has(refused.err, "--> --set:1:21 (/stores/0/bandwidth)"));
  CHECK(has(refused.err,
            "write \"100 GB/s\" for 100 gigabytes per second, or \"100 Gb/s\" for 100 gigabits per second: "
            "the first is 8 times the second"));
  CHECK(has(with("/stores/0/bandwidth=200G").err, "\"200 Gb/s\""));
  CHECK(has(with("/datasets/0/sample_bytes=115kb").err, "\"115 kB\""));
  CHECK(has(with("/datasets/0/sample_bytes=115 KB").err, "1.024 times"));
  for (const char* rate : {"100 Gbps", "100 Gb/s", "100 Gbit/s", "12.5 GB/s", "12.5 GBps", "2 x 50 Gb/s"})
    CHECK(with("/stores/0/bandwidth=" + std::string(rate)).status == 0);
  CHECK(has(run("explain E0219").out, "two"));
}

TEST_CASE("the rate of a link may be in G, and several links are written as a product", "[cli]") {
  const auto sha = [](const std::string& assignment) {
    const auto run_of = with(assignment);
    INFO(assignment << "\n" << run_of.err);
    CHECK(run_of.status == 0);
    return run_of.out;
  };
  const std::string whole = sha("/cluster/pools/0/nic={\"bandwidth\": \"800 Gb/s\"}");
  for (const char* written : {"4x200G", "4 x 200 Gb/s", "800G", "100 GB/s"})
    CHECK(sha("/cluster/pools/0/nic=" + std::string(written)) == whole);
  const auto twice = with("/cluster/pools/0/nic={\"bandwidth\": \"4x200G\", \"rails\": 4}");
  CHECK(twice.status == 2);
  CHECK(has(twice.err, "both say how many there are"));
  CHECK(has(with("/cluster/pools/0/nic=25GbE4").err, "did you mean '25GbE'?"));
}

TEST_CASE("a quoted number says to drop the quotes", "[cli]") {
  const auto quoted = with("/jobs/0/loader/workers=\"10\"");
  CHECK(quoted.status == 2);
  CHECK(has(quoted.err, "expected a whole number, found '10'"));
  CHECK(has(quoted.err, "drop the quotes: write 10"));
  CHECK(has(with("/cluster/pools/0/host/gpudirect=\"true\"").err, "drop the quotes: write true"));
}

TEST_CASE("a layer for a store that the scenario does not have proposes --store", "[cli]") {
  const Folder folder;
  std::string text = run("init").out;
  for (std::size_t at = text.find("\"storage\""); at != std::string::npos; at = text.find("\"storage\"", at))
    text.replace(at, 9, "\"lustre\"");
  const std::string scenario = folder.write("lustre.json", text);
  const std::string layer = folder.path("fio.json");
  const std::string import_fio =
      "import fio '" HEADRACE_SOURCE_DIR "/tests/data/imports/fio_1m.json' -o '" + layer + "'";
  REQUIRE(run(import_fio).status == 0);
  const auto refused = run("validate '" + scenario + "' '" + layer + "'");
  CHECK(refused.status == 2);
  CHECK(has(refused.err, "this layer measures the store 'storage', which the scenario does not have"));
  CHECK(has(refused.err, "--store lustre"));
  CHECK(has(refused.err, "fio.json:"));
  REQUIRE(run(import_fio + " --store lustre").status == 0);
  CHECK(run("validate '" + scenario + "' '" + layer + "'").status == 0);
  CHECK(run("validate '" + layer + "' '" + scenario + "'").status == 0);
  REQUIRE(run(import_fio + " --store measured").status == 0);  // a second store, which the data moves to
  CHECK(run("validate '" + scenario + "' '" + layer + "'").status == 2);
  CHECK(run("validate '" + scenario + "' '" + layer + "' --set /datasets/0/store=measured").status == 0);
  const std::string workload = folder.path("dlio.json");
  REQUIRE(
      run("import dlio '" HEADRACE_SOURCE_DIR "/scenarios/workloads/unet3d_h100.yaml' -o '" + workload + "'").status ==
      0);
  CHECK(has(run("validate '" + scenario + "' '" + workload + "'").err,
            "headrace import takes the name by --store lustre"));
}

TEST_CASE("a value outside its plausible range is a warning with the range and the probable slip", "[cli]") {
  const auto late = with("/stores/0/latency=500 s");
  CHECK(late.status == 0);
  CHECK(has(late.err, "warning: /stores/0/latency is 500 s, outside its plausible range of"));
  CHECK(has(late.err, "--> --set /stores/0/latency=500 s"));
  CHECK(has(late.err, "write \"500 ms\" if that is meant: 1000 times less"));
  CHECK(has(with("/cluster/pools/0/nic=800 GB/s").err, "write \"800 Gb/s\" if that is meant: 8 times less"));
  CHECK(has(with("/datasets/0/request_bytes=500 GB").err, "write \"500 MB\" if that is meant: 1000 times less"));
  CHECK(has(with("/jobs/0/loader/workers=4000").err, "/jobs/0/loader/workers is 4000, outside its plausible range"));
  const auto document = nlohmann::json::parse(run("validate image-node --json --set '/stores/0/latency=500 s'").out);
  CHECK(document["valid"] == true);
  CHECK(document["warnings"][0]["fix"] == "write \"500 ms\" if that is meant: 1000 times less");
  for (const char* shipped : {"image-node", "unet3d-h100", "imagenet-1250-nodes"})
    CHECK(!has(run("validate " + std::string(shipped)).err, "plausible"));
}

TEST_CASE("a warning about a range changes no figure of the answer", "[cli]") {
  const auto metrics = [](const std::string& set) {
    return nlohmann::json::parse(run("bound image-node --json --set '" + set + "'").out);
  };
  const auto odd = metrics("/jobs/0/loader/workers=4000");
  CHECK(has(odd["warnings"].dump(), "plausible range"));
  const auto text = run("bound image-node --set /jobs/0/loader/workers=4000");
  CHECK(!has(text.out, "plausible range"));
  CHECK(has(text.err, "plausible range"));
}

TEST_CASE("names are found as people write them, and near ones are proposed", "[cli]") {
  const auto gpu = [](const std::string& name) { return with("/cluster/pools/0/gpu=" + name); };
  const std::string whole = gpu("B200-HGX").out;
  for (const char* written : {"B200", "b200", "b200-hgx", "b200 hgx"}) CHECK(gpu(written).out == whole);
  const auto several = gpu("h100");
  CHECK(several.status == 2);
  CHECK(has(several.err, "several begin so, write one of H100-SXM5-80GB, H100-PCIe-80GB"));
  CHECK(has(gpu("H100-SXM5-80").err, "did you mean 'H100-SXM5-80GB'?"));
  CHECK(has(run("explain h100").out, "H100-SXM5-80GB (catalogue gpu)"));
  CHECK(has(run("bound unet3d-h10").err, "did you mean the shipped scenario 'unet3d-h100'?"));
  const Folder folder;
  const std::string file = folder.write("mine.json", R"({"extends": "image-nod"})");
  CHECK(has(run("validate '" + file + "'").err, "did you mean the shipped scenario 'image-node'?"));
  CHECK(has(run("bound unet3d-h100 --levle flow").err, "did you mean '--level'?"));
}

TEST_CASE("a misspelt key of a DLIO workload ends with its place and the nearest key", "[cli]") {
  const Folder folder;
  std::string text = file_text(HEADRACE_SOURCE_DIR "/scenarios/workloads/unet3d_h100.yaml");
  text.replace(text.find("num_files_train"), 15, "num_files_trian");
  const auto refused = run("import dlio '" + folder.write("w.yaml", text) + "'");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(has(refused.err, "unknown key 'dataset.num_files_trian'"));
  CHECK(has(refused.err, "w.yaml:15:3"));
  CHECK(has(refused.err, "did you mean 'num_files_train'?"));
}

TEST_CASE("a request limit that nobody stated is named before the answer that it decides", "[cli]") {
  const Folder folder;
  const auto answer = [&folder](const std::string& store, const std::string& sets) {
    const std::string file = folder.path("mine.json");
    REQUIRE(
        run("init --gpus '512 H100' --data '100 TB, files' --store '" + store + "' --force -o '" + file + "'").status ==
        0);
    return run("bound --level estimate '" + file + "' " + sets);
  };
  const std::string screen = answer("s3-standard", "").out;
  CHECK(has(screen, "\ningest-bound by throttle: limited by an assumed 5,500 requests/s on one"));
  CHECK(has(screen, "\nConfidence: assumed; the verdict may be wrong, as it hangs on what it assumes."));
  const nlohmann::json document = nlohmann::json::parse(answer("s3-standard", "--json").out);
  CHECK(document["confidence"]["grade"] == "assumed");
  CHECK(document["evidence"]["assumed"] == "limited by an assumed 5,500 requests/s on one prefix; set /stores/0/limit");
  CHECK(!has(answer("s3-standard", "--set /stores/0/limit/prefixes=1").out, "assumed"));
  CHECK(!has(answer("gcs-standard", "").out, "throttle"));  // no page of the provider confirms a limit
}

TEST_CASE("ends of a range of an input are held to its plausible range, too", "[cli]") {
  const Folder folder;
  const std::string layer = folder.write(
      "ranges.json", R"({"input_ranges": [{"parameter": "/stores/0/latency", "low": "2 ms", "high": "500 s"}]})");
  const auto done = run("validate image-node '" + layer + "'");
  CHECK(done.status == 0);
  CHECK(has(done.err, "warning: /input_ranges/0/high is 500 s, outside its plausible range of"));
  CHECK(has(done.err, "ranges.json:1:"));
  CHECK(has(done.err, "write \"500 ms\" if that is meant: 1000 times less"));
  CHECK(!has(done.err, "/input_ranges/0/low"));
  const auto drafted = run("init --gpus '64 H100'");
  CHECK(!has(drafted.err, "plausible"));
}

TEST_CASE("a link in gigabytes whose number is that of a kind of link in gigabits is a warning", "[cli]") {
  const auto bytes = with("/cluster/pools/0/nic=25 GB/s");
  CHECK(bytes.status == 0);
  CHECK(has(bytes.err, "/cluster/pools/0/nic/bandwidth is 25 GB/s, which is 200 Gb/s"));
  CHECK(has(bytes.err, "write \"25 Gb/s\" if that is meant: 8 times less"));
  for (const char* rate : {"25 Gb/s", "12.5 GB/s", "200G", "50 GB/s"})
    CHECK(!has(with("/cluster/pools/0/nic=" + std::string(rate)).err, "if that is meant"));
  CHECK(!has(with("/stores/0/bandwidth=25 GB/s").err, "if that is meant"));
  CHECK(has(run("init --network '25 GB/s'").err, "write \"25 Gb/s\" if that is meant"));
}

TEST_CASE("one slip has one complaint", "[cli]") {
  const Folder folder;
  const auto complaints = [&folder](const std::string& text) {
    const auto refused = run("validate '" + folder.write("slip.json", text) + "'");
    CHECK(refused.status == 2);
    std::size_t count = 0;
    for (std::size_t at = refused.err.find("error["); at != std::string::npos; at = refused.err.find("error[", at + 1))
      ++count;
    INFO(refused.err);
    CHECK(count == 1);
    return refused.err;
  };
  const std::string rest = R"("cluster": {"pools": [{"name": "gpus", "catalogue": "DGX-H100", "nodes": 1}]},
    "jobs": [{"name": "train", "pool": "gpus", "datasets": [{"dataset": "data"}],
              "step": {"batch": 32, "step_time": "100 ms"}}],)";
  CHECK(has(complaints("{" + rest + R"("stores": [{"name": "storage", "catalogue": "generic-nvme-nsa"}],
    "datasets": [{"name": "data", "store": "storage", "files": 1000, "sample_bytes": "100 kB"}]})"),
            "E0213"));
  CHECK(has(complaints("{" + rest + R"("stores": [{"name": "storage", "catalogue": "generic-nvme-nas"}],
    "datasets": [{"name": "data", "store": "storage", "files": 1000, "sample_byts": "100 kB"}]})"),
            "unknown key 'sample_byts'"));
}

TEST_CASE("init takes the size of each sample as people write it", "[cli][long_4]") {
  const auto drafted = [](const std::string& data) {
    const auto made = run("init --gpus '8 H100' --data '" + data + "'");
    INFO(data << "\n" << made.err);
    REQUIRE(made.status == 0);
    return nlohmann::json::parse(made.out);
  };
  const nlohmann::json each = drafted("60 TB JPEG, 120 kB each");
  CHECK(each["datasets"][0]["sample_bytes"]["lognormal"]["mean"] == "120 kB");
  CHECK(has(each["title"].get<std::string>(), "60 TB (images)"));
  for (const char* data : {"60 TB JPEG, 120 kB", "60 TB JPEG of 120 kB", "60 TB JPEG of 120 kB each",
                           "60 TB of JPEG images of 120 kB each", "60 TB JPEG images, about 120 kB each",
                           "60 TB JPEG 120kB", "60 TB of 120 kB JPEG images", "60 TB JPEG (120 kB each)",
                           "60 TB JPEG, each 120 kB", "60 TB JPEG, 120 kB per sample", "60 TB JPEG, 120 kB/image",
                           "60 TB of JPEG images with 120 kB each", "about 60 TB JPEG, approx. 120 kB each",
                           "~60 TB JPEG of approximately 120 kB", "roughly 60 TB JPEG, ~ 120 kB"}) {
    INFO(data);
    CHECK(drafted(data) == each);
  }
  for (const char* data : {"500M JPEG, 120 kB", "500M JPEG of about 120 kB", "500M JPEG, 120 kB each"})
    CHECK(drafted(data)["datasets"] == each["datasets"]);
}

TEST_CASE("init refuses a second size that is no size of a sample, with an answer that works", "[cli]") {
  for (const char* data :
       {"60 TB JPEG, 1 TB", "60 TB JPEG 1 TB", "60 TB JPEG shards of 1 GB", "60 TB JPEG in shards of 1 GB",
        "60 TB JPEG sized 120 kB", "60 TB JPEG, 0 kB", "120 kB each"}) {
    const auto refused = run("init --workload images --data '" + std::string(data) + "'");
    INFO(data << "\n" << refused.err);
    CHECK(refused.status == 2);
    CHECK(has(refused.err, "such as: 60 TB JPEG, 120 kB each"));
  }
  CHECK(has(run("init --data '60 TB JPEG 120kb'").err, "write \"120 kB\" for 120 kilobytes"));
  const auto shard = run("init --data '60 TB JPEG, 1 GB'");
  CHECK(shard.status == 0);
  CHECK(has(shard.err, "a sample of 1 GB is 8696 times the usual one of images"));
  CHECK(has(shard.err, "--layout shards"));
}

TEST_CASE("a stated size of each sample is known, and keeps a stated volume", "[cli]") {
  const Folder folder;
  const std::string pointer = "/datasets/0/sample_bytes";
  const auto range_of = [&](const std::string& data) {
    const std::string file = folder.path("mine.json");
    REQUIRE(run("init --gpus '8 H100' --force -o '" + file + "' --data '" + data + "'").status == 0);
    const auto written = nlohmann::json::parse(file_text(file));
    for (const nlohmann::json& range : written["input_ranges"])
      if (range["parameter"] == pointer) return range;
    return nlohmann::json();
  };
  const auto drawn = [&]() {
    const auto inputs = nlohmann::json::parse(
        run("bound '" + folder.path("mine.json") + "' --inputs ranges --json").out)["inputs"]["drawn"];
    for (const nlohmann::json& input : inputs)
      if (input["parameter"] == pointer) return input;
    return nlohmann::json();
  };
  const nlohmann::json known = {{"parameter", pointer}, {"evidence", "datasheet"}};
  nlohmann::json of_volume = known;
  of_volume["same_volume"] = true;
  CHECK(range_of("60 TB JPEG, 120 kB each") == of_volume);
  CHECK(drawn()["evidence"] == "datasheet");
  CHECK(drawn()["low"].get<double>() == Approx(120e3 / 1.1));
  CHECK(drawn()["high"].get<double>() == Approx(120e3 * 1.1));
  CHECK(range_of("500M JPEG, 120 kB each") == known);  // the volume follows from the size
  CHECK(range_of("60 TB JPEG")["low"] == "57.5 kB");   // nobody stated the size
  CHECK(drawn()["evidence"] == "assumed");
}
