#include "gui/presenter/edit_in_file.hpp"

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "gui/presenter/scenario_document.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::gui {
namespace {

using scenarios::Node;
using Json = nlohmann::ordered_json;

/// Keys of the short forms that hold one element of a list.
const std::map<std::string, std::string>& singulars() {
  static const std::map<std::string, std::string> all{{"pools", "pool"},       {"stores", "store"}, {"tiers", "tier"},
                                                      {"datasets", "dataset"}, {"jobs", "job"},     {"links", "link"}};
  return all;
}

Node value_node(const std::string& value) {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto source = sources.add({scenarios::SourceKind::override_argument, "value", value, 0});
  auto node = scenarios::parse_document(sources, source, diagnostics);
  if (node && diagnostics.empty()) return std::move(*node);
  return scenarios::make_string(value);
}

Node* member(Node& object, const std::string& key) {
  if (Node* found = object.find(key)) return found;
  object.members.push_back({key, {}, scenarios::make_object()});
  return &object.members.back().value;
}

/// The element of a list that the full shape has at `index`: by its name where the list is laid over another one, else
/// by its place.
Node* element(Node& list, std::size_t index, const Json* full) {
  const bool named = full != nullptr && full->contains("name") && (*full)["name"].is_string();
  if (named)
    for (Node& item : list.items) {
      const Node* name = item.find("name");
      if (name != nullptr && name->text == (*full)["name"].get<std::string>()) return &item;
    }
  if (!named && index < list.items.size()) return &list.items[index];
  if (!named && index > list.items.size()) return nullptr;
  list.items.push_back(scenarios::make_object());
  if (named)
    list.items.back().members.push_back({"name", {}, scenarios::make_string((*full)["name"].get<std::string>())});
  return &list.items.back();
}

const Json* child(const Json* json, const std::string& token) {
  if (json == nullptr) return nullptr;
  if (json->is_object()) return json->contains(token) ? &(*json)[token] : nullptr;
  std::size_t index = 0;
  if (!json->is_array() || std::from_chars(token.data(), token.data() + token.size(), index).ec != std::errc())
    return nullptr;
  return index < json->size() ? &(*json)[index] : nullptr;
}

/// Puts the value where the pointer into the full shape leads in the user's own document.
bool apply(Node& root, const Edit& edit, const Json& resolved) {
  const auto tokens = scenarios::pointer_tokens(edit.pointer);
  if (!tokens || tokens->empty()) return false;
  Node* at = &root;
  const Json* full = &resolved;
  for (std::size_t i = 0; i < tokens->size(); ++i) {
    const std::string& token = (*tokens)[i];
    const Json* next_full = child(full, token);
    if (at->is(Node::Type::array)) {
      std::size_t index = 0;
      if (std::from_chars(token.data(), token.data() + token.size(), index).ec != std::errc()) return false;
      at = element(*at, index, next_full);
    } else if (at->is(Node::Type::object)) {
      const auto singular = singulars().find(token);
      Node* one = singular == singulars().end() ? nullptr : at->find(singular->second);
      const bool is_list = next_full != nullptr && next_full->is_array();
      if (one != nullptr && at->find(token) == nullptr && i + 1 < tokens->size() && (*tokens)[i + 1] == "0") {
        at = one;
        next_full = child(next_full, "0");
        ++i;
      } else {
        if (one != nullptr && i + 1 == tokens->size())  // the whole list takes the place of its short form
          std::erase_if(at->members, [&](const auto& held) { return held.key == singular->second; });
        const bool is_new = at->find(token) == nullptr;
        at = member(*at, token);
        if (is_new && is_list && i + 1 < tokens->size()) at->type = Node::Type::array;
      }
    } else {
      return false;  // a scalar stands for the whole record here
    }
    if (at == nullptr) return false;
    full = next_full;
  }
  *at = value_node(edit.value);
  return true;
}

bool means(const std::string& text, const std::string& path, const std::vector<std::string>& layers,
           const scenarios::LoadedScenario& meant) {
  const std::map<std::string, std::string> texts{{path, text}};
  scenarios::LoadOptions options;
  options.texts = &texts;
  std::vector<std::string> paths{path};
  paths.insert(paths.end(), layers.begin(), layers.end());
  const auto loaded = scenarios::load_scenario(paths, {}, options);
  return loaded && loaded->sha256 == meant.sha256;
}

}  // namespace

std::optional<std::string> edited_text(const std::string& text, const std::string& path,
                                       const std::vector<std::string>& layers, const std::vector<Edit>& edits,
                                       const scenarios::LoadedScenario& meant) {
  scenarios::Sources sources;
  scenarios::Diagnostics diagnostics;
  const auto source = sources.add({scenarios::SourceKind::file, path, text, 0});
  auto root = scenarios::parse_document(sources, source, diagnostics);
  if (!root || !diagnostics.empty()) return std::nullopt;
  for (const Edit& edit : edits)
    if (!apply(*root, edit, meant.resolved)) return std::nullopt;
  std::string edited = print_json(*root) + "\n";
  if (!means(edited, path, layers, meant)) return std::nullopt;
  return edited;
}

std::optional<std::string> text_over(const std::string& shipped_name, const std::vector<std::string>& layers,
                                     const std::vector<Edit>& edits, const scenarios::LoadedScenario& meant) {
  return edited_text("{\"extends\": \"" + shipped_name + "\"}", shipped_name + ".copy.json", layers, edits, meant);
}

}  // namespace headrace::gui
