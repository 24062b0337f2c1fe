#include "scenarios/document/replaced_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headrace::scenarios {
namespace {

constexpr std::array<std::string_view, 3> kLists = {"stores", "datasets", "jobs"};

void drop_list(Node& base, const std::string& list, std::vector<std::string>& dropped) {
  const Node* records = base.find(list);
  if (records == nullptr) return;
  for (const Node& record : records->items) {
    const Node* name = record.find("name");
    dropped.push_back(
        fmt::format("{} '{}'", list.substr(0, list.size() - 1), name == nullptr ? std::string("?") : name->text));
  }
  std::erase_if(base.members, [&](const Member& member) { return member.key == list; });
  Node* ranges = base.find("input_ranges");
  if (ranges == nullptr) return;
  std::erase_if(ranges->items, [&](const Node& range) {
    const Node* parameter = range.find("parameter");
    return parameter != nullptr && parameter->text.starts_with("/" + list + "/");
  });
}

}  // namespace

tl::expected<std::vector<std::string>, ReplacesError> drop_replaced(Node& base, Node& layer) {
  const Member* member = layer.find_member(kReplacesKey);
  if (member == nullptr) return std::vector<std::string>();
  const Node wanted = member->value;
  std::erase_if(layer.members, [](const Member& one) { return one.key == kReplacesKey; });
  std::vector<std::string> dropped;
  for (const Node& item : wanted.is(Node::Type::array) ? wanted.items : std::vector<Node>{wanted}) {
    if (!item.is(Node::Type::string) || std::find(kLists.begin(), kLists.end(), item.text) == kLists.end())
      return tl::unexpected(ReplacesError{"\"replaces\" names a list that a layer cannot replace",
                                          fmt::format("write one or more of: {}; null takes any other key out, such "
                                                      "as \"faults\": null",
                                                      fmt::join(kLists, ", ")),
                                          item.place});
    drop_list(base, item.text, dropped);
  }
  return dropped;
}

}  // namespace headrace::scenarios
