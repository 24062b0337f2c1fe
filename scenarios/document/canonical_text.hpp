// The text under a fingerprint: SI numbers, keys sorted, numbers shortest round-trip, no blanks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/document/parse_visitor.hpp"

namespace headrace::scenarios {

std::string canonical_text(const nlohmann::ordered_json& json);

/// Of a record, without JSON between: points of a sweep spend their time here. Absent optional values are left out.
std::string canonical_text(const DescribeFunction& describe_record);

/// SHA-256 of the canonical text of the record.
std::string fingerprint(const DescribeFunction& describe_record);

}  // namespace headrace::scenarios
