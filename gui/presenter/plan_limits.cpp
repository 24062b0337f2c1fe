#include "gui/presenter/plan_limits.hpp"

#include <nlohmann/json.hpp>

#include "models/spec/plan_request.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLimits = "/subject_to";
constexpr const char* kEvents = "/must_hold_under";

/// What the scenario states there, files and edits together.
Json stated(const ScenarioDocument& document, const char* pointer) {
  const scenarios::Node* node = scenarios::find_at(document.loaded().composition.document, pointer);
  return node == nullptr ? Json() : Json::parse(print_json(*node));
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Numbers as numbers, anything else as the text that it is.
Json value_of(const std::string& text) {
  Json number = Json::parse(text, nullptr, false);
  return number.is_number() ? number : Json(text);
}

Json events_json(const std::vector<EventLimit>& events) {
  Json list = Json::array();
  for (const EventLimit& event : events) {
    Json item{{"event", event.event}};
    for (const auto& [key, text] : event.values)
      if (!text.empty()) item[key] = value_of(text);
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

PlanLimits plan_limits(const ScenarioDocument& document) {
  PlanLimits all;
  const Json limits = stated(document, kLimits);
  for (scenarios::Parameter& facts : described_below(kLimits)) {
    PlanLimit limit{std::move(facts), {}};
    if (limits.is_object() && limits.contains(limit.key())) limit.value = text_of(limits[limit.key()]);
    all.limits.push_back(std::move(limit));
  }
  const Json events = stated(document, kEvents);
  for (const Json& item : events.is_array() ? events : Json::array()) {
    EventLimit event;
    event.event = item.value("event", std::string(models::kPlanEventNames[0].name));
    for (const scenarios::Parameter& field : event_fields()) {
      const std::string key = field.pointer.substr(field.pointer.rfind('/') + 1);
      if (item.contains(key)) event.values[key] = text_of(item[key]);
    }
    all.events.push_back(std::move(event));
  }
  return all;
}

std::vector<scenarios::Parameter> event_fields() {
  std::vector<scenarios::Parameter> fields = described_below(std::string(kEvents) + "/*");
  std::erase_if(fields, [](const scenarios::Parameter& field) { return field.pointer.ends_with("/event"); });
  return fields;
}

std::vector<std::string> event_names() {
  std::vector<std::string> names;
  for (const auto& event : models::kPlanEventNames) names.emplace_back(event.name);
  return names;
}

std::vector<Edit> limit_edits(const ScenarioDocument& document, const PlanLimits& wanted) {
  const PlanLimits now = plan_limits(document);
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < now.limits.size() && i < wanted.limits.size(); ++i) {
    const PlanLimit& limit = wanted.limits[i];
    if (limit.value == now.limits[i].value) continue;
    edits.push_back({limit.facts.pointer, limit.value.empty() ? limit.facts.default_text : limit.value});
  }
  if (wanted.events != now.events) edits.push_back({kEvents, events_json(wanted.events).dump()});
  return edits;
}

std::string limits_text(const PlanLimits& limits) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  for (const PlanLimit& limit : limits.limits)
    if (!limit.value.empty()) add(reports::words(limit.key()) + " " + limit.value);
  for (const EventLimit& event : limits.events) {
    std::string held;
    for (const auto& [key, value] : event.values)
      if (!value.empty()) held += (held.empty() ? " " : ", ") + reports::words(key) + " " + value;
    add("under " + reports::words(event.event) + ":" + held);
  }
  return text.empty() ? "none" : text;
}

}  // namespace headrace::gui
