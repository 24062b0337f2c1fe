#include "gui/presenter/interval_words.hpp"

#include <algorithm>
#include <cmath>

#include "reports/humane.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::gui {

std::string between(double low, double high, std::string_view unit, std::optional<double> mean) {
  constexpr double kLarge_usd = 1e5;  // cents of which nobody reads
  const auto words = [&](double value) {
    return unit == "USD" && std::max(std::abs(low), std::abs(high)) >= kLarge_usd ? reports::dollars(value)
                                                                                  : reports::humane(value, unit);
  };
  std::string first = words(low);
  std::string last = words(high);
  constexpr double kOneUnit = 60.0;  // times: of ends that lie no further apart
  const double of = mean.value_or(low);
  if (unit == "s" && of >= 1.0 && high < kOneUnit * of && kOneUnit * low > of) {
    const reports::Scale scale = reports::humane_scale(of, unit);
    first = reports::humane_number(low * scale.factor) + " " + scale.unit;
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
