// The results of sweeps in one SQLite file. A result is kept under a key: the fingerprint of everything that its
// numbers depend on (resolved scenario, seed, model version, level, run options). Points of a sweep refer to results by
// key, so that sweeps share what they have in common, and a sweep that is run again finds what is there.
//
// Every result is a transaction of its own: a program that is killed loses what it was computing and nothing else. On a
// local disk the store keeps a write-ahead log while it is open; on a file system that machines share, where that does
// not work, a rollback journal. Several programs may write to one store; they wait for each other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::scenarios {

/// A store that cannot be used. `code` is one of scenarios/document/error_codes.hpp: E0601 to E0606.
class StoreError : public std::runtime_error {
 public:
  StoreError(std::string code, const std::string& message, std::string fix)
      : std::runtime_error(message), code_(std::move(code)), fix_(std::move(fix)) {}
  const std::string& code() const { return code_; }
  const std::string& fix() const { return fix_; }

 private:
  std::string code_;
  std::string fix_;
};

/// One sweep: a space answered in one way.
struct SweepRecord {
  std::string id;  ///< sha256 of definition, options and model version
  std::string name;
  std::string title;
  std::string level;
  std::string model_version;
  std::string options;     ///< JSON: what changes the answers
  std::string definition;  ///< JSON: axes, groups, conditions
  std::string scenario;    ///< JSON: the base scenario, resolved
  std::uint64_t points = 0;
};

struct ResultRecord {
  std::string key;
  std::string scenario_sha256;  ///< empty: the point has no valid scenario
  std::string level;
  std::string model_version;
  std::string options;
  bool failed = false;
  std::string outcome;  ///< JSON without the scenario; empty when failed
  std::string error;    ///< why it failed
  std::string series;   ///< bytes that a ranking pairs; may be empty
};

/// A point with its result.
struct PointRow {
  std::string sweep;
  std::uint64_t point = 0;
  std::string coordinates;  ///< JSON
  std::string ranking;      ///< JSON: place and difference to the best; empty without
  ResultRecord result;
};

class ResultsStore {
 public:
  enum class Access : std::uint8_t { read, write };

  /// Opens a store; for writing it is created when missing. ":memory:" is one that is not kept. Throws StoreError, as
  /// everything here does.
  ResultsStore(const std::string& path, Access access);
  ~ResultsStore();
  ResultsStore(const ResultsStore&) = delete;
  ResultsStore& operator=(const ResultsStore&) = delete;

  const std::string& path() const { return path_; }
  /// "wal" or "delete".
  const std::string& journal() const { return journal_; }

  /// Rows that are not as they were written, and points without their result: "point 3 of sweep 03b140e39c46".
  std::vector<std::string> damage() const;
  /// Throws E0606, which names them.
  void require_intact() const;
  /// Removes them, so that a sweep computes them again; returns what they were.
  std::vector<std::string> remove_damage();

  void put_sweep(const SweepRecord& sweep);
  std::vector<SweepRecord> sweeps() const;  ///< by id

  /// Stores a result and that it answers a point, at once. A good result is never replaced by a failed one.
  void put(const std::string& sweep, std::uint64_t point, const std::string& coordinates, const ResultRecord& result);
  /// Only that a result that is there answers a point.
  void put_point(const std::string& sweep, std::uint64_t point, const std::string& coordinates, const std::string& key);
  void put_ranking(const std::string& sweep, std::uint64_t point, const std::string& ranking);

  /// The good result of a point of a sweep.
  struct Answered {
    std::string key;
    std::string scenario_sha256;
  };
  std::optional<Answered> answered(const std::string& sweep, std::uint64_t point) const;
  /// Whether there is a good result under a key.
  bool has(const std::string& key) const;
  std::optional<ResultRecord> find(const std::string& key) const;

  /// Visits the points of a sweep by number, one at a time in memory; `series` only when asked for.
  void for_each_point(const std::string& sweep, const std::function<void(const PointRow&)>& visit,
                      bool with_series = false) const;

  /// Writes "place" into the rankings of a sweep, by their "value" and then by point: the least, or the greatest,
  /// first.
  void number_places(const std::string& sweep, bool greatest_first);

  /// Everything that `work` writes, or nothing.
  void together(const std::function<void()>& work);

  /// Takes everything of another store in, in one transaction. Throws E0605 where both hold different good results
  /// under one key, and changes nothing then.
  void merge(const std::string& other);

  /// Good results of other model versions.
  std::uint64_t results_of_other_versions(std::string_view model_version) const;
  std::uint64_t results() const;
  std::uint64_t points() const;  ///< of all sweeps that have a result, be it a failed one
  std::uint64_t points_of(const std::string& sweep) const;

 private:
  struct Impl;
  void open_patiently(Access access);
  void open(Access access);
  void bring_to_format();
  void take_rows_of_other();
  std::uint64_t file_bytes() const;
  template <class Work>
  auto guarded(const Work& work) const;

  std::string path_;
  std::string journal_;
  std::int64_t format_ = 0;
  mutable std::mutex mutex_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace headrace::scenarios
