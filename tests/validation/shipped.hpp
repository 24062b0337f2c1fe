// Shipped scenarios with overrides, and what the gates read from their answers.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "models/study/study.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"

namespace headrace::testing {

using Strings = std::vector<std::string>;

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

inline models::Scenario shipped(const std::string& name, const Strings& overrides = {}) {
  const auto loaded = scenarios::load_scenario(Strings{name}, overrides);
  if (!loaded) FAIL(scenarios::print_text(loaded.error()));
  return loaded->value;
}

inline models::Outcome simulated(const models::Scenario& scenario, std::uint64_t steps) {
  models::StudyOptions options;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  return models::simulate(scenario, options);
}

inline double mean(const models::Outcome& outcome, const char* metric) {
  const models::Metric* found = outcome.find(metric);
  REQUIRE(found != nullptr);
  return found->mean;
}

/// `prefix`, the number with enough digits, and `unit` after a blank: "/a/b=" 2.5 "GB/s".
inline std::string set(const std::string& prefix, double value, const std::string& unit = "") {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", value);
  return prefix + text + (unit.empty() ? "" : " " + unit);
}

}  // namespace headrace::testing
