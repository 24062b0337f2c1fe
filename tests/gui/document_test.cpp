#include "gui/presenter/scenario_document.hpp"

#include <nlohmann/json.hpp>

#include "gui/presenter/command_text.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace::gui {
namespace {

using testing::Folder;
using Json = nlohmann::ordered_json;

TEST_CASE("an edit is the scenario that --set gives, and undoing it is the old document") {
  const auto opened = ScenarioDocument::open("image-node");
  REQUIRE(opened);
  CHECK(opened->is_shipped());
  const auto edited = opened->with("/jobs/0/loader/workers", "16");
  REQUIRE(edited);
  CHECK(edited->value_at("/jobs/0/loader/workers") == "16");
  CHECK(opened->value_at("/jobs/0/loader/workers") != "16");
  const auto again = edited->with("/jobs/0/loader/workers", "3");
  REQUIRE(again);
  CHECK(again->edits().size() == 1);
  const auto run = testing::run("simulate --dry-run --json " + edited->arguments()[0] + " --set " +
                                shell_word(edited->arguments()[2]));
  REQUIRE(run.status == 0);
  CHECK(Json::parse(run.out)["scenario_sha256"] == edited->loaded().sha256);
}

TEST_CASE("saving keeps remarks, order, short forms and what a file extends") {
  const Folder folder;
  const std::string path = folder.write("own.json", R"({
  "//": "a remark that must stay",
  "title": "mine",
  "extends": "image-node",
  "job": {"name": "train", "loader": {"workers": 6}},
  "prices": {"gpu_hour": "$2/h"}
}
)");
  const auto opened = ScenarioDocument::open(path);
  if (!opened) FAIL(print_text(opened.error()));
  CHECK(opened->text() == testing::file_text(path));
  auto edited = opened->with("/jobs/0/loader/workers", "9");
  REQUIRE(edited);
  edited = edited->with("/stores/0/bandwidth", "31 GB/s");
  REQUIRE(edited);
  const std::string text = edited->text();
  INFO(text);
  const Json saved = Json::parse(text);
  CHECK(saved["//"] == "a remark that must stay");
  CHECK(saved["extends"] == "image-node");
  CHECK(saved["job"]["loader"]["workers"] == 9);
  CHECK(saved.begin().key() == "//");
  const auto reopened = ScenarioDocument::open(folder.write("own2.json", text));
  REQUIRE(reopened);
  CHECK(reopened->loaded().sha256 == edited->loaded().sha256);
}

TEST_CASE("a shipped scenario is saved as a file over it") {
  const Folder folder;
  const auto opened = ScenarioDocument::open("tiered-cache");
  REQUIRE(opened);
  const auto edited = opened->with("/jobs/0/loader/prefetch", "5");
  REQUIRE(edited);
  const auto reopened = ScenarioDocument::open(folder.write("mine.json", edited->text()));
  REQUIRE(reopened);
  CHECK(reopened->loaded().sha256 == edited->loaded().sha256);
  CHECK(Json::parse(edited->text())["extends"] == "tiered-cache");
}

TEST_CASE("a bad file is refused in the words of the command line") {
  const Folder folder;
  const std::string path = folder.write("bad.json", R"({"extends": "image-node", "job": {"loader": {"workrs": 3}}})");
  const auto opened = ScenarioDocument::open(path);
  REQUIRE(!opened);
  const auto run = testing::run("validate " + path);
  CHECK(run.status == 2);
  CHECK(run.err.find(print_text(opened.error())) != std::string::npos);
  CHECK(!ScenarioDocument::open(folder.path("nowhere.json")));
  const auto good = ScenarioDocument::open("image-node");
  REQUIRE(good);
  CHECK(!good->with("/jobs/0/loader/workers", "-3"));
  CHECK(!good->with("/jobs/0/loader/workrs", "3"));
  CHECK(!good->with("/stores/0/bandwidth", "3 parsecs"));
}

TEST_CASE("words are quoted for the shell") {
  CHECK(shell_word("a-b_c/d=1.5") == "a-b_c/d=1.5");
  CHECK(shell_word("25 GB/s") == "'25 GB/s'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
}

}  // namespace
}  // namespace headrace::gui
