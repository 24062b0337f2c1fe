// Reads JSON documents back into described records (models/outcome/outcome_description.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/outcome/outcome_description.hpp"
#include "models/sizing/sizing.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {

/// A number; null stands for one that JSON cannot hold. Nothing where it is neither.
inline std::optional<double> number_in(const nlohmann::ordered_json& json) {
  if (json.is_number()) return json.get<double>();
  return json.is_null() ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
}

template <class E, std::size_t N>
std::optional<E> enumerator(const std::array<std::string_view, N>& names, const nlohmann::ordered_json& json) {
  const auto found =
      json.is_string() ? std::find(names.begin(), names.end(), json.get_ref<const std::string&>()) : names.end();
  return found == names.end() ? std::nullopt : std::optional(static_cast<E>(found - names.begin()));
}

inline const models::SizingDescription* find_sizing_description(std::string_view name) {
  for (const models::SizingRoom* room : models::sizing_rooms())
    for (const models::SizingDescription& figure : room->figures)
      if (figure.name == name) return &figure;
  return nullptr;
}

/// Reads what a document says into a described record; what it lacks, or says in another form, keeps its default.
class DocumentReader {
  using Missing = models::Missing;

 public:
  static constexpr bool kReads = true;

  explicit DocumentReader(const nlohmann::ordered_json& json) : json_(json) {}

  void number(const char* key, double& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key)) value = number_in(*json).value_or(value);
  }
  void number(const char* key, std::optional<double>& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key)) value = json->is_number() ? number_in(*json) : std::nullopt;
  }
  void numbers(const char* key, std::vector<double>& values, std::string_view) {
    for (const nlohmann::ordered_json& item : list_at(key))
      if (const auto value = number_in(item)) values.push_back(*value);
  }
  template <class I>
  void count(const char* key, I& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key); json != nullptr && json->is_number_unsigned())
      value = json->get<I>();
  }
  template <class I>
  void count(const char* key, std::optional<I>& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key); json != nullptr && json->is_number_unsigned())
      value = json->get<I>();
  }
  void flag(const char* key, bool& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key); json != nullptr && json->is_boolean())
      value = json->get<bool>();
  }
  void constant(const char*, std::string_view) {}
  void constant(const char*, int) {}
  void integer(const char* key, int& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key); json != nullptr && json->is_number_integer())
      value = json->get<int>();
  }
  void json(const char* key, nlohmann::ordered_json& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key)) value = *json;
  }
  void text(const char* key, std::string& value, std::string_view, Missing = Missing::null) {
    if (const nlohmann::ordered_json* json = find(key); json != nullptr && json->is_string())
      value = json->get<std::string>();
  }
  void text(const char* key, std::optional<std::string>& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key); json != nullptr && json->is_string())
      value = json->get<std::string>();
  }
  void text_or_null(const char* key, std::string& value, std::string_view) { text(key, value, {}); }
  void texts(const char* key, std::vector<std::string>& values, std::string_view) {
    for (const nlohmann::ordered_json& item : list_at(key))
      if (item.is_string()) values.push_back(item.get<std::string>());
  }
  void objects(const char* key, std::vector<nlohmann::ordered_json>& values, std::string_view) {
    for (const nlohmann::ordered_json& item : list_at(key))
      if (item.is_object()) values.push_back(item);
  }
  template <class E, std::size_t N>
  void choices(const char* key, std::vector<E>& values, const std::array<std::string_view, N>& names,
               std::string_view) {
    for (const nlohmann::ordered_json& item : list_at(key))
      if (const auto value = enumerator<E>(names, item)) values.push_back(*value);
  }
  template <class E, std::size_t N>
  void choice(const char* key, E& value, const std::array<std::string_view, N>& names, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key)) value = enumerator<E>(names, *json).value_or(value);
  }
  template <class E, std::size_t N>
  void choice(const char* key, std::optional<E>& value, const std::array<std::string_view, N>& names,
              std::string_view) {
    if (const nlohmann::ordered_json* json = find(key)) value = enumerator<E>(names, *json);
  }
  void interval(const char* key, std::optional<models::Interval>& value, Missing = Missing::null) {
    models::Interval interval;
    if (read_ends(key, interval.low, interval.high)) value = interval;
  }
  void pair(const char* key, double& low, double& high, std::string_view) { read_ends(key, low, high); }
  void pairs(const char* key, std::vector<std::pair<double, double>>& values, std::string_view) {
    for (const nlohmann::ordered_json& item : list_at(key)) {
      if (!item.is_array() || item.size() != 2) continue;
      const auto first = number_in(item[0]);
      const auto second = number_in(item[1]);
      if (first && second) values.emplace_back(*first, *second);
    }
  }
  void unit(const char* key, models::Unit& unit, std::string_view) {
    std::string symbol;
    text(key, symbol, {});
    for (auto u = models::Unit::seconds; u <= models::Unit::usd_per_kwh; u = static_cast<models::Unit>(int(u) + 1))
      if (scenarios::unit_symbol(u) == symbol) unit = u;
  }
  /// A figure that this version does not have is left out.
  void figure(const char* key, const models::SizingDescription*& figure, std::string_view) {
    std::string name;
    text(key, name, {});
    figure = find_sizing_description(name);
    valid_ = valid_ && figure != nullptr;
  }
  void sizing_room(const char* key, std::string_view& room, std::string_view) {
    std::string name;
    text(key, name, {});
    if (const models::SizingRoom* found = models::find_sizing_room(name)) room = found->key;
  }
  template <class F>
  void derived(const char*, std::string_view, const F&) {}

  template <class T>
  void record(const char* key, T& value, std::string_view) {
    if (const nlohmann::ordered_json* json = find(key)) read(*json, value);
  }
  template <class T>
  void optional(const char* key, std::optional<T>& value, std::string_view, Missing = Missing::null) {
    if (const nlohmann::ordered_json* json = find(key); json != nullptr && json->is_object())
      read(*json, value.emplace());
  }
  template <class T, class F>
  void optional_of(const char* key, std::optional<T>& value, std::string_view, const F& visit) {
    const nlohmann::ordered_json* json = find(key);
    if (json == nullptr || !json->is_object()) return;
    DocumentReader inner(*json);
    visit(value.emplace(), inner);
  }
  /// There where the document has one of its keys.
  template <class T>
  void part(std::optional<T>& value) {
    DocumentReader reader(json_);
    describe(value.emplace(), reader);
    if (!reader.found_) value.reset();
  }
  template <class F>
  void when(bool, const F& visit) {
    visit();
  }
  template <class F>
  void group(const char* key, const F& visit) {
    const nlohmann::ordered_json* json = find(key);
    if (json == nullptr) return;
    DocumentReader inner(*json);
    visit(inner);
  }
  template <class T>
  void list(const char* key, std::vector<T>& values, std::string_view meaning, Missing = Missing::null) {
    if (const nlohmann::ordered_json* json = find(key)) DocumentReader(*json).items(values, meaning);
  }
  template <class T, class F>
  void list_of(const char* key, std::vector<T>& values, std::string_view, const F& visit) {
    for (const nlohmann::ordered_json& item : list_at(key)) {
      T value{};
      DocumentReader entry(item);
      visit(value, entry);
      values.push_back(std::move(value));
    }
  }
  template <class T, class F>
  void map(const char* key, std::vector<T>& values, const models::MapFacts&, const F& visit) {
    const nlohmann::ordered_json* json = find(key);
    if (json == nullptr || !json->is_object()) return;
    for (const auto& [name, item] : json->items()) {
      T value{};
      if (!models::Keys<T>::set(value, name)) continue;
      DocumentReader entry(item);
      visit(value, entry);
      if (entry.found_) values.push_back(std::move(value));
    }
  }
  void value(double& value, std::string_view) {
    const auto number = number_in(json_);
    found_ = number.has_value();
    value = number.value_or(value);
  }
  template <class T>
  void items(std::vector<T>& values, std::string_view) {
    found_ = json_.is_array();
    if (!found_) return;
    for (const nlohmann::ordered_json& item : json_) {
      T value{};
      if (read(item, value)) values.push_back(std::move(value));
    }
  }
  void about(std::initializer_list<std::string_view>) {}

 private:
  template <class T>
  static bool read(const nlohmann::ordered_json& json, T& value) {
    DocumentReader reader(json);
    describe(value, reader);
    return reader.valid_;
  }
  const nlohmann::ordered_json* find(const char* key) {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    if (found == json_.end()) return nullptr;
    found_ = true;
    return &*found;
  }
  const nlohmann::ordered_json& list_at(const char* key) {
    static const nlohmann::ordered_json kNothing = nlohmann::ordered_json::array();
    const nlohmann::ordered_json* json = find(key);
    return json != nullptr && json->is_array() ? *json : kNothing;
  }
  bool read_ends(const char* key, double& low, double& high) {
    const nlohmann::ordered_json& ends = list_at(key);
    if (ends.size() != 2) return false;
    const auto first = number_in(ends[0]);
    const auto second = number_in(ends[1]);
    if (!first || !second) return false;
    low = *first;
    high = *second;
    return true;
  }

  const nlohmann::ordered_json& json_;
  bool found_ = false;
  bool valid_ = true;
};

/// A record with a description of its own. What the document lacks, or says in another form, keeps its default.
template <class T>
T read_described(const nlohmann::ordered_json& document) {
  T record;
  DocumentReader reader(document);
  describe(record, reader);
  return record;
}

}  // namespace headrace::reports
