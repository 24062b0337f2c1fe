// What the descriptions of parameters say of a place in a scenario: for readers who see a pointer and its value.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/document/explain_visitor.hpp"

namespace headrace::reports {

/// The parameter at a place such as "/jobs/0/loader/workers"; null where the descriptions know none.
const scenarios::Parameter* known_parameter(const std::string& pointer);

/// "bandwidth of store files" for "/stores/0/bandwidth", by the names in the resolved scenario.
std::string spoken_parameter(const nlohmann::ordered_json& scenario, const std::string& pointer);

}  // namespace headrace::reports
