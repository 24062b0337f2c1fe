#include "reports/figure_date.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>

namespace headrace::reports {

std::optional<int> last_day(const std::string& text) {
  const std::string head = text.substr(0, text.find(';'));
  std::optional<int> last;
  for (std::size_t at = 0; at + 4 <= head.size(); ++at) {
    if (at > 0 && (std::isdigit(static_cast<unsigned char>(head[at - 1])) != 0)) continue;
    int year = 0;
    unsigned month = 12;
    unsigned day = 0;
    const int read = std::sscanf(head.c_str() + at, "%4d-%2u-%2u", &year, &month, &day);
    if (read < 1 || year < 1990 || year > 2200) continue;
    if (read < 2 || month > 12 || month == 0) month = 12;  // "2024-2025" is two years
    const std::chrono::year_month when = std::chrono::year(year) / std::chrono::month(month);
    const std::chrono::year_month_day date = read == 3 && day > 0 && (when / std::chrono::day(day)).ok()
                                                 ? when / std::chrono::day(day)
                                                 : std::chrono::year_month_day(when / std::chrono::last);
    const auto number = static_cast<int>(std::chrono::sys_days(date).time_since_epoch().count());
    last = std::max(last.value_or(number), number);
  }
  return last;
}

}  // namespace headrace::reports
