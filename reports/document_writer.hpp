// Writes described records (models/outcome/outcome_description.hpp) into JSON documents.
#pragma once

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/outcome/outcome_description.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {

class DocumentItems;

/// Writes a described record into a JSON value. Key order is that of the description.
class DocumentWriter {
  using Missing = models::Missing;

 public:
  static constexpr bool kReads = false;

  explicit DocumentWriter(nlohmann::ordered_json& json) : json_(json) {}

  template <class T>
  void number(const char* key, const T& value, std::string_view) {
    put(key, value);
  }
  void numbers(const char* key, const std::vector<double>& values, std::string_view) { json_[key] = values; }
  void finite(const char* key, double value, std::string_view) { json_[key] = value; }
  void others(const std::vector<std::pair<std::string, double>>& values, std::string_view) {
    for (const auto& [key, value] : values) put(key.c_str(), value);
  }
  template <class T>
  void count(const char* key, const T& value, std::string_view) {
    put(key, value);
  }
  void flag(const char* key, bool value, std::string_view) { json_[key] = value; }
  void flag(const char* key, const std::optional<bool>& value, std::string_view) { put(key, value); }
  void constant(const char* key, std::string_view value) { json_[key] = value; }
  void constant(const char* key, int value) { json_[key] = value; }
  void json(const char* key, const nlohmann::ordered_json& value, std::string_view) { json_[key] = value; }
  void text(const char* key, const std::string& value, std::string_view, Missing missing = Missing::null) {
    if (missing == Missing::null || !value.empty()) json_[key] = value;
  }
  void text(const char* key, const std::optional<std::string>& value, std::string_view) { put(key, value); }
  void text_or_null(const char* key, const std::string& value, std::string_view) {
    json_[key] = value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  }
  void texts(const char* key, const std::vector<std::string>& values, std::string_view) { json_[key] = values; }
  void integer(const char* key, int value, std::string_view) { json_[key] = value; }
  void objects(const char* key, const std::vector<nlohmann::ordered_json>& values, std::string_view) {
    json_[key] = values;
  }
  template <class E, std::size_t N>
  void choices(const char* key, const std::vector<E>& values, const std::array<std::string_view, N>& names,
               std::string_view) {
    nlohmann::ordered_json& list = json_[key] = nlohmann::ordered_json::array();
    for (const E value : values) list.push_back(names[static_cast<std::size_t>(value)]);
  }
  template <class E, std::size_t N>
  void choice(const char* key, E value, const std::array<std::string_view, N>& names, std::string_view) {
    json_[key] = names[static_cast<std::size_t>(value)];
  }
  template <class E, std::size_t N>
  void choice(const char* key, const std::optional<E>& value, const std::array<std::string_view, N>& names,
              std::string_view) {
    json_[key] = value ? nlohmann::ordered_json(names[static_cast<std::size_t>(*value)]) : nlohmann::ordered_json();
  }
  void interval(const char* key, const std::optional<models::Interval>& value, Missing missing = Missing::null) {
    if (value)
      json_[key] = {value->low, value->high};
    else if (missing == Missing::null)
      json_[key] = nullptr;
  }
  void pair(const char* key, double low, double high, std::string_view) { json_[key] = {low, high}; }
  void pairs(const char* key, const std::vector<std::pair<double, double>>& values, std::string_view) {
    nlohmann::ordered_json& list = json_[key] = nlohmann::ordered_json::array();
    for (const auto& [first, second] : values) list.push_back({first, second});
  }
  void unit(const char* key, models::Unit unit, std::string_view) {
    const bool plain = unit == models::Unit::one || unit == models::Unit::fraction;
    json_[key] = plain ? std::string_view("1") : scenarios::unit_symbol(unit);
  }
  void figure(const char* key, const models::SizingDescription* figure, std::string_view) { json_[key] = figure->name; }
  void sizing_room(const char* key, std::string_view room, std::string_view) { json_[key] = room; }
  template <class F>
  void derived(const char* key, std::string_view, const F& value) {
    json_[key] = value();
  }

  template <class T>
  void record(const char* key, T& value, std::string_view) {
    write(value, json_[key] = nlohmann::ordered_json::object());
  }
  template <class T>
  void optional(const char* key, std::optional<T>& value, std::string_view meaning, Missing missing = Missing::null) {
    if (value)
      record(key, *value, meaning);
    else if (missing == Missing::null)
      json_[key] = nullptr;
  }
  template <class T, class F>
  void optional_of(const char* key, std::optional<T>& value, std::string_view, const F& visit) {
    json_[key] = nullptr;
    if (!value) return;
    DocumentWriter inner(json_[key] = nlohmann::ordered_json::object());
    visit(*value, inner);
  }
  template <class T>
  void part(std::optional<T>& value) {
    if (value) describe(*value, *this);
  }
  template <class F>
  void when(bool condition, const F& visit) {
    if (condition) visit();
  }
  template <class F>
  void group(const char* key, const F& visit) {
    DocumentWriter inner(json_[key] = nlohmann::ordered_json::object());
    visit(inner);
  }
  template <class T>
  void list(const char* key, std::vector<T>& values, std::string_view meaning, Missing missing = Missing::null) {
    if (missing == Missing::left_out && values.empty()) return;
    DocumentWriter(json_[key]).items(values, meaning);
  }
  /// Items that are described in their list, and not for themselves.
  template <class T, class F>
  void list_of(const char* key, std::vector<T>& values, std::string_view, const F& visit) {
    nlohmann::ordered_json& list = json_[key] = nlohmann::ordered_json::array();
    for (T& value : values) {
      DocumentWriter entry(list.emplace_back(nlohmann::ordered_json::object()));
      visit(value, entry);
    }
  }
  template <class... Kinds, class F>
  void list_of_kinds(const char* key, std::string_view, const F& fill);
  template <class T, class F>
  void list_or_null(const char* key, bool present, std::vector<T>& values, std::string_view meaning, const F& visit) {
    json_[key] = nullptr;
    if (present) list_of(key, values, meaning, visit);
  }
  template <class T, class F>
  void map(const char* key, std::vector<T>& values, const models::MapFacts&, const F& visit) {
    nlohmann::ordered_json& map = json_[key] = nlohmann::ordered_json::object();
    for (T& value : values) {
      DocumentWriter entry(map[std::string(models::Keys<T>::of(value))]);
      visit(value, entry);
    }
  }
  void value(double value, std::string_view) { json_ = value; }
  template <class T>
  void items(std::vector<T>& values, std::string_view) {
    json_ = nlohmann::ordered_json::array();
    for (T& value : values) write(value, json_.emplace_back(nlohmann::ordered_json::object()));
  }
  void about(std::initializer_list<std::string_view>) {}

 private:
  template <class T>
  static void write(T& value, nlohmann::ordered_json& json) {
    DocumentWriter writer(json);
    describe(value, writer);
  }
  /// JSON has no infinity and no not-a-number: they read null.
  template <class T>
  void put(const char* key, const T& value) {
    json_[key] = value;
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) json_[key] = nullptr;
  }
  template <class T>
  void put(const char* key, const std::optional<T>& value) {
    json_[key] = nullptr;
    if (value) put(key, *value);
  }

  nlohmann::ordered_json& json_;
};

/// Takes the items of a list of several kinds, one by one.
class DocumentItems {
 public:
  explicit DocumentItems(nlohmann::ordered_json& list) : list_(list) {}

  template <class T>
  void add(T item) {
    DocumentWriter writer(list_.emplace_back(nlohmann::ordered_json::object()));
    describe(item, writer);
  }

 private:
  nlohmann::ordered_json& list_;
};

template <class... Kinds, class F>
void DocumentWriter::list_of_kinds(const char* key, std::string_view, const F& fill) {
  DocumentItems items(json_[key] = nlohmann::ordered_json::array());
  fill(items);
}

/// Descriptions are those of records that may be written to; the writer only reads them.
template <class T>
T& described(const T& record) {
  return const_cast<T&>(record);
}

/// Of a record with a description of its own.
template <class T>
nlohmann::ordered_json described_json(const T& record) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  DocumentWriter writer(json);
  describe(described(record), writer);
  return json;
}

}  // namespace headrace::reports
