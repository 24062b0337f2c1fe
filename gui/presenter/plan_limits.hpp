// The limits of a plan outside of the tree: what every configuration must hold (`subject_to`), and what the recommended
// one must hold under events (`must_hold_under`).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gui/presenter/parameter_sheet.hpp"

namespace headrace::gui {

struct PlanLimit {
  scenarios::Parameter facts;  ///< of "/subject_to/idle"
  std::string value;           ///< as the scenario spells it; empty: it states none

  std::string key() const { return facts.pointer.substr(facts.pointer.rfind('/') + 1); }
};

/// An event and what must hold while it lasts, by key: "idle" "5 %".
struct EventLimit {
  std::string event;
  std::map<std::string, std::string> values;  ///< those that are stated
  friend bool operator==(const EventLimit&, const EventLimit&) = default;
};

struct PlanLimits {
  std::vector<PlanLimit> limits;   ///< all that can be stated, in the order of their description
  std::vector<EventLimit> events;  ///< that are stated
};
PlanLimits plan_limits(const ScenarioDocument& document);

/// What can be stated of an event, `event` itself left out.
std::vector<scenarios::Parameter> event_fields();
/// Names of all events, each with its meaning.
std::vector<std::string> event_names();

/// What the wanted ones differ in from those of the document. A limit that is emptied goes back to its default.
std::vector<Edit> limit_edits(const ScenarioDocument& document, const PlanLimits& wanted);

/// "idle 5 %; storage_node_down: idle 10 %"; "none" where nothing is stated.
std::string limits_text(const PlanLimits& limits);

}  // namespace headrace::gui
