// One side of a comparison: a scenario, or a result with the scenario that it was made from.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "cli/load.hpp"
#include "reports/gate_json.hpp"
#include "reports/outcome_reader.hpp"

namespace headrace::cli {

struct Side {
  std::string name;                                  ///< as given
  std::optional<reports::RecordedOutcome> recorded;  ///< of a result
  std::optional<LoadedScenario>
      loaded;                       ///< what to simulate; absent if the present models cannot read the recorded one
  nlohmann::ordered_json resolved;  ///< every value
  std::string catalogue_version;
  std::string reason;                 ///< why there is nothing to simulate
  scenarios::Diagnostics complaints;  ///< in full
  bool changed = false;  ///< a result with layers or overrides: its recorded numbers are not of what is asked for

  /// Where a value comes from; a result does not say.
  std::string origin_of(const std::string& pointer) const;
};

/// A file that holds an outcome is a result, anything else a scenario. Over it lie the layers in `options.inputs` and
/// the overrides. nullopt after a complaint.
std::optional<Side> load_side(const std::string& name, ScenarioOptions options, Console& console);

/// The scenario embedded in a recorded outcome, with layers and overrides. Its catalogue figures are its own.
Side side_of(std::string name, reports::RecordedOutcome recorded, const ScenarioOptions& options);

using reports::InputDifference;

/// Every value in which two sides differ, in the order of the second; thresholds are no inputs.
std::vector<InputDifference> input_differences(const Side& before, const Side& after);

/// The first scenario with the figures that the catalogue has changed since; absent if there are none, or if it cannot
/// be made.
std::optional<LoadedScenario> with_catalogue_of(const Side& before, const Side& after,
                                                const std::vector<InputDifference>& differences,
                                                const std::vector<std::string>& catalogues);

}  // namespace headrace::cli
