// Options of the library as options of a study, and what is wrong with them.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "library/headrace.hpp"
#include "models/study/study.hpp"

namespace headrace {

/// What the command line would refuse.
std::optional<Error> mistake_in(const SimulateOptions& options);
std::optional<Error> mistake_in(const PlanOptions& options);

/// Writes seed, length, contention and relief into a study.
void put_draws(const SimulateOptions& options, models::StudyOptions& study);

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
