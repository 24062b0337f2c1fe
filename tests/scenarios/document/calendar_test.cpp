#include "scenarios/document/calendar.hpp"

#include <string>

#include "tests/catch.hpp"

namespace headrace::scenarios {

TEST_CASE("dates are days of the calendar") {
  for (const char* date : {"2026-11-20", "2024-02-29", "2000-02-29", "1999-12-31", "0000-01-01"})
    CHECK(reason_against_date(date).empty());
  for (const char* date :
       {"2026-99-99", "2026-13-01", "2026-00-10", "2026-01-00", "2026-04-31", "2026-02-29", "1900-02-29"})
    CHECK(reason_against_date(date) == "'" + std::string(date) + "' is not a day of the calendar");
  for (const char* text :
       {"", "2026", "2026-1-1", "2026/11/20", "-026-11-20", "2026-+1-20", "2026-11-2x", "20261120", "2026-11-20 "})
    CHECK(reason_against_date(text) == "'" + std::string(text) + "' is not a date");
}

TEST_CASE("today is a date") { CHECK(reason_against_date(today()).empty()); }

}  // namespace headrace::scenarios
