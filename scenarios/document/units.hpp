// Quantities as files spell them: "25 GB/s", "400 Gb/s", "4 KiB", "50 ms", "$0.09/GB", "70 %". b is bits, B is bytes;
// k M G T P E are powers of 1000, Ki Mi Gi Ti Pi Ei powers of 1024. Reading and printing use std::from_chars and
// std::to_chars only, so that every machine sees the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/describe/describe.hpp"

namespace headrace::scenarios {

/// Why a quantity could not be read. `code` is the error code of scenarios/document/error_codes.hpp.
struct UnitError {
  std::string_view code;
  std::string message;
  std::string help;
};

/// What a data rate is of: "200G" of a network link means 200 Gb/s; elsewhere it could be bytes too.
enum class Rate : std::uint8_t { any, of_a_link };
inline Rate rate_of(const models::Facts& facts) { return facts.of_a_link ? Rate::of_a_link : Rate::any; }

/// Value of `text` in the base unit. Data may be stated as several equal parts ("4 x 200 Gb/s"). Errors: E0204 no unit,
/// E0205 wrong or unknown unit, E0206 not a finite number, E0219 a unit with two readings.
tl::expected<double, UnitError> parse_quantity(std::string_view text, models::Unit unit, Rate rate = Rate::any);

struct Multiple {
  std::uint64_t count;
  std::string_view each;
};
/// "4 x 200 Gb/s" and "4x200G" as 4 and what each is; a text without a factor once, as it is.
Multiple split_multiple(std::string_view text);

/// Error for a bare JSON number where a unit is needed; the help names the fix.
UnitError missing_unit(std::string_view number, models::Unit unit);

/// Shortest readable text that parse_quantity turns into the same bits: "25 GB/s". Dimensionless: the number alone.
std::string print_quantity(double value, models::Unit unit);

/// Shortest decimal text that reads back to the same double ("0.1", "1e+20").
std::string print_number(double value);

/// True when files write the unit as a string; false for dimensionless numbers and fractions.
bool needs_unit(models::Unit unit);

/// Symbol of the base unit: "B/s".
std::string_view unit_symbol(models::Unit unit);

/// What the unit measures: "a data rate".
std::string_view unit_dimension(models::Unit unit);

/// An example for messages and forms: "25 GB/s".
std::string_view unit_example(models::Unit unit);

/// ECMA-262 regular expression of everything parse_quantity accepts, for the JSON schema.
std::string unit_pattern(models::Unit unit, Rate rate = Rate::any);

/// All spellings of a unit, most usual first, for completion in forms.
std::vector<std::string> unit_spellings(models::Unit unit);

}  // namespace headrace::scenarios
