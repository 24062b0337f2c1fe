// The course of a run beyond its first steps: shares of the expected period, and what is drawn beside it.
#include "models/interruptions/job_course.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/interruptions/interruptions.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// Two nodes that write 100 GB at 1 GB/s every 900 s and fail every two hours.
Scenario with_failures() {
  Scenario scenario = test::small_scenario(2);
  Store store;
  store.name = "vault";
  store.bandwidth_bytes_per_s = 4e9;
  store.write_bandwidth_bytes_per_s = 1e9;
  scenario.stores.push_back(store);
  Checkpoint checkpoint;
  checkpoint.store = "vault";
  checkpoint.bytes = 100e9;
  checkpoint.interval_s = 900.0;
  scenario.jobs[0].checkpoint = checkpoint;
  scenario.faults = Faults{4 * 3600.0, 60.0, 240.0, {}, {}};
  return scenario;
}

Timeline course_of(const Scenario& scenario, const CourseOptions& options = {}) {
  Timeline timeline;
  add_course(scenario, flow_bound(scenario), options, timeline);
  return timeline;
}

double share_of(const Outcome& outcome, GpuState wanted) {
  for (const GpuStateShare& state : outcome.gpu_states)
    if (state.state == wanted) return state.share;
  return 0.0;
}

/// Seconds by name of the spans of the job's own track that rest on `basis`.
std::map<std::string, double> lengths_s(const Timeline& timeline, TimelineBasis basis) {
  std::map<std::string, double> lengths;
  for (const TimelineSpan& span : timeline.spans)
    if (span.basis == basis && span.track == "the job") lengths[span.name] += sim::seconds(span.end_ns - span.begin_ns);
  return lengths;
}

double sum_of(const std::map<std::string, double>& lengths) {
  double sum = 0.0;
  for (const auto& [name, length_s] : lengths) sum += length_s;
  return sum;
}

/// When spans begin that are drawn and have one of these names.
std::vector<sim::TimeNs> begins_of(const Timeline& timeline, const std::vector<std::string>& names) {
  std::vector<sim::TimeNs> begins;
  for (const TimelineSpan& span : timeline.spans)
    if (span.basis == TimelineBasis::drawn && std::find(names.begin(), names.end(), span.name) != names.end())
      begins.push_back(span.begin_ns);
  return begins;
}

/// When the faults of one kind come in a course.
std::vector<sim::TimeNs> begins_of(const CourseResult& course, FaultKind kind) {
  std::vector<sim::TimeNs> begins;
  for (const FaultEvent& event : course.events)
    if (event.kind == kind) begins.push_back(sim::duration_ns(event.begin_s));
  return begins;
}

/// Those of a timeline as long as the training lasts.
std::vector<sim::TimeNs> up_to(double until_s, std::vector<sim::TimeNs> begins) {
  std::erase_if(begins, [&](sim::TimeNs begin_ns) { return begin_ns >= sim::duration_ns(until_s); });
  return begins;
}

/// Spans of one track that neither nest nor follow one another.
std::size_t crossings(const Timeline& timeline) {
  std::map<std::pair<std::string, std::string>, std::vector<TimelineSpan>> tracks;
  for (const TimelineSpan& span : timeline.spans) tracks[{span.process, span.track}].push_back(span);
  std::size_t count = 0;
  for (auto& [track, spans] : tracks) {
    std::sort(spans.begin(), spans.end(),
              [](const TimelineSpan& a, const TimelineSpan& b) { return a.begin_ns < b.begin_ns; });
    for (std::size_t i = 0; i + 1 < spans.size(); ++i) count += spans[i].end_ns > spans[i + 1].begin_ns ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("the expected period has the shares of the outcome, and its work is the interval") {
  const Scenario scenario = with_failures();
  const Outcome outcome = flow_bound(scenario);
  const auto lengths = lengths_s(course_of(scenario), TimelineBasis::expected);
  const double period_s = sum_of(lengths);
  CHECK(lengths.at("training") == Approx(900.0).epsilon(1e-6));
  CHECK(lengths.at("stopped for a checkpoint") == Approx(100.0).epsilon(1e-6));
  CHECK(lengths.at("stopped for a checkpoint") / period_s == Approx(share_of(outcome, GpuState::checkpoint)));
  CHECK(lengths.at("failures: restarts and lost work") / period_s == Approx(share_of(outcome, GpuState::failure)));
}

TEST_CASE("what is drawn follows the seed and lies on tracks without crossings") {
  const Scenario scenario = with_failures();
  const Timeline one = course_of(scenario);
  const Timeline again = course_of(scenario);
  CourseOptions other;
  other.seed = 2;
  REQUIRE(one.spans.size() == again.spans.size());
  for (std::size_t i = 0; i < one.spans.size(); ++i) CHECK(one.spans[i].begin_ns == again.spans[i].begin_ns);
  CHECK(lengths_s(one, TimelineBasis::drawn) != lengths_s(course_of(scenario, other), TimelineBasis::drawn));
  CHECK(crossings(one) == 0);
  const auto lengths = lengths_s(one, TimelineBasis::drawn);
  CHECK(lengths.count("restart") == 1);
  CHECK(sum_of(lengths) > 10 * 1000.0);
}

TEST_CASE("failures, reclaims and slow times of a timeline are those of the first course of the training") {
  Scenario scenario = with_failures();
  scenario.jobs[0].epochs = 2000;
  scenario.faults->node_mtbf_s = 2 * 3600.0;
  scenario.faults->spot = Spot{6 * 3600.0, 600.0, 300.0, 0.0};
  Degradation slow;
  slow.store = "store";
  slow.every_s = 7200.0;
  slow.lasting_s = 600.0;
  slow.remaining = 0.5;
  scenario.faults->degraded = {slow};
  CourseOptions options;
  options.seed = 5;
  options.least_periods = 1000;
  const Outcome outcome = flow_bound(scenario);
  const CourseResult first = draw_course(training_course(scenario, outcome), options.seed, 0, 1'000'000);
  Timeline timeline;
  add_course(scenario, outcome, options, timeline);
  CHECK(crossings(timeline) == 0);
  const auto failures = begins_of(first, FaultKind::failure);
  const auto reclaims = begins_of(first, FaultKind::reclaim);
  const auto slowings = begins_of(first, FaultKind::slowing);
  REQUIRE(first.time_s < 1000 * 1000.0);
  CHECK(failures.size() == first.failures);
  CHECK(failures.size() > 50);
  CHECK(reclaims.size() > 20);
  CHECK(slowings.size() > 20);
  CHECK(up_to(first.time_s, begins_of(timeline, {"restart", "restart that fails"})) == failures);
  CHECK(up_to(first.time_s, begins_of(timeline, {"preempted with notice: save, replacement, restart"})) == reclaims);
  CHECK(up_to(first.time_s, begins_of(timeline, {"store 'store' is slower"})) == slowings);
  CHECK(lengths_s(timeline, TimelineBasis::drawn).count("restart that fails") == 1);
  const auto training = std::find_if(timeline.spans.begin(), timeline.spans.end(),
                                     [](const TimelineSpan& span) { return span.name == "the whole training"; });
  REQUIRE(training != timeline.spans.end());
  CHECK(training->end_ns == sim::duration_ns(first.time_s));
}

TEST_CASE("a course has the times of checkpoints that the outcome tells, beside reads too") {
  Scenario scenario = with_failures();
  scenario.jobs[0].checkpoint->store = "store";
  scenario.jobs[0].checkpoint->mode = CheckpointMode::async;
  scenario.stores[0].bandwidth_bytes_per_s = 2e9;
  scenario.stores[0].write_bandwidth_bytes_per_s = 1e9;
  scenario.jobs[0].checkpoint->interval_s = 60.0;
  const Outcome outcome = queueing_estimate(scenario, 1);
  const TrainingCourse course = training_course(scenario, outcome);
  CHECK(mean_in(outcome.metrics, "checkpoint_save_s") > 101.0);  // 100 s alone
  CHECK(course.interval_s == mean_in(outcome.metrics, "checkpoint_interval_s"));
  CHECK(course.stall_s == mean_in(outcome.metrics, "checkpoint_stall_s"));
  CHECK(course.restart_s == mean_in(outcome.metrics, "restart_s"));
  CHECK(1.0 / course.failures_per_s == Approx(mean_in(outcome.metrics, "job_mtbf_s")));
}

TEST_CASE("jobs that share a cluster fail each in its own time") {
  Scenario scenario = with_failures();
  scenario.cluster.pools[0].nodes = 4;
  scenario.jobs[0].nodes = 2;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  const Timeline timeline = course_of(scenario);
  std::map<std::string, std::vector<sim::TimeNs>> restarts;
  for (const TimelineSpan& span : timeline.spans)
    if (span.basis == TimelineBasis::drawn && span.name == "restart") restarts[span.process].push_back(span.begin_ns);
  REQUIRE(restarts.size() == 2);
  CHECK(restarts.begin()->second != restarts.rbegin()->second);
}

TEST_CASE("a fault that is always there stands over all that is drawn") {
  Scenario scenario = with_failures();
  Degradation stuck;
  stuck.workers_lost = 1;
  stuck.every_s = 600.0;
  stuck.lasting_s = 600.0;
  scenario.faults->degraded = {stuck};
  const Timeline timeline = course_of(scenario);
  std::size_t drawn = 0;
  sim::TimeNs end_ns = 0;
  for (const TimelineSpan& span : timeline.spans) {
    end_ns = std::max(end_ns, span.end_ns);
    if (span.process != "faults, drawn" || span.basis != TimelineBasis::drawn) continue;
    ++drawn;
    CHECK(span.begin_ns == 0);
    CHECK(span.end_ns == end_ns);
  }
  CHECK(drawn == 1);
}

// 4,000 periods meet some 700 failures of about 900 s each, a share of 0.13: its standard error is 0.0045, that of the
// share of checkpoints a tenth of it. The bars are five standard errors: a false failure in 1e6 seeds each.
TEST_CASE("over many periods the drawn course has the shares of the closed form", "[statistical]") {
  const Scenario scenario = with_failures();
  const Outcome outcome = flow_bound(scenario);
  CourseOptions options;
  options.least_periods = options.most_periods = 4000;
  const auto lengths = lengths_s(course_of(scenario, options), TimelineBasis::drawn);
  const double all_s = sum_of(lengths);
  const double stalled = lengths.at("stopped for a checkpoint") / all_s;
  const double failed = (lengths.at("work lost to a failure") + lengths.at("restart")) / all_s;
  CHECK(std::abs(stalled - share_of(outcome, GpuState::checkpoint)) < 0.0023);
  CHECK(std::abs(failed - share_of(outcome, GpuState::failure)) < 0.023);
  // But for the period that is cut at the end.
  CHECK(lengths.at("training") / lengths.at("stopped for a checkpoint") == Approx(9.0).epsilon(5e-4));
}

TEST_CASE("preemptions with notice pause the job and take the share that the outcome says") {
  Scenario scenario = with_failures();
  scenario.faults->node_mtbf_s = 0.0;
  scenario.faults->spot = Spot{4 * 3600.0, 600.0, 300.0, 0.0};
  const Outcome outcome = flow_bound(scenario);
  REQUIRE(outcome.find("preemption_time_fraction") != nullptr);
  CourseOptions options;
  options.least_periods = options.most_periods = 400;
  const Timeline timeline = course_of(scenario, options);
  CHECK(crossings(timeline) == 0);
  const auto lengths = lengths_s(timeline, TimelineBasis::drawn);
  // Some 55 of them: a standard error of 14 % of the share.
  CHECK(lengths.at("preempted with notice: save, replacement, restart") / sum_of(lengths) ==
        Approx(outcome.find("preemption_time_fraction")->mean).epsilon(0.6));
}

TEST_CASE("a save that takes longer than the period is cut where the next one begins, and says so") {
  Scenario scenario = with_failures();
  scenario.faults.reset();
  scenario.jobs[0].checkpoint->mode = CheckpointMode::async;
  scenario.jobs[0].checkpoint->interval_s = 60.0;
  const Timeline timeline = course_of(scenario);
  CHECK(crossings(timeline) == 0);
  const auto drawn = lengths_s(timeline, TimelineBasis::drawn);
  CHECK(drawn.count("restart") == 0);
  CHECK(sum_of(drawn) == Approx(10 * 100.0));
}

TEST_CASE("faults come as often as the scenario says, and stand with their figures") {
  Scenario scenario = test::small_scenario(1);
  Degradation slow;
  slow.store = "store";
  slow.every_s = 3600.0;
  slow.lasting_s = 600.0;
  slow.remaining = 0.5;
  scenario.faults = Faults{};
  scenario.faults->degraded = {slow};
  std::size_t drawn = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CourseOptions options;
    options.seed = seed;
    const Timeline timeline = course_of(scenario, options);
    CHECK(crossings(timeline) == 0);
    CHECK(timeline.spans.front().basis == TimelineBasis::expected);
    CHECK(timeline.spans.front().end_ns == timeline.spans.front().begin_ns);
    for (const TimelineSpan& span : timeline.spans) {
      if (span.basis != TimelineBasis::drawn) continue;
      CHECK(span.end_ns - span.begin_ns == sim::duration_ns(600.0));
      ++drawn;
    }
  }
  // Three periods each, 120 expected; at most 11 of them are one standard error.
  CHECK(drawn > 60);
  CHECK(drawn < 180);
}

TEST_CASE("a planned capacity stands with its ramp, that of a controller with its steps") {
  Scenario scenario = test::small_scenario(1);
  CapacitySchedule schedule;
  schedule.period_s = 3600.0;
  schedule.ramp_s = 40.0;
  schedule.steps = {{600.0, 2.0}, {1800.0, 1.0}};
  scenario.stores[0].schedule = schedule;
  const Timeline planned = course_of(scenario);
  REQUIRE(planned.levels.size() == 12);
  CHECK(planned.levels[0].value == 1.0);
  CHECK(planned.levels[1].time_ns == sim::duration_ns(600.0));
  CHECK(planned.levels[1].value == Approx(1.125));
  CHECK(planned.levels[5].time_ns == sim::duration_ns(640.0));
  CHECK(planned.levels[5].value == 2.0);
  CHECK(planned.levels.back().time_ns == sim::duration_ns(3600.0));
  CHECK(planned.spans.empty());
}

TEST_CASE("where nothing interrupts, a timeline stays as it was recorded") {
  const Timeline timeline = course_of(test::small_scenario(1));
  CHECK(timeline.spans.empty());
  CHECK(timeline.levels.empty());
}
