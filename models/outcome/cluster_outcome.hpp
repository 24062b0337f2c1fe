// What a cluster is answered with whose jobs share its stores: the answers of its jobs, and theirs taken together.
//
// Copies of a job are averaged. Over the cluster, rates and costs are sums, elapsed times those of the slowest job, all
// else means weighed by GPUs. Jobs that share a store do not vary independently, so half-widths add up linearly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// One in so many copies of a job may be inconclusive without making the job so: that happens by chance.
inline constexpr std::uint64_t kForgivenShare = 10;

/// The outcome of one job, or of one of its copies, as if it were the only one.
struct JobOutcome {
  std::size_t job = 0;  ///< index in the scenario
  Outcome outcome;
};

/// The background loads with what they ask for.
std::vector<LoadReport> loads_asked(const Scenario& scenario);

/// What follows for the cluster from the answers of its jobs: metrics, states, blame, relief, verdict.
void sum_up_jobs(Outcome& cluster);

/// `outcomes` holds every copy of every job, copies side by side.
Outcome merge_jobs(const Scenario& scenario, const std::vector<LoadReport>& background,
                   std::vector<JobOutcome> outcomes);

}  // namespace headrace::models
