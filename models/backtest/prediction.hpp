// One row predicted from what other rows say about its system, beside the guess that a person would make.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/backtest/calibration.hpp"
#include "models/backtest/measured_run.hpp"

namespace headrace::models {

/// How near the calibrating rows are to the predicted one.
enum class Basis {
  same_series,     ///< same system, workload and accelerator, another count
  same_kind,       ///< same workload and accelerator on a system that differs in size
  same_workload,   ///< same system and workload, another accelerator
  other_workload,  ///< same system, other workloads
  declared,        ///< no row of this system: its declared limits and the constants of the loop
};
inline constexpr std::array<std::string_view, 5> kBasisNames = {"same_series", "same_kind", "same_workload",
                                                                "other_workload", "declared"};

/// The three observables of a row; each may be unknown.
struct Observables {
  std::optional<double> au_percent;
  std::optional<double> samples_per_s;
  std::optional<double> max_accelerators;
};

struct Prediction {
  Basis basis = Basis::declared;
  SystemFigures system;
  Observables predicted;
  Observables guess;
  std::string no_max_reason;  ///< why max_accelerators is not predicted
  bool drive_bound = false;   ///< the declared drives are less than the accelerators would take undisturbed
};

/// `rows` are the calibrating rows of the run's system that `basis` says; empty for declared.
/// `load`: how far the run is on the way from the calibrating count (one, if none of its series calibrates) to the
/// largest published one, 0 to 1.
Prediction predict(const MeasuredRun& run, double load, Basis basis, const std::vector<CalibratingRow>& rows);

}  // namespace headrace::models
