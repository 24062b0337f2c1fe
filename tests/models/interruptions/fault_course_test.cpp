// Courses of a training through drawn faults, held against the closed forms of very long ones. False-failure rates:
// each comparison of a mean is at five standard errors, 6e-7.
#include <algorithm>
#include <cmath>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/twins/checkpoint_interval.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

struct Mean {
  double value = 0.0;
  double error = 0.0;
};

Mean mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Mean mean;
  for (const double v : values) mean.value += v / n;
  double squares = 0.0;
  for (const double v : values) squares += (v - mean.value) * (v - mean.value);
  mean.error = std::sqrt(squares / (n * (n - 1.0)));
  return mean;
}

Mean time_of(const TrainingCourse& course, std::uint32_t courses) {
  std::vector<double> times;
  for (std::uint32_t i = 0; i < courses; ++i) times.push_back(draw_course(course, 7, i, 0).time_s);
  return mean_of(times);
}

}  // namespace

TEST_CASE("without faults a training takes its work and its checkpoints") {
  TrainingCourse course;
  course.work_s = 10500.0;
  CHECK(draw_course(course, 1, 0, 10).time_s == 10500.0);
  course.interval_s = 1000.0;
  course.stall_s = 7.0;
  CHECK(draw_course(course, 1, 0, 10).time_s == Approx(10570.0).epsilon(1e-12));  // ten of them, none at the end
  course.work_s = 10000.0;
  CHECK(draw_course(course, 1, 0, 10).time_s == Approx(10063.0).epsilon(1e-12));
}

TEST_CASE("long trainings take what Daly's efficiency says", "[statistical]") {
  for (const double mtbf_s : {700.0, 2000.0, 9000.0}) {
    TrainingCourse course;
    course.interval_s = 1000.0;
    course.stall_s = 20.0;
    course.failures_per_s = 1.0 / mtbf_s;
    course.restart_s = 150.0;
    course.work_s = 200.0 * course.interval_s;
    const double efficiency = twins::checkpoint_efficiency({20.0, mtbf_s, 150.0}, 1000.0);
    const Mean time = time_of(course, 400);
    // The last interval needs no checkpoint: at most its stall, a ten-thousandth, is missing.
    CHECK(std::abs(time.value - course.work_s / efficiency) < 5.0 * time.error + 1.2e-4 * time.value);
  }
}

TEST_CASE("slowing faults take the share of time that they are there for", "[statistical]") {
  TrainingCourse course;
  course.work_s = 1e6;
  course.slowing = {{5000.0, 1000.0, 0.25}, {20000.0, 500.0, 0.0}};
  // Two at once slow down as the stronger one: speeds by the product of shares.
  const double a = 0.2;
  const double b = 0.025;
  const double speed = (1.0 - a) * (1.0 - b) + 0.25 * a * (1.0 - b);
  const Mean time = time_of(course, 400);
  CHECK(std::abs(time.value - course.work_s / speed) < 5.0 * time.error + 2e-3 * time.value);  // ends within a state
  course.slowing = {{1000.0, 1000.0, 0.5}};                                                    // always there
  CHECK(draw_course(course, 1, 0, 0).time_s == Approx(2e6).epsilon(1e-12));
}

TEST_CASE("reclaimed nodes with notice cost their time and no work", "[statistical]") {
  TrainingCourse course;
  course.work_s = 1e6;
  course.interval_s = 3600.0;
  course.reclaims_per_s = 1e-4;
  course.reclaim_s = 400.0;
  std::vector<double> times;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const CourseResult result = draw_course(course, 3, i, 0);
    CHECK(result.lost_s == 0.0);
    times.push_back(result.time_s);
  }
  const Mean time = mean_of(times);
  CHECK(std::abs(time.value - course.work_s * (1.0 + 1e-4 * 400.0)) < 5.0 * time.error);
}

TEST_CASE("events of a course tell its time, and a seed gives them again") {
  TrainingCourse course;
  course.work_s = 5e5;
  course.interval_s = 1800.0;
  course.stall_s = 10.0;
  course.failures_per_s = 1.0 / 40000.0;
  course.restart_s = 600.0;
  course.slowing = {{100000.0, 3000.0, 0.0}};
  const CourseResult result = draw_course(course, 11, 4, 1000);
  CHECK(result.events.size() == result.failures + result.reclaims + result.slowings);
  double away_s = 0.0;
  double begin_s = 0.0;
  for (const FaultEvent& event : result.events) {
    CHECK(event.end_s > event.begin_s);
    CHECK(event.begin_s >= begin_s);
    begin_s = event.begin_s;
    CHECK(event.lost_s <= course.interval_s);
    away_s += event.end_s - event.begin_s;
  }
  CHECK(result.time_s > course.work_s + result.lost_s);
  CHECK(result.time_s <= course.work_s * (1.0 + 10.0 / 1800.0) + 2.0 * result.lost_s + away_s + 1e-6);
  CHECK(draw_course(course, 11, 4, 0).time_s == result.time_s);
  CHECK(draw_course(course, 12, 4, 0).time_s != result.time_s);
}

TEST_CASE("a course that is drawn until an instant has the faults of the quick one, however long it is drawn") {
  TrainingCourse course;
  course.work_s = 5e5;
  course.interval_s = 1800.0;
  course.stall_s = 10.0;
  course.failures_per_s = 1.0 / 4000.0;
  course.restart_s = 900.0;
  course.reclaims_per_s = 1.0 / 9000.0;
  course.reclaim_s = 300.0;
  course.slowing = {{20000.0, 3000.0, 0.25}, {50000.0, 100.0, 0.0}};
  const CourseResult quick = draw_course(course, 11, 0, 1'000'000);
  REQUIRE(quick.failures > 100);
  REQUIRE(quick.slowings > 20);
  CHECK(quick.events.size() == quick.failures + quick.reclaims + quick.slowings);
  for (const double until_s : {0.3 * quick.time_s, quick.time_s, 3.0 * quick.time_s}) {
    const CourseResult drawn = draw_course_until(course, 11, 0, until_s);
    CHECK(drawn.time_s == until_s);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < std::min(drawn.events.size(), quick.events.size()); ++i) {
      CHECK(drawn.events[i].kind == quick.events[i].kind);
      CHECK(drawn.events[i].index == quick.events[i].index);
      CHECK(drawn.events[i].begin_s == quick.events[i].begin_s);
      CHECK(drawn.events[i].begin_s < until_s);
      failed += drawn.events[i].failed ? 1 : 0;
    }
    CHECK((drawn.events.size() >= quick.events.size()) == (until_s >= quick.time_s));
    CHECK(failed > 5);
  }
}

TEST_CASE("periods and restarts of a course fill its time") {
  TrainingCourse course;
  course.interval_s = 1000.0;
  course.stall_s = 50.0;
  course.failures_per_s = 1.0 / 5000.0;
  course.restart_s = 700.0;
  course.reclaims_per_s = 1.0 / 20000.0;
  course.reclaim_s = 300.0;
  course.slowing = {{30000.0, 4000.0, 0.5}};
  const CourseResult drawn = draw_course_until(course, 3, 0, 1e6);
  double at_s = 0.0;
  double lost_s = 0.0;
  std::size_t slowed = 0;
  std::size_t next = 0;
  for (const CoursePeriod& period : drawn.periods) {
    CHECK(period.begin_s == at_s);
    CHECK(period.stop_s >= period.begin_s);
    CHECK(period.end_s >= period.stop_s);
    CHECK(period.work_s <= (period.stop_s - period.begin_s) * (1.0 + 1e-9));
    if (period.how == PeriodEnd::saved) {
      CHECK(period.work_s == Approx(1000.0).epsilon(1e-9));
      CHECK(period.end_s - period.stop_s == Approx(50.0).epsilon(1e-6));
      slowed += period.stop_s - period.begin_s > 1001.0 ? 1 : 0;
    }
    if (period.how == PeriodEnd::failure) lost_s += period.work_s;
    at_s = period.end_s;
    if (period.how == PeriodEnd::saved || period.how == PeriodEnd::open) continue;
    bool failed = true;
    for (; failed; ++next) {
      const FaultEvent& event = drawn.events.at(next);
      if (event.kind == FaultKind::slowing) continue;
      CHECK(event.begin_s == at_s);
      at_s = event.end_s;
      failed = event.failed;
    }
  }
  CHECK(at_s >= 1e6);
  CHECK(drawn.periods.size() > 500);
  CHECK(slowed > 50);
  CHECK(drawn.lost_s == Approx(lost_s).epsilon(1e-9));
}

TEST_CASE("a fault that is always there slows a course down without ever coming, and hopeless restarts end with it") {
  TrainingCourse course;
  course.interval_s = 1000.0;
  course.slowing = {{500.0, 500.0, 0.5}};
  const CourseResult slow = draw_course_until(course, 1, 0, 9000.0);
  CHECK(slow.events.empty());
  REQUIRE(slow.periods.size() >= 4);
  CHECK(slow.periods[3].end_s == Approx(8000.0).epsilon(1e-12));
  course.failures_per_s = 1.0;
  course.restart_s = 1e9;
  const CourseResult hopeless = draw_course_until(course, 1, 0, 9000.0);
  CHECK(hopeless.periods.size() == 1);
  // One in a second: five standard errors.
  CHECK(std::abs(static_cast<double>(hopeless.failures) - 9000.0) < 475.0);
}

TEST_CASE("courses of several jobs have streams of their own") {
  TrainingCourse course;
  course.failures_per_s = 1e-3;
  const CourseResult one = draw_course_until(course, 1, 0, 1e5);
  course.stream = kStreamsPerCourse;
  const CourseResult other = draw_course_until(course, 1, 0, 1e5);
  REQUIRE(!one.events.empty());
  REQUIRE(!other.events.empty());
  CHECK(one.events.front().begin_s != other.events.front().begin_s);
}

TEST_CASE("courses of many faults need not be many to tell a mean, those of few are all drawn", "[statistical]") {
  Scenario scenario = test::small_scenario(1);
  Degradation slow;
  slow.store = "store";
  slow.every_s = 100.0;
  slow.lasting_s = 20.0;
  slow.remaining = 0.5;
  slow.stops = true;
  scenario.faults = Faults{};
  scenario.faults->degraded = {slow};
  const auto times = [&](CourseCount count) {
    Outcome outcome = flow_bound(scenario);
    add_fault_courses(scenario, 5, outcome, count);
    return *outcome.find("training_time_s");
  };
  scenario.jobs[0].epochs = 2;
  CHECK(times(CourseCount::enough).mean == times(CourseCount::all).mean);
  scenario.jobs[0].epochs = 1000;
  const Metric all = times(CourseCount::all);
  const Metric enough = times(CourseCount::enough);
  CHECK(enough.mean != all.mean);
  // Half an interval is 1.96 standard errors, and the few are among the many.
  const double error = (enough.ci95->high - enough.mean) / 1.96;
  CHECK(error < 1e-3 * all.mean);
  CHECK(std::abs(enough.mean - all.mean) < 5.0 * error);
}

TEST_CASE("a training that meets more faults than can be followed says so") {
  Scenario scenario = test::small_scenario(1);
  Degradation slow;
  slow.store = "store";
  slow.every_s = 1e-3;
  slow.lasting_s = 1e-4;
  slow.remaining = 0.5;
  scenario.faults = Faults{};
  scenario.faults->degraded = {slow};
  scenario.jobs[0].epochs = 1000;
  Outcome outcome = flow_bound(scenario);
  const std::size_t warnings = outcome.warnings.size();
  add_fault_courses(scenario, 5, outcome);
  CHECK(outcome.find("training_time_s") == nullptr);
  REQUIRE(outcome.warnings.size() == warnings + 1);
  CHECK(outcome.warnings.back().seen.find("is not drawn") != std::string::npos);
}

TEST_CASE("a training that fails before it gets on is given up") {
  TrainingCourse course;
  course.work_s = 1e5;
  course.interval_s = 1e4;
  course.failures_per_s = 1e-2;
  course.restart_s = 1000.0;
  CHECK(std::isinf(draw_course(course, 1, 0, 0).time_s));
}

}  // namespace headrace::models
