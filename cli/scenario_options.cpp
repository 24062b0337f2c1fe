#include "cli/scenario_options.hpp"

#include <fmt/format.h>

#include "scenarios/document/calendar.hpp"
#include "scenarios/document/shell_quoted.hpp"

namespace headrace::cli {

std::string command_on(std::string_view verb, const ScenarioOptions& scenario) {
  std::string command = fmt::format("headrace {}", verb);
  const auto add = [&](std::string_view option, const std::string& word) {
    command += fmt::format("{} {}", option, scenarios::shell_quoted(word));
  };
  for (const std::string& input : scenario.inputs) add("", input);
  for (const std::string& set : scenario.sets) add(" --set", set);
  for (const std::string& catalogue : scenario.catalogues) add(" --catalogue", catalogue);
  return command;
}

void add_scenarios(OptionTable& table, ScenarioOptions& scenario) {
  table.add("scenario", "SCENARIO", scenario.inputs, "scenario files or names, as layers from left to right")
      .required()
      .count(1, -1);
  table.section("Scenario");
  table.add("--set", "/KEY=VALUE", scenario.sets, "override one value: --set /jobs/0/loader/workers=16 (repeatable)")
      .repeatable();
  add_catalogue(table, scenario.catalogues);
  table.add("--as-of", "YYYY-MM-DD", scenario.as_of, "date for the age of prices").check(check_date);
  table.flag("--dry-run", scenario.dry_run, "show every resolved value with its origin, and run nothing");
}

void add_catalogue(OptionTable& table, std::vector<std::string>& catalogues) {
  table.section("Scenario");
  table.add("--catalogue", "FILE", catalogues, "a file of your own figures over those that ship (repeatable)")
      .repeatable();
}

Option add_inputs(OptionTable& table, ScenarioOptions& scenario) {
  table.section("Scenario");
  return table
      .call(
          "--inputs", "MODE", [&scenario](const std::string& mode) { scenario.ranges = mode == "ranges"; },
          "fixed: as in the scenario (default); ranges: draw assumed and data-sheet figures over their plausible "
          "range, and show what to measure next")
      .one_of({"fixed", "ranges"});
}

std::string check_date(const std::string& text) {
  const std::string reason = scenarios::reason_against_date(text);
  return reason.empty() ? reason : fmt::format("{}; write a date such as 2026-11-20", reason);
}

}  // namespace headrace::cli
