#include "scenarios/results/sqlite.hpp"

#include <sqlite3.h>

namespace headrace::scenarios {
namespace {

constexpr int kBusyMs = 30'000;  ///< how long another writer's transaction is waited for; they take milliseconds

[[noreturn]] void fail(sqlite3* handle, int code) {
  throw SqliteError(code, handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
}

}  // namespace

bool SqliteError::is_busy() const { return code() == SQLITE_BUSY || code() == SQLITE_LOCKED; }
bool SqliteError::is_not_a_database() const { return code() == SQLITE_NOTADB; }
bool SqliteError::is_damage() const { return code() == SQLITE_CORRUPT; }
bool SqliteError::is_endless() const { return code() == SQLITE_INTERRUPT; }
bool SqliteError::is_full() const { return code() == SQLITE_FULL || code() == SQLITE_IOERR; }

void SqliteConnection::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

SqliteConnection::SqliteConnection(const std::string& path, Access access) {
  const int flags = (access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY) |
                    SQLITE_OPEN_FULLMUTEX;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(handle, code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyMs);
  // The file may come from anywhere: nothing in its schema runs, and no page is believed.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  execute("PRAGMA cell_size_check = ON");
  work_left_ = std::make_unique<std::int64_t>(0);
  allow_work(0);
  const auto tick = [](void* left) { return --*static_cast<std::int64_t*>(left) < 0 ? 1 : 0; };
  sqlite3_progress_handler(handle, 1000, tick, work_left_.get());
}

void SqliteConnection::allow_work(std::uint64_t file_bytes) {
  constexpr std::int64_t kAlways = 2'000'000;
  *work_left_ = kAlways + static_cast<std::int64_t>(file_bytes);
}

void SqliteConnection::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle(), code);
}

std::string SqliteConnection::text(const std::string& sql) {
  SqliteStatement statement(*this, sql);
  return statement.step() ? statement.text(0) : std::string();
}

std::int64_t SqliteConnection::number(const std::string& sql) {
  SqliteStatement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

SqliteStatement::SqliteStatement(const SqliteConnection& connection, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(connection.handle(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) fail(connection.handle(), code);
}

namespace {
void check_bind(sqlite3_stmt* statement, int code) {
  if (code != SQLITE_OK) fail(sqlite3_db_handle(statement), code);
}
}  // namespace

// A null deleter (SQLITE_STATIC) would need the text to outlive the step, SQLITE_TRANSIENT is a cast from an integer:
// the 64-bit calls copy with a destructor of our own.
SqliteStatement& SqliteStatement::bind(int parameter, std::string_view text) {
  char* copy = static_cast<char*>(sqlite3_malloc64(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  text.copy(copy, text.size());
  check_bind(statement_.get(),
             sqlite3_bind_text64(statement_.get(), parameter, copy, text.size(), sqlite3_free, SQLITE_UTF8));
  return *this;
}

SqliteStatement& SqliteStatement::bind_bytes(int parameter, std::string_view bytes) {
  void* copy = sqlite3_malloc64(bytes.size() + 1);
  if (copy == nullptr) throw std::bad_alloc();
  bytes.copy(static_cast<char*>(copy), bytes.size());
  check_bind(statement_.get(), sqlite3_bind_blob64(statement_.get(), parameter, copy, bytes.size(), sqlite3_free));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t number) {
  check_bind(statement_.get(), sqlite3_bind_int64(statement_.get(), parameter, number));
  return *this;
}

bool SqliteStatement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const std::string message = sqlite3_errmsg(sqlite3_db_handle(statement_.get()));
  sqlite3_reset(statement_.get());
  throw SqliteError(code, message);
}

void SqliteStatement::run() {
  step();
  reset();
}

void SqliteStatement::reset() { sqlite3_reset(statement_.get()); }

bool SqliteStatement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::string SqliteStatement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string()
                          : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::int64_t SqliteStatement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

SqliteTransaction::SqliteTransaction(SqliteConnection& connection) : connection_(connection) {
  connection_.execute("BEGIN IMMEDIATE");
}

SqliteTransaction::~SqliteTransaction() {
  if (!open_) return;
  try {
    connection_.execute("ROLLBACK");
  } catch (const SqliteError&) {  // SQLite has rolled back by itself
    open_ = false;
  }
}

void SqliteTransaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace headrace::scenarios
