#include "scenarios/document/schema_visitor.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::ChoiceAccess;
using models::Facts;
using models::Kind;
using models::Unit;
using models::Visitor;
using Json = nlohmann::ordered_json;

Json whole_or_real(double value) {
  constexpr double widest = 9007199254740992.0;
  if (value >= -widest && value <= widest && static_cast<double>(static_cast<std::int64_t>(value)) == value) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

/// Variants inside variants beyond this depth (mixtures of mixtures) are not spelled out.
constexpr int kDeepestVariant = 2;

class SchemaVisitor final : public Visitor {
 public:
  SchemaVisitor(const Catalogue& catalogue, int variants) : catalogue_(catalogue), variants_(variants) {}
  Json properties = Json::object();

  Json object() {
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"patternProperties", {{"^//", Json::object()}}},
            {"additionalProperties", false}};
  }

 private:
  template <class Visit>
  Json schema_of(const Visit& visit, int deeper = 0) {
    SchemaVisitor inner(catalogue_, variants_ + deeper);
    visit(inner);
    return inner.object();
  }

  void put(std::string_view key, const Json& schema, const Facts& facts, Json default_value) {
    Json out = Json::object();
    std::string text(facts.meaning);
    if (facts.required) text += text.empty() ? "No default" : "; no default";
    if (!facts.rule.empty()) text += fmt::format("; missing: {}", facts.rule);
    if (!facts.source.empty()) text += fmt::format(" [{}]", facts.source);
    if (!text.empty()) out["description"] = text;
    if (!facts.required && !default_value.is_null()) out["default"] = std::move(default_value);
    out.update(schema);
    properties[std::string(key)] = std::move(out);
  }

  static void add_limits(Json& schema, const Facts& facts) {
    if (models::is_stated(facts.min)) schema["minimum"] = whole_or_real(facts.min);
    if (models::is_stated(facts.above)) schema["exclusiveMinimum"] = whole_or_real(facts.above);
    if (models::is_stated(facts.max)) schema["maximum"] = whole_or_real(facts.max);
    if (models::is_stated(facts.below)) schema["exclusiveMaximum"] = whole_or_real(facts.below);
  }

  static Json quantity_schema(Unit unit, const Facts& facts) {
    Json number = {{"type", "number"}};
    if (unit == Unit::one) {
      add_limits(number, facts);
      return number;
    }
    Json text = {{"type", "string"}, {"pattern", unit_pattern(unit, rate_of(facts))}};
    if (unit == Unit::fraction) {
      add_limits(number, facts);
      return {{"anyOf", {std::move(number), std::move(text)}}};
    }
    Json schema = {{"anyOf", {std::move(text), {{"const", 0}}}}, {"examples", {std::string(unit_example(unit))}}};
    if (models::is_stated(facts.low) && models::is_stated(facts.high)) {
      schema["$comment"] =
          fmt::format("plausible: {} to {}", print_quantity(facts.low, unit), print_quantity(facts.high, unit));
    }
    return schema;
  }
  static Json print(double value, Unit unit) {
    if (needs_unit(unit)) return print_quantity(value, unit);
    return whole_or_real(value);
  }

  void on_quantity(std::string_view key, double& value, Unit unit, const Facts& facts) override {
    put(key, quantity_schema(unit, facts), facts, print(value, unit));
  }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit unit,
                            const Facts& facts) override {
    put(key, quantity_schema(unit, facts), facts, value ? print(*value, unit) : Json());
  }
  void on_quantities(std::string_view key, std::vector<double>&, Unit unit, const Facts& facts) override {
    put(key, {{"type", "array"}, {"items", quantity_schema(unit, facts)}}, facts, Json());
  }
  void on_count(std::string_view key, std::int64_t& value, const Facts& facts) override {
    Json schema = {{"type", "integer"}};
    add_limits(schema, facts);
    put(key, schema, facts, value);
  }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts& facts) override {
    Json schema = {{"type", "integer"}};
    add_limits(schema, facts);
    put(key, schema, facts, value ? Json(*value) : Json());
  }
  void on_flag(std::string_view key, bool& value, const Facts& facts) override {
    put(key, {{"type", "boolean"}}, facts, value);
  }
  void on_text(std::string_view key, std::string& value, const Facts& facts) override {
    put(key, {{"type", "string"}}, facts, value);
  }
  void on_json(std::string_view key, std::string&, const Facts& facts) override {
    put(key, Json::object(), facts, Json());
  }
  void on_texts(std::string_view key, std::vector<models::NamedText>&, const Facts& facts) override {
    put(key, {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}, facts, Json());
  }
  void on_name(std::string_view key, std::string&, Kind, const Facts& facts) override {
    put(key, {{"type", "string"}, {"minLength", 1}}, facts, Json());
  }
  void on_reference(std::string_view key, std::string&, Kind, const Facts& facts) override {
    put(key, {{"type", "string"}}, facts, Json());
  }
  void on_references(std::string_view key, std::vector<std::string>&, Kind, const Facts& facts) override {
    put(key, {{"type", "array"}, {"items", {{"type", "string"}}}}, facts, Json());
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts& facts) override {
    put(key, {{"enum", choice.names}}, facts, std::string(choice.names[choice.index]));
  }
  /// The object, or a name of the catalogue, or the object with a name in it.
  Json or_catalogue(Json object, const Facts& facts) const {
    if (facts.catalogue.empty() && facts.bare.empty()) return object;
    Json forms = Json::array();
    if (!facts.bare.empty()) forms.push_back(number_alone(object["properties"][std::string(facts.bare)]));
    if (!facts.catalogue.empty()) {
      forms.push_back({{"enum", catalogue_.names(facts.catalogue)}});
      object["properties"]["catalogue"] = forms.back();
    }
    forms.insert(forms.begin(), std::move(object));
    return {{"anyOf", std::move(forms)}};
  }
  /// A bare number for a record: the schema of the key for which it stands.
  static Json number_alone(Json schema) {
    for (const char* remark : {"description", "default", "$comment"}) schema.erase(remark);
    return schema;
  }
  void on_record(std::string_view key, const Facts& facts, const std::function<void(Visitor&)>& visit) override {
    put(key, or_catalogue(schema_of(visit), facts), facts, Json());
  }
  void on_optional_record(std::string_view key, models::OptionalAccess& record, const Facts& facts) override {
    put(key, or_catalogue(schema_of([&record](Visitor& v) { record.visit_default(v); }), facts), facts, Json());
  }
  void on_list(std::string_view key, models::ListAccess& list, const Facts& facts) override {
    const Json element = or_catalogue(schema_of([&list](Visitor& v) { list.visit_default(v); }), facts);
    Json array = {{"type", "array"}, {"items", element}};
    if (models::is_stated(facts.min)) array["minItems"] = whole_or_real(facts.min);
    if (models::is_stated(facts.max)) array["maxItems"] = whole_or_real(facts.max);
    put(key, {{"anyOf", {std::move(array), element}}}, facts, Json());
    if (!facts.singular.empty()) {
      Facts single = facts;
      single.required = false;
      put(facts.singular, element, single, Json());
    }
  }
  void on_variant(std::string_view key, models::VariantAccess& variant, const Facts& facts) override {
    if (variants_ >= kDeepestVariant) return put(key, Json::object(), facts, Json());
    Json alternatives = Json::array();
    if (const auto unit = variant.unit()) {
      alternatives.push_back(quantity_schema(*unit, facts));
    } else {
      alternatives.push_back({{"type", {"string", "number"}}});
    }
    for (std::size_t i = 0; i < variant.names().size(); ++i) {
      const std::string name(variant.names()[i]);
      Json body = schema_of([&variant, i](Visitor& v) { variant.visit_alternative(i, v); }, 1);
      Json alternative = {{"type", "object"},
                          {"properties", Json::object()},
                          {"required", {name}},
                          {"patternProperties", {{"^//", Json::object()}}},
                          {"additionalProperties", false}};
      alternative["properties"][name] = std::move(body);
      alternatives.push_back(std::move(alternative));
    }
    put(key, {{"anyOf", std::move(alternatives)}}, facts, Json());
  }
  void on_constraint(const models::ConstraintFacts&, bool) override {}
  void on_not_modelled(std::string_view, std::string_view) override {}

  const Catalogue& catalogue_;
  int variants_;
};

/// Moves what stands in a schema more than once (records that a list and its short form share, distributions) into
/// "$defs": spelled out, mixtures of distributions alone would take megabytes.
class SharedParts {
 public:
  explicit SharedParts(const Json& schema) { count(schema); }

  /// The schema with references; the parts that they name are in definitions().
  Json shared(const Json& schema) { return children(schema); }
  Json definitions() && { return std::move(definitions_); }

 private:
  /// Schemas only, not the maps from keys to them.
  static bool is_part(const Json& schema) {
    return schema.is_object() && (schema.contains("anyOf") || schema.contains("patternProperties"));
  }

  /// The schema without what is said about one place where it stands.
  static Json bare(const Json& schema) {
    Json part = schema;
    for (const char* remark : {"description", "default", "$comment"}) part.erase(remark);
    return part;
  }

  void count(const Json& schema) {
    if (!schema.is_structured()) return;
    if (is_part(schema) && ++counts_[bare(schema).dump()] > 1) return;
    for (const Json& child : schema) count(child);
  }

  Json children(const Json& schema) {
    Json out = schema;
    for (Json& child : out) child = reduced(child);
    return out;
  }

  Json reduced(const Json& schema) {
    if (!schema.is_structured()) return schema;
    if (!is_part(schema)) return children(schema);
    const Json part = bare(schema);
    const std::string text = part.dump();
    if (counts_[text] < 2) return children(schema);
    Json out = Json::object();
    for (const char* remark : {"description", "default", "$comment"})
      if (schema.contains(remark)) out[remark] = schema[remark];
    out["$ref"] = fmt::format("#/$defs/{}", name_of(text, part));
    return out;
  }

  std::string name_of(const std::string& text, const Json& schema) {
    const auto known = names_.find(text);
    if (known != names_.end()) return known->second;
    std::string name = fmt::format("part{}", names_.size() + 1);
    names_.emplace(text, name);
    definitions_[name] = nullptr;
    Json part = children(schema);
    definitions_[name] = std::move(part);
    return name;
  }

  std::map<std::string, int> counts_;
  std::map<std::string, std::string> names_;
  Json definitions_ = Json::object();
};

}  // namespace

Json record_schema(const DescribeFunction& describe_record, const std::string& id, const std::string& title,
                   const Catalogue& catalogue) {
  SchemaVisitor visitor(catalogue, 0);
  visitor.properties["$schema"] = {{"type", "string"}};
  visitor.properties["extends"] = {
      {"description", "Files below this layer, relative to this file"},
      {"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}};
  visitor.properties["replaces"] = {
      {"description", "Lists of the layers below that this layer takes the place of, in place of merging by name"},
      {"type", "array"},
      {"items", {{"enum", {"stores", "datasets", "jobs"}}}}};
  describe_record(visitor);
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", id}, {"title", title}};
  const Json body = visitor.object();
  SharedParts parts(body);
  schema.update(parts.shared(body));
  schema["$defs"] = std::move(parts).definitions();
  return schema;
}

}  // namespace headrace::scenarios
