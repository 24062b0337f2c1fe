// The uncontended twin of one replication as a control variate of its step times: E1 with the same draws, and E1 with
// draws of its own for the mean that those deviate from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "models/study/uncontended_series.hpp"
#include "sim/control_variate.hpp"

namespace headrace::models {

class StepControl {
 public:
  /// Both runs have the nodes of this replication. Throws std::invalid_argument unless control_off_reason() is empty;
  /// its runs throw Abandoned once the token asks for it.
  StepControl(const IngestPath& path, std::uint64_t seed, std::uint32_t replication, std::stop_token abandon = {});
  StepControl(const StepControl&) = delete;
  StepControl& operator=(const StepControl&) = delete;

  /// Runs the twin until it knows the durations of `steps` steps.
  void follow_to(std::uint64_t steps) { run_to(twin_, steps); }
  /// From now on the mean comes from `steps` steps of the independent run, its warm-up among them.
  void learn_to(std::uint64_t steps) {
    run_to(apart_, steps);
    learned_steps_ = steps;
  }

  std::span<const double> twin_s() const { return twin_.durations_s(); }
  /// Mean of the twin's steady state and its standard error, from the independent run; nothing without enough data.
  std::optional<sim::ControlMean> mean() const;

 private:
  void run_to(UncontendedSeries& series, std::uint64_t steps) const;

  IngestPath path_;
  ItineraryMaker itineraries_;
  UncontendedSeries twin_;
  UncontendedSeries apart_;  ///< with draws of its own
  std::uint64_t learned_steps_ = 0;
  std::stop_token abandon_;
};

/// Why the twin does not see what the path's event engine sees; empty if it does.
std::string_view control_off_reason(const IngestPath& path, bool contention);

/// Independent twin steps for each simulated step, in powers of two, that a control needs to narrow an interval whose
/// longer arm is `excess` times as long as asked for; nothing if no effort up to 64 does, or if running on costs less.
/// The predicted share of the variance is 1 - r^2 + r^2 / effort; a twin step costs a fifth of a simulated one.
/// `looks_left`: further lengths to which the run may double. Where it is 0, an effort of at most 4 is made, which
/// doubles the cost, if it does the job or takes more than 60 % of the variance out.
std::optional<std::uint32_t> control_effort(double correlation, double excess, std::uint32_t looks_left);

}  // namespace headrace::models
