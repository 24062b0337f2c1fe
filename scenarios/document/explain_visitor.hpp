// Every parameter of a record as a table: what `headrace explain` and the parameter reference show.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/parse_visitor.hpp"

namespace headrace::scenarios {

struct Parameter {
  std::string pointer;  ///< "/jobs/*/loader/workers"; * is any element of a list
  std::string type;  ///< quantity, number, count, flag, text, name, reference, choice, distribution, list, not modelled
  std::string unit;  ///< base unit, empty without one
  std::string default_text;  ///< empty: none
  std::string plausible;     ///< "1 GB/s to 100 GB/s", empty when not told
  std::string limits;        ///< "more than 0 B", empty without
  std::string choices;       ///< words of a choice, names of a catalogue section, kind of a reference
  std::string evidence;      ///< of the default
  std::string meaning;
  std::string source;
  std::string rule;  ///< what fills a missing optional figure
  bool required = false;
  double low = 0.0, high = 0.0;  ///< plausible range in the base unit, when `ranged`
  bool ranged = false;
  bool log_scale = false;
};

/// All parameters, in order of description.
std::vector<Parameter> list_parameters(const DescribeFunction& describe_record);

/// Parameters that a query means: a pointer ("/jobs/0/loader/workers"), a dotted path, or the last words of one
/// ("loader.workers", "workers").
std::vector<const Parameter*> find_parameters(const std::vector<Parameter>& all, std::string_view query);

/// Page of one parameter.
std::string print_parameter(const Parameter& parameter, const std::vector<Parameter>& all);

nlohmann::ordered_json parameter_json(const Parameter& parameter);

}  // namespace headrace::scenarios
