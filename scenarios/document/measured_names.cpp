#include "scenarios/document/measured_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/named_lists.hpp"

namespace headrace::scenarios {
namespace {

/// Whether a value other than the name of an element is this text: "store": "storage".
bool refers_to(const Node& node, std::string_view name) {
  if (node.is(Node::Type::string)) return node.text == name;
  const auto refers = [name](const Node& item) { return refers_to(item, name); };
  return std::any_of(node.items.begin(), node.items.end(), refers) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [&refers](const Member& member) { return member.key != "name" && refers(member.value); });
}

}  // namespace

void MeasuredNames::add(const Node& file, bool measured) {
  for (std::size_t list = 0; list < std::size(kNamedLists); ++list) {
    const Node* elements = find_at(file, kNamedLists[list].pointer);
    if (elements == nullptr) continue;
    for (const Node& element : elements->items)
      if (const Node* name = element.find("name"))
        (measured ? measured_ : stated_).push_back({list, name->text, name->place});
  }
}

void MeasuredNames::check(const Node& document, const Sources& sources, Diagnostics& diagnostics) const {
  for (const Name& name : measured_) {
    std::vector<std::string_view> known;
    for (const Name& other : stated_)
      if (other.list == name.list) known.push_back(other.name);
    if (known.empty() || std::find(known.begin(), known.end(), name.name) != known.end()) continue;
    if (refers_to(document, name.name)) continue;
    const std::string_view kind = kNamedLists[name.list].kind;
    const std::string_view near = known.size() == 1 ? known.front() : nearest(name.name, known);
    Diagnostic d;
    d.code = "E0211";
    d.message = fmt::format("this layer measures the {} '{}', which the scenario does not have", kind, name.name);
    d.where = excerpt_at(sources, name.place);
    d.help = fmt::format("change the name here, or import it again with --{} {}; the scenario has {}", kind,
                         near.empty() ? "NAME" : near, list_words(known));
    diagnostics.add(std::move(d));
  }
}

}  // namespace headrace::scenarios
