#include "gui/presenter/structure_edits.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "scenarios/document.hpp"

namespace headrace::gui {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::size_t> index_of(const std::string& token) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (token.empty() || error != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return index;
}

/// The list as composed, in the full shape, with its remarks.
std::optional<Json> composed_list(const ScenarioDocument& document, const std::string& pointer) {
  const scenarios::Node* node = scenarios::find_at(document.loaded().composition.document, pointer);
  if (node == nullptr || !node->is(scenarios::Node::Type::array)) return std::nullopt;
  return Json::parse(print_json(*node));
}

std::string free_name(const Json& list, const std::string& like) {
  std::set<std::string> taken;
  for (const Json& item : list)
    if (item.is_object() && item.contains("name") && item["name"].is_string())
      taken.insert(item["name"].get<std::string>());
  for (int number = 2;; ++number) {
    const std::string name = like + "-" + std::to_string(number);
    if (!taken.contains(name)) return name;
  }
}

}  // namespace

std::optional<ListPlace> list_of(const ScenarioDocument& document, const std::string& pointer) {
  const auto tokens = scenarios::pointer_tokens(pointer);
  if (!tokens) return std::nullopt;
  std::optional<ListPlace> last;
  std::string at;
  for (const std::string& token : *tokens) {
    const auto index = index_of(token);
    const scenarios::Node* list = scenarios::find_at(document.loaded().composition.document, at);
    if (index && list != nullptr && list->is(scenarios::Node::Type::array) && *index < list->items.size() &&
        list->items[*index].is(scenarios::Node::Type::object))
      last = ListPlace{at, *index};
    at = scenarios::join_pointer(at, token);
  }
  return last;
}

std::optional<Edit> one_more(const ScenarioDocument& document, const ListPlace& place) {
  auto list = composed_list(document, place.list);
  if (!list || place.index >= list->size()) return std::nullopt;
  Json added = (*list)[place.index];
  if (added.is_object() && added.contains("name") && added["name"].is_string())
    added["name"] = free_name(*list, added["name"].get<std::string>());
  list->push_back(std::move(added));
  return Edit{place.list, list->dump()};
}

std::optional<Edit> one_less(const ScenarioDocument& document, const ListPlace& place) {
  auto list = composed_list(document, place.list);
  if (!list || place.index >= list->size()) return std::nullopt;
  list->erase(list->begin() + static_cast<std::ptrdiff_t>(place.index));
  return Edit{place.list, list->dump()};
}

tl::expected<ScenarioDocument, scenarios::Diagnostics> marked_measured(const ScenarioDocument& document,
                                                                       const std::string& pointer) {
  Json list = composed_list(document, "/input_ranges").value_or(Json::array());
  std::string figure = pointer;
  tl::expected<ScenarioDocument, scenarios::Diagnostics> first = document;
  for (int tries = 0; tries < 3 && !figure.empty(); ++tries) {  // "/latency/lognormal/mean" is of the figure "/latency"
    Json marked = Json::array();
    for (const Json& range : list)
      if (!range.contains("parameter") || range["parameter"] != figure) marked.push_back(range);
    marked.push_back({{"parameter", figure}, {"evidence", "measured"}});
    auto edited = document.with("/input_ranges", marked.dump());
    if (edited) return edited;
    if (tries == 0) first = tl::unexpected(edited.error());
    figure.erase(figure.rfind('/'));
  }
  return first;
}

}  // namespace headrace::gui
