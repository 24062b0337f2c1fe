// Dates of the calendar: "YYYY-MM-DD".
#pragma once

#include <string>
#include <string_view>

namespace headrace::scenarios {

/// Why a text is not a date, as half a sentence that repeats it; empty: it is one.
std::string reason_against_date(std::string_view text);

/// Today in UTC.
std::string today();

}  // namespace headrace::scenarios
