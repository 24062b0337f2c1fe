#include "gui/presenter/structure_edits.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "gui/presenter/parameter_sheet.hpp"
#include "scenarios/document/document.hpp"

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

/// Where the places of a described list are in the scenario: one for each element of the lists that it is in.
void places_of(const Json& record, const std::string& at, const std::string& rest, std::vector<std::string>& all) {
  const std::size_t star = rest.find("/*/");
  const Json::json_pointer place(star == std::string::npos ? rest.substr(0, rest.rfind('/')) : rest.substr(0, star));
  if (!record.contains(place)) return;
  if (star == std::string::npos) {
    if (record.at(place).is_object()) all.push_back(at + rest);
    return;
  }
  const Json& list = record.at(place);
  for (std::size_t i = 0; list.is_array() && i < list.size(); ++i)
    places_of(list[i], at + rest.substr(0, star + 1) + std::to_string(i), rest.substr(star + 2), all);
}

/// Names that a reference to such a thing may take.
std::vector<Json> names_of(const std::string& kind, const Json& resolved) {
  std::vector<Json> names;
  for (const char* list : {"/cluster/pools", "/stores", "/datasets", "/jobs"}) {
    if (!std::string(list).ends_with(kind + "s") || !resolved.contains(Json::json_pointer(list))) continue;
    for (const Json& item : resolved.at(Json::json_pointer(list)))
      if (item.contains("name")) names.push_back(item["name"]);
  }
  return names;
}

/// What may stand for a required parameter that nobody has told.
std::vector<Json> first_values(const scenarios::Parameter& parameter, const Json& resolved) {
  if (parameter.type == "reference")  // "name of a store"
    return names_of(parameter.choices.substr(parameter.choices.rfind(' ') + 1), resolved);
  if (parameter.type == "choice") return {Json(parameter.choices.substr(0, parameter.choices.find(',')))};
  if (parameter.type == "name" || parameter.type == "text") return {Json("new")};
  if (parameter.ranged && parameter.type == "count") return {Json(static_cast<std::uint64_t>(parameter.low))};
  if (parameter.ranged) return {Json(parameter.plausible.substr(0, parameter.plausible.find(" to ")))};
  return {Json::parse(parameter.default_text, nullptr, false).is_discarded() ? Json(parameter.default_text)
                                                                             : Json::parse(parameter.default_text)};
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

std::optional<Edit> moved_up(const ScenarioDocument& document, const ListPlace& place) {
  auto list = composed_list(document, place.list);
  if (!list || place.index == 0 || place.index >= list->size()) return std::nullopt;
  std::swap((*list)[place.index - 1], (*list)[place.index]);
  return Edit{place.list, list->dump()};
}

std::vector<std::string> open_lists(const ScenarioDocument& document) {
  std::vector<std::string> all;
  for (const std::string& general : described_lists()) places_of(document.loaded().resolved, "", general, all);
  return all;
}

std::vector<std::string> open_sections(const ScenarioDocument& document) {
  const Json& resolved = document.loaded().resolved;
  std::vector<std::string> all;
  for (const std::string& general : scenarios::described_sections()) places_of(resolved, "", general, all);
  std::erase_if(all, [&](const std::string& section) { return resolved.contains(Json::json_pointer(section)); });
  return all;
}

namespace {

/// What a record may be that states what is required of it and a name, if it has one.
std::vector<Json> first_records(const ScenarioDocument& document, const std::string& general) {
  std::vector<Json> tried{Json::object()};
  for (const scenarios::Parameter& parameter : described_below(general)) {
    const bool named = parameter.pointer.ends_with("/name");
    if (!parameter.required && !named) continue;
    const std::string key = parameter.pointer.substr(parameter.pointer.rfind('/') + 1);
    std::vector<Json> next;
    for (const Json& element : tried)
      for (const Json& value : first_values(parameter, document.loaded().resolved)) {
        next.push_back(element);
        next.back()[key] = value;
      }
    tried = std::move(next);
  }
  return tried;
}

}  // namespace

std::optional<Edit> first_element(const ScenarioDocument& document, const std::string& list) {
  for (const Json& element : first_records(document, scenarios::general_pointer(list) + "/*")) {
    Edit edit{list, Json::array({element}).dump()};
    if (document.with(edit.pointer, edit.value)) return edit;
  }
  return std::nullopt;
}

std::optional<Edit> first_section(const ScenarioDocument& document, const std::string& section) {
  for (const Json& record : first_records(document, scenarios::general_pointer(section))) {
    Edit edit{section, record.dump()};
    if (document.with(edit.pointer, edit.value)) return edit;
  }
  return std::nullopt;
}

std::optional<Edit> without_section(const ScenarioDocument& document, const std::string& pointer) {
  const std::vector<std::string> sections = scenarios::described_sections();
  const bool known = std::find(sections.begin(), sections.end(), scenarios::general_pointer(pointer)) != sections.end();
  const Json::json_pointer place(pointer);
  if (!known || !document.loaded().resolved.contains(place)) return std::nullopt;
  const auto without = document.with(pointer, "null");  // of a part that is always there, its defaults
  if (without && without->loaded().resolved.contains(place)) return std::nullopt;
  return Edit{pointer, "null"};
}

std::optional<Edit> added_element(const ScenarioDocument& document, const std::string& list) {
  const auto there = composed_list(document, list);
  if (there && !there->empty()) return one_more(document, {list, there->size() - 1});
  return first_element(document, list);
}

std::optional<std::vector<Edit>> added_like(const ScenarioDocument& document, const ListPlace& place) {
  const auto more = one_more(document, place);
  if (!more) return std::nullopt;
  std::vector<Edit> edits{*more};
  if (document.with(edits)) return edits;
  if (place.list != "/jobs" || place.index >= document.scenario().jobs.size()) return std::nullopt;
  const std::string& pool = document.scenario().jobs[place.index].pool;
  auto pools = composed_list(document, "/cluster/pools");
  Json jobs = Json::parse(more->value);
  for (std::size_t i = 0; pools && i < pools->size(); ++i) {
    if ((*pools)[i].value("name", std::string()) != pool) continue;
    Json own = (*pools)[i];
    own["name"] = free_name(*pools, pool);
    jobs.back()["pool"] = own["name"];
    pools->push_back(std::move(own));
    edits = {{"/cluster/pools", pools->dump()}, {"/jobs", jobs.dump()}};
    if (document.with(edits)) return edits;
    return std::nullopt;
  }
  return std::nullopt;
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
