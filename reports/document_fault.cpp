#include "reports/document_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/document/document.hpp"

namespace headrace::reports {
namespace {

bool has_type(const Document& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == value.type_name();
}

/// Several kinds of objects are told apart by their keys: then none may be unknown.
bool are_kinds(const Document& schemas) {
  return std::count_if(schemas.begin(), schemas.end(), [](const Document& schema) { return schema.contains("$ref"); }) >
         1;
}

/// "a number or null"
std::string types_text(const Document& types) {
  std::string text;
  for (const Document& type : types) {
    const std::string word = type.get<std::string>();
    text += text.empty() ? "" : " or ";
    text += word == "null" ? word
                           : (std::string_view("aeiou").find(word[0]) == std::string_view::npos ? "a " : "an ") + word;
  }
  return text;
}

std::optional<std::string> wrong_value(const Document& value, const Document& schema) {
  if (schema.contains("const") && value != schema["const"])
    return fmt::format("{} is not {}", value.dump(), schema["const"].dump());
  if (schema.contains("enum") && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return fmt::format("{} is none of {}", value.dump(), schema["enum"].dump());
  if (!schema.contains("type")) return std::nullopt;
  const Document types = schema["type"].is_array() ? schema["type"] : Document::array({schema["type"]});
  if (std::none_of(types.begin(), types.end(), [&](const Document& type) { return has_type(value, type); }))
    return fmt::format("this is not {}", types_text(types));
  if (value.is_number() && schema.contains("minimum") && value < schema["minimum"])
    return fmt::format("{} is less than {}", value.dump(), schema["minimum"].dump());
  if (value.is_array() && schema.contains("minItems") && value.size() != schema["minItems"])
    return fmt::format("{} values are wanted, here are {}", schema["minItems"].dump(), value.size());
  return std::nullopt;
}

class Search {
 public:
  explicit Search(const Document& whole, bool closed = false) : whole_(whole), closed_(closed) {}

  std::optional<DocumentFault> in(const Document& value, const Document& schema, const std::string& pointer) const {
    if (schema.contains("$ref")) return in(value, definition(schema["$ref"].get<std::string>()), pointer);
    for (const char* either : {"anyOf", "oneOf"})
      if (schema.contains(either)) return in_any(value, schema[either], pointer);
    if (auto what = wrong_value(value, schema)) return DocumentFault{pointer, std::move(*what)};
    if (value.is_array() && schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        if (auto fault = in(value[i], schema["items"], fmt::format("{}/{}", pointer, i))) return fault;
    return value.is_object() && schema.contains("properties") ? in_members(value, schema, pointer) : std::nullopt;
  }

 private:
  const Document& definition(const std::string& reference) const {
    return whole_.at("$defs").at(reference.substr(std::string_view("#/$defs/").size()));
  }

  /// Of the first alternative where none fits: null is never it.
  std::optional<DocumentFault> in_any(const Document& value, const Document& schemas,
                                      const std::string& pointer) const {
    const Search alternative(whole_, closed_ || are_kinds(schemas));
    std::optional<DocumentFault> first;
    for (const Document& schema : schemas) {
      auto fault = alternative.in(value, schema, pointer);
      if (!fault) return std::nullopt;
      if (!first) first = std::move(fault);
    }
    return first;
  }

  std::optional<DocumentFault> in_members(const Document& value, const Document& schema,
                                          const std::string& pointer) const {
    if (schema.contains("required"))
      for (const Document& key : schema["required"])
        if (!value.contains(key.get<std::string>()))
          return DocumentFault{pointer, fmt::format("{} is missing", key.dump())};
    for (const auto& [key, member] : schema["properties"].items())
      if (value.contains(key))
        if (auto fault = in(value[key], member, scenarios::join_pointer(pointer, key))) return fault;
    return schema.contains("additionalProperties") ? in_others(value, schema, pointer) : std::nullopt;
  }

  /// Of members that are none of the properties.
  std::optional<DocumentFault> in_others(const Document& value, const Document& schema,
                                         const std::string& pointer) const {
    const Document& others = schema["additionalProperties"];
    for (const auto& [key, member] : value.items()) {
      if (schema["properties"].contains(key)) continue;
      if (!others.is_object() && closed_) return DocumentFault{pointer, fmt::format("\"{}\" is none of its keys", key)};
      if (!others.is_object()) continue;
      if (auto fault = in(member, others, scenarios::join_pointer(pointer, key))) return fault;
    }
    return std::nullopt;
  }

  const Document& whole_;
  bool closed_;
};

}  // namespace

std::optional<DocumentFault> document_fault(const Document& document, const Document& schema) {
  return Search(schema).in(document, schema, "");
}

}  // namespace headrace::reports
