// Options that name a scenario, what is laid over it, and the catalogue.
#pragma once

#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace headrace::cli {

struct ScenarioOptions {
  std::vector<std::string> inputs;      ///< files or names, laid over each other from left to right
  std::vector<std::string> sets;        ///< "/pointer=value"
  std::vector<std::string> slos;        ///< "METRIC < LIMIT", thresholds of the flag --slo
  std::vector<std::string> catalogues;  ///< files laid over the shipped catalogue
  std::string as_of;                    ///< "YYYY-MM-DD", empty: not given
  bool dry_run = false;
  bool ranges = false;  ///< --inputs ranges
};

/// "headrace evidence mine.json --set /jobs/0/loader/workers=4": a verb on the same scenario.
std::string command_on(std::string_view verb, const ScenarioOptions& scenario);

/// Scenarios with --set, --catalogue, --as-of and --dry-run.
void add_scenarios(OptionTable& table, ScenarioOptions& scenario);

void add_catalogue(OptionTable& table, std::vector<std::string>& catalogues);
Option add_inputs(OptionTable& table, ScenarioOptions& scenario);

/// Refuses what is no day of the calendar.
std::string check_date(const std::string& text);

}  // namespace headrace::cli
