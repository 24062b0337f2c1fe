// Files that try to harm a terminal or to take all time: escapes, and complaints without number.
#include <chrono>

#include "models/spec/constraint_names.hpp"
#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/document/visible_text.hpp"
#include "scenarios/importers/check_layer.hpp"
#include "scenarios/importers/dlio.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

Diagnostics complaints_about(const std::string& text) {
  const TestFiles files;
  const std::vector<std::string> paths{files.write("hostile.json", text)};
  const auto loaded = load_scenario(paths);
  return loaded ? Diagnostics() : loaded.error();
}

double seconds_for(const std::string& text, std::size_t least) {
  const auto begin = std::chrono::steady_clock::now();
  const Diagnostics complaints = complaints_about(text);
  CHECK(complaints.size() >= least);
  CHECK(complaints.sorted().size() == kMostKept);
  CHECK_THAT(print_text(complaints),
             Catch::Matchers::ContainsSubstring(" more; headrace validate FILE --json lists all\n"));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("what would change a terminal is shown escaped") {
  CHECK(visible_text("plain \xC3\xBC \xE2\x82\xAC") == "plain \xC3\xBC \xE2\x82\xAC");
  CHECK(visible_text("\x1b[2J\a\n\x7f") == "\\x1b[2J\\x07\\x0a\\u007f");
  CHECK(visible_text("\xC2\x9B"
                     "2J\xE2\x80\xAE\xEF\xBB\xBF") == "\\u009b2J\\u202e\\ufeff");
  CHECK(visible_text("\xFF\xC3") == "\\xff\\xc3");
  CHECK(visible_lines("a\n\tb\x1b[1;31mc\x1b[0m", true) == "a\n\tb\x1b[1;31mc\x1b[0m");
  CHECK(visible_lines("a\x1b[1;31mb", false) == "a\\x1b[1;31mb");
  CHECK(visible_lines("\x1b[2J\x1b]0;x\a", true) == "\\x1b[2J\\x1b]0;x\\x07");
}

TEST_CASE("what is not UTF-8 is refused where it would go into a document") {
  CHECK(first_not_utf8("plain \xC3\xBC") == std::string_view::npos);
  CHECK(first_not_utf8("a\xC3\xBC\xFF") == 3);
  CHECK(first_not_utf8("a\xC3") == 1);
  const std::vector<std::string> paths{"image-node"};
  const std::vector<std::string> sets{"/title=a\xFFz"};
  const auto loaded = load_scenario(paths, sets);
  REQUIRE(!loaded);
  CHECK(print_text(loaded.error()).find("the assignment is not UTF-8") != std::string::npos);
  const auto workload = import_dlio("w.yaml", "model:\n  name: r\xFFn\n", {});
  REQUIRE(!workload);
  CHECK(print_text(workload.error()).find("E0109") != std::string::npos);
  CHECK(print_text(workload.error()).find("w.yaml:2:10") != std::string::npos);
}

TEST_CASE("a complaint about a hostile key holds no control characters, and its carets stand under it") {
  const Diagnostics complaints = complaints_about("{\"a\\u001b[2J\": 1, \"\xC2\x9B\xE2\x80\xAE\": 2, \"b\": \x7f}");
  const std::string text = print_text(complaints);
  CHECK_FALSE(complaints.empty());
  for (const char* bad : {"\x1b", "\xC2\x9B", "\xE2\x80\xAE", "\x7f"}) CHECK(text.find(bad) == std::string::npos);
  Sources sources;
  const std::string line = "\x1b\x1b key";
  const std::uint32_t source = sources.add({SourceKind::file, "f", line, 0});
  const Excerpt excerpt = excerpt_at(sources, {source, 3, 6});
  CHECK(excerpt.text == "\\x1b\\x1b key");
  CHECK(excerpt.caret_begin == 9);
  CHECK(excerpt.caret_count == 3);
  CHECK(excerpt.column == 4);
}

TEST_CASE("lines are those that position_at counts") {
  const std::string text = "\xEF\xBB\xBF{\r\n  \"a\":\r1,\n\n\"b\": 2}\n";
  Sources sources;
  const std::uint32_t source = sources.add({SourceKind::file, "f", text, 0});
  for (std::size_t at = 0; at <= text.size(); ++at) {
    INFO(at);
    std::size_t begin = 0;
    const std::string_view line = line_at(text, at, begin);
    const Sources::Line found = sources.line_of(source, at);
    CHECK(found.number == position_at(text, at).line);
    CHECK(found.begin == begin);
    CHECK(text.substr(found.begin, found.end - found.begin) == line);
  }
}

TEST_CASE("complaints without number take no time without end") {
  std::string unknown = "{";
  std::string twice = "{\"a\": 1";
  for (int i = 0; i < 20'000; ++i) {
    unknown += (i > 0 ? ", \"unknown" : "\"unknown") + std::to_string(i) + "\": 1";
    twice += ", \"a\": 1";
  }
  CHECK(seconds_for(unknown + "}", 20'000) < 20.0);
  CHECK(seconds_for(twice + "}", 20'000) < 20.0);
}

TEST_CASE("figures beyond what any system can have are refused with their place") {
  for (const auto& [set, limit] :
       {std::pair("/stores/0/latency=1e302 s", "at most"), std::pair("/datasets/0/sample_bytes=1e24 B", "at most"),
        std::pair("/jobs/0/loader/workers=1e12", "at most")}) {
    INFO(set);
    const std::vector<std::string> sets{set};
    const auto loaded = load_scenario(std::vector<std::string>{"image-node"}, sets);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().sorted().front().code == "E0207");
    CHECK_THAT(loaded.error().sorted().front().message, Catch::Matchers::ContainsSubstring(limit));
  }
}

TEST_CASE("an imported layer is read as a scenario before it is written") {
  ImportOptions options;
  CHECK(check_layer("layer.json", R"({"stores": [{"name": "storage", "bandwidth": "4 GB/s"}]})", options).empty());
  CHECK(check_layer("layer.json", R"({"stores": [{"name": "storage", "bandwidth": "-4 GB/s"}]})", options)
            .sorted()
            .front()
            .code == "E0207");
  // How many nodes there are is for the scenario to say, over which the layer lies.
  const std::vector<std::string> many{"/jobs/0/copies=1000"};
  const auto crowded = load_scenario(std::vector<std::string>{"shared-store"}, many);
  REQUIRE_FALSE(crowded);
  CHECK(crowded.error().sorted().front().constraint == models::kJobsFitTheirPool);
  const std::string all_nodes =
      R"({"jobs": [{"name": "other", "pool": "gpus", "nodes": 8, "datasets": [{"dataset": "tokens"}],)"
      R"( "loader": {"workers": 4}, "step": {"batch": 8, "step_time": "100 ms"}}]})";
  ImportOptions names = options;
  names.pool = "gpus";
  names.job = "pretrain";
  names.dataset = "tokens";
  CHECK(check_layer("layer.json", all_nodes, names).empty());
  Imported imported;
  imported.layer = nlohmann::ordered_json::parse(R"({"extends": "image-node", "faults": {"node_mtbf": "100 h"}})");
  options.extends = "image-node";
  CHECK(fit_layer("layer.json", imported, options).empty());
  CHECK(imported.layer == nlohmann::ordered_json::parse(R"({"extends": "image-node"})"));
  REQUIRE(imported.notes.size() == 1);
  CHECK_THAT(imported.notes.front(), Catch::Matchers::ContainsSubstring("checkpoint"));
}

}  // namespace headrace::scenarios
