// A resolved record as JSON: for readers with units, for the fingerprint with SI numbers and sorted keys.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/document/parse_visitor.hpp"

namespace headrace::scenarios {

enum class Numbers { with_units, si };

/// Every parameter of the record with its resolved value; absent optional values are left out.
nlohmann::ordered_json print_record(const DescribeFunction& describe_record, Numbers numbers = Numbers::with_units);

/// Keys sorted, numbers shortest round-trip, no blanks: the text under the fingerprint.
std::string canonical_text(const nlohmann::ordered_json& json);

/// SHA-256 of the canonical text of the record in SI numbers.
std::string fingerprint(const DescribeFunction& describe_record);

}  // namespace headrace::scenarios
