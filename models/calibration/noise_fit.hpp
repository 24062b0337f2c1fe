// How the rate of one and the same work differs between windows of several lengths: the noise of the machine. Where
// longer windows do not differ less, they buy no accuracy for absolute figures, only interleaving does for ratios.
#pragma once

#include <string>
#include <vector>

#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

/// `series_per_s` holds the rate in pieces of 50 ms, one after the other; gaps between windows are left out. For each
/// length of 0.1 to 10 s that gives at least 4 windows: the coefficient of variation of their mean rates ("cv_0.5s")
/// and their Allan deviation over the mean rate ("allan_0.5s"; D. Allan, Proc. IEEE 54, 1966), which slow drift does
/// not enter. Intervals are those of a normal law's deviation. Family "none" below 40 pieces.
Fit fit_noise(const std::vector<double>& series_per_s, const std::string& parameter);

}  // namespace headrace::models::calibration
