// Scenarios as the verbs ask for them: files or shipped names, overrides, complaints on standard error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/invocation.hpp"
#include "models/outcome.hpp"
#include "models/uncertain_input.hpp"
#include "scenarios/scenario_file.hpp"

namespace headrace::cli {

using scenarios::LoadedScenario;

/// The shipped catalogue with the files of --catalogue over it.
tl::expected<scenarios::Catalogue, scenarios::Diagnostics> catalogue_of(const Invocation& call);

/// The call's scenario or every complaint about it.
tl::expected<LoadedScenario, scenarios::Diagnostics> try_load(const Invocation& call);

/// The call's scenario; nullopt after the complaints stand on standard error.
std::optional<LoadedScenario> load(const Invocation& call, Console& console);

/// One resolved value of a scenario and where it comes from.
struct ResolvedValue {
  std::string pointer;
  std::string value;
  std::string origin;
};
std::vector<ResolvedValue> resolved_values(const LoadedScenario& loaded);

/// The --dry-run of a verb: every value with its origin, as text or JSON. Returns the exit status.
int show_resolved(const LoadedScenario& loaded, const Invocation& call, Console& console);

/// What --inputs ranges draws, from a scenario that has been checked.
std::vector<models::UncertainInput> uncertain_inputs(const LoadedScenario& loaded);

/// Prices from the catalogue that are more than 90 days old on, or without a date on, `date` ("YYYY-MM-DD").
std::vector<models::Warning> old_price_warnings(const LoadedScenario& loaded, const std::string& date);

/// Today in UTC, for messages only.
std::string today();

}  // namespace headrace::cli
