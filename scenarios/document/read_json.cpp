#include "scenarios/document/read_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/document/complaint.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;

/// Members are appended: an ordered object looks through all of its keys for each one that is inserted.
Json json_of(const Node& node) {
  switch (node.type) {
    case Node::Type::null:
      return nullptr;
    case Node::Type::boolean:
      return node.boolean;
    case Node::Type::number:
      return Json::parse(node.text);
    case Node::Type::string:
      return node.text;
    case Node::Type::array: {
      Json list = Json::array();
      list.get_ref<Json::array_t&>().reserve(node.items.size());
      for (const Node& item : node.items) list.push_back(json_of(item));
      return list;
    }
    case Node::Type::object:
      break;
  }
  Json object = Json::object();
  Json::object_t::Container& members = object.get_ref<Json::object_t&>();
  members.reserve(node.members.size());
  for (const Member& member : node.members) members.emplace_back(member.key, json_of(member.value));
  return object;
}

}  // namespace

tl::expected<Json, Diagnostics> parse_json(const std::string& name, const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add({SourceKind::file, name, text, 0});
  const std::optional<Node> root = parse_document(sources, source, diagnostics);
  if (!root || !diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return json_of(*root);
}

tl::expected<Json, Diagnostics> read_json(const std::string& path, std::uint64_t most) {
  Diagnostics diagnostics;
  const std::optional<std::string> text = read_text(path, diagnostics, most);
  if (!text) return tl::unexpected(std::move(diagnostics));
  return parse_json(path, *text);
}

Diagnostic complaint_in(const std::string& name, const std::string& text, const std::string& pointer,
                        std::string_view code, std::string message, std::string help) {
  Sources sources;
  Diagnostics unused;
  const std::uint32_t source = sources.add({SourceKind::file, name, text, 0});
  const std::optional<Node> root = parse_document(sources, source, unused);
  std::string around = pointer;
  const Node* node = root ? find_at(*root, around) : nullptr;
  while (root && node == nullptr && !around.empty()) {
    around.resize(around.rfind('/'));
    node = find_at(*root, around);
  }
  Place place = node == nullptr ? Place{source, 0, 1} : node->place;
  place.end = std::min(place.end, place.begin + 1);
  return complaint_at(sources, place, code, around, std::move(message), std::move(help));
}

}  // namespace headrace::scenarios
