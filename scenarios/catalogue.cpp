#include "scenarios/catalogue.hpp"

#include <fmt/format.h>

namespace headrace::scenarios {
namespace {

void set_source(Node& node, std::uint32_t source) {
  node.place.source = source;
  for (Node& item : node.items) set_source(item, source);
  for (Member& member : node.members) {
    member.key_place.source = source;
    set_source(member.value, source);
  }
}

void set_as_of(Node& node, const std::string& as_of) {
  node.as_of = as_of;
  for (Node& item : node.items) set_as_of(item, as_of);
  for (Member& member : node.members) set_as_of(member.value, as_of);
}

/// Replaces {"value": v, "source": s, "as_of": d} by v, wherever it stands.
void unwrap_figures(Node& node) {
  for (Member& member : node.members) unwrap_figures(member.value);
  const Node* value = node.find("value");
  const Node* source = node.find("source");
  const Node* as_of = node.find("as_of");
  if (value == nullptr || source == nullptr || as_of == nullptr) return;
  Node figure = *value;
  set_as_of(figure, fmt::format("{}; {}", as_of->text, source->text));
  node = std::move(figure);
}

std::string text_at(const Node& root, std::string_view key) {
  const Node* node = root.find(key);
  return node == nullptr ? std::string() : node->text;
}

}  // namespace

const Catalogue& Catalogue::shipped() {
  static const Catalogue catalogue = [] {
    Catalogue made;
    Diagnostics diagnostics;
    for (const EmbeddedText& file : embedded_catalogue())
      made.add(std::string(file.name), std::string(file.text), diagnostics);
    return made;
  }();
  return catalogue;
}

void Catalogue::add(const std::string& name, std::string text, Diagnostics& diagnostics) {
  Sources sources;
  const std::uint32_t id = sources.add({SourceKind::catalogue, "catalogue " + name, text, 0});
  const std::optional<Node> root = parse_document(sources, id, diagnostics);
  if (!root || root->find("entries") == nullptr) return;
  sections_.push_back({text_at(*root, "section"), text_at(*root, "version"), std::move(text), *root->find("entries")});
}

const Catalogue::Section* Catalogue::find(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::vector<std::string_view> Catalogue::names(std::string_view section) const {
  std::vector<std::string_view> out;
  if (const Section* found = find(section)) {
    for (const Member& member : found->entries.members) out.push_back(member.key);
  }
  return out;
}

std::optional<Node> Catalogue::entry(std::string_view section, std::string_view name, Sources& sources) const {
  const Section* found = find(section);
  const Node* node = found == nullptr ? nullptr : found->entries.find(name);
  if (node == nullptr) return std::nullopt;
  Node out = *node;
  const std::string source_name = fmt::format("catalogue {} ({})", section, found->version);
  std::uint32_t id = kNoSource;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    if (sources[i].kind == SourceKind::catalogue && sources[i].name == source_name) id = i;
  }
  if (id == kNoSource) id = sources.add({SourceKind::catalogue, source_name, found->text, 0});
  set_source(out, id);
  unwrap_figures(out);
  return out;
}

std::string Catalogue::version(std::string_view section) const {
  const Section* found = find(section);
  return found == nullptr ? std::string() : found->version;
}

}  // namespace headrace::scenarios
