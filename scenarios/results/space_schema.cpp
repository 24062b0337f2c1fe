// The JSON Schema of space files: the shape that scenarios/results/sweep_space.cpp, axis.cpp and condition.cpp read.
#include <nlohmann/json.hpp>

#include "scenarios/results/sweep_space.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;

Json object(Json properties, const Json& required = Json::array()) {
  Json json = {{"type", "object"},
               {"properties", std::move(properties)},
               {"patternProperties", {{"^//", Json::object()}}},
               {"additionalProperties", false}};
  if (!required.empty()) json["required"] = required;
  return json;
}

Json list_of(Json items, int least = 1) {
  return {{"type", "array"}, {"minItems", least}, {"items", std::move(items)}};
}

Json described(const char* meaning, const Json& schema) {
  Json json = {{"description", meaning}};
  json.update(schema);
  return json;
}

Json axis_properties() {
  const Json pointer = {{"type", "string"}, {"pattern", "^/"}};
  const Json number = {{"type", {"number", "string"}}};
  return {{"parameter", described("JSON pointer of the parameter, as for --set", pointer)},
          {"parameters", described("parameters that change together", list_of(pointer))},
          {"name", described("name of the axis; missing: last word of the first pointer",
                             {{"type", "string"}, {"minLength", 1}})},
          {"values", described("values, as in a scenario", list_of(Json::object()))},
          {"from", described("start of a range: a number, or a quantity with its unit", number)},
          {"to", described("end of a range", number)},
          {"step", described("distance of neighbouring values", number)},
          {"count", described("number of values of the range, ends included", {{"type", "integer"}, {"minimum", 2}})},
          {"scale", {{"enum", {"linear", "log"}}, {"default", "linear"}}}};
}

Json condition_schema() {
  const Json condition = {{"$ref", "#/$defs/condition"}};
  const Json operand = {
      {"anyOf",
       {{{"type", {"number", "string", "boolean", "null"}}},
        described("the value of another axis, perhaps times a factor",
                  object({{"axis", {{"type", "string"}}}, {"times", {{"type", "number"}, {"exclusiveMinimum", 0}}}},
                         {"axis"}))}}};
  Json comparison = {{"axis", described("name of an axis", {{"type", "string"}})},
                     {"is", Json::object()},
                     {"is_not", Json::object()},
                     {"in", list_of(Json::object())}};
  for (const char* op : {"less_than", "at_most", "more_than", "at_least"}) comparison[op] = operand;
  return {{"anyOf",
           {object(comparison, {"axis"}),
            object({{"if", condition}, {"then", condition}, {"else", condition}}, {"if", "then"}),
            object({{"all", list_of(condition)}}, {"all"}), object({{"any", list_of(condition)}}, {"any"}),
            object({{"not", condition}}, {"not"})}}};
}

}  // namespace

Json space_schema() {
  const Json axis = {{"$ref", "#/$defs/axis"}};
  const Json cube = object({{"points", {{"type", "integer"}, {"minimum", 1}, {"maximum", kMostPoints}}},
                            {"seed", {{"type", "integer"}, {"minimum", 0}, {"default", 1}}},
                            {"axes", list_of(axis)}},
                           {"points", "axes"});
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "https://headrace.dev/space.schema.json"},
                 {"title", "Headrace space"}};
  Json properties = {
      {"$schema", {{"type", "string"}}},
      {"title", {{"type", "string"}}},
      {"scenario", described("base scenario: the name of a shipped scenario, a path relative to this file, a list of "
                             "layers, or a scenario",
                             {{"anyOf", {{{"type", "string"}}, list_of({{"type", "string"}}), {{"type", "object"}}}}})},
      {"axes",
       described(
           "crossed with each other, the last one fastest",
           list_of({{"anyOf",
                     {axis, object({{"zip", described("axes that change together", list_of(axis))}}, {"zip"}),
                      object({{"latin_hypercube", described("points drawn from ranges and values, each axis in as "
                                                            "many equal parts as there are points",
                                                            cube)}},
                             {"latin_hypercube"})}}}))},
      {"conditions",
       described("a combination is a point if it meets all conditions", list_of({{"$ref", "#/$defs/condition"}}, 0))}};
  schema.update(object(std::move(properties), {"scenario", "axes"}));
  schema["$defs"] = {{"axis", object(axis_properties())}, {"condition", condition_schema()}};
  return schema;
}

}  // namespace headrace::scenarios
