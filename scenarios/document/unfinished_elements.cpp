#include "scenarios/document/unfinished_elements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/named_lists.hpp"

namespace headrace::scenarios {
namespace {

struct Element {
  std::string pointer;
  std::string_view kind;
  const Node* node;
  std::vector<std::string_view> others;  ///< names in files before it
  bool replaces = false;                 ///< names a catalogue entry, and takes nothing from the files before it
};

int layer_of(const Node& node, const Sources& sources) {
  return node.place.known() ? sources[node.place.source].layer : 0;
}

/// Whether an element names a catalogue entry in the file that has its name, where there are several files.
bool names_entry(const Node& element, const Sources& sources) {
  const Node* entry = element.find("catalogue");
  const Node* name = element.find("name");
  std::size_t files = 0;
  for (std::uint32_t i = 0; i < sources.size(); ++i) files += sources[i].kind == SourceKind::file ? 1 : 0;
  return entry != nullptr && name != nullptr && files > 1 && entry->place.known() &&
         entry->place.source == name->place.source;
}

std::vector<Element> added_elements(const Node& document, const Sources& sources) {
  std::vector<Element> added;
  for (const NamedList& list : kNamedLists) {
    const Node* elements = find_at(document, list.pointer);
    if (elements == nullptr) continue;
    for (std::size_t i = 0; i < elements->items.size(); ++i) {
      const Node& node = elements->items[i];
      Element element{fmt::format("{}/{}", list.pointer, i), list.kind, &node, {}};
      for (const Node& other : elements->items)
        if (const Node* name = other.find("name");
            name != nullptr && layer_of(other, sources) < layer_of(node, sources))
          element.others.push_back(name->text);
      element.replaces = names_entry(node, sources);
      if ((!element.others.empty() || element.replaces) && node.find("name") != nullptr)
        added.push_back(std::move(element));
    }
  }
  return added;
}

}  // namespace

Diagnostics of_unfinished_elements(const Node& document, const Sources& sources, const Diagnostics& diagnostics) {
  std::vector<Diagnostic> left = diagnostics.sorted();
  for (const Element& element : added_elements(document, sources)) {
    std::vector<std::string_view> missing;
    const std::string inside = element.pointer + "/";
    for (const Diagnostic& d : left)
      if (d.code == "E0202" && d.pointer.starts_with(inside))
        missing.push_back(std::string_view(d.pointer).substr(inside.size()));
    // A misspelt key hides the one that is missing.
    const bool misspelt = std::any_of(left.begin(), left.end(), [&](const Diagnostic& other) {
      return other.code == "E0203" && other.pointer.starts_with(inside);
    });
    if (missing.empty() && (!misspelt || element.replaces)) continue;
    Diagnostic d;
    d.code = "E0202";
    d.pointer = element.pointer;
    const Node& name = *element.node->find("name");
    d.where = excerpt_at(sources, name.place);
    if (element.replaces) {
      d.message = fmt::format(
          "a {0} that names a catalogue entry takes nothing from the files before it: '{1}' also "
          "needs {2}",
          element.kind, name.text, list_words(missing));
      d.help = "write these keys here, or leave \"catalogue\" out and write only what changes";
      if (!element.others.empty())
        d.help += fmt::format("; to change another {} that is there, write its name: {}", element.kind,
                              list_words(element.others));
    } else {
      d.message = fmt::format("the scenario has no {} '{}'", element.kind, name.text);
      if (!missing.empty()) d.message += fmt::format(", and a new {} also needs {}", element.kind, list_words(missing));
      d.help =
          fmt::format("to change a {} that is there, write its name: {}", element.kind, list_words(element.others));
    }
    std::erase_if(left, [&](const Diagnostic& other) {
      const bool own = (other.pointer + "/").starts_with(inside);
      const bool of_job = element.kind == "dataset" && other.pointer.starts_with("/jobs/");  // its batch, say
      return (other.code == "E0202" && own) || (other.code == "E0210" && (own || of_job));
    });
    left.push_back(std::move(d));
  }
  return diagnostics.with(std::move(left));
}

}  // namespace headrace::scenarios
