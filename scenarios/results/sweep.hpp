// Runs the points of a space side by side, one thread for each, into a store. What the store holds already is not
// computed again; what fails is stored with its error and stops nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>

#include "models/study/study.hpp"
#include "scenarios/results/results_store.hpp"
#include "scenarios/results/shard.hpp"
#include "scenarios/results/sweep_space.hpp"

namespace headrace::scenarios {

enum class AnswerLevel : std::uint8_t { bound, estimate, simulate };
inline constexpr std::string_view kAnswerLevelNames[] = {"bound", "estimate", "simulate"};

/// Batches are whole, unless asked otherwise: choosing a granularity takes longer than a point of a small job.
inline models::StudyOptions study_of_point() {
  models::StudyOptions study;
  study.granularity = models::Granularity{};
  return study;
}

/// How each point is answered.
struct AnswerOptions {
  AnswerLevel level = AnswerLevel::simulate;
  models::StudyOptions study = study_of_point();  ///< its threads, progress and stop are the sweep's own affair
};

/// The part of it that changes answers, as JSON: what a result's key holds beside scenario and model version.
nlohmann::ordered_json answer_json(const AnswerOptions& answer);

/// Key of the result of a scenario.
std::string result_key(const std::string& scenario_sha256, const AnswerOptions& answer);

struct SweepProgress {
  std::uint64_t done = 0;  ///< points, those found in the store included
  std::uint64_t total = 0;
  double eta_s = 0.0;  ///< 0: not known
  std::string_view phase = "sweeping";
};

struct SweepOptions {
  AnswerOptions answer;
  unsigned threads = 0;  ///< 0: all cores
  Shard shard;
  std::uint64_t limit = 0;  ///< compute at most so many points; 0: all
  bool fresh = false;       ///< compute what is in the store, too
  std::stop_token stop;
  std::function<void(const SweepProgress&)> progress;               ///< from any thread, one at a time
  std::function<std::string(const models::Outcome&)> outcome_text;  ///< what the store keeps of an outcome
};

struct SweepTally {
  std::uint64_t points = 0;  ///< of this shard
  std::uint64_t computed = 0;
  std::uint64_t reused = 0;
  std::uint64_t failed = 0;
  std::string first_error;  ///< of the failed point with the lowest number
  bool interrupted = false;

  std::uint64_t left() const { return points - computed - reused - failed; }

  /// Another part of the same points.
  void add(const SweepTally& part);
};

/// The record under which a store keeps the points of this sweep.
SweepRecord sweep_record(const SweepSpace& space, const SweepOptions& options);

/// Computes what is missing. Throws StoreError when the store cannot take results; what is in it stays.
SweepTally run_sweep(const SweepSpace& space, ResultsStore& store, const SweepOptions& options);

/// Computes the points that `next` gives, `total` of them, for the sweep with this id. A point that the sweep has an
/// answer of another length for is computed, or found, at this one.
SweepTally run_points(const SweepSpace& space, ResultsStore& store, const SweepOptions& options,
                      const std::string& sweep, std::uint64_t total,
                      const std::function<std::optional<std::uint64_t>()>& next);

/// Only counts: points, and how many of them are in the store (nullptr: none).
SweepTally count_sweep(const SweepSpace& space, const ResultsStore* store, const SweepOptions& options);

/// Points of a space one after the other, to several threads.
class PointQueue {
 public:
  PointQueue(const SweepSpace& space, const Shard& shard) : space_(space), shard_(shard) {}
  /// The next point that conditions keep and the shard holds; nullopt at the end. Not safe to call from several threads
  /// at once.
  std::optional<std::uint64_t> next();

 private:
  const SweepSpace& space_;
  Shard shard_;
  std::uint64_t combination_ = 0;
  std::uint64_t ordinal_ = 0;
};

/// Answers one point; what is wrong with the point is told in the record, not thrown.
struct AnsweredPoint {
  ResultRecord record;
  models::Outcome outcome;   ///< empty when the record was failed or found
  bool interrupted = false;  ///< then there is no record
};
AnsweredPoint answer_point(const tl::expected<ResolvedPoint, Diagnostics>& resolved, std::uint64_t point,
                           const std::string& sweep, const SweepOptions& options);

/// Takes points from `next` on all threads until it gives none, an exception is thrown (which comes out here once the
/// other threads have ended their points) or the stop is asked for.
void for_each_in_parallel(unsigned threads, const std::function<std::optional<std::uint64_t>()>& next,
                          const std::stop_token& stop, const std::function<void(std::uint64_t)>& work);

}  // namespace headrace::scenarios
