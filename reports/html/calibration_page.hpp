// The report of a calibration: what was measured of a machine, how clean, and the laws that were fitted.
#pragma once

#include <string>

#include "models/calibration/record.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

std::string calibration_page(const models::calibration::Calibration& calibration, const PageFacts& facts);

}  // namespace headrace::reports
