// plan --emit: the configuration for the tool that runs it, from a search, from a saved plan, or as the scenario is.
#pragma once

#include <optional>
#include <string>

#include "cli/console.hpp"
#include "cli/load.hpp"

namespace headrace::cli {

struct EmitOptions {
  std::string target;  ///< empty: show the plan
  std::string job;     ///< name; empty: the first
  bool as_is = false;  ///< without a search
};

void add_emit(OptionTable& table, EmitOptions& emit);

/// Where --emit needs no search: with --as-is, and where the input is a saved plan. The exit status; nothing where a
/// search must come first.
std::optional<int> emit_without_search(const EmitOptions& emit, const ScenarioOptions& scenario,
                                       const OutputOptions& output, Console& console);

/// Delivers the text; the exit status.
int emit_deployment(const EmitOptions& emit, const models::Scenario& scenario, const std::string& title,
                    const std::string& basis, const OutputOptions& output, Console& console);

}  // namespace headrace::cli
