#include "gui/presenter/interval_words.hpp"

#include "reports/humane.hpp"

namespace headrace::gui {

std::string between(double low, double high, std::string_view unit) {
  std::string first = reports::humane(low, unit);
  const std::string last = reports::humane(high, unit);
  const std::size_t blank = first.rfind(' ');
  const std::size_t other = last.rfind(' ');
  if (blank != std::string::npos && other != std::string::npos && first.substr(blank) == last.substr(other))
    first.resize(blank);
  return reports::humane(low, unit) == last ? last : first + " to " + last;
}

}  // namespace headrace::gui
