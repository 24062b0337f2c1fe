#include "gui/presenter/interval_words.hpp"

#include <algorithm>
#include <cmath>

#include "reports/humane.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::gui {

std::string between(double low, double high, std::string_view unit) {
  constexpr double kLarge_usd = 1e5;  // cents of which nobody reads
  const auto words = [&](double value) {
    return unit == "USD" && std::max(std::abs(low), std::abs(high)) >= kLarge_usd ? reports::dollars(value)
                                                                                  : reports::humane(value, unit);
  };
  std::string first = words(low);
  std::string last = words(high);
  constexpr double kOneUnit = 60.0;  // times: of ends that lie no further apart
  if (unit == "s" && low >= 1.0 && high < kOneUnit * low) {
    const reports::Scale scale = reports::humane_scale(low, unit);
    last = reports::humane_number(high * scale.factor) + " " + scale.unit;
  }
  if (first == last) return last;
  if (unit == "USD") return first + " to " + last;  // "$13.08 to $28.01 M" reads as thirteen dollars
  const std::size_t blank = first.rfind(' ');
  const std::size_t other = last.rfind(' ');
  if (blank != std::string::npos && other != std::string::npos && first.substr(blank) == last.substr(other))
    first.resize(blank);
  return first + " to " + last;
}

}  // namespace headrace::gui
