// Resources of which a plan tries a tenth more: what it tells the elasticities by. A latency or a cost of work is
// divided by 1.1 instead.
#pragma once

#include <array>
#include <string_view>

#include "models/spec/scenario.hpp"

namespace headrace::scenarios {

struct Lever {
  std::string_view name;
  /// Changes it for all jobs; false where there is no such resource.
  bool (*pull)(models::Scenario& scenario);
};

extern const std::array<Lever, 15> kLevers;

}  // namespace headrace::scenarios
