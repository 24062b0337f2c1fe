#include "scenarios/document/scenario_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/document/explain_visitor.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

constexpr const char* kSmall = R"({
  "cluster": {"pool": {"name": "p", "nodes": 4, "gpu": "H100-SXM5-80GB", "nic": "400GbE"}},
  "store": {"name": "nas", "bandwidth": "40 GB/s", "latency": "0.5 ms"},
  "dataset": {"name": "d", "store": "nas", "files": 1000, "sample_bytes": "110 kB"},
  "job": {"name": "j", "pool": "p", "datasets": {"dataset": "d"}, "step": {"batch": 64, "step_time": "200 ms"}}
})";

}  // namespace

TEST_CASE("a small scenario loads with catalogue figures and short forms") {
  const TestFiles files;
  const std::vector<std::string> paths = {files.write("small.json", kSmall)};
  const auto loaded = load_scenario(paths);
  if (!loaded) FAIL(print_text(loaded.error()));
  const models::Scenario& s = loaded->value;
  REQUIRE(s.cluster.pools.size() == 1);
  CHECK(s.cluster.pools[0].nodes == 4);
  CHECK(s.cluster.pools[0].gpu.hbm_bytes == 80e9);
  CHECK(s.cluster.pools[0].gpu.peak_flops_per_s == 989.4e12);
  CHECK(s.cluster.pools[0].nic.bandwidth_bytes_per_s == 50e9);
  CHECK(loaded->origin_of("/cluster/pools/0/gpu/hbm").kind == Origin::Kind::catalogue);
  CHECK(loaded->origin_of("/cluster/pools/0/gpu/hbm").as_of.substr(0, 9) == "2022-2023");
  CHECK(loaded->sha256 == scenario_sha256(s));
  CHECK(print_scenario(s) == loaded->resolved);
  const std::vector<std::string> again = {files.write("again.json", loaded->resolved.dump())};
  const auto second = load_scenario(again);
  if (!second) FAIL(print_text(second.error()));
  CHECK(second->sha256 == loaded->sha256);
}

TEST_CASE("an unknown key that has another place is told it, and a rule about absent keys points at their object") {
  const TestFiles files;
  const std::string small = files.write("small.json", kSmall);
  const auto complaint = [&](const std::string& layer) {
    const auto loaded = load_scenario(std::vector<std::string>{small, files.write("layer.json", layer)});
    REQUIRE(!loaded);
    return print_text(loaded.error());
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(complaint(R"({"checkpoint": {"interval": "30 min"}})"),
             ContainsSubstring("help: it belongs to another place: /jobs/0/checkpoint\n"));
  CHECK_THAT(complaint(R"({"nowhere_at_all": 1})"), ContainsSubstring("help: known here: title"));
  CHECK_THAT(complaint(R"({"jobs": [{"name": "j", "checkpoint": {"interval": "30 min", "store": "nas"}}]})"),
             ContainsSubstring("the checkpoint has no size") && ContainsSubstring("(/jobs/0/checkpoint)"));
}

TEST_CASE("a limit of 0 in a file is none, and is written as 0 again") {
  const TestFiles files;
  const std::vector<std::string> small = {files.write("limits.json", kSmall)};
  const auto loaded_with = [&small](const std::vector<std::string>& overrides) {
    return load_scenario(small, overrides);
  };
  const auto none = loaded_with({"/stores/0/front_end=0", "/cluster/pools/0/host/cores=0"});
  const auto some = loaded_with({"/stores/0/front_end=40 GB/s", "/cluster/pools/0/host/cores=64"});
  REQUIRE(none);
  REQUIRE(some);
  CHECK(!none->value.stores[0].front_end_bytes_per_s);
  CHECK(!none->value.cluster.pools[0].host.cores);
  CHECK(some->value.stores[0].front_end_bytes_per_s == 40e9);
  CHECK(some->value.cluster.pools[0].host.cores == std::uint64_t{64});
  CHECK(none->resolved["stores"][0]["front_end"] == "0 B/s");
  CHECK(none->resolved["cluster"]["pools"][0]["host"]["cores"] == 0);
  CHECK(some->resolved["stores"][0]["front_end"] == "40 GB/s");
  CHECK(!loaded_with({"/stores/0/front_end=-1 GB/s"}));
}

TEST_CASE("failures and checkpoints need each other and a size") {
  const TestFiles files;
  const std::vector<std::string> small = {files.write("a.json", kSmall)};
  const auto refused = [&small](const std::vector<std::string>& overrides) {
    const auto loaded = load_scenario(small, overrides);
    REQUIRE(!loaded);
    std::string all;
    for (const auto& diagnostic : loaded.error().sorted()) all += diagnostic.message + "\n";
    return all;
  };
  const std::string faults = R"(/faults={"node_mtbf": "1000 h"})";
  const std::string store = load_scenario(small)->value.stores[0].name;
  const auto checkpoint = [&store](const std::string& rest) {
    return R"(/jobs/0/checkpoint={"store": ")" + store + "\"" + rest + "}";
  };
  CHECK(refused({faults}).find("never ends") != std::string::npos);
  CHECK(refused({checkpoint(R"(, "bytes": "1 TB")")}).find("needs a failure rate") != std::string::npos);
  CHECK(refused({faults, checkpoint("")}).find("has no size") != std::string::npos);
  CHECK(refused({faults, R"(/jobs/0/checkpoint={"store": "elsewhere", "bytes": "1 TB"})"}).find("elsewhere") !=
        std::string::npos);
  CHECK(refused({R"(/faults={"node_mtbf": "-1 h"})", checkpoint(R"(, "bytes": "1 TB")")}).find("-1 h") !=
        std::string::npos);
  const std::vector<std::string> both = {faults, checkpoint(R"(, "bytes": "1 TB")")};
  CHECK(load_scenario(small, both));
}

TEST_CASE("jobs must fit beside each other, and background load needs a store that is shared") {
  const TestFiles files;
  const std::vector<std::string> small = {files.write("a.json", kSmall)};
  const auto refused = [&small](const std::vector<std::string>& overrides) {
    const auto loaded = load_scenario(small, overrides);
    REQUIRE(!loaded);
    return loaded.error().sorted().front().message;
  };
  CHECK(refused({"/jobs/0/copies=2"}).find("take 8 nodes in all, and it has 4") != std::string::npos);
  CHECK(load_scenario(small, std::vector<std::string>{"/jobs/0/copies=2", "/jobs/0/nodes=2"}));
  const auto load = [](const std::string& rest) {
    return R"(/background=[{"name": "l", "store": "nas", "bandwidth": "1 GB/s")" + rest + "}]";
  };
  CHECK(load_scenario(small, std::vector<std::string>{load("")}));
  CHECK(refused({load(""), "/stores/0/kind=nvme"}).find("local store") != std::string::npos);
  CHECK(refused({load(R"(, "pool": "elsewhere")")}).find("elsewhere") != std::string::npos);
  CHECK(refused({load(R"(, "clients": 0)")}).find('0') != std::string::npos);
  CHECK(refused({load(R"(, "bursts": {"on": "1 s"})")}).find("off") != std::string::npos);
}

TEST_CASE("the empty scenario names everything that is missing") {
  const TestFiles files;
  const std::vector<std::string> paths = {files.write("a.json", "{}")};
  const auto loaded = load_scenario(paths);
  REQUIRE(!loaded);
  std::vector<std::string> pointers;
  for (const Diagnostic& d : loaded.error().sorted()) {
    CHECK(d.code == "E0202");
    pointers.push_back(d.pointer);
  }
  CHECK(pointers == std::vector<std::string>{"/cluster", "/datasets", "/jobs", "/stores"});
}

TEST_CASE("every parameter of a scenario has a meaning, and numbers have a plausible range") {
  models::Scenario fresh;
  const auto all = list_parameters([&fresh](models::Visitor& v) { describe_scenario(fresh, v); });
  CHECK(all.size() > 60);
  for (const Parameter& p : all) {
    INFO(p.pointer);
    CHECK(!p.meaning.empty());
    if (p.type == "quantity" || p.type == "count" || p.type == "distribution") CHECK(p.ranged);
  }
}

TEST_CASE("every shipped catalogue figure fits the record that it stands for") {
  const Catalogue& shipped = Catalogue::shipped();
  // Every shipped file can be listed, and is called as its section.
  std::string newest;
  for (const EmbeddedText& file : embedded_catalogue()) {
    const nlohmann::json document = nlohmann::json::parse(file.text);
    CHECK(document["section"] == file.name);
    newest = std::max(newest, document["version"].get<std::string>());
    const std::string section(file.name.substr(0, file.name.find('.')));
    INFO(section);
    CHECK(!shipped.names(section).empty());
    const auto sections = shipped.section_names();
    CHECK(std::find(sections.begin(), sections.end(), section) != sections.end());
  }
  CHECK(shipped.version() == newest);
  CHECK(shipped.names("gpu").size() >= 4);
  CHECK(shipped.names("price").size() >= 15);
  const TestFiles files;
  const std::vector<std::string> paths = {files.write("small.json", kSmall)};
  const auto check = [&](std::string_view section, const std::string& pointer) {
    for (const std::string_view name : shipped.names(section)) {
      const std::vector<std::string> set = {pointer + "=" + std::string(name)};
      const auto loaded = load_scenario(paths, set);
      INFO(section << " " << name);
      if (!loaded) FAIL(print_text(loaded.error()));
    }
  };
  check("gpu", "/cluster/pools/0/gpu");
  check("nic", "/cluster/pools/0/nic");
  check("price", "/prices");
  check("loader", "/jobs/0/loader");
  check("codec", "/datasets/0/codec");
  check("transport", "/fabric/transport");
  check("format", "/datasets/0/catalogue");
  for (const std::string_view name : shipped.names("background")) {
    const std::vector<std::string> set = {"/background=[{\"name\": \"l\", \"store\": \"nas\", \"catalogue\": \"" +
                                          std::string(name) + "\"}]"};
    const auto loaded = load_scenario(paths, set);
    INFO(name);
    if (!loaded) FAIL(print_text(loaded.error()));
  }
  check("drives", "/cluster/pools/0/drives");
  for (const std::string_view name : shipped.names("node")) {
    const std::vector<std::string> set = {"/cluster/pools/0={\"name\": \"p\", \"nodes\": 4, \"catalogue\": \"" +
                                          std::string(name) + "\"}"};
    const auto loaded = load_scenario(paths, set);
    INFO(name);
    if (!loaded) FAIL(print_text(loaded.error()));
    CHECK(loaded->value.cluster.pools[0].gpu.peak_flops_per_s > 0.0);
    CHECK(loaded->value.cluster.pools[0].host.cores);
    CHECK(loaded->value.cluster.pools[0].drives.capacity_bytes > 0.0);
  }
  for (const std::string_view name : shipped.names("cache")) {
    const std::vector<std::string> set = {
        "/cluster/pools/0/drives=8x3.84TB-NVMe",
        "/cluster/pools/0/cache={\"policy\": \"lru\", \"bytes\": \"1 TB\", \"catalogue\": \"" + std::string(name) +
            "\"}"};
    const auto loaded = load_scenario(paths, set);
    INFO(name);
    if (!loaded) FAIL(print_text(loaded.error()));
    CHECK(mean_of(loaded->value.cluster.pools[0].cache.latency_s) > 0.0);
  }
  for (const std::string_view name : shipped.names("store")) {
    const std::vector<std::string> set = {"/stores/0={\"name\": \"nas\", \"catalogue\": \"" + std::string(name) +
                                          "\"}"};
    const auto loaded = load_scenario(paths, set);
    INFO(name);
    if (!loaded) FAIL(print_text(loaded.error()));
    CHECK(mean_of(loaded->value.stores[0].latency_s) > 0.0);  // a missing figure is never a silent zero
  }
}

TEST_CASE("drives that turn and services by tier have their figures in the catalogue") {
  const TestFiles files;
  const std::vector<std::string> paths = {files.write("small.json", kSmall)};
  const auto store_of = [&](const std::string& name) {
    const std::vector<std::string> set = {"/stores/0={\"name\": \"nas\", \"catalogue\": \"" + name + "\"}"};
    const auto loaded = load_scenario(paths, set);
    INFO(name);
    if (!loaded) FAIL(print_text(loaded.error()));
    return loaded->value.stores[0];
  };
  const models::Store disk = store_of("Seagate-Exos-X24-HDD");
  CHECK(disk.kind == models::StoreKind::hdd);
  CHECK(disk.bandwidth_bytes_per_s == 285e6);
  CHECK(mean_of(disk.latency_s) == Approx(12.7e-3));  // of the generic class
  const models::Store twin = store_of("Seagate-Exos-2X14-HDD");
  REQUIRE(twin.drives);
  CHECK(static_cast<double>(twin.drives->count) / twin.drives->positioning_s == Approx(304.0).epsilon(1e-3));
  // Every tier gives what it has per TiB.
  for (const auto& [tier, mb_per_tib] : {std::pair{"scratch-2", 200},
                                         {"persistent-125", 125},
                                         {"persistent-250", 250},
                                         {"persistent-500", 500},
                                         {"persistent-1000", 1000}})
    CHECK(store_of("fsx-lustre-" + std::string(tier) + "-100TiB").bandwidth_bytes_per_s == Approx(1e8 * mb_per_tib));
  // Faster tiers cost more; without a figure of its own a tier would cost what the generic class does.
  double before = 0.0;
  for (const std::string tier :
       {"scratch-2", "persistent-125", "persistent-250", "persistent-500", "persistent-1000"}) {
    const double price = store_of("fsx-lustre-" + tier + "-100TiB").price.capacity_usd_per_byte_month;
    CHECK(price > before);
    before = price;
  }
  CHECK(before == Approx(0.8486e-9));
}

}  // namespace headrace::scenarios
