// What the logs of one window of a job say: means per step over its replications, each after its own warm-up.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/engine/step_log.hpp"
#include "models/outcome/measured.hpp"
#include "sim/steady_state_interval.hpp"

namespace headrace::models {

class StepControl;
struct StallEffect;

/// What is known of the start of a run beforehand.
struct WarmUpRule {
  std::uint64_t least_steps = 0;
  std::uint64_t period_steps = 1;  ///< in which workers take their turns
};

struct WindowMeans {
  Measured step_time_s;
  Measured idle_fraction;
  Measured utilization;
  std::array<double, kGpuStateCount> state_s{};
  std::array<Measured, kStageCount> blame;           ///< share of elapsed time
  std::array<double, kStageCount> queueing_share{};  ///< of the blame of the stage
  bool enough_data = false;
  bool differ_by_start = false;      ///< replications lie further apart than their own intervals explain
  bool settled = false;              ///< no replication still drifts by what a longer run would show (sim/warm_up.hpp)
  std::string_view reason;           ///< why not
  std::uint64_t warm_up_steps = 0;   ///< largest of the replications
  std::uint64_t measured_steps = 0;  ///< all replications together
  std::string_view control;          ///< "applied", or why there is no control variate
  double variance_cut = 1.0;         ///< by the control variate, of the mean step time: before over after
};

inline constexpr std::string_view kControlApplied = "applied";
inline constexpr std::string_view kControlNoInterval = "the twin gave no interval";

/// Over the replications of a job with so many loaders, `logs`, and their control variates: one each, or none at all,
/// which leaves `control` empty. Runs that are `too_short` for an interval may have rough ones.
WindowMeans means_of_logs(const std::vector<const StepLog*>& logs, const std::vector<const StepControl*>& controls,
                          std::uint32_t loaders, const WarmUpRule& rule, sim::TooShort too_short = sim::TooShort::none);

/// Adds what rare stalls do that the logs do not have: every step is longer by the share of steps that stall times what
/// a stall costs; all of it is waited for the stage.
void add_effect(const StallEffect& effect, WindowMeans& means);

/// Makes every step longer by `shift_s`, of waits alone, that are blamed like those of the means.
void add_wait(const Measured& shift_s, WindowMeans& means);

/// The figures of one replication alone, without its number and window.
ReplicationReport report_of(const StepLog& log, std::uint32_t loaders, const WarmUpRule& rule);

/// Durations of all steps, seconds.
std::vector<double> step_durations(const StepLog& log);

/// Time that a loader waits in steps [from, to), mean over loaders, seconds.
double wait_s(const StepLog& log, std::uint32_t loaders, std::size_t from, std::size_t to);

}  // namespace headrace::models
