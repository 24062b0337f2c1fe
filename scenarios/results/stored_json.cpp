#include "scenarios/results/stored_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/document/document.hpp"

namespace headrace::scenarios {
namespace {

/// Brackets open at once outside of strings.
std::size_t deepest_nesting(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '{' || c == '['))
      deepest = std::max(deepest, ++depth);
    else if (!quoted && (c == '}' || c == ']') && depth > 0)
      --depth;
  }
  return deepest;
}

}  // namespace

bool is_stored_json(std::string_view text) { return deepest_nesting(text) <= kDeepest && nlohmann::json::accept(text); }

nlohmann::ordered_json stored_json(const std::string& text) {
  if (deepest_nesting(text) <= kDeepest) {
    auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!json.is_discarded()) return json;
  }
  throw StoreError("E0606", "a row of the store holds no JSON where it must",
                   "the store is damaged: compute its points again into a new one, or restore a copy");
}

StoreError changed_store(const std::string& path, const std::string& why) {
  return {"E0606", "'" + path + "' is damaged: a row lacks a value or has one of another type: " + why,
          "compute its points again into a new store, or restore a copy"};
}

}  // namespace headrace::scenarios
