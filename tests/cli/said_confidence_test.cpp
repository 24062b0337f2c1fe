// How far an answer can be trusted stands wherever the answer is read, and what is assumed is named alone.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using Catch::Matchers::ContainsSubstring;
using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;
using headrace::testing::unbroken;
using Json = nlohmann::json;

namespace {

/// 64 GPUs that read single files from a store of a generic class.
std::string single_files(const Folder& folder) {
  return headrace::testing::made_by_init(
      folder,
      "--workload images --gpus '8 nodes x 8 H100' --data '60 TB JPEG' --layout files --epochs 90 --store '60 GB/s "
      "NFS' --network 2x200G");
}

}  // namespace

TEST_CASE("a limit names the figure that is assumed, not the one that was stated beside it", "[cli][long_1]") {
  const Folder folder;
  const std::string file = single_files(folder);
  const std::string verdict = unbroken(run("simulate '" + file + "' --set /stores/0/metadata/servers=8").out);
  CHECK_THAT(verdict, ContainsSubstring("limited by an assumed 500.0 us for each operation of store 'storage' on 8 "
                                        "metadata servers; set /stores/0/metadata/latency"));
  const std::string slow = unbroken(run("simulate '" + file + "' --set '/stores/0/metadata/latency=20 ms'").out);
  CHECK_THAT(slow, ContainsSubstring("limited by an assumed 256 metadata servers of store 'storage'; set "
                                     "/stores/0/metadata/servers"));
  const std::string stated = unbroken(
      run("simulate '" + file + "' --set '/stores/0/metadata/latency=20 ms' --set /stores/0/metadata/servers=200").out);
  CHECK(stated.find("limited by an assumed") == std::string::npos);
  const std::string no_limit =
      " --set '/stores/0/metadata/latency=20 ms' --set /stores/0/metadata/servers=0 --steps 400";
  const std::string unlimited = unbroken(run("simulate '" + file + "'" + no_limit).out);
  CHECK_THAT(unlimited, ContainsSubstring("ingest-bound by metadata"));
  CHECK(unlimited.find("limited by an assumed") == std::string::npos);
}

TEST_CASE("an assumed figure that is typed again stays assumed until its evidence is stated", "[cli][long_4]") {
  const Folder folder;
  const std::string file = single_files(folder);
  const std::string slow = "simulate '" + file + "' --set /stores/0/metadata/servers=8";
  const std::string again = unbroken(run(slow + " --set '/stores/0/metadata/latency=500 us'").out);
  CHECK_THAT(again, ContainsSubstring("limited by 500.0 us for each operation of store 'storage' on 8 metadata "
                                      "servers, which is written as the catalogue assumes it"));
  const std::string measured = unbroken(
      run(slow + R"( --set '/input_ranges=[{"parameter": "/stores/0/metadata/latency", "evidence": "measured"}]')")
          .out);
  CHECK(measured.find("assumes it") == std::string::npos);
  CHECK(measured.find("limited by an assumed") == std::string::npos);
}

TEST_CASE("a bound and a quick check grade as the simulation does where an assumed range turns the verdict", "[cli]") {
  const Folder folder;
  const std::string file = single_files(folder);
  for (const char* verb : {"bound", "check --quick --slo 'gpu_idle_fraction < 5 %'", "simulate"}) {
    const std::string text =
        unbroken(run(std::string(verb) + " '" + file + "' --set /stores/0/metadata/servers=60").out);
    INFO(verb << "\n" << text);
    CHECK_THAT(text, ContainsSubstring("Confidence: assumed; the verdict may be wrong"));
    CHECK_THAT(text, ContainsSubstring("open over the assumed range of /stores/0/metadata/latency"));
  }
}

TEST_CASE("figures of a store that are left out are named where a verdict hangs on them", "[cli]") {
  const Folder folder;
  const std::string file = folder.write("least.json", R"({
    "cluster": {"pools": [{"name": "gpus", "nodes": 64, "gpus_per_node": 8, "gpu": "H100-SXM5-80GB",
      "nic": {"bandwidth": "400 Gb/s"}}]},
    "stores": [{"name": "nas", "kind": "parallel_fs", "bandwidth": "200 GB/s"}],
    "datasets": [{"name": "images", "store": "nas", "files": 100000000, "samples_per_file": 1,
      "sample_bytes": "115 kB"}],
    "jobs": [{"name": "train", "pool": "gpus", "datasets": [{"dataset": "images"}], "loader": {"workers": 8},
      "step": {"batch": 256, "step_time": "150 ms"}}]})");
  for (const char* verb : {"bound", "simulate"}) {
    const std::string text = unbroken(run(std::string(verb) + " '" + file + "'").out);
    INFO(verb << "\n" << text);
    CHECK_THAT(text, ContainsSubstring("Confidence: assumed; the verdict may be wrong"));
    CHECK_THAT(text, ContainsSubstring("leaves out of store 'nas' (latency, requests, stream, metadata/latency, "
                                       "metadata/servers), which count as perfect; with those of generic-parallel-fs"));
  }
  const std::string few = unbroken(run("bound '" + file + "' --set /cluster/pools/0/nodes=2").out);
  CHECK(few.find("leaves out") == std::string::npos);  // two nodes would not wait with them
  const std::string none = unbroken(run("bound '" + file +
                                        "' --set /stores/0/latency=0 --set /stores/0/requests=0 --set "
                                        "/stores/0/stream=0 --set /stores/0/metadata/latency=0 --set "
                                        "/stores/0/metadata/servers=0")
                                        .out);
  CHECK(none.find("leaves out") == std::string::npos);  // zero as somebody says so
}

TEST_CASE("what one client got of a shared store counts as assumed, and as measured of a local drive",
          "[cli][long_3]") {
  const Folder folder;
  const std::string layer = folder.path("fio.json");
  const Run read = run("import fio '" HEADRACE_SOURCE_DIR "/tests/data/imports/fio_1m.json' -o '" + layer + "'");
  REQUIRE(read.status == 0);
  CHECK_THAT(unbroken(read.err), ContainsSubstring("for such a store they count as assumed"));
  const std::string shared = "simulate '" + single_files(folder) + "' '" + layer + "'";
  const std::string text = unbroken(run(shared).out);
  CHECK_THAT(text, ContainsSubstring("limited by 1.163 GB/s of store 'storage', which one client measured alone and "
                                     "the whole store may exceed; set /stores/0/bandwidth"));
  CHECK_THAT(text, ContainsSubstring("Confidence: assumed"));
  CHECK_THAT(run(shared + " --dry-run").out, ContainsSubstring("what one client got of a store that serves many"));
  const Run local = run(shared + " --set /stores/0/kind=nvme");
  CHECK(local.out.find("one client") == std::string::npos);
  CHECK(run(shared + " --set /stores/0/kind=nvme --dry-run").out.find("what one client got") == std::string::npos);
}

TEST_CASE("a campaign and a total cost say how far their steady speed can be trusted", "[cli]") {
  const Folder folder;
  const std::string file = single_files(folder);
  const std::string ask = "campaign '" + file + "' --days 1 --level estimate";
  CHECK_THAT(unbroken(run(ask).out),
             ContainsSubstring("Confidence in the steady speed: ") && ContainsSubstring(" (--verbose says why)."));
  CHECK_THAT(unbroken(run(ask + " --verbose").out), ContainsSubstring("Confidence in the steady speed: "));
  CHECK_THAT(run(ask + " --format markdown").out, ContainsSubstring("Confidence in the steady speed: "));
  const Json campaign = Json::parse(run(ask + " --json").out);
  CHECK(campaign["confidence"]["grade"].is_string());

  const std::string cost = "tco '" + file + "' --level estimate";
  const std::string text = unbroken(run(cost).out);
  CHECK_THAT(text, ContainsSubstring("Confidence in the steady speed: "));
  const std::string saved = folder.path("tco.json");
  REQUIRE(run(cost + " --json -o '" + saved + "'").status == 0);
  CHECK(Json::parse(file_text(saved))["confidence"] == campaign["confidence"]);
  CHECK_THAT(run("report '" + saved + "' --format markdown").out,
             ContainsSubstring("Confidence in the steady speed: "));
}

TEST_CASE("a campaign of many jobs says how far the speeds of its jobs can be trusted", "[cli][long_3]") {
  const Folder folder;
  const std::string ask = "campaign shared-pool-campaign --replications 5";
  CHECK_THAT(unbroken(run(ask).out), ContainsSubstring("Confidence in the steady speed: extrapolated (--verbose"));
  CHECK_THAT(unbroken(run(ask + " --verbose").out),
             ContainsSubstring("Confidence in the steady speed: extrapolated. Outside the range of the references: "));
  const std::string saved = folder.path("fleet.json");
  const std::string page = folder.path("fleet.html");
  REQUIRE(run(ask + " --json -o '" + saved + "' --report '" + page + "'").status == 0);
  CHECK(Json::parse(file_text(saved))["confidence"]["grade"] == "extrapolated");
  CHECK_THAT(file_text(page), ContainsSubstring("extrapolated"));
  CHECK_THAT(run("report '" + saved + "' --format markdown").out,
             ContainsSubstring("Confidence in the steady speed: extrapolated."));
}

TEST_CASE("what is rented has no power and no rack units of its own", "[cli]") {
  const Folder folder;
  const std::string text = run("tco '" + single_files(folder) + "' --level estimate").out;
  CHECK(text.find("rack units") == std::string::npos);
  CHECK(text.find(" kW") == std::string::npos);
  CHECK(text.find("e-") == std::string::npos);
}

TEST_CASE("JUnit of a check holds its confidence", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("check.xml");
  run("check image-node --steps 512 --slo 'gpu_idle_fraction < 90 %' --junit '" + file + "'");
  CHECK_THAT(file_text(file), ContainsSubstring("&#10;Confidence: "));
}

TEST_CASE("sides that are the same show no change with a sign", "[cli]") {
  const Run same = run("compare image-node image-node");
  INFO(same.out);
  CHECK(same.out.find("+0.00") == std::string::npos);
  CHECK_THAT(unbroken(same.out),
             ContainsSubstring("A and B are equally fast. Both are compute-bound at the scenario's values"));
}

TEST_CASE("a comparison says of which side the ranges of the inputs leave the verdict open", "[cli]") {
  const Run result = run("compare image-node image-node --set-b /jobs/0/loader/workers=12");
  CHECK_THAT(unbroken(result.out),
             ContainsSubstring("A is compute-bound at the scenario's values, B is compute-bound"));
}

TEST_CASE("a saved plan becomes Markdown, and its memo says what all epochs cost", "[cli][long_1]") {
  const Folder folder;
  const std::string saved = folder.path("plan.json");
  run("plan '" + single_files(folder) +
      "' --decide /jobs/0/loader/workers=8,12 --decide /jobs/0/loader/prefetch=2 --set /stores/0/metadata/servers=64 "
      "--set '/input_ranges=[{\"parameter\": \"/stores/0/metadata/latency\", \"low\": \"0.3 ms\", \"high\": \"2 "
      "ms\"}]' "
      "--json -o '" +
      saved + "'");
  const std::string markdown = run("report '" + saved + "' --format markdown").out;
  INFO(markdown);
  CHECK(markdown.starts_with("## headrace plan\n"));
  CHECK_THAT(markdown, ContainsSubstring("### Recommended configuration") &&
                           ContainsSubstring("| workers | 8 | 8 | /jobs/0/loader/workers |") &&
                           ContainsSubstring("| cost per epoch | $") &&
                           ContainsSubstring("- Confidence in the recommended configuration: assumed"));
  const std::string memo = run("report '" + saved + "' --memo --format markdown").out;
  INFO(memo);
  CHECK_THAT(memo, ContainsSubstring(" per epoch with the inputs as stated, $") &&
                       ContainsSubstring(" expected over their ranges; all 90 epochs $") &&
                       ContainsSubstring(" as stated, $") && ContainsSubstring(" expected; fed in ") &&
                       ContainsSubstring("recommended, doing nothing: workers 8") &&
                       ContainsSubstring("Inputs that are known better, first of all ") &&
                       ContainsSubstring(": over their ranges it is fed in "));
  const std::string page = run("report '" + saved + "' --format html").out;
  CHECK(page.find("<title>Headrace plan</title>") == std::string::npos);
}
