// The tables of a store of results, and what shows that they are as they were written: exactly these tables and nothing
// else, and a sum over the cells of every row. A store of format 1 has no sums; what is JSON in it must be JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headrace::scenarios {

class SqliteConnection;

inline constexpr std::int64_t kStoreFormat = 2;

/// headrace_sum(cell, ...) and headrace_json(text), for the statements of this connection.
void add_store_functions(SqliteConnection& connection);

/// As SQL, over the cells of one row.
inline constexpr const char* kSweepSum =
    "headrace_sum(id, name, title, level, model_version, options, definition, scenario, points)";
inline constexpr const char* kResultSum =
    "headrace_sum(key, scenario_sha256, level, model_version, options, failed, outcome, error, series)";
inline constexpr const char* kPointSum = "headrace_sum(sweep, point, key, coordinates, ranking)";

void create_tables(SqliteConnection& connection);

/// Gives the tables of format 1 their sums; rows that are damaged get none.
void add_sums(SqliteConnection& connection);

/// Whether the database has no table, view, index or trigger at all.
bool is_blank(SqliteConnection& connection);

/// Whether it has those of the format and no other.
bool has_exact_tables(SqliteConnection& connection, std::int64_t format);

/// What is damaged, one text each: "point 3 of sweep 03b140e39c46". Throws SqliteError where the database itself is.
std::vector<std::string> damaged_rows(SqliteConnection& connection, std::int64_t format);

/// Removes those rows, so that a sweep finds them missing.
void remove_damaged_rows(SqliteConnection& connection, std::int64_t format);

}  // namespace headrace::scenarios
