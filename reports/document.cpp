#include "reports/document.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "scenarios/document/document.hpp"

namespace headrace::reports {

namespace {

thread_local const Document* read_last = nullptr;

const Document& noted(const Document* found, const Document& around) {
  static const Document kNothing;
  if (&around != &kNothing) read_last = found != nullptr ? found : &around;
  return found != nullptr ? *found : kNothing;
}

bool has_pointer(const Document& root, const Document* wanted, std::string& pointer) {
  if (&root == wanted) return true;
  if (!root.is_structured()) return false;
  for (const auto& [key, value] : root.items()) {
    const std::size_t before = pointer.size();
    pointer = scenarios::join_pointer(pointer, key);
    if (has_pointer(value, wanted, pointer)) return true;
    pointer.resize(before);
  }
  return false;
}

}  // namespace

const Document& at(const Document& object, const char* key) {
  const auto found = object.find(key);
  return noted(found != object.end() ? &*found : nullptr, object);
}

const Document& element_at(const Document& list, std::size_t index) {
  return noted(list.is_array() && index < list.size() ? &list[index] : nullptr, list);
}

std::string last_read(const Document& root) {
  std::string pointer;
  return read_last != nullptr && has_pointer(root, read_last, pointer) ? pointer : std::string();
}

std::optional<double> optional_at(const Document& object, const char* key) {
  const Document& value = at(object, key);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
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
  return Ends{at(object, key)[0].get<double>(), at(object, key)[1].get<double>()};
}

}  // namespace headrace::reports
