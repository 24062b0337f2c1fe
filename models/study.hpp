// A simulated answer: windows of the epoch and replications run side by side in fixed rounds, looks at doubling
// lengths, then relief runs under common random numbers. The outcome has the same bytes for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

#include "models/ingest_path.hpp"
#include "models/outcome.hpp"
#include "models/scenario.hpp"

namespace headrace::models {

struct Progress {
  double fraction = 0.0;  ///< of the work that is known to be needed, 0 to 1
  double eta_s = 0.0;     ///< wall seconds left by that measure; 0: not known
  std::string_view phase;
  std::uint64_t steps = 0;
};

struct StudyOptions {
  std::uint64_t seed = 1;
  std::uint32_t replications = 1;
  std::uint32_t first_replication = 0;  ///< a replay runs a later one alone
  double precision = 0.01;              ///< relative half-width of the step time
  std::uint64_t steps = 0;              ///< exactly that many steps per window; 0: until precise
  double max_wall_s = 0.0;              ///< 0: no limit
  unsigned threads = 0;                 ///< 0: all cores
  Granularity granularity;
  bool contention = true;
  bool relief = true;
  bool control = true;       ///< use the uncontended twin as a control variate where that pays
  bool courses = true;       ///< draw the whole training through its faults (models/fault_course.hpp)
  bool keep_series = false;  ///< in the outcome's replications, for paired_difference()
  std::function<void(const Progress&)> progress;
  std::stop_token stop;     ///< ends a study at its next length that --steps repeats, with what is known by then
  std::stop_token abandon;  ///< ends it at once: Abandoned is thrown
};

/// Simulates job 0 of the scenario. Throws FailedReplication if an invariant breaks, Abandoned where options.abandon
/// asks.
Outcome simulate(const Scenario& scenario, const StudyOptions& options);

}  // namespace headrace::models
