#include "scenarios/document/set_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "scenarios/document/visible_text.hpp"

namespace headrace::scenarios {
namespace {

void move_places(Node& node, std::uint32_t source, std::size_t offset) {
  const auto move = [&](Place& place) {
    place.source = source;
    place.begin += offset;
    place.end += offset;
  };
  move(node.place);
  for (Node& item : node.items) move_places(item, source, offset);
  for (Member& member : node.members) {
    move(member.key_place);
    move_places(member.value, source, offset);
  }
}

Node parse_value(std::string_view text, std::uint32_t source, std::size_t offset) {
  Sources scratch;
  Diagnostics unused;
  const std::uint32_t id = scratch.add({SourceKind::override_argument, "", std::string(text), 0});
  std::optional<Node> value = parse_document(scratch, id, unused);
  if (!value || !unused.empty()) value = make_string(std::string(text), {id, 0, text.size()});
  move_places(*value, source, offset);
  return std::move(*value);
}

std::optional<std::size_t> list_index(std::string_view token) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return index;
}

/// Why a token names no element of a list: the name of one, or a number that is too large.
std::string no_element(const Node& list, const std::string& token) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node* name = list.items[i].find("name");
    if (name != nullptr && name->text == token)
      return fmt::format("elements of a list are counted from 0: write {} for '{}'", i, token);
  }
  if (list.items.empty())
    return fmt::format("the list is empty, so '{}' is no element of it: write 0 or - to add one", token);
  if (!list_index(token)) return fmt::format("'{}' is no element of the list, whose elements have numbers", token);
  return fmt::format("'{}' is no element of the list: write 0 to {}, or - to add one", token, list.items.size() - 1);
}

/// Where `root` and what is in it hold the key, as a pointer; empty where nothing does. The first in document order.
std::string pointer_to_key(const Node& node, std::string_view key, const std::string& at) {
  for (const Member& member : node.members) {
    const std::string pointer = join_pointer(at, member.key);
    if (member.key == key) return pointer;
    if (std::string found = pointer_to_key(member.value, key, pointer); !found.empty()) return found;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    std::string found = pointer_to_key(node.items[i], key, join_pointer(at, std::to_string(i)));
    if (!found.empty()) return found;
  }
  return {};
}

/// A pointer that a path means which leaves the number of an element out, or has its name in its place.
struct MeantPointer {
  std::string pointer;
  std::string element;  ///< "storage", where the element has a name
};

void add_meant(const Node& at, const std::vector<std::string>& tokens, std::size_t next, MeantPointer so_far,
               std::vector<MeantPointer>& found) {
  if (next == tokens.size()) return found.push_back(std::move(so_far));
  const std::string& token = tokens[next];
  if (!at.is(Node::Type::array) || list_index(token) || token == "-") {
    const std::optional<std::size_t> index = list_index(token);
    const bool item = at.is(Node::Type::array) && index && *index < at.items.size();
    const Node* child = item ? &at.items[*index] : at.find(token);
    so_far.pointer = join_pointer(so_far.pointer, token);
    return add_meant(child == nullptr ? Node{} : *child, tokens, next + 1, std::move(so_far), found);
  }
  const auto name_of = [](const Node& item) { return item.find("name") == nullptr ? "" : item.find("name")->text; };
  const auto named = std::find_if(at.items.begin(), at.items.end(),
                                  [&](const Node& item) { return !token.empty() && name_of(item) == token; });
  for (std::size_t i = 0; i < at.items.size(); ++i) {
    const bool own = named != at.items.end();
    if (own && &at.items[i] != &*named) continue;
    const bool misnamed = !own && next + 1 < tokens.size() && at.items[i].find(token) == nullptr &&
                          at.items[i].find(tokens[next + 1]) != nullptr;
    add_meant(at.items[i], tokens, next + (own || misnamed ? 1 : 0),
              {join_pointer(so_far.pointer, std::to_string(i)), name_of(at.items[i])}, found);
  }
}

/// "/stores/0/bandwidth" for "stores/bandwidth", of every store there is; empty where a list on the way has no element.
std::vector<MeantPointer> meant_pointers(const Node& root, std::string_view text) {
  const std::string pointer = text.starts_with('/') ? std::string(text) : fmt::format("/{}", text);
  const auto tokens = pointer_tokens(pointer);
  std::vector<MeantPointer> found;
  if (tokens && !tokens->empty()) add_meant(root, *tokens, 0, {}, found);
  return found;
}

/// "write --set /stores/0/bandwidth=5 for 'storage', or --set /stores/1/bandwidth=5 for 'cache'"; the first three.
std::string settings_meant(const std::vector<MeantPointer>& meant, std::string_view value) {
  constexpr std::size_t most = 3;
  std::string text = "write ";
  for (std::size_t i = 0; i < std::min(most, meant.size()); ++i) {
    text += fmt::format("{}--set {}={}", i == 0 ? "" : ", or ", meant[i].pointer, value);
    if (meant.size() > 1 && !meant[i].element.empty()) text += fmt::format(" for '{}'", meant[i].element);
  }
  return text;
}

/// What to write instead of a text that is no pointer: the same with a slash in front, or the key where it stands.
std::string override_meant(const Node& root, std::string_view text, std::string_view value) {
  const std::vector<MeantPointer> meant = meant_pointers(root, text);
  if (text.find('/') != std::string_view::npos && !meant.empty()) return settings_meant(meant, value);
  if (text.find('/') != std::string_view::npos)
    return fmt::format("write --set {}{}={}", text.starts_with('/') ? "" : "/", text, value);
  const std::string found = pointer_to_key(root, text, "");
  if (!found.empty()) return fmt::format("write --set {}={}", found, value);
  return fmt::format(
      "write the path of the key, such as --set /jobs/0/loader/workers=16; headrace explain {} shows the path", text);
}

/// The child that a token names, created when missing; nullptr with a message when that is impossible.
Node* step(Node& at, const std::string& token, const Place& place, std::string& message) {
  const bool countable = token == "-" || list_index(token).has_value();
  if (at.is(Node::Type::null)) {  // just created
    at.type = countable ? Node::Type::array : Node::Type::object;
  }
  if (at.is(Node::Type::array)) {
    const std::optional<std::size_t> index = token == "-" ? at.items.size() : list_index(token);
    if (!index || *index > at.items.size()) {
      message = no_element(at, token);
      return nullptr;
    }
    if (*index == at.items.size()) {
      at.items.emplace_back();
      at.items.back().place = place;
    }
    return &at.items[*index];
  }
  if (!at.is(Node::Type::object)) {
    Node object = make_object(place);
    // A bare catalogue name keeps standing for the figures that are not overridden.
    if (at.is(Node::Type::string) && !at.variant) object.members.push_back({"catalogue", at.place, at});
    at = std::move(object);
  }
  if (Node* child = at.find(token)) return child;
  if (std::exchange(at.bare, false)) at.members.clear();  // a bare number gives way to the keys of its record
  at.members.push_back({token, place, Node{}});
  at.members.back().value.place = place;
  return &at.members.back().value;
}

}  // namespace

void set_value(Node& root, std::string_view assignment, Sources& sources, Diagnostics& diagnostics) {
  const std::uint32_t source = sources.add({SourceKind::override_argument, "--set", std::string(assignment), 0});
  const auto complain = [&](std::string message, std::string help) {
    Diagnostic d;
    d.code = "E0302";
    d.message = std::move(message);
    d.where = excerpt_at(sources, {source, 0, assignment.size()});
    d.help = std::move(help);
    diagnostics.add(std::move(d));
  };
  if (first_not_utf8(assignment) != std::string_view::npos)
    return complain("the assignment is not UTF-8", "write it again as UTF-8");
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    return complain(fmt::format("'{}' has no '='", assignment), override_meant(root, assignment, "VALUE"));
  }
  const std::string_view pointer = assignment.substr(0, equals);
  const auto tokens = pointer_tokens(pointer);
  if (!tokens || tokens->empty()) {
    return complain(fmt::format("'{}' is not a JSON pointer", pointer),
                    override_meant(root, pointer, assignment.substr(equals + 1)));
  }
  const auto set =
      set_node(root, pointer, {source, 0, equals}, parse_value(assignment.substr(equals + 1), source, equals + 1));
  if (set) return;
  const std::vector<MeantPointer> meant = meant_pointers(root, pointer);
  const bool other = !meant.empty() && meant.front().pointer != pointer;
  const std::string help = other ? "; " + settings_meant(meant, assignment.substr(equals + 1)) : std::string();
  complain(fmt::format("cannot set '{}'", pointer), set.error() + help);
}

tl::expected<void, std::string> set_node(Node& root, std::string_view pointer, const Place& pointer_place, Node value) {
  const auto tokens = pointer_tokens(pointer);
  if (!tokens || tokens->empty()) return tl::unexpected(fmt::format("'{}' is not a JSON pointer", pointer));
  Node* at = &root;
  for (const std::string& token : *tokens) {
    std::string message;
    at = step(*at, token, pointer_place, message);
    if (at == nullptr) return tl::unexpected(std::move(message));
  }
  const bool variant = at->variant;
  *at = std::move(value);
  at->variant = variant;
  return {};
}

}  // namespace headrace::scenarios
