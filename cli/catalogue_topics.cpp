#include "cli/catalogue_topics.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace headrace::cli {
namespace {

using scenarios::Node;

bool is_figure(const Node& node) { return node.find("value") != nullptr && node.find("source") != nullptr; }

std::string spelled(const Node& node) {
  return node.is(Node::Type::string) || node.is(Node::Type::number) ? node.text : scenarios::print_json(node);
}

std::string text_at(const Node& node, std::string_view key) {
  const Node* found = node.find(key);
  return found == nullptr ? std::string() : spelled(*found);
}

void print_figures(const Node& node, const std::string& path, std::string& text) {
  if (is_figure(node)) {
    const std::string low = text_at(node, "low");
    text += fmt::format("  {} = {}{}\n      {}, {}; {}\n", path, text_at(node, "value"),
                        low.empty() ? "" : fmt::format("   ({} to {})", low, text_at(node, "high")),
                        text_at(node, "evidence"), text_at(node, "as_of"), text_at(node, "source"));
  } else if (node.is(Node::Type::object)) {
    for (const scenarios::Member& member : node.members)
      if (!scenarios::is_remark(member.key))
        print_figures(member.value, path.empty() ? member.key : path + "/" + member.key, text);
  } else {
    text += fmt::format("  {} = {}\n", path, spelled(node));
  }
}

}  // namespace

std::string catalogue_listing(const scenarios::Catalogue& catalogue) {
  std::string text =
      fmt::format("Catalogue {}; headrace explain ITEM shows the figures with source and date.\n", catalogue.version());
  for (const std::string_view section : catalogue.section_names()) {
    text += fmt::format("\n{}\n", section);
    for (const std::string_view name : catalogue.names(section)) text += fmt::format("  {}\n", name);
  }
  return text;
}

nlohmann::ordered_json catalogue_listing_json(const scenarios::Catalogue& catalogue) {
  nlohmann::ordered_json json{{"kind", "catalogue"}, {"version", catalogue.version()}};
  for (const std::string_view section : catalogue.section_names())
    json["sections"][std::string(section)] = catalogue.names(section);
  return json;
}

std::string catalogue_item(const scenarios::Catalogue& catalogue, std::string_view section, std::string_view name) {
  const std::optional<Node> entry = catalogue.raw_entry(section, name);
  if (!entry) return {};
  std::string text = fmt::format("{} (catalogue {})\n", name, section);
  print_figures(*entry, "", text);
  return text;
}

nlohmann::ordered_json catalogue_item_json(const scenarios::Catalogue& catalogue, std::string_view section,
                                           std::string_view name) {
  const std::optional<Node> entry = catalogue.raw_entry(section, name);
  nlohmann::ordered_json json{{"kind", "catalogue item"}, {"section", section}, {"name", name}};
  if (entry) json["figures"] = nlohmann::ordered_json::parse(scenarios::print_json(*entry));
  return json;
}

}  // namespace headrace::cli
