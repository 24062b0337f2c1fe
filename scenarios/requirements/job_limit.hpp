// What the jobs of a scenario must reach: thresholds of `slo`, limits of `subject_to`, limits under events.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/study/threshold.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::scenarios {

/// The metric of a threshold on the time to the first step of a start, which closed forms answer.
inline constexpr std::string_view kFirstStep = "first_step_s";

struct JobLimit {
  models::Threshold threshold;             ///< its pointer says where it is from; empty: nobody stated a limit
  std::optional<models::HoldUnder> event;  ///< none: on normal days
  std::optional<double> slowdown;          ///< the limit is so many times the epoch time of normal days

  /// "train: gpu_idle_fraction <= 1 %", with the event and the place that it is from.
  std::string text(const models::Scenario& scenario) const;
  /// Its name, or "all jobs".
  std::string job(const models::Scenario& scenario) const;
};

/// Whatever the scenario states, and that every job is fed where nothing is stated for normal days.
tl::expected<std::vector<JobLimit>, Diagnostics> limits_of(const LoadedScenario& loaded);

}  // namespace headrace::scenarios
