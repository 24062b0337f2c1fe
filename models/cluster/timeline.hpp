// What happens on a few nodes, batch by batch: a short run of the event engine that keeps the way of every batch of the
// watched loaders and every step. For timelines and time series; means come from studies.
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/engine/step_log.hpp"
#include "models/path/ingest_path.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct TimelineOptions {
  std::uint64_t seed = 1;
  std::uint32_t replication = 0;
  Granularity granularity;
  bool contention = true;
  std::uint32_t nodes = 2;              ///< watched, of every job
  std::uint32_t window = 0;             ///< of each job's epoch, as an outcome counts them; its last one at most
  std::uint64_t steps = 0;              ///< 0: at most 500, fewer of large jobs; never more than most_batches allow
  std::uint64_t most_batches = 20'000;  ///< kept in all, beside those ready or under way at the end
  std::stop_token abandon = {};         ///< Abandoned is thrown once it asks
};

/// One stage of a batch, with what it would have taken alone; the rest is queueing.
struct TimelineVisit {
  Stage stage = Stage::cache;
  sim::TimeNs begin_ns = 0;
  sim::TimeNs end_ns = 0;
  sim::TimeNs service_ns = 0;
};

struct TimelineBatch {
  std::uint32_t loader = 0;
  std::uint32_t node = 0;
  std::uint32_t worker = 0;
  std::uint64_t batch = 0;
  std::uint64_t step = 0;       ///< that takes it
  sim::TimeNs assigned_ns = 0;  ///< to its worker
  sim::TimeNs ready_ns = 0;     ///< delivered
  sim::TimeNs taken_ns = 0;     ///< by the GPU: the step starts
  std::vector<TimelineVisit> visits = {};
};

struct JobTimeline {
  std::string name;
  std::uint32_t loaders = 0;  ///< of the job
  std::uint32_t watched = 0;  ///< of them; the first ones
  std::uint32_t batch_samples = 0;
  double hit_ratio = 0.0;              ///< of the node's cache, in this window of the epoch
  StepLog steps;                       ///< the last one is open
  std::vector<TimelineBatch> batches;  ///< of the watched loaders, step by step
  std::vector<TimelineBatch> waiting;  ///< ready when the last step starts, taken by later steps
  std::vector<TimelineBatch> loading;  ///< under way then
  double window_share = 1.0;           ///< of the epoch that is as this window
};

/// On what something rests that a timeline shows beside batches and steps.
enum class TimelineBasis : std::uint8_t {
  simulated,  ///< it happened in the recorded run
  drawn,      ///< it happened by chance, by the laws of a closed form, beside the recorded run
  expected,   ///< means of a closed form
  planned,    ///< the scenario says when
};
inline constexpr std::array<std::string_view, 4> kTimelineBasisNames = {"simulated", "drawn", "expected", "planned"};

/// Names end in their unit, where they have one.
using TimelineFacts = std::vector<std::pair<std::string, double>>;

/// A stretch of time on a track of its own: a checkpoint, a fault, a restart, whatever a model has to show. Spans of a
/// track nest. One without length is a remark.
struct TimelineSpan {
  std::string process;  ///< the group of tracks
  std::string track;
  std::string name;
  TimelineBasis basis = TimelineBasis::simulated;
  sim::TimeNs begin_ns = 0;
  sim::TimeNs end_ns = 0;
  TimelineFacts facts = {};
};

/// What a figure is from a time on.
struct TimelineLevel {
  std::string process;
  std::string name;
  std::string unit;
  TimelineBasis basis = TimelineBasis::simulated;
  sim::TimeNs time_ns = 0;
  double value = 0.0;
};

struct Timeline {
  std::vector<JobTimeline> jobs;
  std::vector<TimelineSpan> spans = {};    ///< models/interruptions/job_course.hpp adds some
  std::vector<TimelineLevel> levels = {};  ///< likewise
};

/// Runs all jobs from their start in one window of their epochs, the first unless another is asked for, and keeps the
/// same number of steps of each, however far the others are. The same scenario and options give the same timeline.
Timeline record_timeline(const Scenario& scenario, const TimelineOptions& options);

}  // namespace headrace::models
