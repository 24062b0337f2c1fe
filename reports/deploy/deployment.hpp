// A configuration as the tools take it that run it: loader arguments, mount options, cache sizes, job-script lines,
// each under the figure that it follows from. Names of options are those of the tools' documentation, named in
// docs/how-to/deploy.md. What a tool has no option for is told at the end of the text, and never guessed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/spec/scenario.hpp"

namespace headrace::reports {

/// Names of the targets, as options take them: "torch", "tf.data", "gcsfuse", ...
std::vector<std::string> deploy_targets();

/// What the head of the text says.
struct DeployOrigin {
  std::string title;    ///< of the scenario
  std::string command;  ///< that wrote the text
  std::string basis;    ///< "recommended by a plan", "the scenario as it is"
};

/// The configuration of job number `job` for a target, as text that its tool reads or runs. Throws std::out_of_range
/// for a target that does not exist.
std::string deployment(const models::Scenario& scenario, std::size_t job, std::string_view target,
                       const DeployOrigin& origin);

}  // namespace headrace::reports
