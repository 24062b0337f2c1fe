// Options of the library as options of a study, and what is wrong with them.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>

#include "library/headrace.hpp"
#include "models/base/deadline.hpp"
#include "models/study/study.hpp"

namespace headrace {

/// What the command line would refuse.
std::optional<Error> mistake_in(const SimulateOptions& options);
std::optional<Error> mistake_in(const PlanOptions& options);

/// Writes seed, length, contention and relief into a study.
void put_draws(const SimulateOptions& options, models::StudyOptions& study);

/// Abandons a study that has no answer soon after its limit on wall time, or soon after it was told to stop.
class LateEnd {
 public:
  /// For a study that does the work.
  explicit LateEnd(const Work& work);
  std::stop_token token() const { return limit_.token(); }

 private:
  std::stop_source late_;
  models::Deadline limit_;
  std::optional<models::Deadline> patience_;  ///< from the wish to stop on
  std::optional<std::stop_callback<std::function<void()>>> patience_ends_;
  std::stop_callback<std::function<void()>> told_to_stop_;  ///< last: it uses the others
};

/// Tells progress to the caller, one call at a time.
class Teller {
 public:
  explicit Teller(const Work& work) : work_(work) {}
  bool is_wanted() const { return static_cast<bool>(work_.progress); }
  void tell(const Progress& progress);

 private:
  const Work& work_;
  std::mutex mutex_;
};

}  // namespace headrace
