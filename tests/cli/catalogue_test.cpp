// Names of the catalogue in scenarios, the user's own figures, ages of prices, explain.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::run;

namespace {

constexpr const char* kByName = R"({
  "cluster": {"pool": {"name": "p", "catalogue": "DGX-H100", "nodes": 4,
                       "cache": {"catalogue": "8xMicron-9550-PRO-Gen5", "policy": "lru", "bytes": "20 TB"}}},
  "store": {"name": "nas", "catalogue": "s3-standard", "limit": {"prefixes": 40}},
  "dataset": {"name": "d", "store": "nas", "files": 100000, "sample_bytes": "1 MB"},
  "job": {"name": "j", "pool": "p", "datasets": {"dataset": "d"}, "step": {"batch": 64, "step_time": "200 ms"}},
  "prices": "H100/lambda_8x"
})";

}  // namespace

TEST_CASE("node, cache, store and price may be names of the catalogue", "[cli]") {
  const Folder folder;
  const std::string file = folder.write("a.json", kByName);
  const auto run_json = run("bound --json --as-of 2026-11-21 '" + file + "'");
  INFO(run_json.err);
  REQUIRE(run_json.status == 0);
  const auto outcome = nlohmann::json::parse(run_json.out);
  const auto& pool = outcome["scenario"]["cluster"]["pools"][0];
  CHECK(pool["gpu"]["model"] == "H100-SXM5-80GB");
  CHECK(pool["drives"]["capacity"] == "30.72 TB");
  CHECK(pool["cache"]["bandwidth"] == "112 GB/s");
  CHECK(pool["nic"]["rails"] == 2);
  // Figures that the page of the store does not tell are those of the generic class, never zero.
  CHECK(outcome["scenario"]["stores"][0]["bandwidth"] == "100 GB/s");
  CHECK(outcome["catalogue_version"] == "2026-11-21");
  CHECK(nlohmann::json::parse(run("bound --json '" + file + "' --set '/cluster/pools/0/gpu/hbm=96 GB'")
                                  .out)["scenario"]["cluster"]["pools"][0]["gpu"]["model"] == "H100-SXM5-80GB");
  const auto dry = run("bound --dry-run '" + file + "'");
  CHECK(dry.out.find("generic class, no verified figure (assumed)") != std::string::npos);
  // The price of GPUs is of September, within 90 days; those of the store are of 2024-2025.
  bool gpu = false;
  bool store = false;
  for (const auto& warning : outcome["warnings"]) {
    const auto seen = warning["seen"].get<std::string>();
    gpu = gpu || seen.find("/prices/gpu_hour") != std::string::npos;
    store = store || seen.find("/stores/0/price/capacity") != std::string::npos;
  }
  CHECK(!gpu);
  CHECK(store);
  const auto later = run("bound --json --as-of 2027-01-01 '" + file + "'");
  CHECK(later.out.find("/prices/gpu_hour is of 2026-09-20") != std::string::npos);
  // Whoever reads the text, or puts the document into a file, is told as well.
  CHECK(later.err.find("/prices/gpu_hour is of 2026-09-20") != std::string::npos);
  const auto text = run("bound --as-of 2027-01-01 '" + file + "' -o '" + folder.path("out.txt") + "'");
  CHECK(text.err.find("--set /prices/gpu_hour=") != std::string::npos);
}

TEST_CASE("prices of one date are one warning", "[cli]") {
  const auto text = run("bound object-store-start --as-of 2026-11-24");
  CHECK(text.err.find(" prices, the first ") != std::string::npos);
  CHECK(text.err.find("--dry-run shows all values") != std::string::npos);
  std::size_t warnings = 0;
  for (std::size_t at = text.err.find("warning:"); at != std::string::npos; at = text.err.find("warning:", at + 1))
    ++warnings;
  CHECK(warnings <= 2);
}

TEST_CASE("prices in shipped scenarios age as well, those in one's own files do not", "[cli]") {
  const auto old = run("bound imagenet-1250-nodes --as-of 2027-06-01 --json");
  INFO(old.err);
  CHECK(old.err.find("/price/capacity, are of 2026-11-21; override them: --set /stores/0/price/capacity=") !=
        std::string::npos);
  CHECK(old.err.find("/price/egress") == std::string::npos);  // nothing costs nothing at any time
  CHECK(old.err.find("3 prices") != std::string::npos);
  CHECK(run("bound imagenet-1250-nodes --as-of 2027-01-01 --json").err.find("2026-11-21") == std::string::npos);
  CHECK(run("bound imagenet-1250-nodes --as-of 2027-06-01 --json --set '/prices/gpu_hour=$3/h'").err.find("2 prices") !=
        std::string::npos);
  const Folder folder;
  const std::string own = folder.write(
      "own.json", file_text(std::string(HEADRACE_SOURCE_DIR) + "/scenarios/shipped/imagenet-1250-nodes.json"));
  CHECK(run("bound '" + own + "' --as-of 2027-06-01 --json").err.find("2026-11-21") == std::string::npos);
}

TEST_CASE("a user's file overrides the catalogue and is named in the outcome", "[cli]") {
  const Folder folder;
  const std::string file = folder.write("a.json", kByName);
  const std::string mine = folder.write("mine.json", R"({"section": "price", "version": "2026-11-20", "entries": {
    "H100/lambda_8x": {"gpu_hour": {"value": "$2.5/h", "source": "our contract", "as_of": "2026-11-20", "evidence": "read"}}}})");
  const auto priced = run("bound --json '" + file + "' --catalogue '" + mine + "'");
  INFO(priced.err);
  REQUIRE(priced.status == 0);
  const auto outcome = nlohmann::json::parse(priced.out);
  CHECK(outcome["scenario"]["prices"]["gpu_hour"] == "$2.5/h");
  CHECK(outcome["catalogue_version"] == "2026-11-21 + own price (2026-11-20)");
  CHECK(run("explain H100/lambda_8x --catalogue '" + mine + "'").out.find("our contract") != std::string::npos);
  const auto bad = [&](const std::string& text) {
    const auto failed = run("bound '" + file + "' --catalogue '" + folder.write("bad.json", text) + "'");
    CHECK(failed.status == 2);
    return failed.err;
  };
  CHECK(bad(R"({"section": "prize", "entries": {}})").find("E0305") != std::string::npos);
  CHECK(bad(R"({"section": "price"})").find("entries") != std::string::npos);
  CHECK(bad(R"({"section": "price", "entries": {"a": 7}})").find("not an object") != std::string::npos);
  CHECK(bad("{").find("E01") != std::string::npos);
  CHECK(bad(R"({"section": "price", "entries": {"H100/lambda_8x": {"gpu_hours": "$2/h"}}})").find("E0203") !=
        std::string::npos);
  CHECK(run("bound '" + file + "' --catalogue nowhere.json").err.find("E0101") != std::string::npos);
}

TEST_CASE("explain lists the catalogue and shows an item with its sources", "[cli]") {
  const auto list = run("explain catalogue");
  CHECK(list.out.find("DGX-B200") != std::string::npos);
  CHECK(list.out.find("generic-capacity-nas") != std::string::npos);
  // Presets of loaders, protocols, codecs and file formats are items like any others.
  for (const char* section : {"\nloader\n", "\ntransport\n", "\ncodec\n", "\nformat\n"})
    CHECK(list.out.find(section) != std::string::npos);
  for (const auto& [preset, section] :
       {std::pair{"torch", "loader"}, {"tcp", "transport"}, {"zstd", "codec"}, {"parquet", "format"}}) {
    const auto shown = run(std::string("explain ") + preset);
    INFO(shown.err);
    CHECK(shown.status == 0);
    CHECK(shown.out.find(std::string("catalogue ") + section) != std::string::npos);
  }
  const auto item = run("explain generic-parallel-fs");
  CHECK(item.out.find("bandwidth = 100 GB/s   (20 GB/s to 1000 GB/s)") != std::string::npos);
  CHECK(item.out.find("assumed") != std::string::npos);
  const auto json = nlohmann::json::parse(run("explain DGX-H100 --json").out);
  CHECK(json["topics"][0]["figures"]["host"]["cores"]["value"] == 112);
  CHECK(run("explain DGX-H10").err.find("DGX-H100") != std::string::npos);
}

TEST_CASE("the range of a generic class is what --inputs ranges draws", "[cli]") {
  const Folder folder;
  const std::string file = folder.write("a.json", kByName);
  const auto drawn =
      run("bound --json --inputs ranges '" + file + "' --set '/stores/0/catalogue=generic-object-store'");
  INFO(drawn.err);
  REQUIRE((drawn.status == 0 || drawn.status == 3));
  bool found = false;
  const auto outcome = nlohmann::json::parse(drawn.out);
  for (const auto& input : outcome["inputs"]["drawn"])
    if (input["parameter"] == "/stores/0/bandwidth") {
      found = true;
      CHECK(input["low"] == 1e10);
      CHECK(input["high"] == 1e12);
    }
  CHECK(found);
}
