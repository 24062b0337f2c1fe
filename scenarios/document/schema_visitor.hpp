// JSON Schema (draft 2020-12) of a record, for completion and hover text in editors.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/document/parse_visitor.hpp"

namespace headrace::scenarios {

/// Any file may be a layer over others, so nothing is required by the schema; descriptions say what has no default.
nlohmann::ordered_json record_schema(const DescribeFunction& describe_record, const std::string& id,
                                     const std::string& title, const Catalogue& catalogue = Catalogue::shipped());

}  // namespace headrace::scenarios
