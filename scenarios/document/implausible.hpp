// Values of a scenario that lie outside the plausible range of their parameter, each with the slip that explains it:
// bytes for bits, seconds for milliseconds, one prefix for the next. They are warnings and change no answer.
#pragma once

#include <string>
#include <vector>

#include "models/spec/scenario.hpp"
#include "scenarios/document/composition.hpp"

namespace headrace::scenarios {

struct ImplausibleValue {
  std::string pointer;
  std::string place;  ///< "mine.json:4:8" or "--set /stores/0/latency=5 s"
  std::string seen;   ///< the value and the range
  std::string fix;    ///< what was probably meant
};

/// What the user's own files and --set state; figures of the catalogue and of shipped scenarios have their sources.
std::vector<ImplausibleValue> implausible_values(const models::Scenario& scenario, const Composition& composition);

}  // namespace headrace::scenarios
