// How a job comes to the queue of its pool: when, how often, how much work it brings, and how it gives way to others.
// `headrace campaign` reads it; nothing else does.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"

namespace headrace::models {

/// What happens to a running job when one of higher priority needs its nodes.
enum class Preemption : std::uint8_t { none, save, lose };
inline constexpr ChoiceName<Preemption> kPreemptionNames[] = {
    {Preemption::none, "none", "it keeps its nodes; the other job waits"},
    {Preemption::save, "save", "it writes a checkpoint, then gives its nodes back"},
    {Preemption::lose, "lose", "it gives its nodes back at once and repeats the work since its last checkpoint"}};

struct JobQueue {
  double at_s = 0.0;                                           ///< from the beginning of the campaign
  DistributionSpec every_s = DistributionSpec::constant(0.0);  ///< from one arrival to the next; 0: only one
  DistributionSpec steps = DistributionSpec::constant(0.0);    ///< of one job; 0: its epochs
  std::uint64_t priority = 0;                                  ///< higher ones start first
  Preemption preemption = Preemption::none;
  std::optional<std::uint64_t> quota_nodes;  ///< that jobs of this class hold at the same time
};

void describe(JobQueue& q, Visitor& v);

}  // namespace headrace::models
