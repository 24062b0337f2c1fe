// Shipped scenarios with overrides, and what reading them complains of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"

namespace headrace::scenarios {

using Strings = std::vector<std::string>;

inline LoadedScenario load_shipped(const std::string& name, const Strings& overrides = {}) {
  auto loaded = load_scenario(Strings{name}, overrides);
  if (!loaded) FAIL(print_text(loaded.error()));
  return std::move(*loaded);
}

/// Empty where nothing is wrong.
inline std::string wrong(const std::string& name, const Strings& overrides) {
  const auto loaded = load_scenario(Strings{name}, overrides);
  return loaded ? std::string() : print_text(loaded.error());
}

}  // namespace headrace::scenarios
