// Whether an estimate of the step time can be trusted to its stated error. Queueing at shared resources is what the
// estimate leaves out; it is certified where that cannot matter much, by one of three rules that were measured against
// simulation (docs/models/estimate.md, tests/models/answer/estimate_error_test.cpp).
#pragma once

#include <optional>
#include <vector>

#include "models/hops/resource_floors.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Largest error of a certified step time, relative, simulation noise aside.
inline constexpr double kCertifiedError = 0.02;

/// What an estimate of one window was made of.
struct EstimateParts {
  double uncontended_s = 0.0;             ///< step time without sharing
  double bound_s = 0.0;                   ///< flow bound
  std::optional<double> at_worst_s = {};  ///< uncontended step time with worst_delay_s() added to each batch
  std::vector<ResourceFloor> floors;

  double step_s() const { return uncontended_s > bound_s ? uncontended_s : bound_s; }
};

/// Seconds that sharing adds to a batch at worst, at the load that the flow bound allows: for each stage the larger of
/// t/(1-busy) and all of the resource's work in a step at once. nullopt where a resource is full: nobody knows.
std::optional<double> worst_delay_s(const IngestPath& path, const EstimateParts& parts);

/// Rules:
/// 1. Light load: no shared resource is over half busy, no hand-over lock or pin thread over 30 %.
/// 2. Saturation: one resource alone allows a step that is 1.2 times the uncontended one, every other is less than half
///    busy in it, and it is no request limit (back-off wastes what the limit gives).
/// 3. Slack: with the worst delay the step time is the same within 1 %.
bool is_certified(const EstimateParts& parts);

}  // namespace headrace::models
