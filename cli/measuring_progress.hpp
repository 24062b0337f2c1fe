// The progress of measurements on this machine, on the line that shows it.
#pragma once

#include <functional>

#include "cli/progress_line.hpp"
#include "models/calibration/calibrate.hpp"

namespace headrace::cli {

/// Shows on the line what measurements on this machine tell of their progress.
std::function<void(const models::calibration::CalibrationProgress&)> teller(ProgressLine& line);

}  // namespace headrace::cli
