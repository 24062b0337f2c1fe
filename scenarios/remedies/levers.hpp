// Resources of which a scenario tries more: a plan a tenth, which gives the elasticities, and a remedy twice as much. A
// latency or a cost of work is divided by the factor instead.
#pragma once

#include <array>
#include <string_view>

#include "models/spec/scenario.hpp"

namespace headrace::scenarios {

struct Lever {
  std::string_view name;       ///< with a tenth more
  std::string_view doubled;    ///< what someone does who doubles it, as an imperative; empty: not a remedy
  std::string_view parameter;  ///< as `headrace explain` finds it
  /// Changes it for all jobs; false where there is no such resource.
  bool (*pull)(models::Scenario& scenario, double factor);
};

extern const std::array<Lever, 16> kLevers;

}  // namespace headrace::scenarios
