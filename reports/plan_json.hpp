// A plan as the JSON document that programs read.
#pragma once

#include <nlohmann/json.hpp>

#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// `recommended` and `alternatives[]` have `configuration` (by JSON pointer) and `metrics`; what is not known is null.
/// `scenario` is today's, resolved. No clock, date, host or number of threads.
nlohmann::ordered_json plan_json(const scenarios::Plan& plan, const std::string& scenario_sha256,
                                 const nlohmann::ordered_json& scenario = {});
nlohmann::ordered_json plan_schema();

}  // namespace headrace::reports
