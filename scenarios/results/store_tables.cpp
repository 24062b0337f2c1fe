#include "scenarios/results/store_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <set>

#include "scenarios/document/sha256.hpp"
#include "scenarios/results/sqlite.hpp"
#include "scenarios/results/stored_json.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::int64_t kFirstFormat = 1;  ///< without sums
constexpr std::string_view kSumColumn = ", sum TEXT NOT NULL DEFAULT ''";

struct StoreTable {
  const char* name;
  const char* columns;
  const char* key;   ///< after the columns
  const char* rest;  ///< after the bracket
  const char* sum;
  const char* unreadable;  ///< where JSON is none, for want of sums
};

constexpr StoreTable kStoreTables[] = {
    {"sweeps",
     "id TEXT PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL, level TEXT NOT NULL, model_version TEXT NOT NULL, "
     "options TEXT NOT NULL, definition TEXT NOT NULL, scenario TEXT NOT NULL, points INTEGER NOT NULL",
     "", " WITHOUT ROWID", kSweepSum,
     "NOT (headrace_json(options) AND headrace_json(definition) AND headrace_json(scenario))"},
    {"results",
     "key TEXT PRIMARY KEY, scenario_sha256 TEXT NOT NULL, level TEXT NOT NULL, model_version TEXT NOT NULL, options "
     "TEXT NOT NULL, failed INTEGER NOT NULL, outcome TEXT NOT NULL, error TEXT NOT NULL, series BLOB NOT NULL",
     "", "", kResultSum, "NOT headrace_json(options) OR (NOT failed AND NOT headrace_json(outcome))"},
    {"points",
     "sweep TEXT NOT NULL, point INTEGER NOT NULL, key TEXT NOT NULL, coordinates TEXT NOT NULL, ranking TEXT NOT NULL "
     "DEFAULT ''",
     ", PRIMARY KEY (sweep, point)", " WITHOUT ROWID", kPointSum,
     "NOT headrace_json(coordinates) OR (ranking <> '' AND NOT headrace_json(ranking))"},
};

std::string_view bytes_of(sqlite3_value* value) {
  const void* bytes = sqlite3_value_blob(value);
  const int size = sqlite3_value_bytes(value);
  return bytes == nullptr ? std::string_view()
                          : std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

/// Each cell with its type and length, so that no two rows are spelled alike.
void sum_of_cells(sqlite3_context* context, int count, sqlite3_value** cells) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const int type = sqlite3_value_type(cells[i]);
    const std::string_view bytes = bytes_of(cells[i]);
    text += fmt::format("{}:{}:", type, bytes.size());
    text += bytes;
  }
  const std::string sum = sha256(text);
  char* copy = static_cast<char*>(sqlite3_malloc64(sum.size()));
  if (copy == nullptr) return sqlite3_result_error_nomem(context);
  sum.copy(copy, sum.size());
  sqlite3_result_text64(context, copy, sum.size(), sqlite3_free, SQLITE_UTF8);
}

void is_json_cell(sqlite3_context* context, int, sqlite3_value** cells) {
  sqlite3_result_int(context, is_stored_json(bytes_of(cells[0])) ? 1 : 0);
}

std::string create_text(const StoreTable& table, std::int64_t format) {
  return fmt::format("CREATE TABLE {} ({}{}{}){}", table.name, table.columns,
                     format == kFirstFormat ? std::string_view() : kSumColumn, table.key, table.rest);
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '"'; });
  return text;
}

std::string damage_condition(const StoreTable& table, std::int64_t format) {
  return format == kFirstFormat ? std::string(table.unreadable) : fmt::format("sum IS NOT {}", table.sum);
}

std::string beginning(const std::string& id) { return id.substr(0, 12); }

}  // namespace

void add_store_functions(SqliteConnection& connection) {
  constexpr int kEncoding = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
  sqlite3_create_function_v2(connection.handle(), "headrace_sum", -1, kEncoding, nullptr, sum_of_cells, nullptr,
                             nullptr, nullptr);
  sqlite3_create_function_v2(connection.handle(), "headrace_json", 1, kEncoding, nullptr, is_json_cell, nullptr,
                             nullptr, nullptr);
}

void create_tables(SqliteConnection& connection) {
  for (const StoreTable& table : kStoreTables) connection.execute(create_text(table, kStoreFormat));
}

void add_sums(SqliteConnection& connection) {
  for (const StoreTable& table : kStoreTables) {
    connection.execute(fmt::format("ALTER TABLE {} ADD COLUMN {}", table.name, kSumColumn.substr(2)));
    connection.execute(fmt::format("UPDATE {} SET sum = {} WHERE NOT ({})", table.name, table.sum, table.unreadable));
  }
}

bool is_blank(SqliteConnection& connection) { return connection.number("SELECT count(*) FROM sqlite_master") == 0; }

bool has_exact_tables(SqliteConnection& connection, std::int64_t format) {
  std::vector<std::string> wanted{"index sqlite_autoindex_results_1 results "};
  for (const StoreTable& table : kStoreTables)
    wanted.push_back(fmt::format("table {} {} {}", table.name, table.name, without_blanks(create_text(table, format))));
  std::vector<std::string> found;
  SqliteStatement rows(connection, "SELECT type, name, tbl_name, sql FROM sqlite_master");
  while (rows.step())
    found.push_back(fmt::format("{} {} {} {}", rows.text(0), rows.text(1), rows.text(2), without_blanks(rows.text(3))));
  std::sort(wanted.begin(), wanted.end());
  std::sort(found.begin(), found.end());
  return wanted == found;
}

std::vector<std::string> damaged_rows(SqliteConnection& connection, std::int64_t format) {
  std::vector<std::string> damaged;
  if (const std::string first = connection.text("PRAGMA integrity_check(1)"); first != "ok")
    throw SqliteError(SQLITE_CORRUPT, first);
  SqliteStatement sweeps(
      connection, fmt::format("SELECT id FROM sweeps WHERE {} ORDER BY id", damage_condition(kStoreTables[0], format)));
  while (sweeps.step()) damaged.push_back("sweep " + beginning(sweeps.text(0)));
  std::set<std::string> bad_results;
  SqliteStatement results(connection, fmt::format("SELECT key FROM results WHERE {} ORDER BY key",
                                                  damage_condition(kStoreTables[1], format)));
  while (results.step()) {
    damaged.push_back("result " + beginning(results.text(0)));
    bad_results.insert(results.text(0));
  }
  SqliteStatement points(connection,
                         fmt::format("SELECT sweep, point, key, {}, EXISTS (SELECT 1 FROM results WHERE results.key = "
                                     "points.key) FROM points ORDER BY sweep, point",
                                     damage_condition(kStoreTables[2], format)));
  while (points.step())
    if (points.number(3) != 0 || points.number(4) == 0 || bad_results.count(points.text(2)) > 0)
      damaged.push_back(fmt::format("point {} of sweep {}", points.number(1), beginning(points.text(0))));
  SqliteStatement orphans(connection,
                          "SELECT DISTINCT sweep FROM points WHERE NOT EXISTS (SELECT 1 FROM sweeps WHERE id = sweep) "
                          "ORDER BY sweep");
  while (orphans.step()) damaged.push_back(fmt::format("the description of sweep {}", beginning(orphans.text(0))));
  return damaged;
}

void remove_damaged_rows(SqliteConnection& connection, std::int64_t format) {
  SqliteTransaction transaction(connection);
  for (const StoreTable& table : kStoreTables)
    connection.execute(fmt::format("DELETE FROM {} WHERE {}", table.name, damage_condition(table, format)));
  connection.execute("DELETE FROM points WHERE NOT EXISTS (SELECT 1 FROM results WHERE results.key = points.key)");
  transaction.commit();
}

}  // namespace headrace::scenarios
