// Stores of results that were changed: damaged rows are named, and nothing is left out in silence.
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "scenarios/results/results_store.hpp"
#include "scenarios/results/sqlite.hpp"
#include "scenarios/results/stored_json.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

using Access = ResultsStore::Access;

constexpr std::uint64_t kPoints = 5;

void fill(const std::string& path) {
  ResultsStore store(path, Access::write);
  store.put_sweep({"s", "space", "title", "bound", "v1", "{}", "{}", "{}", kPoints});
  for (std::uint64_t point = 0; point < kPoints; ++point) {
    const std::string key = "key" + std::to_string(point);
    store.put("s", point, "{\"a\":1}",
              {key, "sha", "bound", "v1", "{}", false, "{\"metrics\":{\"x\":1.5}}", "", "run"});
  }
  store.put_ranking("s", 2, "{\"value\":2,\"place\":0}");
  store.put_ranking("s", 3, "{\"value\":1,\"place\":0}");
  store.number_places("s", false);
}

std::string rows_of(const ResultsStore& store) {
  std::string text;
  store.for_each_point(
      "s",
      [&](const PointRow& row) {
        text += std::to_string(row.point) + row.coordinates + row.ranking + row.result.key + row.result.outcome +
                row.result.series + ";";
      },
      true);
  return text;
}

/// The code of what a report of the store says; empty: it shows the rows, which are then in `rows`.
std::string report_code(const std::string& path, std::string& rows) {
  try {
    const ResultsStore store(path, Access::read);
    store.require_intact();
    if (store.sweeps().empty() || store.points_of("s") < kPoints) return "missing";
    rows = rows_of(store);
    return "";
  } catch (const StoreError& error) {
    CHECK_FALSE(error.fix().empty());
    return error.code();
  }
}

void change(const std::string& path, const std::string& sql) {
  SqliteConnection connection(path, SqliteConnection::Access::write);
  connection.execute(sql);
}

}  // namespace

TEST_CASE("a row that is not as it was written is named, removed for a sweep and refused by merge") {
  const TestFiles files;
  for (const auto& [sql, named] :
       {std::pair("UPDATE results SET outcome = '{}' WHERE key = 'key3'", "point 3 of sweep s"),
        std::pair("UPDATE results SET key = 'other' WHERE key = 'key1'", "point 1 of sweep s"),
        std::pair("UPDATE points SET key = 'key1' WHERE point = 4", "point 4 of sweep s"),
        std::pair("UPDATE points SET ranking = '' WHERE point = 2", "point 2 of sweep s"),
        std::pair("DELETE FROM results WHERE key = 'key0'", "point 0 of sweep s"),
        std::pair("UPDATE sweeps SET points = 3", "sweep s"),
        std::pair("DELETE FROM sweeps", "the description of sweep s")}) {
    INFO(sql);
    const std::string path = files.path("changed.db");
    std::filesystem::remove(path);
    fill(path);
    std::string rows;
    CHECK(report_code(path, rows).empty());
    change(path, sql);
    CHECK(report_code(path, rows) == "E0606");
    ResultsStore joined(files.path("joined.db"), Access::write);
    CHECK_THROWS_AS(joined.merge(path), StoreError);
    ResultsStore store(path, Access::write);
    const auto damaged = store.remove_damage();
    CHECK(std::find(damaged.begin(), damaged.end(), named) != damaged.end());
    for (std::uint64_t point = 0; point < kPoints; ++point)
      if (std::find(damaged.begin(), damaged.end(), "point " + std::to_string(point) + " of sweep s") != damaged.end())
        CHECK_FALSE(store.answered("s", point));
  }
}

TEST_CASE("a store has its tables and no others") {
  const TestFiles files;
  for (const char* sql : {"CREATE VIEW more AS SELECT 1", "CREATE TABLE more (a)", "CREATE INDEX more ON points (key)",
                          "CREATE TRIGGER more AFTER INSERT ON points BEGIN DELETE FROM results; END",
                          R"(ALTER TABLE points RENAME TO zz;
           CREATE VIEW points AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT zz.* FROM zz, r)"}) {
    INFO(sql);
    const std::string path = files.path("more.db");
    std::filesystem::remove(path);
    fill(path);
    change(path, sql);
    std::string rows;
    CHECK(report_code(path, rows) == "E0606");
    CHECK_THROWS_AS(ResultsStore(path, Access::write), StoreError);
  }
}

TEST_CASE("a store of the first format is read without sums and gets them when it is written to") {
  const TestFiles files;
  const std::string path = files.path("old.db");
  fill(path);
  std::string rows;
  REQUIRE(report_code(path, rows).empty());
  change(path,
         "ALTER TABLE sweeps DROP COLUMN sum; ALTER TABLE results DROP COLUMN sum; ALTER TABLE points DROP COLUMN sum;"
         "PRAGMA user_version = 1");
  std::string old_rows;
  CHECK(report_code(path, old_rows).empty());
  CHECK(old_rows == rows);
  {
    ResultsStore joined(files.path("joined.db"), Access::write);
    joined.merge(path);
    joined.require_intact();
    CHECK(rows_of(joined) == rows);
  }
  change(path, "UPDATE results SET outcome = '{\"metrics\":' WHERE key = 'key3'");
  CHECK(report_code(path, old_rows) == "E0606");
  ResultsStore store(path, Access::write);
  CHECK(store.damage() == std::vector<std::string>{"result key3", "point 3 of sweep s"});
  change(path, "UPDATE results SET outcome = '{}' WHERE key = 'key1'");
  CHECK(store.damage().size() == 4);
}

TEST_CASE("stores with changed bytes give the same rows, or say what is wrong") {
  const TestFiles files;
  const std::string good = files.path("good.db");
  fill(good);
  std::string rows;
  REQUIRE(report_code(good, rows).empty());
  std::ifstream file(good, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::mt19937 random(22);
  for (int i = 0; i < 600; ++i) {
    std::string changed = bytes;
    for (std::uint32_t times = 1 + random() % 4; times > 0; --times)
      changed[random() % changed.size()] = static_cast<char>(random() % 256);
    INFO(i);
    const std::string path = files.write("changed.db", changed);
    std::string found;
    if (report_code(path, found).empty()) CHECK(found == rows);
    try {
      ResultsStore store(path, Access::write);
      store.remove_damage();
      for (std::uint64_t point = 0; point < kPoints; ++point)
        if (const auto answered = store.answered("s", point)) CHECK(answered->key == "key" + std::to_string(point));
    } catch (const StoreError& error) {
      CHECK(error.code().starts_with("E06"));
    }
    for (const char* ending : {"-wal", "-shm", "-journal"}) std::filesystem::remove(path + ending);
  }
}

TEST_CASE("what a store holds as JSON is no deeper than a scenario") {
  CHECK(stored_json("{\"a\": \"[[[\"}")["a"] == "[[[");
  for (const std::string& text : {std::string(100'000, '['), std::string("{"), std::string()})
    CHECK_THROWS_AS(stored_json(text), StoreError);
}

}  // namespace headrace::scenarios
