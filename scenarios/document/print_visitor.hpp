// A resolved record as JSON for readers: numbers with units.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "scenarios/document/parse_visitor.hpp"

namespace headrace::scenarios {

/// Every parameter of the record with its resolved value; absent optional values are left out.
nlohmann::ordered_json print_record(const DescribeFunction& describe_record);

}  // namespace headrace::scenarios
