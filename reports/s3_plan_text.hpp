// What a calibration of an object store would ask and cost, as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/calibration/s3_calibration.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

std::string s3_plan_text(const models::calibration::S3Request& request, const models::calibration::S3Plan& plan,
                         const Style& style);
nlohmann::ordered_json s3_plan_json(const models::calibration::S3Request& request,
                                    const models::calibration::S3Plan& plan);

}  // namespace headrace::reports
