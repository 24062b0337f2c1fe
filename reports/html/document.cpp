#include "reports/html/document.hpp"

#include <limits>
#include <nlohmann/json.hpp>

namespace headrace::reports {

const Document& at(const Document& object, const char* key) {
  static const Document kNothing;
  const auto found = object.find(key);
  return found != object.end() ? *found : kNothing;
}

double number_at(const Document& object, const char* key) {
  const Document& found = at(object, key);
  return found.is_number() ? found.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string text_at(const Document& object, const char* key) {
  const Document& found = at(object, key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

bool has_interval(const Document& object, const char* key) {
  const Document& found = at(object, key);
  return found.is_array() && found.size() == 2 && found[0].is_number() && found[1].is_number();
}

std::optional<Ends> interval_ends_at(const Document& object, const char* key) {
  if (!has_interval(object, key)) return std::nullopt;
  return Ends{object[key][0].get<double>(), object[key][1].get<double>()};
}

}  // namespace headrace::reports
