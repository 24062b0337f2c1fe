// A calibration, its plan and the comparison of two as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/calibration/calibrate.hpp"
#include "models/calibration/compare.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

std::string plan_text(const models::calibration::CalibrationRequest& request,
                      const std::vector<models::calibration::PlannedProbe>& plan, const Style& style);
nlohmann::ordered_json plan_json(const models::calibration::CalibrationRequest& request,
                                 const std::vector<models::calibration::PlannedProbe>& plan);

std::string calibration_text(const models::calibration::Calibration& calibration, const Style& style);

std::string comparison_text(const std::vector<models::calibration::ParameterChange>& changes, const Style& style);
nlohmann::ordered_json comparison_json(const std::vector<models::calibration::ParameterChange>& changes);

}  // namespace headrace::reports
