#include "reports/outcome_schema.hpp"

#include <nlohmann/json.hpp>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/outcome_json.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;
using PlainJson = nlohmann::ordered_json;

namespace {

/// Checks what closed objects promise (all required keys, no others, enumerators, types), following $ref.
std::string complaint(const PlainJson& schema, const PlainJson& root, const PlainJson& value, const std::string& place);

std::string object_complaint(const PlainJson& schema, const PlainJson& root, const PlainJson& value,
                             const std::string& place) {
  if (!value.is_object()) return place + " is no object";
  for (const PlainJson& key : schema.value("required", PlainJson::array()))
    if (!value.contains(key.get<std::string>())) return place + " lacks " + key.get<std::string>();
  if (!schema.contains("properties")) return {};
  for (const auto& [key, child] : value.items()) {
    if (!schema["properties"].contains(key)) return place + " has the unknown key " + key;
    const std::string inner = complaint(schema["properties"][key], root, child, place + "/" + key);
    if (!inner.empty()) return inner;
  }
  return {};
}

bool is_type(const PlainJson& type, const PlainJson& value) {
  if (type.is_array())
    return std::any_of(type.begin(), type.end(), [&](const PlainJson& t) { return is_type(t, value); });
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

std::string complaint(const PlainJson& schema, const PlainJson& root, const PlainJson& value,
                      const std::string& place) {
  if (schema.contains("$ref")) {
    const std::string name = schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
    return complaint(root.at("$defs").at(name), root, value, place);
  }
  if (schema.contains("const") && schema["const"] != value) return place + " is not the constant";
  if (schema.contains("enum") && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return place + " is not one of the allowed values";
  if (schema.contains("oneOf")) {
    for (const PlainJson& choice : schema["oneOf"])
      if (complaint(choice, root, value, place).empty()) return {};
    return place + " fits no alternative";
  }
  if (!schema.contains("type")) return {};
  if (!is_type(schema["type"], value)) return place + " has the wrong type";
  if (schema["type"] == "object") return object_complaint(schema, root, value, place);
  if (schema["type"] != "array") return {};
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string inner = complaint(schema["items"], root, value[i], place + "/" + std::to_string(i));
    if (!inner.empty()) return inner;
  }
  return {};
}

}  // namespace

TEST_CASE("an outcome document fits its schema") {
  const PlainJson schema = reports::outcome_schema();
  const PlainJson scenario = PlainJson::object();
  PlainJson document = reports::outcome_json(reports::testing::sample_outcome(), {scenario, ""});
  CHECK(complaint(schema, schema, document, "") == "");
  document["metrics"]["speed_of_light"] = 1;
  CHECK(complaint(schema, schema, document, "") == "/metrics has the unknown key speed_of_light");
  document["metrics"].erase("speed_of_light");
  document["verdict"] = "maybe";
  CHECK(complaint(schema, schema, document, "") == "/verdict is not one of the allowed values");
}

TEST_CASE("the schema names every metric") {
  const PlainJson schema = reports::outcome_schema();
  for (const auto& metric : models::kMetricDescriptions)
    CHECK(schema["properties"]["metrics"]["properties"].contains(std::string(metric.name)));
}

TEST_CASE("the committed outcome schema is the generated one", "[golden]") {
  CHECK(
      headrace::testing::matches_golden(reports::json_text(reports::outcome_schema()), "schemas/outcome.schema.json"));
}
