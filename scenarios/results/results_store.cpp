#include "scenarios/results/results_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/visible_text.hpp"
#include "scenarios/results/shared_file_system.hpp"
#include "scenarios/results/sqlite.hpp"
#include "scenarios/results/store_tables.hpp"

namespace headrace::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kApplication = 0x48647253;  // "HdrS"
constexpr std::string_view kNowhere = ":memory:";  ///< a store that goes with the program

// ?1 to ?9 are the cells; what is stored already stands under the plain names.
const std::string kPutSweep =
    "INSERT INTO sweeps VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,headrace_sum(?1,?2,?3,?4,?5,?6,?7,?8,?9)) ON CONFLICT (id) "
    "DO UPDATE SET name = excluded.name, title = excluded.title, level = excluded.level, model_version = "
    "excluded.model_version, options = excluded.options, definition = excluded.definition, scenario = "
    "excluded.scenario, points = excluded.points, sum = excluded.sum";
constexpr const char* kReplaceResult =
    " ON CONFLICT (key) DO UPDATE SET scenario_sha256 = excluded.scenario_sha256, level = excluded.level, "
    "model_version = excluded.model_version, options = excluded.options, failed = excluded.failed, outcome = "
    "excluded.outcome, error = excluded.error, series = excluded.series, sum = excluded.sum WHERE results.failed";
const std::string kPutResult =
    std::string("INSERT INTO results VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,headrace_sum(?1,?2,?3,?4,?5,?6,?7,?8,?9))") +
    kReplaceResult + " OR NOT excluded.failed";
constexpr const char* kPutPoint =
    "INSERT INTO points (sweep, point, key, coordinates, sum) VALUES (?1,?2,?3,?4,headrace_sum(?1,?2,?3,?4,'')) ON "
    "CONFLICT (sweep, point) DO UPDATE SET key = excluded.key, sum = headrace_sum(sweep, point, excluded.key, "
    "coordinates, ranking)";
constexpr const char* kPutRanking =
    "UPDATE points SET ranking = ?1, sum = headrace_sum(sweep, point, key, coordinates, ?1) WHERE sweep = ?2 AND point "
    "= ?3";
constexpr const char* kNumberPlace =
    "UPDATE points SET ranking = json_set(ranking, '$.place', ?1), sum = headrace_sum(sweep, point, key, coordinates, "
    "json_set(ranking, '$.place', ?1)) WHERE sweep = ?2 AND point = ?3";

std::string reason_to_open(const std::string& path, ResultsStore::Access access) {
  std::error_code error;
  if (path == kNowhere) return "";
  if (fs::is_directory(path, error)) return "it is a folder";
  const bool there = fs::exists(path, error);
  if (access == ResultsStore::Access::read) return there ? "" : "no such file";
  const fs::path folder = fs::absolute(path, error).parent_path();
  if (!fs::is_directory(folder, error)) return fmt::format("there is no folder '{}'", folder.string());
  if (::access(folder.c_str(), W_OK) != 0) return fmt::format("the folder '{}' may not be written", folder.string());
  if (there && ::access(path.c_str(), W_OK) != 0) return "the file may not be written";
  return "";
}

/// Whether the file begins as a database does, or is new or empty. SQLite would tell only at the first look inside.
bool looks_like_database(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 16> head{};
  file.read(head.data(), head.size());
  return file.gcount() == 0 || std::string_view(head.data(), 15) == "SQLite format 3";
}

StoreError damaged_file(const std::string& path, const std::string& why) {
  return {"E0606", fmt::format("'{}' is damaged: {}", path, why),
          "restore a copy, or name a new file and compute its points again"};
}

StoreError not_a_store(const std::string& path) {
  const auto other = complaint_about_file(path, "a results store");
  if (!other) return {"E0601", fmt::format("'{}' is not a results store", path), "name another file"};
  return {"E0601", fmt::format("'{}' cannot be used: {}", path, other->message), other->help};
}

/// "a, b, c and 4 more".
std::string named_rows(const std::vector<std::string>& rows) {
  constexpr std::size_t kMostNamed = 10;
  std::string text;
  for (std::size_t i = 0; i < rows.size() && i < kMostNamed; ++i) text += (i > 0 ? ", " : "") + visible_text(rows[i]);
  return rows.size() > kMostNamed ? fmt::format("{} and {} more", text, rows.size() - kMostNamed) : text;
}

}  // namespace

struct ResultsStore::Impl {
  explicit Impl(const std::string& path, Access access)
      : connection(path, access == Access::write ? SqliteConnection::Access::write : SqliteConnection::Access::read) {
    add_store_functions(connection);
  }

  /// A statement that is prepared once.
  SqliteStatement& prepared(std::unique_ptr<SqliteStatement>& statement, const char* sql) {
    if (!statement) statement = std::make_unique<SqliteStatement>(connection, sql);
    return *statement;
  }

  SqliteConnection connection;
  std::unique_ptr<SqliteStatement> put_result, put_point, put_ranking, answered, has;
};

/// Runs work under the lock; what SQLite throws becomes a StoreError with a way out.
template <class Work>
auto ResultsStore::guarded(const Work& work) const {
  const std::scoped_lock lock(mutex_);
  try {
    if (impl_) impl_->connection.allow_work(file_bytes());
    return work();
  } catch (const SqliteError& error) {
    if (error.is_busy())
      throw StoreError("E0604", fmt::format("another program has locked '{}'", path_),
                       "wait for its end, or give each program its own store and merge them");
    if (error.is_not_a_database())
      throw StoreError("E0601", fmt::format("'{}' is not a results store: {}", path_, error.what()),
                       "name another file with -o");
    if (error.is_damage() || error.is_endless()) throw damaged_file(path_, error.what());
    throw StoreError("E0603", fmt::format("cannot use the store '{}': {}", path_, error.what()),
                     error.is_full()
                         ? "free disk space; stored results are kept, and the same call continues from there"
                         : "name a file in a folder that exists and may be written");
  }
}

ResultsStore::ResultsStore(const std::string& path, Access access) : path_(path) {
  const std::string reason = reason_to_open(path, access);
  if (!reason.empty())
    throw StoreError("E0603", fmt::format("cannot use the store '{}': {}", path, reason),
                     "name a file in a folder that exists and may be written");
  if (!looks_like_database(path)) throw not_a_store(path);
  guarded([&] { open_patiently(access); });
}

/// Programs that open a store at the same time change its journal under each other; who comes too early tries again.
void ResultsStore::open_patiently(Access access) {
  constexpr int kTries = 600;
  for (int i = 1;; ++i) {
    try {
      return open(access);
    } catch (const SqliteError& error) {
      if (!error.is_busy() || i >= kTries) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

std::uint64_t ResultsStore::file_bytes() const {
  std::error_code error;
  const std::uintmax_t bytes = path_ == kNowhere ? 0 : fs::file_size(path_, error);
  return error ? 0 : bytes;
}

void ResultsStore::open(Access access) {
  impl_ = std::make_unique<Impl>(path_, access);
  SqliteConnection& connection = impl_->connection;
  connection.allow_work(file_bytes());
  connection.execute("BEGIN");  // the three belong together: another program may be making the tables
  const std::int64_t application = connection.number("PRAGMA application_id");
  const bool fresh = is_blank(connection);
  format_ = connection.number("PRAGMA user_version");
  const bool exact = fresh || has_exact_tables(connection, format_);
  connection.execute("COMMIT");
  if ((!fresh || access == Access::read) && application != kApplication)
    throw StoreError(
        "E0601",
        fmt::format("'{}' is {}, not a results store", path_, fresh ? "empty" : "a database of another program"),
        "name another file");
  if (!fresh && format_ > kStoreFormat)
    throw StoreError("E0602",
                     fmt::format("'{}' has format {}; this version reads up to {}", path_, format_, kStoreFormat),
                     "use the version of headrace that wrote it, or a newer one");
  if (!exact) throw damaged_file(path_, "its tables are not those of a results store");
  if (access == Access::read) return;
  const bool shared = !shared_file_system_of(path_).empty();
  journal_ = connection.text(shared ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL");
  // With a write-ahead log a lost power supply may cost the last results, never the store.
  connection.execute(journal_ == "wal" ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
  if (fresh || format_ < kStoreFormat) bring_to_format();
}

/// Another program may have done it in the meantime.
void ResultsStore::bring_to_format() {
  SqliteConnection& connection = impl_->connection;
  SqliteTransaction transaction(connection);
  if (is_blank(connection))
    create_tables(connection);
  else if (connection.number("PRAGMA user_version") < kStoreFormat)
    add_sums(connection);
  connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kStoreFormat));
  transaction.commit();
  format_ = kStoreFormat;
}

std::vector<std::string> ResultsStore::damage() const {
  return guarded([&] { return damaged_rows(impl_->connection, format_); });
}

void ResultsStore::require_intact() const {
  const std::vector<std::string> rows = damage();
  if (rows.empty()) return;
  throw StoreError("E0606", fmt::format("'{}' is damaged: {}", path_, named_rows(rows)),
                   "the headrace sweep that filled it computes these points again; or restore a copy");
}

std::vector<std::string> ResultsStore::remove_damage() {
  return guarded([&] {
    std::vector<std::string> rows = damaged_rows(impl_->connection, format_);
    if (!rows.empty()) remove_damaged_rows(impl_->connection, format_);
    return rows;
  });
}

ResultsStore::~ResultsStore() {
  if (!impl_ || journal_ != "wal") return;
  // A store at rest is one plain file that can be copied, and read from a folder that may not be written. Another
  // writer still at work keeps the log.
  try {
    impl_->put_result.reset();
    impl_->put_point.reset();
    impl_->put_ranking.reset();
    impl_->answered.reset();
    impl_->has.reset();
    impl_->connection.execute("PRAGMA busy_timeout = 0");
    impl_->connection.text("PRAGMA journal_mode = DELETE");
  } catch (const std::exception&) {
    journal_.clear();
  }
}

void ResultsStore::put_sweep(const SweepRecord& sweep) {
  guarded([&] {
    SqliteStatement statement(impl_->connection, kPutSweep);
    statement.bind(1, sweep.id).bind(2, sweep.name).bind(3, sweep.title).bind(4, sweep.level);
    statement.bind(5, sweep.model_version).bind(6, sweep.options).bind(7, sweep.definition).bind(8, sweep.scenario);
    statement.bind(9, static_cast<std::int64_t>(sweep.points)).run();
  });
}

std::vector<SweepRecord> ResultsStore::sweeps() const {
  return guarded([&] {
    std::vector<SweepRecord> all;
    SqliteStatement rows(impl_->connection,
                         "SELECT id, name, title, level, model_version, options, definition, scenario, points FROM "
                         "sweeps ORDER BY id");
    while (rows.step())
      all.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), rows.text(5), rows.text(6),
                     rows.text(7), static_cast<std::uint64_t>(rows.number(8))});
    return all;
  });
}

void ResultsStore::put(const std::string& sweep, std::uint64_t point, const std::string& coordinates,
                       const ResultRecord& result) {
  guarded([&] {
    SqliteTransaction transaction(impl_->connection);
    SqliteStatement& put = impl_->prepared(impl_->put_result, kPutResult.c_str());
    put.bind(1, result.key).bind(2, result.scenario_sha256).bind(3, result.level).bind(4, result.model_version);
    put.bind(5, result.options).bind(6, std::int64_t{result.failed ? 1 : 0}).bind(7, result.outcome);
    put.bind(8, result.error).bind_bytes(9, result.series).run();
    SqliteStatement& place = impl_->prepared(impl_->put_point, kPutPoint);
    place.bind(1, sweep).bind(2, static_cast<std::int64_t>(point)).bind(3, result.key).bind(4, coordinates).run();
    transaction.commit();
  });
}

void ResultsStore::put_point(const std::string& sweep, std::uint64_t point, const std::string& coordinates,
                             const std::string& key) {
  guarded([&] {
    SqliteStatement& place = impl_->prepared(impl_->put_point, kPutPoint);
    place.bind(1, sweep).bind(2, static_cast<std::int64_t>(point)).bind(3, key).bind(4, coordinates).run();
  });
}

void ResultsStore::put_ranking(const std::string& sweep, std::uint64_t point, const std::string& ranking) {
  guarded([&] {
    SqliteStatement& put = impl_->prepared(impl_->put_ranking, kPutRanking);
    put.bind(1, ranking).bind(2, sweep).bind(3, static_cast<std::int64_t>(point)).run();
  });
}

std::optional<ResultsStore::Answered> ResultsStore::answered(const std::string& sweep, std::uint64_t point) const {
  return guarded([&]() -> std::optional<Answered> {
    SqliteStatement& row = impl_->prepared(impl_->answered,
                                           "SELECT points.key, scenario_sha256 FROM points JOIN results USING (key) "
                                           "WHERE sweep = ? AND point = ? AND NOT failed");
    row.bind(1, sweep).bind(2, static_cast<std::int64_t>(point));
    std::optional<Answered> found;
    if (row.step()) found = Answered{row.text(0), row.text(1)};
    row.reset();
    return found;
  });
}

bool ResultsStore::has(const std::string& key) const {
  return guarded([&] {
    SqliteStatement& row = impl_->prepared(impl_->has, "SELECT 1 FROM results WHERE key = ? AND NOT failed");
    const bool there = row.bind(1, key).step();
    row.reset();
    return there;
  });
}

std::optional<ResultRecord> ResultsStore::find(const std::string& key) const {
  return guarded([&]() -> std::optional<ResultRecord> {
    SqliteStatement row(
        impl_->connection,
        "SELECT key, scenario_sha256, level, model_version, options, failed, outcome, error, series FROM "
        "results WHERE key = ?");
    if (!row.bind(1, key).step()) return std::nullopt;
    return ResultRecord{row.text(0),        row.text(1), row.text(2), row.text(3), row.text(4),
                        row.number(5) != 0, row.text(6), row.text(7), row.text(8)};
  });
}

void ResultsStore::for_each_point(const std::string& sweep, const std::function<void(const PointRow&)>& visit,
                                  bool with_series) const {
  // The visitor may come back to the store, so that the lock is not held while it works.
  std::unique_ptr<SqliteStatement> rows = guarded([&] {
    auto statement = std::make_unique<SqliteStatement>(
        impl_->connection,
        fmt::format("SELECT point, coordinates, ranking, key, scenario_sha256, level, model_version, options, failed, "
                    "outcome, error, {} FROM points JOIN results USING (key) WHERE sweep = ? ORDER BY point",
                    with_series ? "series" : "''"));
    statement->bind(1, sweep);
    return statement;
  });
  for (;;) {
    PointRow row;
    const bool there = guarded([&] {
      if (!rows->step()) return false;
      row.sweep = sweep;
      row.point = static_cast<std::uint64_t>(rows->number(0));
      row.coordinates = rows->text(1);
      row.ranking = rows->text(2);
      row.result = {rows->text(3),        rows->text(4), rows->text(5),  rows->text(6), rows->text(7),
                    rows->number(8) != 0, rows->text(9), rows->text(10), rows->text(11)};
      return true;
    });
    if (!there) return;
    visit(row);
  }
}

void ResultsStore::number_places(const std::string& sweep, bool greatest_first) {
  guarded([&] {
    SqliteStatement rows(
        impl_->connection,
        fmt::format("SELECT point FROM points WHERE sweep = ? AND ranking <> '' ORDER BY "
                    "json_extract(ranking, '$.value') {}, json_extract(ranking, '$.state') <> 'best', point",
                    greatest_first ? "DESC" : "ASC"));
    SqliteStatement number(impl_->connection, kNumberPlace);
    rows.bind(1, sweep);
    for (std::int64_t place = 1; rows.step(); ++place)
      number.bind(1, place).bind(2, sweep).bind(3, rows.number(0)).run();
  });
}

void ResultsStore::together(const std::function<void()>& work) {
  guarded([&] { impl_->connection.execute("BEGIN IMMEDIATE"); });
  try {
    work();
  } catch (...) {
    guarded([&] { impl_->connection.execute("ROLLBACK"); });
    throw;
  }
  guarded([&] { impl_->connection.execute("COMMIT"); });
}

void ResultsStore::merge(const std::string& other) {
  const ResultsStore check(other, Access::read);
  check.require_intact();
  guarded([&] {
    SqliteConnection& connection = impl_->connection;
    connection.allow_work(file_bytes() + check.file_bytes());
    SqliteStatement attach(connection, "ATTACH ? AS other");
    attach.bind(1, other).run();
    try {
      SqliteTransaction transaction(connection);
      const std::string clash = connection.text(
          "SELECT a.key FROM main.results a JOIN other.results b USING (key) WHERE NOT a.failed AND NOT b.failed AND "
          "a.outcome <> b.outcome ORDER BY a.key LIMIT 1");
      if (!clash.empty())
        throw StoreError("E0605",
                         fmt::format("'{}' and '{}' have different results for one key, {}", path_, other, clash),
                         "a changed program wrote one of them with the same model version: compute it again");
      take_rows_of_other();
      transaction.commit();
    } catch (...) {
      connection.execute("DETACH other");
      throw;
    }
    connection.execute("DETACH other");
  });
}

/// Sums are made anew: a store of the first format has none.
void ResultsStore::take_rows_of_other() {
  SqliteConnection& connection = impl_->connection;
  const std::string_view sweep = "id, name, title, level, model_version, options, definition, scenario, points";
  const std::string_view result = "key, scenario_sha256, level, model_version, options, failed, outcome, error, series";
  connection.execute(
      fmt::format("INSERT OR IGNORE INTO main.sweeps SELECT {}, {} FROM other.sweeps", sweep, kSweepSum));
  connection.execute(
      fmt::format("INSERT INTO main.results SELECT {}, {} FROM other.results WHERE true{} AND NOT "
                  "excluded.failed",
                  result, kResultSum, kReplaceResult));
  connection.execute(
      fmt::format("INSERT INTO main.points (sweep, point, key, coordinates, ranking, sum) SELECT sweep, point, key, "
                  "coordinates, ranking, {} FROM other.points WHERE true ON CONFLICT (sweep, point) DO UPDATE SET "
                  "ranking = excluded.ranking, sum = headrace_sum(points.sweep, points.point, points.key, "
                  "points.coordinates, excluded.ranking) WHERE points.ranking = ''",
                  kPointSum));
}

std::uint64_t ResultsStore::results_of_other_versions(std::string_view model_version) const {
  return guarded([&] {
    SqliteStatement row(impl_->connection, "SELECT count(*) FROM results WHERE model_version <> ?");
    row.bind(1, model_version).step();
    return static_cast<std::uint64_t>(row.number(0));
  });
}

std::uint64_t ResultsStore::results() const {
  return guarded([&] { return static_cast<std::uint64_t>(impl_->connection.number("SELECT count(*) FROM results")); });
}

std::uint64_t ResultsStore::points_of(const std::string& sweep) const {
  return guarded([&] {
    SqliteStatement row(impl_->connection, "SELECT count(*) FROM points WHERE sweep = ?");
    row.bind(1, sweep).step();
    return static_cast<std::uint64_t>(row.number(0));
  });
}

std::uint64_t ResultsStore::points() const {
  return guarded([&] { return static_cast<std::uint64_t>(impl_->connection.number("SELECT count(*) FROM points")); });
}

}  // namespace headrace::scenarios
