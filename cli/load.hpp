// Scenarios as the verbs ask for them: files or shipped names, overrides, complaints on standard error.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/scenario_options.hpp"
#include "models/outcome/outcome.hpp"
#include "models/study/uncertain_input.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::cli {

using scenarios::LoadedScenario;

/// The shipped catalogue with files laid over it.
tl::expected<scenarios::Catalogue, scenarios::Diagnostics> catalogue_of(const std::vector<std::string>& files);

/// The scenario or every complaint about it.
tl::expected<LoadedScenario, scenarios::Diagnostics> try_load(const ScenarioOptions& options);

/// The scenario; nullopt after the complaints stand on standard error. Values outside their plausible ranges are
/// warnings there.
std::optional<LoadedScenario> load(const ScenarioOptions& options, Console& console);

/// A text as a scenario of its own under `name`, with layers over it and overrides.
tl::expected<LoadedScenario, scenarios::Diagnostics> load_text(const std::string& name, const std::string& text,
                                                               const scenarios::Catalogue& catalogue,
                                                               const std::vector<std::string>& layers = {},
                                                               const std::vector<std::string>& sets = {});

/// Its title, without one the last of the inputs, and the files and --set that change what it says, such as the number
/// of GPUs.
std::string title_of(const LoadedScenario& loaded, const ScenarioOptions& options);

/// A value of --set as a title says it: of lists and records the names of what is in them, "[one, other]".
std::string value_in_title(const std::string& value);

/// Prints where a value comes from. Refers to `loaded`.
std::function<std::string(const std::string& pointer)> origins_of(const LoadedScenario& loaded);

/// The --dry-run of a verb: every value with its origin, as text or JSON. Returns the exit status.
int show_resolved(const LoadedScenario& loaded, const OutputOptions& output, Console& console);

/// Every value of a document at its JSON pointer, in the order of the document; an empty list or object is a value.
void for_each_value(const nlohmann::ordered_json& document,
                    const std::function<void(const std::string& pointer, const nlohmann::ordered_json& value)>& visit);

/// What --inputs ranges draws, from a scenario that has been checked.
std::vector<models::UncertainInput> uncertain_inputs(const LoadedScenario& loaded);

/// Values that the user states outside their plausible ranges.
void warn_implausible(const LoadedScenario& loaded, Console& console);

/// Stores that nothing uses, often of a misspelt layer: for verbs whose answers have no place for it.
void warn_unused_stores(const LoadedScenario& loaded, Console& console);

/// Prices from the catalogue that are more than 90 days old on, or without a date on, `date` ("YYYY-MM-DD").
std::vector<models::Warning> old_price_warnings(const LoadedScenario& loaded, const std::string& date);

}  // namespace headrace::cli
