// What calibrate writes: it reads back to the same, it lies over scenarios, and its figures are known as measured.
#include "scenarios/document/site_file.hpp"

#include <algorithm>
#include <tuple>

#include "models/calibration/catalogue_gpu.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Calibration;
using models::calibration::Cell;
using models::calibration::Fit;
using models::calibration::Verdict;

models::calibration::Parameter parameter(const char* name, const char* unit, double value, const char* target) {
  models::calibration::Parameter p;
  p.name = name;
  p.unit = unit;
  p.value = value;
  p.low = 0.9 * value;
  p.high = 1.2 * value;
  p.verdict = Verdict::clean;
  p.target = target;
  p.provenance = "random_read 4 KiB: 3 windows, 3 clean";
  return p;
}

Calibration sample() {
  Calibration c;
  c.tool_version = "headrace 0";
  c.date = "2026-11-20";
  c.seed = 7;
  c.path = "/data";
  c.engine = "io_uring";
  c.engine_flags = {"SINGLE_ISSUER", "DEFER_TASKRUN"};
  c.host = {{"kernel", "6.1"}};
  c.downgrades = {{"metadata_cold", "skipped", "needs root"}};
  Cell cell;
  cell.probe = "random_read";
  cell.block_bytes = 4096;
  cell.direct = true;
  cell.buffers = "scattered";
  cell.windows.resize(2);
  cell.windows[0].rate_per_s = 1.0 / 3.0;
  cell.windows[0].contamination.other_cpu_cores = 0.1;
  cell.windows[1].clean = true;
  cell.latency.emplace();
  cell.latency->count = 3;
  cell.latency->bins = {723, 2, 800, 1};
  cell.series_per_s = {20, 40};
  cell.lag1 = 0.33;
  cell.estimate = {1e4, 0.9e4, 1.1e4, 2, 1, Verdict::noisy};
  cell.burst = {2e4, 1.9e4, 2.1e4, 5, 4, Verdict::clean};
  cell.sustained = {0.5e4, 0.4e4, 0.6e4, 5, 5, Verdict::clean};
  cell.flags = {"drifting", "cache_suspect"};
  c.cells.push_back(cell);
  Fit fit;
  fit.parameter = "random_read 4 KiB: latency";
  fit.family = "lognormal";
  fit.numbers = {{"sigma", 0.3, 0.2, 0.4}};
  fit.ks = 0.01;
  fit.quantile_ratios = {{0.5, 1.01}};
  fit.chosen = true;
  c.fits.push_back(fit);
  c.parameters.push_back(parameter("storage.bandwidth", "B/s", 2.34567e9, "/stores/storage/bandwidth"));
  c.parameters.push_back(parameter("host.copy", "B/s", 6e9, "/cluster/pools/gpus/host/copy"));
  auto law = parameter("storage.latency", "s", 70e-6, "/stores/storage/latency");
  law.quantiles = {{0.0, 50e-6}, {0.5, 60.0004e-6}, {0.99, 180e-6}, {1.0, 4e-3}};
  c.parameters.push_back(law);
  auto unknown = parameter("storage.requests", "1/s", 0.0, "");
  unknown.verdict = Verdict::undetermined;
  c.parameters.push_back(unknown);
  return c;
}

std::string text_of(const Calibration& calibration) { return site_file(calibration).dump(2); }

}  // namespace

TEST_CASE("a calibration reads back to the same") {
  const std::string text = text_of(sample());
  const auto back = read_site_file("site.json", text);
  REQUIRE(back);
  CHECK(text_of(*back) == text);
  CHECK(back->cells[0].windows[0].rate_per_s == 1.0 / 3.0);
  CHECK(back->cells[0].flags == std::vector<std::string>{"drifting", "cache_suspect"});
  CHECK(back->engine_flags == sample().engine_flags);
  CHECK(back->parameters[2].quantiles.size() == 4);
  CHECK(text_of(*read_site_file("empty.json", text_of(Calibration{}))) == text_of(Calibration{}));
}

TEST_CASE("files without a calibration are refused") {
  const auto code = [](const std::string& text) {
    const auto result = read_site_file("x.json", text);
    return result ? std::string("none") : result.error().sorted().front().code;
  };
  CHECK(code("{}") == "E0130");
  CHECK(code("[]") == "E0130");
  CHECK(code("{") != "none");
  CHECK(code(R"({"calibration": {"sede": 1}})") == "E0203");
  CHECK(code(R"({"calibration": {"format": 2}})") == "E0207");
}

TEST_CASE("a calibration lies over a scenario, which knows its figures as measured") {
  const TestFiles files;
  const std::string site = files.write("site.json", text_of(sample()));
  const std::vector<std::string> paths = {"dataloader-50ms", site};
  const auto alone = load_scenario(std::vector<std::string>{"dataloader-50ms"});
  REQUIRE(alone);
  REQUIRE(alone->value.stores.size() == 1);
  Calibration named = sample();
  for (auto& p : named.parameters) {
    const auto rename = [&p](const std::string& from, const std::string& to) {
      if (const std::size_t at = p.target.find(from); at != std::string::npos) p.target.replace(at, from.size(), to);
    };
    rename("/stores/storage", "/stores/" + alone->value.stores[0].name);
    rename("/pools/gpus", "/pools/" + alone->value.cluster.pools[0].name);
  }
  files.write("site.json", text_of(named));
  const auto loaded = load_scenario(paths);
  REQUIRE(loaded);
  CHECK(loaded->value.stores.size() == 1);
  CHECK(loaded->value.stores[0].bandwidth_bytes_per_s == 2.346e9);
  CHECK(loaded->value.stores[0].latency_s.family == models::Family::empirical);
  CHECK(loaded->value.stores[0].latency_s.quantiles.size() == 4);
  CHECK(loaded->value.cluster.pools[0].host.copy_bytes_per_s == 6e9);
  CHECK(loaded->value.stores[0].requests_per_s == alone->value.stores[0].requests_per_s);
  CHECK(loaded->resolved.find("calibration") == loaded->resolved.end());
  CHECK(loaded->origin_of("/stores/0/bandwidth").print().find("measured 2026-11-20, clean") != std::string::npos);
  const auto inputs = uncertain_inputs(loaded->value, loaded->composition);
  REQUIRE(inputs);
  const auto bandwidth = std::find_if(inputs->begin(), inputs->end(),
                                      [](const auto& input) { return input.pointer == "/stores/0/bandwidth"; });
  REQUIRE(bandwidth != inputs->end());
  CHECK(bandwidth->evidence == models::Evidence::measured);
  CHECK(bandwidth->low == Approx(0.9 * 2.34567e9));
  CHECK(bandwidth->high == Approx(1.2 * 2.34567e9));
  const auto changed = load_scenario(
      std::vector<std::string>{paths[0], paths[1],
                               files.write("law.json", R"({"stores": [{"name": ")" + alone->value.stores[0].name +
                                                           R"(", "latency": {"empirical": {"quantiles": [
                                   {"p": 0, "value": "1 us"}, {"p": 1, "value": "2 us"}]}}}]})")});
  REQUIRE(changed);
  CHECK(changed->origin_of("/stores/0/latency").print().find("measured") == std::string::npos);
  // A later word wins, and is no measurement any more.
  const auto overridden = load_scenario(paths, std::vector<std::string>{"/stores/0/bandwidth=1 GB/s"});
  REQUIRE(overridden);
  CHECK(overridden->origin_of("/stores/0/bandwidth").print().find("measured") == std::string::npos);
}

TEST_CASE(
    "the rate of one client is assumed of a shared store, in a load and in every variant, and measured of a drive") {
  const TestFiles files;
  Calibration c;
  c.date = "2026-11-20";
  c.parameters.push_back(parameter("storage.bandwidth", "B/s", 2e9, "/stores/storage/bandwidth"));
  c.parameters.back().flags = {"one_client"};
  const std::string site = files.write("site.json", text_of(c));
  const auto store = [&](const std::string& kind) {
    return files.write(kind + ".json", R"({"stores": [{"name": "storage", "kind": ")" + kind + R"("}]})");
  };
  const auto evidence = [](const models::Scenario& scenario, const Composition& composition) {
    const auto inputs = uncertain_inputs(scenario, composition);
    for (const models::UncertainInput& input : inputs.value())
      if (input.pointer.ends_with("/bandwidth") && input.pointer.starts_with("/stores/1")) return input.evidence;
    return models::Evidence::published;
  };
  for (const auto& [kind, known] :
       {std::pair("parallel_fs", models::Evidence::assumed), std::pair("object_store", models::Evidence::assumed),
        std::pair("nvme", models::Evidence::measured)}) {
    INFO(kind);
    const auto loaded = load_scenario(std::vector<std::string>{"dataloader-50ms", store(kind), site});
    REQUIRE(loaded);
    REQUIRE(loaded->value.stores.size() == 2);
    CHECK(evidence(loaded->value, loaded->composition) == known);
    models::Scenario fresh;
    const auto varied =
        vary(loaded->composition, std::vector<Setting>{}, Catalogue::shipped(), [&fresh](models::Visitor& visitor) {
          fresh = models::Scenario{};
          describe_scenario(fresh, visitor);
        });
    REQUIRE(varied);
    CHECK(evidence(fresh, *varied) == known);
  }
}

TEST_CASE("measured figures that a later file replaces are named, with what to do") {
  const TestFiles files;
  Calibration c;
  c.date = "2026-11-20";
  c.parameters.push_back(parameter("storage.bandwidth", "B/s", 2e9, "/stores/storage/bandwidth"));
  c.parameters.push_back(parameter("storage.latency", "s", 1e-3, "/stores/storage/latency"));
  const std::string site = files.write("site.json", text_of(c));
  const std::string own = files.write("own.json", R"({"stores": [
      {"name": "storage", "kind": "nvme", "bandwidth": "5 GB/s", "latency": "2 ms"}]})");
  const auto notes = [&](const std::vector<std::string>& paths) {
    const auto loaded = load_scenario(paths);
    REQUIRE(loaded);
    return loaded->composition.notes;
  };
  CHECK(notes({"dataloader-50ms", own, site}).empty());
  const std::vector<std::string> said = notes({"dataloader-50ms", site, own});
  REQUIRE(said.size() == 1);
  CHECK(said.front() == own + " replaces what " + site +
                            " measured (/stores/storage/bandwidth, /stores/storage/latency): of two files the later "
                            "one wins; name " +
                            site + " last to use its figures");
  // What the user sets by hand needs no note, and a newer measurement is no loss.
  const auto set = load_scenario(std::vector<std::string>{"dataloader-50ms", own, site},
                                 std::vector<std::string>{"/stores/1/bandwidth=1 GB/s"});
  REQUIRE(set);
  CHECK(set->composition.notes.empty());
  CHECK(notes({"dataloader-50ms", own, site, files.write("newer.json", text_of(c))}).empty());
}

TEST_CASE("a catalogue's figure in a calibration is no measurement, and lies over a GPU that is named") {
  const TestFiles files;
  Calibration c;
  c.date = "2026-11-20";
  add_catalogue_gpu(c, {"H100-SXM5-80GB", {63e9, "2022 part; a page"}, {989.4e12, "2022 part; a page"}},
                    {"storage", "gpus"});
  const std::string site = files.write("site.json", text_of(c));
  const std::string base =
      files.write("base.json", R"({"cluster": {"pools": [{"name": "gpus", "gpu": "A100-SXM4-80GB"}]}})");
  const auto loaded = load_scenario(std::vector<std::string>{"dataloader-50ms", base, site});
  const auto plain = load_scenario(std::vector<std::string>{"dataloader-50ms", base});
  REQUIRE(plain);
  REQUIRE(loaded);
  std::size_t pool = 0;
  while (loaded->value.cluster.pools.at(pool).name != "gpus") ++pool;
  const auto& gpu = loaded->value.cluster.pools[pool].gpu;
  CHECK(gpu.pcie_bytes_per_s == 63e9);
  CHECK(gpu.peak_flops_per_s == 989.4e12);
  CHECK(gpu.hbm_bytes == plain->value.cluster.pools[pool].gpu.hbm_bytes);
  const std::string place = "/cluster/pools/" + std::to_string(pool) + "/gpu/pcie";
  const std::string origin = loaded->origin_of(place).print();
  CHECK(origin.find("catalogue, H100-SXM5-80GB, +-30 %") != std::string::npos);
  CHECK(origin.find("measured") == std::string::npos);
  const auto inputs = uncertain_inputs(loaded->value, loaded->composition);
  REQUIRE(inputs);
  for (const auto& input : *inputs) {
    if (input.pointer != place) continue;
    CHECK(input.evidence == models::Evidence::datasheet);
    CHECK(input.low == Approx(0.7 * 63e9));
    CHECK(input.high == Approx(1.3 * 63e9));
  }
}

TEST_CASE("a record is replaced, and what else a file holds stays") {
  const std::string text =
      R"({"//": "mine", "title": "own words", "background": [{"name": "others", "bandwidth": "1 GB/s"}],
          "calibration": {"date": "2026-11-01"}})";
  auto record = read_site_file("site.json", text);
  REQUIRE(record);
  record->verified = models::calibration::VerifiedLoop{};
  record->verified->points = 14;
  const auto file = with_record(text, *record);
  CHECK(file["//"] == "mine");
  CHECK(file["title"] == "own words");
  CHECK(file["background"][0]["bandwidth"] == "1 GB/s");
  CHECK(file["calibration"]["verified"]["points"] == 14);
  CHECK(file["calibration"]["date"] == "2026-11-01");
  CHECK(read_site_file("site.json", file.dump()));
}

TEST_CASE("sigma and kappa of a calibration replace the number of a scenario, a sigma of zero too") {
  const TestFiles files;
  Calibration measured = sample();
  measured.parameters = {parameter("host.contention.sigma", "count", 0.0, "/cluster/pools/vm/host/contention/sigma"),
                         parameter("host.contention.kappa", "count", 0.006, "/cluster/pools/vm/host/contention/kappa")};
  measured.parameters[0].high = 0.04;
  const auto loaded =
      load_scenario(std::vector<std::string>{"imagenet-threads", files.write("site.json", text_of(measured))});
  if (!loaded) FAIL(print_text(loaded.error()));
  const models::WorkerContention& law = loaded->value.cluster.pools[0].host.contention;
  CHECK(law.exponent == 0.0);
  CHECK(law.sigma == 0.0);
  CHECK(law.kappa == 0.006);
  CHECK(loaded->value.cluster.pools[0].host.cores == 8);
  const std::string pointer = "/cluster/pools/0/host/contention/";
  CHECK(loaded->origin_of(pointer + "kappa").print().find("measured 2026-11-20") != std::string::npos);
  const auto inputs = uncertain_inputs(loaded->value, loaded->composition);
  REQUIRE(inputs);
  for (const auto& [key, low, high] : {std::tuple{"sigma", 0.0, 0.04}, std::tuple{"kappa", 0.0054, 0.0072}}) {
    const std::string parameter = pointer + key;
    const auto input =
        std::find_if(inputs->begin(), inputs->end(), [&](const auto& one) { return one.pointer == parameter; });
    REQUIRE(input != inputs->end());
    CHECK(input->low == Approx(low));
    CHECK(input->high == Approx(high));
  }
}

TEST_CASE("a layer that extends the base of a layer before it says that it undoes that one") {
  const TestFiles files;
  const auto layer = [&](const char* name, const char* latency) {
    return files.write(
        name, std::string(R"({"extends": "dataloader-50ms", "stores": [{"name": "objects", "latency": ")") + latency +
                  R"("}]})");
  };
  const std::string first = layer("first.json", "7 ms");
  const std::string second = layer("second.json", "9 ms");
  const auto notes = [&](const std::vector<std::string>& paths) {
    const auto loaded = load_scenario(paths);
    REQUIRE(loaded);
    return loaded->composition.notes;
  };
  CHECK(notes({first}).empty());
  CHECK(notes({"dataloader-50ms", first}).empty());  // nothing lies between
  const std::vector<std::string> said = notes({first, second});
  REQUIRE(said.size() == 1);
  CHECK(files.strip(said.front()) ==
        "second.json extends dataloader-50ms again, which undoes what the files before it changed in dataloader-50ms: "
        "to keep that, remove \"extends\" from second.json");
}

}  // namespace headrace::scenarios
