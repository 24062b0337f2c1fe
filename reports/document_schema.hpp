// Collects the JSON schemas of described records (models/outcome/outcome_description.hpp).
#pragma once

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/outcome/outcome_description.hpp"

namespace headrace::reports {

/// Collects the schema of a described record, of which it visits a default. `definitions` takes what schemas refer to.
class SchemaWriter {
  using Missing = models::Missing;

 public:
  static constexpr bool kReads = false;

  explicit SchemaWriter(nlohmann::ordered_json& definitions) : definitions_(definitions) {}

  /// Of an object with exactly these keys, or of what the entry of a map is instead.
  nlohmann::ordered_json schema() const {
    nlohmann::ordered_json schema = whole_;
    if (schema.is_null())
      schema = {
          {"type", "object"}, {"properties", properties_}, {"required", required_}, {"additionalProperties", others_}};
    return schema;
  }
  const std::string& description() const { return description_; }

  /// Infinity and not-a-number have no place in JSON: they read null.
  template <class T>
  void number(const char* key, const T&, std::string_view meaning) {
    add(key, typed(number_type(), meaning));
  }
  void numbers(const char* key, const std::vector<double>&, std::string_view meaning) {
    add(key, array_of({{"type", "number"}}, meaning));
  }
  void finite(const char* key, double, std::string_view meaning) { add(key, typed("number", meaning)); }
  void others(const std::vector<std::pair<std::string, double>>&, std::string_view meaning) {
    others_ = typed(number_type(), meaning);
  }
  template <class I>
  void count(const char* key, const I&, std::string_view meaning) {
    add(key, {{"type", "integer"}, {"minimum", 0}, {"description", meaning}});
  }
  template <class I>
  void count(const char* key, const std::optional<I>&, std::string_view meaning) {
    add(key, typed(nlohmann::ordered_json::array({"integer", "null"}), meaning));
  }
  void flag(const char* key, bool, std::string_view meaning) { add(key, typed("boolean", meaning)); }
  void flag(const char* key, const std::optional<bool>&, std::string_view meaning) {
    add(key, typed(nlohmann::ordered_json::array({"boolean", "null"}), meaning));
  }
  void constant(const char* key, std::string_view value) { add(key, {{"const", value}}); }
  void constant(const char* key, int value) { add(key, {{"const", value}}); }
  void integer(const char* key, int, std::string_view meaning) { add(key, typed("integer", meaning)); }
  void json(const char* key, const nlohmann::ordered_json&, std::string_view meaning) {
    add(key, typed("object", meaning));
  }
  void text(const char* key, const std::string&, std::string_view meaning, Missing missing = Missing::null) {
    add(key, typed("string", meaning), missing);
  }
  void text(const char* key, const std::optional<std::string>&, std::string_view meaning) {
    add(key, typed(nlohmann::ordered_json::array({"string", "null"}), meaning));
  }
  void text_or_null(const char* key, const std::string&, std::string_view meaning) {
    text(key, std::optional<std::string>(), meaning);
  }
  void texts(const char* key, const std::vector<std::string>&, std::string_view meaning) {
    add(key, array_of({{"type", "string"}}, meaning));
  }
  void objects(const char* key, const std::vector<nlohmann::ordered_json>&, std::string_view meaning) {
    add(key, array_of({{"type", "object"}}, meaning));
  }
  template <class E, std::size_t N>
  void choices(const char* key, const std::vector<E>&, const std::array<std::string_view, N>& names,
               std::string_view meaning) {
    add(key, array_of({{"enum", names}}, meaning));
  }
  template <class E, std::size_t N>
  void choice(const char* key, const E&, const std::array<std::string_view, N>& names, std::string_view meaning) {
    add(key, {{"enum", names}, {"description", meaning}});
  }
  template <class E, std::size_t N>
  void choice(const char* key, const std::optional<E>&, const std::array<std::string_view, N>& names,
              std::string_view meaning) {
    nlohmann::ordered_json values = names;
    values.push_back(nullptr);
    add(key, {{"enum", values}, {"description", meaning}});
  }
  void interval(const char* key, const std::optional<models::Interval>&, Missing missing = Missing::null) {
    add(key, {{"$ref", "#/$defs/interval_or_null"}}, missing);
  }
  void pair(const char* key, double, double, std::string_view meaning) {
    nlohmann::ordered_json schema = two_numbers();
    schema["description"] = meaning;
    add(key, std::move(schema));
  }
  void pairs(const char* key, const std::vector<std::pair<double, double>>&, std::string_view meaning) {
    add(key, array_of(two_numbers(), meaning));
  }
  void unit(const char* key, models::Unit, std::string_view meaning) { add(key, typed("string", meaning)); }
  void figure(const char* key, const models::SizingDescription*, std::string_view meaning) {
    add(key, typed("string", meaning));
  }
  void sizing_room(const char* key, std::string_view, std::string_view meaning) { add(key, typed("string", meaning)); }
  template <class F>
  void derived(const char* key, std::string_view meaning, const F&) {
    using T = std::invoke_result_t<F>;
    add(key, typed(std::is_same_v<T, bool>     ? nlohmann::ordered_json("boolean")
                   : std::is_same_v<T, double> ? number_type()
                                               : nlohmann::ordered_json("string"),
                   meaning));
  }

  template <class T>
  void record(const char* key, T& value, std::string_view meaning) {
    nlohmann::ordered_json schema = schema_of(value);
    schema["description"] = meaning;
    add(key, std::move(schema));
  }
  template <class T>
  void optional(const char* key, const std::optional<T>&, std::string_view meaning, Missing missing = Missing::null) {
    T value;
    nlohmann::ordered_json schema = schema_of(value);
    if (missing == Missing::null && schema.contains("$ref")) {
      nlohmann::ordered_json either = nlohmann::ordered_json::array();
      either.push_back(std::move(schema));
      either.push_back({{"type", "null"}});
      schema = nlohmann::ordered_json::object();
      schema["anyOf"] = std::move(either);
    } else if (missing == Missing::null)
      schema["type"] = nlohmann::ordered_json::array({"object", "null"});
    schema["description"] = meaning;
    add(key, std::move(schema), missing);
  }
  template <class T, class F>
  void optional_of(const char* key, const std::optional<T>&, std::string_view meaning, const F& visit) {
    T value{};
    SchemaWriter inner(definitions_);
    visit(value, inner);
    nlohmann::ordered_json schema = inner.schema();
    schema["type"] = nlohmann::ordered_json::array({"object", "null"});
    schema["description"] = meaning;
    add(key, std::move(schema));
  }
  template <class T>
  void part(const std::optional<T>&) {
    T value;
    when(true, [&] { describe(value, *this); });
  }
  template <class F>
  void when(bool, const F& visit) {
    const bool outer = std::exchange(conditional_, true);
    visit();
    conditional_ = outer;
  }
  template <class F>
  void group(const char* key, const F& visit) {
    SchemaWriter inner(definitions_);
    visit(inner);
    add(key, inner.schema());
  }
  template <class T>
  void list(const char* key, std::vector<T>& values, std::string_view meaning, Missing missing = Missing::null) {
    SchemaWriter whole(definitions_);
    whole.items(values, meaning);
    add(key, whole.schema(), missing);
  }
  template <class T, class F>
  void list_of(const char* key, const std::vector<T>&, std::string_view meaning, const F& visit) {
    T value{};
    SchemaWriter entry(definitions_);
    visit(value, entry);
    add(key, array_of(entry.schema(), meaning));
  }
  /// Each kind has a name for its schema.
  template <class... Kinds, class F>
  void list_of_kinds(const char* key, std::string_view meaning, const F&) {
    nlohmann::ordered_json kinds = nlohmann::ordered_json::array();
    const auto define = [&](auto kind) { kinds.push_back(schema_of(kind)); };
    (define(Kinds{}), ...);
    nlohmann::ordered_json items = nlohmann::ordered_json::object();
    items["anyOf"] = std::move(kinds);
    add(key, array_of(std::move(items), meaning));
  }
  template <class T, class F>
  void list_or_null(const char* key, bool, const std::vector<T>& values, std::string_view meaning, const F& visit) {
    list_of(key, values, meaning, visit);
    properties_[key]["type"] = nlohmann::ordered_json::array({"array", "null"});
  }
  /// Entries that are described alike share one definition.
  template <class T, class F>
  void map(const char* key, const std::vector<T>&, const models::MapFacts& facts, const F& visit) {
    nlohmann::ordered_json properties = nlohmann::ordered_json::object();
    for (const std::string_view name : models::Keys<T>::all()) {
      T value{};
      models::Keys<T>::set(value, name);
      SchemaWriter entry(definitions_);
      visit(value, entry);
      nlohmann::ordered_json property = entry.schema();
      if (!facts.definition.empty()) {
        nlohmann::ordered_json& shared = definitions_[std::string(facts.definition)];
        if (shared.is_null()) shared = property;
        if (shared == property)
          property = nlohmann::ordered_json{{"$ref", fmt::format("#/$defs/{}", facts.definition)}};
      }
      if (!entry.description().empty()) property["description"] = entry.description();
      properties[std::string(name)] = std::move(property);
    }
    nlohmann::ordered_json schema{
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    if (!facts.meaning.empty()) schema["description"] = facts.meaning;
    add(key, std::move(schema));
  }
  void value(double, std::string_view meaning) { whole_ = typed(number_type(), meaning); }
  template <class T>
  void items(const std::vector<T>&, std::string_view meaning) {
    T value{};
    whole_ = array_of(schema_of(value), meaning);
  }
  /// The entry of a map: what its name means.
  void about(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) description_ += part;
  }

  static nlohmann::ordered_json two_numbers() {
    return {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
  }

 private:
  static nlohmann::ordered_json number_type() { return nlohmann::ordered_json::array({"number", "null"}); }
  static nlohmann::ordered_json typed(nlohmann::ordered_json type, std::string_view meaning) {
    return {{"type", std::move(type)}, {"description", meaning}};
  }
  static nlohmann::ordered_json array_of(nlohmann::ordered_json items, std::string_view meaning) {
    return {{"type", "array"}, {"items", std::move(items)}, {"description", meaning}};
  }
  /// A record with a name for its schema is defined once, and referred to.
  template <class T>
  nlohmann::ordered_json schema_of(T& value) {
    SchemaWriter writer(definitions_);
    describe(value, writer);
    if constexpr (requires { T::kDefinition; }) {
      definitions_[std::string(T::kDefinition)] = writer.schema();
      nlohmann::ordered_json reference = nlohmann::ordered_json::object();
      reference["$ref"] = fmt::format("#/$defs/{}", T::kDefinition);
      return reference;
    } else {
      return writer.schema();
    }
  }
  void add(const char* key, nlohmann::ordered_json schema, Missing missing = Missing::null) {
    properties_[key] = std::move(schema);
    if (missing == Missing::null && !conditional_) required_.push_back(key);
  }

  nlohmann::ordered_json& definitions_;
  nlohmann::ordered_json properties_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json required_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json whole_;
  nlohmann::ordered_json others_ = false;  ///< what keys hold that are none of the properties
  std::string description_;
  bool conditional_ = false;
};

/// The schema of a whole document; `visit` describes a default of it. `interval` says what its intervals mean.
template <class F>
nlohmann::ordered_json document_schema(const char* title, const char* meaning, const char* interval, const F& visit) {
  nlohmann::ordered_json definitions{
      {"interval_or_null",
       {{"oneOf", nlohmann::ordered_json::array({SchemaWriter::two_numbers(), {{"type", "null"}}})},
        {"description", interval}}}};
  SchemaWriter writer(definitions);
  visit(writer);
  nlohmann::ordered_json schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}, {"description", meaning}};
  schema.update(writer.schema());
  const auto is_used = [](const nlohmann::ordered_json& part) {
    return part.dump().find("#/$defs/interval_or_null") != std::string::npos;
  };
  if (!is_used(schema) && !is_used(definitions)) definitions.erase("interval_or_null");
  if (!definitions.empty()) schema["$defs"] = std::move(definitions);
  return schema;
}

/// Of a document that is a record with a description of its own.
template <class T>
nlohmann::ordered_json described_schema(const char* title, const char* meaning, const char* interval) {
  return document_schema(title, meaning, interval, [](SchemaWriter& writer) {
    T record;
    describe(record, writer);
  });
}

}  // namespace headrace::reports
