// The sizing sheet through the program.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "models/sizing/sizing.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Run;
using headrace::testing::run;

namespace {

std::set<std::string> names_in(const nlohmann::json& figures) {
  std::set<std::string> names;
  for (const auto& figure : figures) names.insert(figure["name"].get<std::string>());
  return names;
}

}  // namespace

TEST_CASE("the scenario sizing-sheet shows every figure", "[cli]") {
  const Run result = run("bound sizing-sheet --json");
  REQUIRE(result.status == 0);
  const auto json = nlohmann::json::parse(result.out);
  const std::set<std::string> shown = names_in(json["sizing"]);
  const std::set<std::string> missing = names_in(json["sizing_missing"]);
  // Machines are rented there, shards are not read in a random order, and the site's GPUs are dear.
  CHECK(missing == std::set<std::string>{"owned_gpu_hour_usd"});
  const std::string page = file_text(std::string(HEADRACE_SOURCE_DIR) + "/docs/models/sizing.md");
  for (const headrace::models::SizingRoom* room : headrace::models::sizing_rooms()) {
    CHECK(page.find("\n## " + std::string(room->key)) != std::string::npos);
    for (const headrace::models::SizingDescription& figure : room->figures) {
      INFO(figure.name);
      CHECK(shown.count(std::string(figure.name)) + missing.count(std::string(figure.name)) == 1);
      CHECK(page.find('`' + std::string(figure.name) + '`') != std::string::npos);
    }
  }
}

TEST_CASE("every pointer of the sheet is one of the scenario", "[cli]") {
  const auto json = nlohmann::json::parse(run("bound sizing-sheet --json").out);
  const std::string parameters = run("explain --reference parameters").out;
  for (const auto& figure : json["sizing"])
    for (const auto& input : figure["inputs"]) {
      const auto from = input["from"].get<std::string>();
      INFO(figure["name"] << " " << from);
      if (from.front() != '/') continue;
      // Elements of lists are named by a star; the last part is a key of the record above it.
      std::string pointer;
      for (std::size_t begin = 1; begin <= from.size();) {
        const std::size_t end = std::min(from.find('/', begin), from.size());
        const std::string part = from.substr(begin, end - begin);
        pointer += part.find_first_not_of("0123456789") == std::string::npos ? "/*" : "/" + part;
        begin = end + 1;
      }
      if (pointer.ends_with("/*")) continue;  // a whole element
      const std::size_t slash = pointer.rfind('/');
      const bool key = parameters.find("\n## " + pointer.substr(0, slash) + "\n") != std::string::npos &&
                       parameters.find("| `" + pointer.substr(slash + 1) + "` |") != std::string::npos;
      const bool record = parameters.find("\n## " + pointer + "\n") != std::string::npos;
      CHECK((key || record));
    }
}

TEST_CASE("the flag --sizing prints the sheet, one room of it, or says which there are", "[cli]") {
  const Run bound = run("bound dataloader-50ms --verbose");
  CHECK(bound.out.find("By formula") != std::string::npos);
  CHECK(bound.out.find("workers_to_fill_link") != std::string::npos);
  const Run whole = run("bound dataloader-50ms --sizing");
  CHECK(whole.status == 0);
  CHECK(whole.out.find("workers_to_fill_link = 7.25") != std::string::npos);
  CHECK(whole.out.find("not without datasets/upload") != std::string::npos);
  const Run room = run("bound dataloader-50ms --sizing workers");
  CHECK(room.out.find("workers_without_transfer = 6.25") != std::string::npos);
  CHECK(room.out.find("What the GPUs ask for") == std::string::npos);
  const auto json = nlohmann::json::parse(run("bound dataloader-50ms --sizing workers --json").out);
  CHECK(
      std::all_of(json["sizing"].begin(), json["sizing"].end(), [](const auto& f) { return f["room"] == "workers"; }));
  const Run wrong = run("bound dataloader-50ms --sizing attic");
  CHECK(wrong.status == 2);
  CHECK(wrong.err.find("unknown section of the sizing sheet") != std::string::npos);
  CHECK(nlohmann::json::parse(run("simulate dataloader-50ms --steps 50 --no-relief --json").out).contains("sizing") ==
        false);
}

TEST_CASE("explain tells a figure's formula, source and needs", "[cli]") {
  const Run text = run("explain workers_to_fill_link");
  CHECK(text.out.find("formula C (W + S/C) / S") != std::string::npos);
  CHECK(text.out.find("needs") != std::string::npos);
  const auto json = nlohmann::json::parse(run("explain codec_break_even_bytes_per_s --json").out);
  CHECK(json["topics"][0]["room"] == "codec");
  CHECK(json["topics"][0]["formula"] == "H V");
}
