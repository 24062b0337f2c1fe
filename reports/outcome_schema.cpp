#include "reports/outcome_schema.hpp"

#include <fmt/format.h>

#include "reports/outcome_document.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using models::Missing;

/// Collects the schema of a described record, of which it visits a default. `definitions` takes what schemas refer to.
class SchemaWriter {
 public:
  static constexpr bool kReads = false;

  explicit SchemaWriter(Json& definitions) : definitions_(definitions) {}

  /// Of an object with exactly these keys, or of what the entry of a map is instead.
  Json schema() const {
    Json schema = whole_;
    if (schema.is_null())
      schema = {
          {"type", "object"}, {"properties", properties_}, {"required", required_}, {"additionalProperties", false}};
    return schema;
  }
  const std::string& description() const { return description_; }

  /// Infinity and not-a-number have no place in JSON: they read null.
  template <class T>
  void number(const char* key, const T&, std::string_view meaning) {
    add(key, typed(number_type(), meaning));
  }
  template <class I>
  void count(const char* key, const I&, std::string_view meaning) {
    add(key, {{"type", "integer"}, {"minimum", 0}, {"description", meaning}});
  }
  template <class I>
  void count(const char* key, const std::optional<I>&, std::string_view meaning) {
    add(key, typed(Json::array({"integer", "null"}), meaning));
  }
  void flag(const char* key, bool, std::string_view meaning) { add(key, typed("boolean", meaning)); }
  void constant(const char* key, std::string_view value) { add(key, {{"const", value}}); }
  void json(const char* key, const Json&, std::string_view meaning) { add(key, typed("object", meaning)); }
  void text(const char* key, const std::string&, std::string_view meaning, Missing missing = Missing::null) {
    add(key, typed("string", meaning), missing);
  }
  void texts(const char* key, const std::vector<std::string>&, std::string_view meaning) {
    add(key, array_of({{"type", "string"}}, meaning));
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
    Json values = names;
    values.push_back(nullptr);
    add(key, {{"enum", values}, {"description", meaning}});
  }
  void interval(const char* key, const std::optional<models::Interval>&, Missing missing = Missing::null) {
    add(key, {{"$ref", "#/$defs/interval_or_null"}}, missing);
  }
  void pair(const char* key, double, double, std::string_view meaning) {
    Json schema = two_numbers();
    schema["description"] = meaning;
    add(key, std::move(schema));
  }
  void unit(const char* key, models::Unit, std::string_view meaning) { add(key, typed("string", meaning)); }
  void figure(const char* key, const models::SizingDescription*, std::string_view meaning) {
    add(key, typed("string", meaning));
  }
  void sizing_room(const char* key, std::string_view, std::string_view meaning) { add(key, typed("string", meaning)); }
  template <class F>
  void derived(const char* key, std::string_view meaning, const F&) {
    add(key,
        std::is_same_v<std::invoke_result_t<F>, double> ? typed(number_type(), meaning) : typed("string", meaning));
  }

  template <class T>
  void record(const char* key, T& value, std::string_view meaning) {
    Json schema = schema_of(value);
    schema["description"] = meaning;
    add(key, std::move(schema));
  }
  template <class T>
  void optional(const char* key, const std::optional<T>&, std::string_view meaning, Missing missing = Missing::null) {
    T value;
    Json schema = schema_of(value);
    if (missing == Missing::null) schema["type"] = Json::array({"object", "null"});
    schema["description"] = meaning;
    add(key, std::move(schema), missing);
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
  /// Entries that are described alike share one definition.
  template <class T, class F>
  void map(const char* key, const std::vector<T>&, const models::MapFacts& facts, const F& visit) {
    Json properties = Json::object();
    for (const std::string_view name : models::Keys<T>::all()) {
      T value{};
      models::Keys<T>::set(value, name);
      SchemaWriter entry(definitions_);
      visit(value, entry);
      Json property = entry.schema();
      if (!facts.definition.empty()) {
        Json& shared = definitions_[std::string(facts.definition)];
        if (shared.is_null()) shared = property;
        if (shared == property) property = Json{{"$ref", fmt::format("#/$defs/{}", facts.definition)}};
      }
      if (!entry.description().empty()) property["description"] = entry.description();
      properties[std::string(name)] = std::move(property);
    }
    Json schema{{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
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

  static Json two_numbers() {
    return {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
  }

 private:
  static Json number_type() { return Json::array({"number", "null"}); }
  static Json typed(Json type, std::string_view meaning) {
    return {{"type", std::move(type)}, {"description", meaning}};
  }
  static Json array_of(Json items, std::string_view meaning) {
    return {{"type", "array"}, {"items", std::move(items)}, {"description", meaning}};
  }
  template <class T>
  Json schema_of(T& value) {
    SchemaWriter writer(definitions_);
    describe(value, writer);
    return writer.schema();
  }
  void add(const char* key, Json schema, Missing missing = Missing::null) {
    properties_[key] = std::move(schema);
    if (missing == Missing::null && !conditional_) required_.push_back(key);
  }

  Json& definitions_;
  Json properties_ = Json::object();
  Json required_ = Json::array();
  Json whole_;
  std::string description_;
  bool conditional_ = false;
};

}  // namespace

Json outcome_schema() {
  Json definitions{{"interval_or_null",
                    {{"oneOf", Json::array({SchemaWriter::two_numbers(), {{"type", "null"}}})},
                     {"description", "[low, high]; ci95 is null unless the number is simulated"}}}};
  SchemaWriter writer(definitions);
  RecordedOutcome document;
  describe_document(document.outcome, document.model_version, document.catalogue_version, document.scenario, writer);
  Json schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Headrace outcome"},
      {"description", "What headrace simulate and headrace bound answer. Generated by: headrace schema outcome"}};
  schema.update(writer.schema());
  schema["$defs"] = std::move(definitions);
  return schema;
}

}  // namespace headrace::reports
