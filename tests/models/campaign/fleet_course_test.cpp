// The event loop of many jobs against a schedule worked out by hand and against queueing theory: Erlang's C formula for
// M/M/c and the closed form of the preemptive-resume M/M/1 with two priorities. Comparisons of means are at five
// standard errors over replications, 6e-7, beside an edge: the queue begins empty, and jobs that wait at the end are
// not counted.
#include "models/campaign/fleet_course.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "models/path/ingest_path.hpp"
#include "tests/catch.hpp"

namespace headrace::models {
namespace {

/// The same speed whatever runs.
class EqualSpeeds : public FleetSpeeds {
 public:
  explicit EqualSpeeds(std::size_t classes) : speeds_(classes, 1.0) {}
  const std::vector<double>& of(const std::vector<std::uint32_t>&) override { return speeds_; }

 private:
  std::vector<double> speeds_;
};

/// Half the speed while more than one job runs.
class HalvedSpeeds : public FleetSpeeds {
 public:
  const std::vector<double>& of(const std::vector<std::uint32_t>& running) override {
    std::uint32_t jobs = 0;
    for (const std::uint32_t n : running) jobs += n;
    speeds_.assign(running.size(), jobs > 1 ? 0.5 : 1.0);
    return speeds_;
  }

 private:
  std::vector<double> speeds_;
};

FleetClass fleet_class(double at_s, std::uint64_t nodes, double work_s, std::uint64_t priority = 0) {
  FleetClass one;
  one.name = "job";
  one.nodes = nodes;
  one.gpus = static_cast<double>(nodes);
  one.at_s = at_s;
  one.work_s = sim::Distribution::constant(work_s);
  one.priority = priority;
  one.phases.epoch_work_s = 1e9;
  return one;
}

FleetPlan fleet_plan(std::uint64_t nodes, std::vector<FleetClass> classes,
                     double until_s = std::numeric_limits<double>::infinity()) {
  FleetPlan plan;
  plan.pools = {{"pool", nodes, 1.0}};
  plan.classes = std::move(classes);
  plan.until_s = until_s;
  return plan;
}

FleetHistory drawn(const FleetPlan& plan, std::uint32_t replication = 0) {
  EqualSpeeds speeds(plan.classes.size());
  return draw_fleet(plan, speeds, {7, replication});
}

/// Held time is useful or lost, and node time is held or free.
void check_sums(const FleetPlan& plan, const FleetHistory& history) {
  double held_node_s = 0.0;
  for (std::size_t k = 0; k < plan.classes.size(); ++k) {
    const FleetClassHistory& one = history.classes[k];
    double sum_s = one.useful_s;
    for (const double lost_s : one.lost_s) {
      CHECK(lost_s >= -1e-6);
      sum_s += lost_s;
    }
    CHECK(sum_s == Approx(one.held_s).epsilon(1e-9));
    held_node_s += one.held_s * static_cast<double>(plan.classes[k].nodes);
  }
  const double free_s = history.pools[0].queued_s + history.pools[0].idle_s;
  CHECK(held_node_s + free_s == Approx(history.elapsed_s * static_cast<double>(plan.pools[0].nodes)).epsilon(1e-9));
}

double lost_s(const FleetHistory& history, std::size_t k, LossCause cause) {
  return history.classes[k].lost_s[static_cast<std::size_t>(cause)];
}

struct MeanOfMeans {
  double mean = 0.0;
  double error = 0.0;
};

MeanOfMeans over_replications(const std::vector<double>& means) {
  const auto n = static_cast<double>(means.size());
  MeanOfMeans found;
  for (const double m : means) found.mean += m / n;
  double squares = 0.0;
  for (const double m : means) squares += (m - found.mean) * (m - found.mean);
  found.error = std::sqrt(squares / (n * (n - 1.0)));
  return found;
}

double mean_of_values(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

/// Erlang's C: the probability that all c servers are busy at offered load a.
double erlang_c(int c, double a) {
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k < c; ++k) {
    term *= a / k;
    sum += term;
  }
  const double last = term * a / c * (c / (c - a));
  return last / (sum + last);
}

}  // namespace

TEST_CASE("three jobs on four nodes start all at once, in turn, and the third by backfill") {
  // A: 3 nodes for 100 s from 0. B: 4 nodes for 50 s from 10. C: 1 node for 60 s from 20. D: 1 node for 200 s from 30.
  FleetPlan plan = fleet_plan(4, {fleet_class(0.0, 3, 100.0), fleet_class(10.0, 4, 50.0), fleet_class(20.0, 1, 60.0),
                                  fleet_class(30.0, 1, 200.0)});
  const auto starts = [&](Backfill backfill) {
    plan.backfill = backfill;
    const FleetHistory history = drawn(plan);
    check_sums(plan, history);
    std::vector<double> waits;
    for (const FleetClassHistory& one : history.classes) waits.push_back(one.waits_s.at(0));
    waits.push_back(history.elapsed_s);
    return waits;
  };
  using Times = std::vector<double>;
  // No backfill: B from 100 to 150, then C and D side by side until 350.
  const Times none = starts(Backfill::none);
  const Times none_by_hand{0.0, 90.0, 130.0, 120.0, 350.0};
  // EASY: C ends before 100, when B begins; D would delay it.
  const Times easy = starts(Backfill::easy);
  const Times easy_by_hand{0.0, 90.0, 0.0, 120.0, 350.0};
  // Greedy: D as soon as C's node is free, at 80, and B after it, from 280 to 330.
  const Times greedy = starts(Backfill::greedy);
  const Times greedy_by_hand{0.0, 270.0, 0.0, 50.0, 330.0};
  for (std::size_t i = 0; i < none.size(); ++i) {
    CHECK(none[i] == Approx(none_by_hand[i]).margin(1e-6));
    CHECK(easy[i] == Approx(easy_by_hand[i]).margin(1e-6));
    CHECK(greedy[i] == Approx(greedy_by_hand[i]).margin(1e-6));
  }
  // Free while B waits: one node from 10 to 20 and none until 100; all are free of queueing afterwards but for B's
  // turn.
  plan.backfill = Backfill::easy;
  CHECK(drawn(plan).pools[0].queued_s == Approx(30.0).margin(1e-6));
}

TEST_CASE("a job of higher priority preempts with and without a save") {
  // Low: 2 nodes, 1,000 s of work from 0, a checkpoint of 10 s after every 100 s. High: 2 nodes for 50 s from 250.
  const auto plan_of = [](Preemption preemption) {
    FleetClass low = fleet_class(0.0, 2, 1000.0, 0);
    low.preemption = preemption;
    low.course.interval_s = 100.0;
    low.course.stall_s = 10.0;
    low.phases.save_s = 20.0;
    low.phases.image_s = 5.0;
    low.phases.load_s = 7.0;
    return fleet_plan(2, {low, fleet_class(250.0, 2, 50.0, 1)});
  };
  // Low starts at 5 and stands at 225 with 200 s saved; at 250 it has 225 s.
  const FleetPlan save = plan_of(Preemption::save);
  const FleetHistory saved = drawn(save);
  check_sums(save, saved);
  CHECK(saved.classes[1].waits_s.at(0) == Approx(20.0));
  CHECK(saved.classes[0].preemptions == 1);
  // 20 s of save, 12 s of image and load: then 775 s of work and 7 checkpoints more.
  CHECK(lost_s(saved, 0, LossCause::preempted) == Approx(32.0));
  CHECK(lost_s(saved, 0, LossCause::checkpoint) == Approx(90.0));
  CHECK(saved.classes[0].completions_s.at(0) == Approx(320.0 + 12.0 + 775.0 + 70.0));
  CHECK(saved.classes[0].useful_s == Approx(1000.0));

  const FleetPlan lose = plan_of(Preemption::lose);
  const FleetHistory lost = drawn(lose);
  check_sums(lose, lost);
  CHECK(lost.classes[1].waits_s.at(0) == Approx(0.0).margin(1e-9));
  // 25 s of work, and 12 s to come back: then 800 s of work and 7 checkpoints more.
  CHECK(lost_s(lost, 0, LossCause::preempted) == Approx(37.0));
  CHECK(lost.classes[0].completions_s.at(0) == Approx(300.0 + 12.0 + 800.0 + 70.0));

  const FleetPlan none = plan_of(Preemption::none);
  const FleetHistory kept = drawn(none);
  CHECK(kept.classes[1].waits_s.at(0) == Approx(5.0 + 1000.0 + 90.0 - 250.0));
  CHECK(kept.classes[0].preemptions == 0);
}

TEST_CASE("preemption takes the lowest and youngest jobs, and only those that are needed") {
  // Four nodes: 1 node of priority 1, 1 and 2 nodes of priority 0; three nodes are needed by priority 2 at 10.
  FleetClass first = fleet_class(0.0, 1, 100.0, 1);
  FleetClass old = fleet_class(1.0, 1, 100.0, 0);
  FleetClass young = fleet_class(2.0, 2, 100.0, 0);
  for (FleetClass* one : {&first, &old, &young}) one->preemption = Preemption::lose;
  const FleetPlan three = fleet_plan(4, {first, old, young, fleet_class(10.0, 3, 10.0, 2)});
  const FleetHistory by_three = drawn(three);
  check_sums(three, by_three);
  CHECK(by_three.classes[0].preemptions == 0);
  CHECK(by_three.classes[1].preemptions == 1);
  CHECK(by_three.classes[2].preemptions == 1);
  const FleetPlan two = fleet_plan(4, {first, old, young, fleet_class(10.0, 2, 10.0, 2)});
  CHECK(drawn(two).classes[1].preemptions == 0);
  // More than all of the lower ones have: nobody is preempted.
  first.work_s = sim::Distribution::constant(200.0);
  const FleetPlan equal = fleet_plan(4, {first, old, young, fleet_class(10.0, 4, 10.0, 1)});
  const FleetHistory by_equal = drawn(equal);
  CHECK(by_equal.classes[3].waits_s.at(0) == Approx(190.0));
  CHECK(by_equal.classes[1].preemptions + by_equal.classes[2].preemptions == 0);
}

TEST_CASE("a quota lets others pass") {
  FleetClass many = fleet_class(0.0, 1, 100.0, 5);
  many.at_once = 3;
  many.quota_nodes = 1;
  const FleetPlan plan = fleet_plan(2, {many, fleet_class(0.0, 1, 30.0, 0)});
  const FleetHistory history = drawn(plan);
  check_sums(plan, history);
  CHECK(history.classes[1].waits_s.at(0) == 0.0);
  CHECK(history.elapsed_s == Approx(300.0));
}

TEST_CASE("jobs slow each other down by the speed of their set") {
  // Both at half the speed from 0; the first ends at 200, the second has 100 s left and ends at 300.
  const FleetPlan plan = fleet_plan(2, {fleet_class(0.0, 1, 100.0), fleet_class(0.0, 1, 200.0)});
  HalvedSpeeds speeds;
  const FleetHistory history = draw_fleet(plan, speeds, {});
  check_sums(plan, history);
  CHECK(history.classes[0].completions_s.at(0) == Approx(200.0));
  CHECK(history.classes[1].completions_s.at(0) == Approx(300.0));
  CHECK(lost_s(history, 0, LossCause::sharing) == Approx(100.0));
  CHECK(lost_s(history, 1, LossCause::sharing) == Approx(100.0));
}

TEST_CASE("cold caches and a horizon: hours sum to those of the pool") {
  FleetClass job = fleet_class(0.0, 1, 1000.0);
  job.repeats = true;
  job.every_s = sim::Distribution::constant(300.0);
  job.course.cold_speed = 0.5;
  job.course.cold_work_s = 100.0;
  const FleetPlan plan = fleet_plan(2, {job}, 2000.0);
  const FleetHistory history = drawn(plan);
  check_sums(plan, history);
  CHECK(history.elapsed_s == 2000.0);
  CHECK(history.classes[0].arrived == 7);
  CHECK(history.classes[0].finished == 2);
  CHECK(history.classes[0].completions_s.at(0) == Approx(1100.0));
  CHECK(history.pools[0].idle_s == Approx(2000.0 + 1700.0 - 2000.0 - 1700.0 + 300.0));
}

TEST_CASE("the wait of M/M/c is that of Erlang's C formula", "[statistical]") {
  for (const int servers : {1, 4}) {
    const double load = 0.7;
    FleetClass job = fleet_class(0.0, 1, 1.0);
    job.repeats = true;
    job.every_s = sim::Distribution::exponential(1.0 / (load * servers));
    job.work_s = sim::Distribution::exponential(1.0);
    const double until_s = 20000.0;
    const FleetPlan plan = fleet_plan(static_cast<std::uint64_t>(servers), {job}, until_s);
    std::vector<double> waits;
    std::vector<double> used;
    for (std::uint32_t r = 0; r < 20; ++r) {
      const FleetHistory history = drawn(plan, r);
      if (r == 0) check_sums(plan, history);
      waits.push_back(mean_of_values(history.classes[0].waits_s));
      used.push_back(history.classes[0].held_s / until_s / servers);
    }
    const double wait_s = erlang_c(servers, load * servers) / (servers * (1.0 - load));
    const MeanOfMeans found = over_replications(waits);
    CAPTURE(servers, wait_s, found.mean, found.error);
    CHECK(std::abs(found.mean - wait_s) < 5.0 * found.error + wait_s * 20.0 / until_s);
    CHECK(found.error < 0.03 * wait_s);
    const MeanOfMeans busy = over_replications(used);
    CHECK(std::abs(busy.mean - load) < 5.0 * busy.error + 10.0 / until_s);
  }
}

TEST_CASE("the times of a preemptive-resume M/M/1 with two priorities are those of its closed form", "[statistical]") {
  // Service 1 for both: T1 = 1 / (1 - a1), T2 = 1 / (1 - a1) + (a1 + a2) / ((1 - a1) (1 - a1 - a2)).
  const double high_load = 0.3;
  const double low_load = 0.4;
  FleetClass high = fleet_class(0.0, 1, 1.0, 1);
  FleetClass low = fleet_class(0.0, 1, 1.0, 0);
  low.preemption = Preemption::save;
  for (FleetClass* one : {&high, &low}) {
    one->repeats = true;
    one->work_s = sim::Distribution::exponential(1.0);
  }
  high.every_s = sim::Distribution::exponential(1.0 / high_load);
  low.every_s = sim::Distribution::exponential(1.0 / low_load);
  const double until_s = 30000.0;
  const FleetPlan plan = fleet_plan(1, {high, low}, until_s);
  std::vector<double> high_s;
  std::vector<double> low_s;
  for (std::uint32_t r = 0; r < 20; ++r) {
    const FleetHistory history = drawn(plan, r);
    high_s.push_back(mean_of_values(history.classes[0].completions_s));
    low_s.push_back(mean_of_values(history.classes[1].completions_s));
  }
  const double all = high_load + low_load;
  const double of_high_s = 1.0 / (1.0 - high_load);
  const double of_low_s = of_high_s + all / ((1.0 - high_load) * (1.0 - all));
  const MeanOfMeans found_high = over_replications(high_s);
  const MeanOfMeans found_low = over_replications(low_s);
  CAPTURE(found_high.mean, found_low.mean, of_high_s, of_low_s);
  CHECK(std::abs(found_high.mean - of_high_s) < 5.0 * found_high.error + of_high_s * 20.0 / until_s);
  CHECK(std::abs(found_low.mean - of_low_s) < 5.0 * found_low.error + of_low_s * 20.0 / until_s);
  CHECK(found_low.error < 0.03 * of_low_s);
}

TEST_CASE("what a job meets does not depend on other jobs") {
  FleetClass job = fleet_class(0.0, 1, 1000.0);
  job.course.interval_s = 50.0;
  job.course.stall_s = 1.0;
  job.course.failures_per_s = 1.0 / 300.0;
  job.phases.detection_s = 10.0;
  const FleetPlan alone = fleet_plan(1, {job});
  const FleetPlan beside = fleet_plan(3, {job, fleet_class(0.0, 2, 5000.0, 3)});
  const FleetHistory one = drawn(alone);
  const FleetHistory two = drawn(beside);
  check_sums(alone, one);
  check_sums(beside, two);
  CHECK(one.classes[0].failures > 0);
  CHECK(one.classes[0].completions_s == two.classes[0].completions_s);
  CHECK(one.classes[0].restarts_s.size() == one.classes[0].failures);
}

TEST_CASE("jobs that never finish are refused", "[long_4]") {
  FleetClass job = fleet_class(0.0, 1, 1e6);
  job.course.interval_s = 1000.0;
  job.course.failures_per_s = 1.0;
  CHECK_THROWS_AS(drawn(fleet_plan(1, {job})), UnusableRequest);
}

}  // namespace headrace::models
