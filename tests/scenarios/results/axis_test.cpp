// Axes as space files write them: values, ranges, what a Latin hypercube draws from, complaints.
#include "scenarios/results/axis.hpp"

#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<Axis> axis;
};

Read read(const std::string& text, AxisForm form = AxisForm::listed) {
  Read result;
  const std::uint32_t source = result.sources.add({SourceKind::file, "space.json", text, 0});
  const auto node = parse_document(result.sources, source, result.diagnostics);
  REQUIRE(node);
  result.axis = read_axis(*node, "/axes/0", result.sources, result.diagnostics, form);
  return result;
}

std::string values(const std::string& text) {
  const Read result = read(text);
  if (!result.axis) return print_text(result.diagnostics);
  std::string all;
  for (const Node& value : result.axis->values) all += (all.empty() ? "" : ", ") + value_text(value);
  return all;
}

std::string complaint(const std::string& text, AxisForm form = AxisForm::listed) {
  const Read result = read(text, form);
  CHECK_FALSE(result.axis);
  return print_text(result.diagnostics);
}

}  // namespace

TEST_CASE("an axis lists values of any kind and is named after its parameter") {
  const Read list = read(R"({"parameter": "/jobs/0/loader/workers", "values": [4, 8, 16]})");
  REQUIRE(list.axis);
  CHECK(list.axis->name == "workers");
  CHECK(list.axis->parameters.front().pointer == "/jobs/0/loader/workers");
  CHECK(list.axis->size() == 3);
  CHECK(values(R"({"parameter": "/a", "values": ["25 GB/s", "vast-ceres", true, null, {"catalogue": "x", "a": 1}]})") ==
        R"(25 GB/s, vast-ceres, true, null, {"catalogue":"x","a":1})");
}

TEST_CASE("a range with a step spells out its values in the file's kind of number, its end included") {
  CHECK(values(R"({"parameter": "/a", "from": 2, "to": 10, "step": 2})") == "2, 4, 6, 8, 10");
  CHECK(values(R"({"parameter": "/a", "from": 2, "to": 9, "step": 2})") == "2, 4, 6, 8");
  CHECK(values(R"({"parameter": "/a", "from": 0.1, "to": 0.5, "step": 0.1})") == "0.1, 0.2, 0.3, 0.4, 0.5");
  CHECK(values(R"({"parameter": "/a", "from": 0, "to": "1 GB/s", "step": "250 MB/s"})") ==
        "0 B/s, 250 MB/s, 500 MB/s, 750 MB/s, 1 GB/s");
  CHECK(values(R"({"parameter": "/a", "from": "1 TiB", "to": "3 TiB", "step": "1 TiB"})") == "1 TiB, 2 TiB, 3 TiB");
}

TEST_CASE("a range with a count is linear or logarithmic, and counts of things are whole") {
  CHECK(values(R"({"parameter": "/a", "from": 0, "to": 1, "count": 5})") == "0, 0.25, 0.5, 0.75, 1");
  CHECK(values(R"({"parameter": "/a", "from": "1 GB/s", "to": "100 GB/s", "count": 5, "scale": "log"})") ==
        "1 GB/s, 3.16228 GB/s, 10 GB/s, 31.6228 GB/s, 100 GB/s");
  CHECK(values(R"({"parameter": "/jobs/0/loader/workers", "from": 1, "to": 8, "count": 7, "scale": "log"})") ==
        "1, 2, 3, 4, 6, 8");
}

TEST_CASE("several parameters take the same value together") {
  const Read result = read(R"({"parameters": ["/a", "/b"], "name": "both", "values": [1, 2]})");
  REQUIRE(result.axis);
  CHECK(result.axis->name == "both");
  std::vector<Setting> settings;
  apply_value(*result.axis, result.axis->values[1], settings);
  REQUIRE(settings.size() == 2);
  CHECK(settings[1].pointer == "/b");
  CHECK(settings[1].value.number == 2.0);
}

TEST_CASE("what picks from a range gets its ends, whole numbers of counts with equal parts") {
  const Read rate = read(R"({"parameter": "/a", "from": "1 GB/s", "to": "100 GB/s", "scale": "log"})", AxisForm::drawn);
  REQUIRE(rate.axis);
  REQUIRE(rate.axis->range);
  CHECK(value_text(rate.axis->range->at(0.0)) == "1 GB/s");
  CHECK(value_text(rate.axis->range->at(0.5)) == "10 GB/s");
  CHECK(value_text(rate.axis->range->at(1.0)) == "100 GB/s");
  const Read count = read(R"({"parameter": "/jobs/0/loader/workers", "from": 1, "to": 4})", AxisForm::drawn);
  REQUIRE(count.axis);
  CHECK(value_text(count.axis->range->at(0.24)) == "1");
  CHECK(value_text(count.axis->range->at(0.26)) == "2");
  CHECK(value_text(count.axis->range->at(1.0)) == "4");
}

TEST_CASE("what is no axis is told with its place") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(complaint(R"({"parameter": "/a", "values": []})"),
             ContainsSubstring("E0501") && ContainsSubstring("/axes/0/values"));
  CHECK_THAT(complaint(R"({"parameter": "/a"})"), ContainsSubstring("neither values nor a range"));
  CHECK_THAT(complaint(R"({"values": [1]})"), ContainsSubstring("names no parameter"));
  CHECK_THAT(complaint(R"({"parameter": "workers", "values": [1]})"),
             ContainsSubstring("E0501") && ContainsSubstring("is not a single value"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "value": [1]})"), ContainsSubstring("did you mean 'values'?"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "values": [1, 2, 1]})"), ContainsSubstring("duplicate"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "from": 1, "to": 2})"), ContainsSubstring("neither a step nor a count"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "from": 2, "to": 1, "step": 1})"), ContainsSubstring("must increase"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "from": 0, "to": 1, "count": 3, "scale": "log"})"),
             ContainsSubstring("above 0"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "from": "1 s", "to": "1 GB/s", "step": 1})"), ContainsSubstring("E0502"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "from": 0, "to": 1e9, "step": 1})"),
             ContainsSubstring("more than the 100000"));
  CHECK_THAT(complaint(R"({"parameter": "/a", "from": "many", "to": 3, "step": 1})"),
             ContainsSubstring("not a number"));
  CHECK_THAT(complaint("[1]"), ContainsSubstring("E0201"));
}

TEST_CASE("a variant has the values set, its complaints point into the axis") {
  using Catch::Matchers::ContainsSubstring;
  const auto base = load_scenario(std::vector<std::string>{"prefetch-queue"});
  REQUIRE(base);
  const std::string text = R"({"parameter": "/jobs/0/loader/workers", "values": [3, "many"]})";
  Diagnostics diagnostics;
  const std::uint32_t source = base->composition.sources->add({SourceKind::file, "space.json", text, 0});
  const auto node = parse_document(*base->composition.sources, source, diagnostics);
  REQUIRE(node);
  const auto axis = read_axis(*node, "", *base->composition.sources, diagnostics);
  REQUIRE(axis);
  const auto variant = [&](std::size_t i) {
    std::vector<Setting> settings;
    apply_value(*axis, axis->values[i], settings);
    return load_variant<models::Scenario>(base->composition, settings, Catalogue::shipped());
  };
  const auto three = variant(0);
  REQUIRE(three);
  CHECK(three->value.jobs.front().loader.workers == 3);
  const auto same =
      load_scenario(std::vector<std::string>{"prefetch-queue"}, std::vector<std::string>{"/jobs/0/loader/workers=3"});
  REQUIRE(same);
  CHECK(three->sha256 == same->sha256);
  const auto wrong = variant(1);
  REQUIRE_FALSE(wrong);
  CHECK_THAT(print_text(wrong.error()), ContainsSubstring("space.json:1:") && ContainsSubstring("'many'"));
}

}  // namespace headrace::scenarios
