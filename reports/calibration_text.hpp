// A calibration, its plan and the comparison of two as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/calibration/calibrate.hpp"
#include "models/calibration/compare.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// What would run, with its time. `writes`: what it would leave or need on the machine; `head`: keys before the probes.
std::string plan_text(const std::string& title, const std::vector<models::calibration::PlannedProbe>& plan,
                      const std::string& writes, const Style& style);
nlohmann::ordered_json plan_json(nlohmann::ordered_json head,
                                 const std::vector<models::calibration::PlannedProbe>& plan);

std::string plan_text(const models::calibration::CalibrationRequest& request,
                      const std::vector<models::calibration::PlannedProbe>& plan, const Style& style);
nlohmann::ordered_json plan_json(const models::calibration::CalibrationRequest& request,
                                 const std::vector<models::calibration::PlannedProbe>& plan);

std::string calibration_text(const models::calibration::Calibration& calibration, const Style& style);

std::string comparison_text(const std::vector<models::calibration::ParameterChange>& changes, const Style& style);
nlohmann::ordered_json comparison_json(const std::vector<models::calibration::ParameterChange>& changes);

}  // namespace headrace::reports
