// Latencies come in stretches: normal ones and stalls. Pieces of 50 ms in which less than half of the usual number of
// operations ended are stalled; a Markov chain of two states is fitted to them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

/// `series_per_s` holds `pieces_per_window` pieces of each window, one window after the other. Decides between
/// "independent", "two_state" and "blocks" (resample in blocks of at least 50 ms); "none" below 40 pieces.
Fit fit_dependence(const std::vector<double>& series_per_s, std::size_t pieces_per_window, std::optional<double> lag1,
                   const std::string& parameter);

}  // namespace headrace::models::calibration
