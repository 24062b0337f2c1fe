// Spaces: which points they have, what scenarios the points are, what is wrong with a file.
#include "scenarios/results/sweep_space.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "scenarios/document/embedded_texts.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

using Catch::Matchers::ContainsSubstring;

SweepSpace load(const TestFiles& files, const std::string& text, const std::vector<std::string>& overrides = {}) {
  auto space = load_space(files.write("space.json", text), overrides);
  if (!space) FAIL(print_text(space.error()));
  return std::move(*space);
}

std::string space_complaint(const std::string& text) {
  const TestFiles files;
  const auto space = load_space(files.write("space.json", text));
  CHECK_FALSE(space);
  return space ? std::string() : print_text(space.error());
}

std::string points(const SweepSpace& space) {
  std::string text;
  for (std::uint64_t p = 0; p < space.combinations(); ++p)
    if (space.keeps(p)) text += std::to_string(p) + space.coordinates(p).dump() + "\n";
  return text;
}

constexpr const char* kWorkers = R"({"parameter": "/jobs/0/loader/workers", "values": [1, 2, 3]})";
constexpr const char* kPrefetch = R"({"parameter": "/jobs/0/loader/prefetch", "values": [1, 2]})";

std::string space_of(const std::string& axes, const std::string& conditions = "[]") {
  return R"({"scenario": "image-node", "axes": [)" + axes + R"(], "conditions": )" + conditions + "}";
}

}  // namespace

TEST_CASE("axes are crossed, the last one fastest, and conditions leave the numbers alone") {
  const TestFiles files;
  const SweepSpace all = load(files, space_of(std::string(kWorkers) + "," + kPrefetch));
  CHECK(points(all) ==
        "0{\"workers\":1,\"prefetch\":1}\n1{\"workers\":1,\"prefetch\":2}\n2{\"workers\":2,\"prefetch\":1}\n"
        "3{\"workers\":2,\"prefetch\":2}\n4{\"workers\":3,\"prefetch\":1}\n5{\"workers\":3,\"prefetch\":2}\n");
  CHECK(all.name == "space");
  const SweepSpace some = load(files, space_of(std::string(kWorkers) + "," + kPrefetch,
                                               R"([{"axis": "prefetch", "less_than": {"axis": "workers"}}])"));
  CHECK(points(some) ==
        "2{\"workers\":2,\"prefetch\":1}\n4{\"workers\":3,\"prefetch\":1}\n5{\"workers\":3,\"prefetch\":2}\n");
  CHECK(some.count() == 3);
  CHECK(some.sha256 != all.sha256);
}

TEST_CASE("zipped axes go side by side") {
  const TestFiles files;
  const SweepSpace space = load(files, space_of(R"({"zip": [
      {"parameter": "/jobs/0/loader/workers", "values": [1, 2]},
      {"parameter": "/stores/0/bandwidth", "values": ["10 GB/s", "20 GB/s"]}]},)" +
                                                std::string(kPrefetch)));
  CHECK(space.combinations() == 4);
  CHECK(space.coordinates(3).dump() == R"({"workers":2,"bandwidth":"20 GB/s","prefetch":2})");
}

TEST_CASE("a Latin hypercube has one point in each part of each axis, the same for the same seed") {
  const TestFiles files;
  const auto cube = [&](int seed) {
    return load(files, space_of(R"({"latin_hypercube": {"points": 40, "seed": )" + std::to_string(seed) + R"(, "axes": [
      {"name": "rate", "parameter": "/stores/0/bandwidth", "from": "10 GB/s", "to": "50 GB/s"},
      {"parameter": "/jobs/0/loader/workers", "from": 1, "to": 4},
      {"name": "nic", "parameter": "/cluster/pools/0/nic/bandwidth", "values": ["50 Gb/s", "100 Gb/s"]}]}})"));
  };
  const SweepSpace space = cube(1);
  std::set<int> parts;
  std::map<std::string, int> workers, nics;
  for (std::uint64_t p = 0; p < space.combinations(); ++p) {
    const std::vector<Node> values = space.values(p);
    parts.insert(static_cast<int>((comparable_number(values[0])->value - 10e9) / 1e9));
    ++workers[value_text(values[1])];
    ++nics[value_text(values[2])];
  }
  CHECK(parts.size() == 40);
  CHECK(workers == std::map<std::string, int>{{"1", 10}, {"2", 10}, {"3", 10}, {"4", 10}});
  CHECK(nics == std::map<std::string, int>{{"50 Gb/s", 20}, {"100 Gb/s", 20}});
  CHECK(points(cube(1)) == points(space));
  CHECK(points(cube(2)) != points(space));
}

TEST_CASE("conditions compare values, quantities in any unit, and join") {
  const TestFiles files;
  const auto kept = [&](const std::string& condition) {
    return load(files, space_of(R"({"name": "w", "parameter": "/jobs/0/loader/workers", "values": [1, 2, 3]},
        {"name": "rate", "parameter": "/stores/0/bandwidth", "values": ["500 MB/s", "1 GB/s", "2 GB/s"]})",
                                "[" + condition + "]"))
        .count();
  };
  CHECK(kept(R"({"axis": "w", "is": 2})") == 3);
  CHECK(kept(R"({"axis": "w", "is_not": 2})") == 6);
  CHECK(kept(R"({"axis": "w", "in": [1, 3]})") == 6);
  CHECK(kept(R"({"axis": "rate", "is": "1000 MB/s"})") == 3);
  CHECK(kept(R"({"axis": "rate", "at_most": "8 Gb/s"})") == 6);
  CHECK(kept(R"({"axis": "rate", "more_than": "0.5 GB/s"})") == 6);
  CHECK(kept(R"({"if": {"axis": "w", "at_least": 3}, "then": {"axis": "rate", "is": "2 GB/s"}})") == 7);
  CHECK(
      kept(
          R"({"if": {"axis": "w", "is": 3}, "then": {"axis": "rate", "is": "2 GB/s"}, "else": {"axis": "w", "is": 1}})") ==
      4);
  CHECK(kept(R"({"any": [{"axis": "w", "is": 1}, {"axis": "rate", "is": "2 GB/s"}]})") == 5);
  CHECK(kept(R"({"all": [{"axis": "w", "is": 1}, {"not": {"axis": "rate", "is": "2 GB/s"}}]})") == 2);
}

TEST_CASE("a point is the scenario that --set gives") {
  const TestFiles files;
  const SweepSpace space = load(files, space_of(std::string(kWorkers) + "," + kPrefetch), {"/jobs/0/epochs=7"});
  const auto point = space.resolve(5);
  REQUIRE(point);
  const auto same = load_scenario(
      std::vector<std::string>{"image-node"},
      std::vector<std::string>{"/jobs/0/epochs=7", "/jobs/0/loader/workers=3", "/jobs/0/loader/prefetch=2"});
  REQUIRE(same);
  CHECK(point->sha256 == same->sha256);
  CHECK(point->scenario.jobs.front().loader.workers == 3);
}

TEST_CASE("every point is the scenario that --set gives, whatever its axes set and in which order") {
  const char* const kSpaces[] = {
      R"({"parameter": "/jobs/0/loader/workers", "values": [1, 6]},
         {"parameter": "/jobs/0/loader/order", "values": ["in_order", "any_order_shared"]},
         {"parameter": "/stores/0/bandwidth", "values": ["10 GB/s", "3 x 20 GB/s"]},
         {"name": "nic", "parameter": "/cluster/pools/0/nic/bandwidth", "values": ["50 Gb/s", "2 x 50 Gb/s"]})",
      R"({"name": "core time", "parameter": "/jobs/0/loader/cpu_per_sample",
          "values": ["2 ms", {"lognormal": {"mean": "2 ms", "cv": 1}}]},
         {"parameter": "/jobs/0/loader/prefetch", "values": [1, 4]},
         {"parameter": "/cluster/pools/0/cache", "values": [null,
          {"policy": "lru", "medium": "nvme", "bytes": "1 TB", "bandwidth": "10 GB/s"}]})",
      R"({"parameter": "/jobs/0/loader/workers", "values": [1, 6]},
         {"name": "loader", "parameter": "/jobs/0/loader", "values": [{"workers": 3, "prefetch": 2}, {"workers": 5}]})",
      R"({"latin_hypercube": {"points": 6, "axes": [
          {"parameter": "/stores/0/bandwidth", "from": "10 GB/s", "to": "50 GB/s"},
          {"parameter": "/jobs/0/loader/workers", "from": 1, "to": 4}]}})"};
  const TestFiles files;
  for (const char* axes : kSpaces) {
    const SweepSpace space = load(files, space_of(axes));
    for (std::uint64_t p = 0; p < space.combinations(); ++p) {
      std::vector<std::string> sets;
      const std::vector<Node> values = space.values(p);
      for (std::size_t a = 0; a < values.size(); ++a)
        sets.push_back(space.axes[a].parameters.front().pointer + "=" + print_json(values[a]));
      const auto point = space.resolve(p);
      const auto same = load_scenario(std::vector<std::string>{"image-node"}, sets);
      INFO(space.coordinates(p).dump());
      CHECK(point.has_value() == same.has_value());
      if (point && same) CHECK(point->sha256 == same->sha256);
      if (!point && !same) CHECK(point.error().sorted().front().message == same.error().sorted().front().message);
    }
  }
}

TEST_CASE("a space holds its scenario, names a file beside it, or several") {
  const TestFiles files;
  files.write("base.json", R"({"extends": "image-node", "title": "base"})");
  files.write("more.json", R"({"jobs": [{"name": "train", "epochs": 5}]})");
  const std::string axes = std::string(R"(, "axes": [)") + kWorkers + "]}";
  const SweepSpace by_name = load(files, R"({"scenario": "base")" + axes);
  CHECK(by_name.base.value.title == "base");
  const SweepSpace layered = load(files, R"({"scenario": ["base", "more"])" + axes);
  CHECK(layered.base.value.jobs.front().epochs == 5);
  const SweepSpace inside = load(files, R"({"scenario": {"extends": "base", "title": "inside"})" + axes);
  CHECK(inside.base.value.title == "inside");
  const std::string wrong =
      space_complaint("{\n\"scenario\": {\"extends\": \"image-node\",\n \"titel\": \"x\"}" + axes);
  CHECK_THAT(wrong, ContainsSubstring("E0203") && ContainsSubstring("space.json:3:2"));
}

TEST_CASE("what is wrong with a space is told before anything runs") {
  CHECK_THAT(
      space_complaint(space_of(R"({"parameter": "/jobs/0/loader/wrkers", "values": [1]})")),
      ContainsSubstring("E0203") && ContainsSubstring("did you mean 'workers'?") && ContainsSubstring("space.json:1:"));
  CHECK_THAT(space_complaint(space_of(R"({"parameter": "/jobs/0/loader/workers", "values": [4, "many"]})")),
             ContainsSubstring("E0201") && ContainsSubstring("'many'"));
  CHECK_THAT(space_complaint(space_of(R"({"parameter": "/stores/0/bandwidth", "values": [25]})")),
             ContainsSubstring("E0204"));
  CHECK_THAT(space_complaint(space_of(R"({"parameter": "/stores/7/bandwidth", "values": ["1 GB/s"]})")),
             ContainsSubstring("E0302"));
  CHECK_THAT(space_complaint(space_of("")), ContainsSubstring("E0504"));
  CHECK_THAT(space_complaint(R"({"axes": [{"parameter": "/a", "values": [1]}]})"), ContainsSubstring("E0202"));
  CHECK_THAT(space_complaint(R"({"scenario": "no-such-one", "axes": []})"),
             ContainsSubstring("E0101") && ContainsSubstring("no-such-one"));
  CHECK_THAT(space_complaint("[]"), ContainsSubstring("E0303"));
  CHECK_THAT(space_complaint(space_of(std::string(kWorkers) + "," + kWorkers)),
             ContainsSubstring("E0212") && ContainsSubstring("E0501"));
  CHECK_THAT(space_complaint(
                 space_of(R"({"zip": [{"parameter": "/a", "values": [1]}, {"parameter": "/b", "values": [1, 2]}]})")),
             ContainsSubstring("equally long"));
  CHECK_THAT(space_complaint(space_of(kWorkers, R"([{"axis": "worker", "is": 1}])")),
             ContainsSubstring("E0503") && ContainsSubstring("did you mean 'workers'?"));
  CHECK_THAT(space_complaint(space_of(kWorkers, R"([{"axis": "workers", "at_most": "1 GB/s"}])")),
             ContainsSubstring("E0503"));
  CHECK_THAT(space_complaint(space_of(kWorkers, R"([{"axis": "workers", "above": 1}])")), ContainsSubstring("E0203"));
  CHECK_THAT(space_complaint(space_of(kWorkers, R"([{"axis": "workers", "more_than": 9}])")),
             ContainsSubstring("leave no point"));
  CHECK_THAT(space_complaint(space_of(R"({"parameter": "/jobs/0/loader/workers", "from": 1, "to": 2000, "step": 1},
      {"parameter": "/jobs/0/loader/prefetch", "from": 1, "to": 2000, "step": 1})")),
             ContainsSubstring("E0504") && ContainsSubstring("4000000"));
}

TEST_CASE("a value that fits only with some value of another axis is no mistake of the file") {
  const TestFiles files;
  // More workers than cores contradict each other at some points: these fail alone.
  const SweepSpace space = load(files, space_of(R"({"parameter": "/cluster/pools/0/cache", "values": [null,
      {"policy": "lru", "medium": "nvme", "bytes": "1 TB", "bandwidth": "10 GB/s"}]},
      {"parameter": "/cluster/pools/0/drives/capacity", "values": ["500 GB", "2 TB"]})"));
  CHECK(space.resolve(0));
  const auto too_small = space.resolve(2);
  REQUIRE_FALSE(too_small);
  CHECK_THAT(print_text(too_small.error()), ContainsSubstring("E0210"));
  CHECK(space.resolve(3));
}

TEST_CASE("shipped spaces load, and every point of the small ones is a scenario") {
  for (const EmbeddedText& text : embedded_spaces()) {
    INFO(text.name);
    const auto space = load_space(std::string(text.name));
    if (!space) FAIL(print_text(space.error()));
    CHECK_FALSE(space->title.empty());
    const std::uint64_t stride = std::max<std::uint64_t>(1, space->combinations() / 20);
    for (std::uint64_t p = 0; p < space->combinations(); p += stride) CHECK((!space->keeps(p) || space->resolve(p)));
  }
}

}  // namespace headrace::scenarios
