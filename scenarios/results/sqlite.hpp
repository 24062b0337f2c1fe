// A thin layer over SQLite: a connection, prepared statements, errors as exceptions. Only results_store.cpp uses it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace headrace::scenarios {

/// What SQLite could not do.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// Primary result code.
  int code() const { return code_ & 0xff; }
  bool is_busy() const;
  bool is_not_a_database() const;
  bool is_damage() const;
  bool is_full() const;
  /// Given up because it took more work than any store needs.
  bool is_endless() const;

 private:
  int code_;
};

class SqliteConnection {
 public:
  enum class Access : std::uint8_t { read, write };

  /// Throws SqliteError.
  SqliteConnection(const std::string& path, Access access);

  void execute(const std::string& sql);
  /// The first column of the first row as text, empty without one.
  std::string text(const std::string& sql);
  std::int64_t number(const std::string& sql);
  /// Allows the statements that follow as much work as a file of this size can need; more ends in an error.
  void allow_work(std::uint64_t file_bytes);
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<std::int64_t> work_left_;  ///< in thousands of steps of SQLite's machine
  std::unique_ptr<sqlite3, Close> handle_;
};

/// One prepared statement. Bind every parameter, counted from 1, then step(); reset() makes it ready again.
class SqliteStatement {
 public:
  SqliteStatement(const SqliteConnection& connection, std::string_view sql);

  SqliteStatement& bind(int parameter, std::string_view text);
  SqliteStatement& bind(int parameter, std::int64_t number);
  SqliteStatement& bind_bytes(int parameter, std::string_view bytes);

  /// True while there is a row.
  bool step();
  /// Steps once and resets: for statements that give no rows.
  void run();
  void reset();

  bool is_null(int column) const;
  std::string text(int column) const;
  std::int64_t number(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// All or nothing: rolled back unless committed.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(SqliteConnection& connection);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  void commit();

 private:
  SqliteConnection& connection_;
  bool open_ = true;
};

}  // namespace headrace::scenarios
