// Every parameter of a loaded scenario with what its description knows: what a tree shows, what a slider needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/explain_visitor.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::scenarios {

/// All parameters that a scenario can have, in order of description.
const std::vector<Parameter>& scenario_parameters();

/// The pointer as descriptions have it: "/jobs/*/loader/workers" of "/jobs/0/loader/workers".
std::string general_pointer(const std::string& pointer);

struct ParameterValue {
  std::string pointer;               ///< "/jobs/0/loader/workers"
  std::string value;                 ///< as a file spells it
  std::string origin;                ///< "cluster.json:4:5", "default", "catalogue gpu (...)"
  std::string evidence;              ///< "assumed", "datasheet", "published", "measured"; of the value's source
  Parameter facts;                   ///< empty pointer: not described (the name of an element, say)
  std::vector<std::string> choices;  ///< words that may stand here; empty: any
  std::optional<models::Unit> unit;  ///< of a quantity
  std::optional<double> today;       ///< the number when the scenario was opened: scales are laid around it

  bool is_number() const { return unit.has_value(); }
  bool is_whole() const { return facts.type == "count"; }
  bool can_slide() const { return is_number() && facts.ranged && facts.high > facts.low; }
};

/// In the order of description.
std::vector<ParameterValue> parameter_sheet(const LoadedScenario& loaded);

/// What the description of a record knows of the parameters right below it, in its order: of "/subject_to", or of the
/// elements of a list, "/must_hold_under/*".
std::vector<Parameter> described_below(const std::string& record);
/// Lists of records that are described, in order: "/jobs/*/checkpoint/tiers".
std::vector<std::string> described_lists();

/// Records that are described outside of lists of their own, in order: "/prices/owned", "/jobs/*/checkpoint".
std::vector<std::string> described_sections();

/// A value as comparisons show it: what 0 stands for is told with it where its description says so, "0 B/s (no limit)".
std::string told_value(const std::string& pointer, const std::string& value);

/// Name, unit, range, default, meaning, source: what the mouse shows over it. Never empty.
std::string tooltip(const ParameterValue& parameter);

/// Number in the base unit of a value as it stands in the sheet; nullopt for anything else.
std::optional<double> number_of(const ParameterValue& parameter, const std::string& text);

/// A number in the base unit as a file spells it; whole for counts.
std::string spelled(const ParameterValue& parameter, double number);

}  // namespace headrace::scenarios
