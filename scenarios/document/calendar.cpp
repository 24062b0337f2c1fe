#include "scenarios/document/calendar.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

namespace headrace::scenarios {

std::string reason_against_date(std::string_view text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  const auto number = [text](std::size_t from, std::size_t digits, auto& value) {
    const char* const end = text.data() + from + digits;
    return std::from_chars(text.data() + from, end, value).ptr == end && text[from] != '-';
  };
  const bool shape = text.size() == 10 && text[4] == '-' && text[7] == '-' && number(0, 4, year) &&
                     number(5, 2, month) && number(8, 2, day);
  if (!shape) return fmt::format("'{}' is not a date", text);
  if (std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)).ok())
    return {};
  return fmt::format("'{}' is not a day of the calendar", text);
}

std::string today() {
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace headrace::scenarios
