// The course of a run beyond its first steps, for timelines: checkpoints, failures, preemptions, faults that slow a job
// down, stores whose capacity changes. The models take these in closed form and no event engine meets them, so that the
// course says of everything on what it rests: expected figures of one period, events drawn by the same laws, or a plan.
//
// Expected: one period from a checkpoint to the next, whose shares of time are those of the outcome.
// Drawn: a course of models/interruptions/fault_course.hpp, the same one that training_time_s counts under this number
// and seed, which here goes on beyond the end of the training. Jobs that share a cluster have no training_time_s: each
// has a course of its own by the figures of its outcome. Deviation: theirs leave out the faults that slow jobs down.
#pragma once

#include <cstdint>

#include "models/cluster/timeline.hpp"
#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct CourseOptions {
  std::uint64_t seed = 1;
  std::uint32_t replication = 0;      ///< number of the course
  std::uint64_t least_periods = 10;   ///< from a checkpoint to the next, that are drawn
  std::uint64_t most_periods = 1000;  ///< where failures are rare: three times their mean distance is drawn up to here
};

/// Adds the course of every job that writes checkpoints, and that of the stores, to the timeline of the scenario whose
/// outcome is given. It begins with the first step of the job.
void add_course(const Scenario& scenario, const Outcome& outcome, const CourseOptions& options, Timeline& timeline);

}  // namespace headrace::models
