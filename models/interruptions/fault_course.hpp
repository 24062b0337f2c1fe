// The course of a whole training through the faults that come meanwhile, drawn by seed: failures and reclaimed spot
// nodes at exponential distances, faults that slow it down with exponential gaps between them, checkpoints after equal
// amounts of work. Closed forms tell the mean of very long trainings (interruptions.hpp, degradation.hpp); courses tell
// how long this one takes and how much of that is luck. Timelines show the first of them (job_course.hpp).
//
// The instants at which failures come, at which nodes are reclaimed and at which slowing faults begin are those of a
// stream of draws each. They are the same however long a course is drawn and whatever the job does meanwhile, but for
// nodes: a job that is away loses none.
//
// Deviations: two slowing faults at once slow down as the stronger one; within a fault's time the job goes on at its
// steady speed from the first instant.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// A fault that comes and goes while the job trains.
struct SlowingFault {
  double every_s = 0.0;  ///< mean time from one to the next
  double lasting_s = 0.0;
  double speed = 1.0;  ///< of the job meanwhile, over that without the fault; 0: it stands still
};

enum class FaultKind : std::uint8_t { failure, reclaim, slowing, start, refresh, outage };

/// Something at a known instant that stops the job.
struct PlannedStop {
  FaultKind kind = FaultKind::refresh;
  double at_s = 0.0;
  double closed_s = 0.0;     ///< for which there are no nodes, before the job begins to come back; they do not fail
  double cold_work_s = 0.0;  ///< work at the cold speed when the job is back
  bool keeps_work = true;    ///< a checkpoint is written in time
};

/// How long a job is away, where that is not always the same.
class ReturnTimes {
 public:
  ReturnTimes() = default;
  ReturnTimes(const ReturnTimes&) = default;
  ReturnTimes& operator=(const ReturnTimes&) = default;
  virtual ~ReturnTimes() = default;
  /// Seconds from `from_s` until the job trains, unless it is stopped again. It stopped at `stop_s`, or failed then on
  /// its way back, with so much work that lasts, and can begin to come back at `from_s`.
  virtual double away_s(FaultKind kind, double stop_s, double from_s, double kept_work_s) = 0;
};

/// Times in seconds. A rate of 0 is something that never comes.
struct TrainingCourse {
  double work_s = 0.0;      ///< of the training, without any interruption
  double interval_s = 0.0;  ///< work between checkpoints; 0: none are written
  double stall_s = 0.0;
  double failures_per_s = 0.0;
  double restart_s = 0.0;
  double reclaims_per_s = 0.0;  ///< of spot nodes, with enough notice: no work is lost
  double reclaim_s = 0.0;
  std::vector<SlowingFault> slowing;
  double cold_speed = 1.0;           ///< while caches fill, over that of later work
  double cold_work_s = 0.0;          ///< first work, done at that speed
  double failure_cold_work_s = 0.0;  ///< likewise after a failure, whose node comes back with an empty cache
  std::vector<PlannedStop> planned;  ///< in the order of their instants
  std::uint32_t stream = 0;          ///< the first one of its draws: courses of several jobs have streams of their own
};

/// Streams that lie between those of two jobs.
inline constexpr std::uint32_t kStreamsPerCourse = 1U << 16U;

/// One fault of a course. A slowing fault that is always there is none.
struct FaultEvent {
  FaultKind kind = FaultKind::failure;
  double begin_s = 0.0;
  double end_s = 0.0;     ///< when the job trains as before, or when its restart fails
  double lost_s = 0.0;    ///< work that is done again
  std::size_t index = 0;  ///< of a slowing fault, among those of the course
  bool failed = false;    ///< its restart: by the failure, an event of its own, that comes at end_s
};

/// How a period of a course ends.
enum class PeriodEnd : std::uint8_t {
  saved,    ///< by a checkpoint
  failure,  ///< which throws its work away
  reclaim,  ///< by a checkpoint in time
  open,     ///< it goes on beyond what was drawn
};

/// Work from a checkpoint, or from a restart, to what ends it.
struct CoursePeriod {
  double begin_s = 0.0;
  double stop_s = 0.0;  ///< when the job stops for its checkpoint; end_s where it does not
  double end_s = 0.0;
  double work_s = 0.0;  ///< less than its time where a fault slows it down
  PeriodEnd how = PeriodEnd::open;
};

/// What one course came to.
struct CourseResult {
  double time_s = 0.0;
  double lost_s = 0.0;  ///< work that was done twice
  double work_s = 0.0;  ///< that was done once and for all, or is not lost yet
  double stall_s = 0.0;
  double slowed_s = 0.0;   ///< by which slowing faults made it longer
  double warm_up_s = 0.0;  ///< by which cold caches made it longer
  double cold_s = 0.0;     ///< work that was done while caches filled; not one of the times that sum
  double return_s = 0.0;   ///< away, from a stop until the job trains
  double closed_s = 0.0;   ///< without nodes; these seven times sum to that of a course with ReturnTimes
  std::uint64_t failures = 0;
  std::uint64_t reclaims = 0;
  std::uint64_t slowings = 0;
  std::vector<FaultEvent> events;     ///< the first so many, in the order in which they begin
  std::vector<CoursePeriod> periods;  ///< one after the other; only of a course that is drawn until an instant
};

/// Draws course `replication`. At most `most_events` events are kept, all are counted. A training that cannot end
/// (restarts that outlast what lies between failures, a standstill for good) is given up after 1,000 times its work:
/// time_s is infinite; likewise after 20 million stops.
CourseResult draw_course(const TrainingCourse& course, std::uint64_t seed, std::uint32_t replication,
                         std::size_t most_events);

/// The same course until an instant, with all that happens, for a training that goes on beyond it: whatever its work.
/// What begins before that instant and ends later has its own end.
CourseResult draw_course_until(const TrainingCourse& course, std::uint64_t seed, std::uint32_t replication,
                               double until_s);

/// The course until an instant, or until its work is done (0: no end), with a job that is away as long as `returns`
/// says, first of all for its start. Neither events nor periods are kept.
CourseResult draw_course_until(const TrainingCourse& course, ReturnTimes& returns, std::uint64_t seed,
                               std::uint32_t replication, double until_s);

/// A course of the scenario's first job by its answer, also where nothing goes wrong.
struct SteadyCourse {
  TrainingCourse course;
  double steady_share = 1.0;  ///< of the time of the answer: work without interruptions and slowing faults
};
SteadyCourse steady_course(const Scenario& scenario, const Outcome& outcome);

/// The course of the scenario's first job by its answer; no work where nothing ever goes wrong.
TrainingCourse training_course(const Scenario& scenario, const Outcome& outcome);

/// How many courses are drawn: 400, or fewer where each of them meets many faults, so that luck counts less: as many as
/// meet 4 million faults in all, or 20,000, but at least 40.
enum class CourseCount : std::uint8_t { all, enough };

/// Adds the time of the whole training, its spread over courses and what goes wrong meanwhile. Nothing changes where
/// nothing can go wrong, or where several jobs share the cluster. Trainings that expect over 200,000 faults each get a
/// warning instead.
void add_fault_courses(const Scenario& scenario, std::uint64_t seed, Outcome& outcome,
                       CourseCount count = CourseCount::all);

/// Whether add_fault_courses() adds a metric: by its full name, "training_time_s" or "jobs/NAME/training_time_s".
bool is_of_courses(std::string_view metric);

}  // namespace headrace::models
