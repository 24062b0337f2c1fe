// Spellings of data and data rates that people read in two ways: "100 gbps", "200G", "115kb", "4 KB". They are refused
// with both readings in words and the factor between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/describe/unit.hpp"

namespace headrace::scenarios {

/// What to write instead of `number` with the unit `given`: both readings; nullopt when it has none or only one.
std::optional<std::string> two_readings(std::string_view number, std::string_view given, models::Unit unit);

}  // namespace headrace::scenarios
