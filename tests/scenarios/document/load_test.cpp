// Files to records: every bad input has its own message, layers and overrides compose, each value knows its origin.
#include <sys/resource.h>

#include "scenarios/document/composition.hpp"
#include "scenarios/document/error_codes.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"
#include "tests/scenarios/test_files.hpp"
#include "tests/scenarios/test_records.hpp"

namespace headrace::scenarios {
namespace {

using testing::World;

const Catalogue& catalogue() {
  static const Catalogue made = [] {
    Catalogue c;
    Diagnostics diagnostics;
    c.add("card", R"({"section": "card", "version": "2026-01-01", "entries": {
      "C1": {"memory": {"value": "80 GB", "source": "vendor page", "as_of": "2023", "evidence": "read"},
             "peak": {"value": "989 TFLOP/s", "source": "vendor page", "as_of": "2023", "evidence": "read"},
             "unused_figure": {"value": 3, "source": "x", "as_of": "2023", "evidence": "read"}},
      "C2": {"memory": {"value": "40 GB", "source": "other page", "as_of": "2020", "evidence": "read"}}}})",
          diagnostics);
    c.add("storage", R"({"section": "storage", "version": "2026-01-01", "entries": {
      "fast": {"read_bandwidth": {"value": "40 GB/s", "source": "s", "as_of": "2024", "evidence": "read"}}}})",
          diagnostics);
    REQUIRE(diagnostics.empty());
    return c;
  }();
  return made;
}

tl::expected<Loaded<World>, Diagnostics> load_world(const Strings& paths, const Strings& overrides = {},
                                                    Strings search = {}) {
  LoadOptions options;
  options.catalogue = &catalogue();
  options.search_path = std::move(search);
  return load<World>(paths, overrides, options);
}

/// "code line:column pointer" of each complaint.
Strings complaints(const std::string& text, const Strings& overrides = {}) {
  const TestFiles files;
  const auto loaded = load_world({files.write("a.json", text)}, overrides);
  Strings out;
  if (loaded) return out;
  for (const Diagnostic& d : loaded.error().sorted()) {
    CHECK(find_error_code(d.code) != nullptr);
    out.push_back(d.code + " " + std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + " " + d.pointer);
  }
  return out;
}

std::string message(const std::string& text) {
  const TestFiles files;
  const auto loaded = load_world({files.write("a.json", text)});
  REQUIRE(!loaded);
  return files.strip(print_text(loaded.error()));
}

World world(const std::string& text, const Strings& overrides = {}) {
  const TestFiles files;
  const auto loaded = load_world({files.write("a.json", text)}, overrides);
  if (!loaded) FAIL(print_text(loaded.error()));
  return loaded->value;
}

}  // namespace

TEST_CASE("a scenario with every kind of parameter is read") {
  const World w = world(R"({"$schema": "x", "//": "remark", "title": "t", "nodes": 3,
    "card": {"memory": "24 GB", "//why": "measured"}, "spare": {"peak": "2 PFLOP/s"},
    "stores": [{"name": "s", "read_bandwidth": "400 Gb/s", "latency": {"lognormal": {"mean": "5 ms", "cv": 0.3}}}],
    "jobs": [{"store": "s", "workers": 16, "order": "any", "pinned": false, "share": "70 %", "marks": ["1 ms", 0],
              "also": ["s"], "step": {"roofline": {"flop": "3 TFLOP"}}}]})");
  CHECK(w.nodes == 3);
  CHECK(w.card.memory_bytes == 24e9);
  CHECK(w.card.peak_flop_per_s == 1e14);
  REQUIRE(w.spare);
  CHECK(w.spare->peak_flop_per_s == 2e15);
  REQUIRE(w.stores.size() == 1);
  CHECK(w.stores[0].read_bandwidth_bytes_per_s == 50e9);
  CHECK(!w.stores[0].write_bandwidth_bytes_per_s);
  CHECK(w.stores[0].latency.family == models::Family::lognormal);
  CHECK(w.stores[0].latency.mean == 0.005);
  CHECK(w.stores[0].latency.cv == 0.3);
  REQUIRE(w.jobs.size() == 1);
  CHECK(w.jobs[0].workers == 16);
  CHECK(w.jobs[0].order == testing::Order::any);
  CHECK(!w.jobs[0].pinned);
  CHECK(w.jobs[0].share == 0.7);
  CHECK(w.jobs[0].marks == std::vector<double>{0.001, 0});
  CHECK(std::get<testing::Roofline>(w.jobs[0].step).flop == 3e12);
  CHECK(std::get<testing::Roofline>(w.jobs[0].step).efficiency == 0.4);
}

TEST_CASE("short forms: one element for a list, a scalar for a variant, null for the default") {
  const World w = world(R"({"job": {"workers": 2, "step": "50 ms", "share": null},
                            "storage": {"name": "s", "latency": "1 ms"}})");
  CHECK(w.jobs[0].workers == 2);
  CHECK(std::get<testing::Fixed>(w.jobs[0].step).time_s == 0.05);
  CHECK(w.jobs[0].share == 0.5);
  CHECK(w.stores[0].latency.mean == 0.001);
  CHECK(world(R"({"jobs": {"workers": 3}})").jobs[0].workers == 3);
  CHECK(complaints(R"({"job": {}, "jobs": []})") == Strings{"E0203 1:2 /job", "E0214 1:21 /jobs"});
}

TEST_CASE("mixtures and quantile tables") {
  const World w = world(R"({"storage": {"name": "s", "latency": {"mixture": {"parts": [
      {"weight": 9, "value": "1 ms"}, {"weight": 1, "value": {"pareto": {"minimum": "10 ms", "shape": 2.5}}}]}}}})");
  REQUIRE(w.stores[0].latency.parts.size() == 2);
  CHECK(w.stores[0].latency.parts[1].value.minimum == 0.01);
  const World q = world(R"({"storage": {"name": "s", "latency": {"empirical": {"quantiles": [
      {"p": 0, "value": "1 ms"}, {"p": "50 %", "value": "2 ms"}, {"p": 1, "value": "9 ms"}]}}}})");
  CHECK(q.stores[0].latency.quantiles[1].p == 0.5);
  CHECK(complaints(R"({"storage": {"name": "s", "latency": {"empirical": {"quantiles": [
      {"p": 0.5, "value": "1 ms"}, {"p": 0.2, "value": "2 ms"}]}}}})") ==
        Strings{"E0210 1:66 /stores/0/latency/empirical/quantiles"});
}

TEST_CASE("every bad value has its code and place, all in one pass") {
  CHECK(complaints(R"({"nodes": 0, "card": {"memory": "-4 GB"}})") ==
        Strings{"E0207 1:11 /nodes", "E0207 1:33 /card/memory"});
  CHECK(complaints(R"({"card": {"memory": 4}})") == Strings{"E0204 1:21 /card/memory"});
  CHECK(complaints(R"({"card": {"memory": "4 GB/s"}})") == Strings{"E0205 1:21 /card/memory"});
  CHECK(complaints(R"({"card": {"memory": "NaN GB"}})") == Strings{"E0206 1:21 /card/memory"});
  CHECK(complaints(R"({"card": {"memory": "1e999 GB"}})") == Strings{"E0206 1:21 /card/memory"});
  CHECK(complaints(R"({"card": 3})") == Strings{"E0201 1:10 /card"});
  CHECK(complaints(R"({"card": {"memory": true}})") == Strings{"E0201 1:21 /card/memory"});
  CHECK(complaints(R"({"nodes": 1.5})") == Strings{"E0201 1:11 /nodes"});
  CHECK(complaints(R"({"nodes": "four"})") == Strings{"E0201 1:11 /nodes"});
  CHECK(complaints(R"({"nodes": 3000000000})") == Strings{"E0207 1:11 /nodes"});
  CHECK(complaints(R"({"title": 3})") == Strings{"E0201 1:11 /title"});
  CHECK(complaints(R"({"stores": [{}]})") == Strings{"E0202 1:13 /stores/0/name"});
  CHECK(complaints(R"({"stores": [7]})") == Strings{"E0201 1:13 /stores/0"});
  CHECK(complaints(R"({"stores": 7})") == Strings{"E0201 1:12 /stores"});
  CHECK(complaints(R"({"jobs": []})") == Strings{"E0214 1:10 /jobs"});
  CHECK(complaints(R"({"jobs": [{"order": "random"}]})") == Strings{"E0208 1:21 /jobs/0/order"});
  CHECK(complaints(R"({"jobs": [{"pinned": "yes"}]})") == Strings{"E0201 1:22 /jobs/0/pinned"});
  CHECK(complaints(R"({"jobs": [{"share": 1.5}]})") == Strings{"E0207 1:21 /jobs/0/share"});
  CHECK(complaints(R"({"jobs": [{"marks": "1 s"}]})") == Strings{"E0201 1:21 /jobs/0/marks"});
  CHECK(complaints(R"({"jobs": [{"also": ["x", 1]}]})") ==
        Strings{"E0211 1:21 /jobs/0/also/0", "E0201 1:26 /jobs/0/also/1"});
  CHECK(complaints(R"({"jobs": [{"store": "x"}]})") == Strings{"E0211 1:21 /jobs/0/store"});
  CHECK(complaints(R"({"jobs": [{"checkpoint": {}}]})") == Strings{"E0209 1:12 /jobs/0/checkpoint"});
  CHECK(complaints(R"({"jobs": [{"step": {"fixd": {}}}]})") == Strings{"E0215 1:21 /jobs/0/step/fixd"});
  CHECK(complaints(R"({"jobs": [{"step": {}}]})") == Strings{"E0215 1:20 /jobs/0/step"});
  CHECK(complaints(R"({"jobs": [{"step": {"fixed": {}, "roofline": {}}}]})") == Strings{"E0215 1:20 /jobs/0/step"});
  CHECK(complaints(R"({"jobs": [{"step": {"fixed": {"time": "0 s"}}}]})") ==
        Strings{"E0207 1:39 /jobs/0/step/fixed/time"});
  CHECK(complaints(R"({"stores": [{"name": "a"}, {"name": "a"}]})") == Strings{"E0212 1:37 /stores/1/name"});
  CHECK(complaints(R"({"stores": [{"name": ""}]})") == Strings{"E0207 1:22 /stores/0/name"});
  CHECK(complaints(R"({"card": "C9"})") == Strings{"E0213 1:10 /card"});
  CHECK(complaints("[1]") == Strings{"E0303 1:1 "});
  CHECK(complaints("{\"nodes\": 1,\n \"nodes\": 2, \"x\": 1}") == Strings{"E0108 2:2 /nodes", "E0203 2:14 /x"});
}

TEST_CASE("a constraint is told once, with its parameters, and not after an error in one of them") {
  CHECK(complaints(R"({"storage": {"name": "s", "cache": "2 TB"}})") == Strings{"E0210 1:36 /stores/0/cache"});
  CHECK(complaints(R"({"storage": {"name": "s", "cache": "2 TB", "capacity": "1 XB"}})") ==
        Strings{"E0205 1:56 /stores/0/capacity"});
  CHECK(message(R"({"storage": {"name": "s", "capacity": "1 GB", "cache": "2 GB"}})") ==
        "error[E0210]: the cache is larger than the store\n"
        "  --> a.json:1:56 (/stores/0/cache)\n"
        "   |\n"
        " 1 | {\"storage\": {\"name\": \"s\", \"capacity\": \"1 GB\", \"cache\": \"2 GB\"}}\n"
        "   |                                                        ^^^^^^\n"
        "  = help: the rule is: cache <= capacity; it is about /stores/0/cache, /stores/0/capacity\n");
}

TEST_CASE("an unknown key shows the line, carets and a suggestion", "[golden]") {
  CHECK(message("{\n  \"storage\": {\n    \"name\": \"s\",\n    \"read_bandwith\": \"1 GB/s\"\n  }\n}\n") ==
        "error[E0203]: unknown key 'read_bandwith'\n"
        "  --> a.json:4:5 (/stores/0/read_bandwith)\n"
        "   |\n"
        " 4 |     \"read_bandwith\": \"1 GB/s\"\n"
        "   |     ^^^^^^^^^^^^^^^\n"
        "  = help: did you mean 'read_bandwidth'?\n");
}

TEST_CASE("messages about units, limits, choices and references", "[golden]") {
  CHECK(message("{\"card\": {\"memory\": 24}}") ==
        "error[E0204]: 24 has no unit, but an amount of data is needed here\n"
        "  --> a.json:1:21 (/card/memory)\n"
        "   |\n"
        " 1 | {\"card\": {\"memory\": 24}}\n"
        "   |                     ^^\n"
        "  = help: write it with its unit, for example \"24 KiB\"\n");
  CHECK(message("{\"card\": {\"memory\": \"-1 GB\"}}") ==
        "error[E0207]: -1 GB is out of bounds: it must be more than 0 B\n"
        "  --> a.json:1:21 (/card/memory)\n"
        "   |\n"
        " 1 | {\"card\": {\"memory\": \"-1 GB\"}}\n"
        "   |                     ^^^^^^^\n"
        "  = help: plausible values are between 1 GB and 1 TB\n");
  CHECK(message("{\"job\": {\"order\": \"inorder\"}}") ==
        "error[E0208]: 'inorder' is not one of any, in_order\n"
        "  --> a.json:1:19 (/jobs/0/order)\n"
        "   |\n"
        " 1 | {\"job\": {\"order\": \"inorder\"}}\n"
        "   |                   ^^^^^^^^^\n"
        "  = help: did you mean 'in_order'?\n");
  CHECK(message("{\"storage\": {\"name\": \"s3\"}, \"job\": {\"store\": \"s2\"}}") ==
        "error[E0211]: there is no store named 's2'\n"
        "  --> a.json:1:46 (/jobs/0/store)\n"
        "   |\n"
        " 1 | {\"storage\": {\"name\": \"s3\"}, \"job\": {\"store\": \"s2\"}}\n"
        "   |                                              ^^^^\n"
        "  = help: did you mean 's3'?\n");
}

TEST_CASE("at most 20 complaints are shown, sorted, then their number") {
  std::string text = "{";
  for (int i = 0; i < 25; ++i) text += "\n\"k" + std::to_string(i) + "\": 1,";
  text += "\n\"nodes\": 1}";
  const std::string out = message(text);
  CHECK(out.find("... and 5 more; headrace validate FILE --json lists all\n") != std::string::npos);
  CHECK(out.find("'k0'") < out.find("'k19'"));
  CHECK(out.find("'k20'") == std::string::npos);
}

TEST_CASE("files layer: objects merge, named lists merge by name, later wins") {
  const TestFiles files;
  const std::string a =
      files.write("a.json", R"({"nodes": 2, "card": "C1", "stores": [{"name": "x", "capacity": "1 TB"},
                                                {"name": "y"}], "job": {"name": "j", "workers": 4, "step": "1 s"}})");
  const std::string b =
      files.write("b.json", R"({"card": {"memory": "96 GB"}, "stores": [{"name": "y", "cache": "1 GB"}, {"name": "z"}],
                                                "jobs": [{"name": "j", "step": {"roofline": {}}}]})");
  const auto loaded = load_world({a, b});
  if (!loaded) FAIL(print_text(loaded.error()));
  const World& w = loaded->value;
  CHECK(w.nodes == 2);
  CHECK(w.card.memory_bytes == 96e9);
  CHECK(w.card.peak_flop_per_s == 989e12);
  REQUIRE(w.stores.size() == 3);
  CHECK(w.stores[0].capacity_bytes == 1e12);
  CHECK(w.stores[1].cache_bytes == 1e9);
  CHECK(w.jobs[0].workers == 4);
  CHECK(w.jobs[0].step.index() == 1);
  CHECK(files.strip(loaded->origin_of("/nodes").print()) == "a.json:1:11");
  CHECK(loaded->origin_of("/nodes").layer == 0);
  CHECK(files.strip(loaded->origin_of("/card/memory").print()) == "b.json:1:21");
  CHECK(loaded->origin_of("/card/memory").layer == 1);
  CHECK(loaded->origin_of("/card/peak").kind == Origin::Kind::catalogue);
  CHECK(loaded->origin_of("/card/peak").print() == "catalogue card (2026-01-01), 2023; vendor page");
  CHECK(loaded->origin_of("/stores/0/cache").print() == "default");
  CHECK(loaded->origin_of("/nothing/at/all").print() == "default");
}

TEST_CASE("a later layer may pick another catalogue entry or another alternative") {
  const TestFiles files;
  const std::string a = files.write(
      "a.json", R"({"card": "C1", "storage": {"name": "s", "latency": {"lognormal": {"mean": "1 ms", "cv": 2}}}})");
  const std::string b =
      files.write("b.json", R"({"card": "C2", "stores": [{"name": "s", "latency": {"lognormal": {"mean": "3 ms"}}}]})");
  const std::string c = files.write("c.json", R"({"stores": [{"name": "s", "latency": "7 ms"}]})");
  const auto two = load_world({a, b});
  REQUIRE(two);
  CHECK(two->value.card.memory_bytes == 40e9);
  CHECK(two->value.card.peak_flop_per_s == 1e14);
  CHECK(two->value.stores[0].latency.mean == 0.003);
  CHECK(two->value.stores[0].latency.cv == 2);
  const auto three = load_world({a, b, c});
  REQUIRE(three);
  CHECK(three->value.stores[0].latency.family == models::Family::constant);
  CHECK(three->value.stores[0].latency.mean == 0.007);
  CHECK(files.strip(three->origin_of("/stores/0/latency/constant/value").print()) == "c.json:1:38");
}

TEST_CASE("extends: relative to the file, through the search path, circles refused") {
  const TestFiles files;
  files.write("base/base.json", R"({"nodes": 7, "title": "base"})");
  files.write("shipped/small.json", R"({"nodes": 2, "card": {"memory": "1 GB"}})");
  const std::string a = files.write("a.json", R"({"extends": ["small", "base/base.json"], "title": "mine"})");
  const auto loaded = load_world({a}, {}, {files.path("shipped")});
  if (!loaded) FAIL(print_text(loaded.error()));
  CHECK(loaded->value.nodes == 7);
  CHECK(loaded->value.title == "mine");
  CHECK(loaded->value.card.memory_bytes == 1e9);
  CHECK(files.strip(loaded->origin_of("/nodes").print()) == "base/base.json:1:11");
  CHECK(load_world({"small"}, {}, {files.path("shipped")}));
  files.write("c1.json", R"({"extends": "c2.json"})");
  files.write("c2.json", R"({"extends": "c1.json"})");
  const auto circle = load_world({files.path("c1.json")});
  REQUIRE(!circle);
  CHECK(circle.error().sorted()[0].code == "E0301");
  CHECK(complaints(R"({"extends": "none.json"})") == Strings{"E0101 1:13 "});
  CHECK(complaints(R"({"extends": 4})") == Strings{"E0201 1:13 "});
}

TEST_CASE("overrides by JSON pointer") {
  const std::string text = R"({"card": "C1", "job": {"workers": 4}, "storage": "fast"})";
  const World w =
      world(text, {"/jobs/0/workers=16", "/card/memory=24 GB", "/spare/peak=\"1 PFLOP/s\"", "/stores/-/name=more",
                   "/jobs/0/step={\"roofline\": {\"efficiency\": 0.5}}", "/jobs/0/pinned=false"});
  CHECK(w.jobs[0].workers == 16);
  CHECK(w.card.memory_bytes == 24e9);
  CHECK(w.card.peak_flop_per_s == 989e12);
  REQUIRE(w.spare);
  CHECK(w.spare->peak_flop_per_s == 1e15);
  REQUIRE(w.stores.size() == 2);
  CHECK(w.stores[0].name == "fast");
  CHECK(w.stores[0].read_bandwidth_bytes_per_s == 40e9);
  CHECK(w.stores[1].name == "more");
  CHECK(std::get<testing::Roofline>(w.jobs[0].step).efficiency == 0.5);
  CHECK(!w.jobs[0].pinned);
  CHECK(world("{}", {"/card=C2"}).card.memory_bytes == 40e9);
  CHECK(world(text, {"/jobs/0/workers=1", "/jobs/0/workers=2"}).jobs[0].workers == 2);
}

TEST_CASE("bad overrides point at the argument") {
  CHECK(complaints("{}", {"/jobs/0/worker=16"}) == Strings{"E0203 1:1 /jobs/0/worker"});
  CHECK(complaints("{}", {"/nodes=0"}) == Strings{"E0207 1:8 /nodes"});
  CHECK(complaints("{}", {"nodes=3"}) == Strings{"E0302 1:1 "});
  CHECK(complaints("{}", {"/nodes"}) == Strings{"E0302 1:1 "});
  CHECK(complaints(R"({"jobs": [{}]})", {"/jobs/7/workers=1"}) == Strings{"E0302 1:1 "});
  const TestFiles files;
  const auto loaded = load_world({files.write("a.json", "{}")}, {"/jobs/0/worker=16"});
  REQUIRE(!loaded);
  CHECK(print_text(loaded.error()) ==
        "error[E0203]: unknown key 'worker'\n"
        "  --> --set:1:1 (/jobs/0/worker)\n"
        "   |\n"
        " 1 | /jobs/0/worker=16\n"
        "   | ^^^^^^^^^^^^^^\n"
        "  = help: did you mean 'workers'?\n");
  const auto good = load_world({files.path("a.json")}, {"/jobs/0/workers=16"});
  REQUIRE(good);
  CHECK(good->origin_of("/jobs/0/workers").print() == "--set /jobs/0/workers=16");
  CHECK(good->origin_of("/jobs/0/workers").text == "16");
}

TEST_CASE("missing and unreadable files are told for every layer at once") {
  const TestFiles files;
  const auto loaded = load_world({files.path("no.json"), files.path(""), files.write("empty.json", "")});
  REQUIRE(!loaded);
  Strings codes;
  for (const Diagnostic& d : loaded.error().sorted()) codes.push_back(d.code);
  CHECK(codes == Strings{"E0101", "E0102", "E0103"});
}

TEST_CASE("print and parse are inverse") {
  const TestFiles files;
  const auto first = load_world({files.write("a.json", R"({"card": "C1", "spare": {}, "stores": [{"name": "s",
      "read_bandwidth": "333333.3 kB/s", "write_bandwidth": "1 GiB/s",
      "latency": {"mixture": {"parts": [{"weight": 1, "value": {"weibull": {"mean": "3 ms", "shape": 0.7}}},
                                        {"weight": 2, "value": "1 us"}]}}}],
      "jobs": [{"marks": ["1 ms", "2 h"], "step": {"roofline": {}}}, {"name": "b", "store": "s"}]})")});
  if (!first) FAIL(print_text(first.error()));
  const auto second = load_world({files.write("b.json", first->resolved.dump())});
  if (!second) FAIL(print_text(second.error()));
  CHECK(second->resolved.dump() == first->resolved.dump());
  CHECK(second->sha256 == first->sha256);
  CHECK(first->sha256.size() == 64);
  CHECK(first->resolved["card"]["memory"] == "80 GB");
  CHECK(first->resolved["jobs"][0]["marks"][1] == "2 h");
}

TEST_CASE("the fingerprint is over values, not over spelling, order or files") {
  const TestFiles files;
  const auto a = load_world({files.write("a.json", R"({"nodes": 4, "card": {"memory": "1 TB"}})")});
  const auto b =
      load_world({files.write("b.json", R"({"//": "x", "card": {"memory": "1000 GB", "peak": "100 TFLOP/s"}})")});
  const auto c = load_world({files.write("c.json", R"({"card": {"memory": "1000.0001 GB"}})")});
  REQUIRE((a && b && c));
  CHECK(a->sha256 == b->sha256);
  CHECK(a->sha256 != c->sha256);
}

}  // namespace headrace::scenarios
