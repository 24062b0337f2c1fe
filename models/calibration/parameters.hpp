// Figures for scenarios from measured cells.
#pragma once

#include <string>

#include "models/calibration/preflight.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

struct ParameterNames {
  std::string store;
  std::string pool;
  bool remote = false;  ///< other clients share the store: one client cannot tell what it serves in all
};

/// Appends what the cells of the calibration say. Undetermined figures are listed without a value.
void add_parameters(Calibration& calibration, const ParameterNames& names);

/// Probabilities of the tables of latencies.
inline constexpr double kTableProbabilities[] = {0.0, 0.01, 0.05, 0.1,  0.2,  0.3,   0.4,   0.5,    0.6,
                                                 0.7, 0.8,  0.9,  0.95, 0.99, 0.995, 0.999, 0.9999, 1.0};

}  // namespace headrace::models::calibration
