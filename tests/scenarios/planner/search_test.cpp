// The search on fields whose truth is known.
#include "scenarios/planner/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/scenario_field.hpp"
#include "scenarios/planner/search_state.hpp"
#include "sim/portable_math.hpp"
#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

using models::RaceMean;
using models::RaceRun;

/// A field of 600 points whose step time exceeds its bound by a smooth law, plus keyed noise.
class SmoothField final : public PlanField {
 public:
  explicit SmoothField(std::uint64_t seed) : seed_(seed) {}

  double x(Point point) const { return static_cast<double>(point % 30) / 29.0; }
  double y(Point point) const {
    const Point row = point / 30;
    return static_cast<double>(row) / 19.0;
  }
  double truth(Point point) const {
    const double dx = x(point) - 0.62;
    const double dy = y(point) - 0.35;
    return bound_step_s(point) * (1.15 + 1.6 * dx * dx + 0.8 * dy * dy + 0.3 * dx * dy);
  }

  std::size_t size() const override { return 600; }
  double bound_step_s(Point point) const override { return 1.0 + 0.05 * x(point) + 0.02 * y(point); }
  double goal(Point, double step_s) const override { return 3.0 * step_s; }
  std::vector<double> coordinates(Point point) const override { return {x(point), y(point)}; }
  bool bounded_by_uncontended(Point) const override { return false; }
  double limit_step_s(Point) const override { return kInfinity; }
  std::uint64_t first_steps() const override { return 100; }
  RaceMean race(Point point, RaceRun::Engine, std::uint64_t steps) override {
    {
      const std::lock_guard<std::mutex> guard(guard_);
      asked_[point] = true;
    }
    const double error = truth(point) * 0.02 / std::sqrt(static_cast<double>(steps));
    const std::uint64_t key = (seed_ * 1000003 + point) * 0x9e3779b97f4a7c15ULL ^ (steps << 20U);
    std::uint64_t z = (key ^ (key >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z ^= z >> 31U;
    return {truth(point) + error * sim::normal_quantile((static_cast<double>(z >> 11U) + 0.5) * 0x1p-53), error, 1000};
  }
  std::size_t asked() const { return static_cast<std::size_t>(std::count(asked_.begin(), asked_.end(), true)); }

 private:
  std::uint64_t seed_;
  std::vector<bool> asked_ = std::vector<bool>(600, false);
  std::mutex guard_;
};

}  // namespace

// After the planning example of the project's notes. The two contended runs that decide differ by 0.7 %.
TEST_CASE("80,640 configurations of 1,250 nodes are solved with a few runs", "[planner][long_2]") {
  const std::vector<std::string> paths{"plan-1250-nodes"};
  const auto loaded = load_scenario(paths);
  REQUIRE(loaded);
  auto axes = decisions_of(*loaded, {});
  REQUIRE(axes);
  const auto space = Space::make(*loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  REQUIRE(space->size() == 80640);
  ScenarioField field(*space, loaded->value, models::PlanGoal::cost_per_epoch, 1, 0);
  SearchOptions options;
  options.indifference = loaded->value.objective->indifference;
  const SearchResult result = search(field, options);
  REQUIRE(result.found());
  const std::vector<std::size_t> best = space->positions(result.visits[result.best].point);
  INFO("runs " << result.uncontended_runs << " and " << result.contended_runs);
  CHECK(space->axes()[0].text(best[0]) == "17");
  CHECK(space->axes()[1].text(best[1]) == "3");
  CHECK((result.proof == Proof::flow || result.proof == Proof::flow_zone));
  CHECK(result.confidence >= 0.99);
  CHECK(result.uncontended_runs + result.contended_runs <= 20);
}

TEST_CASE("where bounds are loose, the surrogate finds the best of 600 points with a tenth of the runs", "[planner]") {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    SmoothField field(seed);
    SearchOptions options;
    const SearchResult result = search(field, options);
    REQUIRE(result.found());
    double best = kInfinity;
    for (Point point = 0; point < field.size(); ++point) best = std::min(best, field.truth(point));
    INFO("seed " << seed << ", runs " << result.contended_runs << ", confidence " << result.confidence);
    CHECK(field.truth(result.visits[result.best].point) <= best * (1.0 + options.indifference));
    CHECK(field.asked() <= 60);
    CHECK(result.proof == Proof::surrogate);
    CHECK(result.confidence >= 0.99);
  }
}

namespace {

/// Twenty points that differ by half a percent each, under noise of which most is common to all.
class CloseField final : public PlanField {
 public:
  CloseField(std::uint64_t seed, bool paired) : seed_(seed), paired_(paired) {}
  static double truth(Point point) { return 1.5 + 0.0075 * static_cast<double>((point * 7) % 20); }

  std::size_t size() const override { return 20; }
  double bound_step_s(Point) const override { return 1.0; }
  double goal(Point, double step_s) const override { return step_s; }
  std::vector<double> coordinates(Point point) const override { return {static_cast<double>(point) / 19.0}; }
  bool bounded_by_uncontended(Point) const override { return false; }
  double limit_step_s(Point) const override { return kInfinity; }
  std::uint64_t first_steps() const override { return 100; }
  RaceMean race(Point point, RaceRun::Engine, std::uint64_t steps) override {
    const std::lock_guard<std::mutex> guard(guard_);
    runs_[point] = {truth(point) + noise(999, steps) * 0.6 + noise(point, steps) * 0.06, 0.61 / root(steps), 1000};
    steps_ = std::max(steps_, steps);
    return runs_[point];
  }
  std::optional<RaceMean> goal_difference(Point a, Point b) override {
    if (!paired_) return std::nullopt;
    return RaceMean{runs_[a].mean - runs_[b].mean, 0.09 / root(steps_), 1000};
  }

 private:
  static double root(std::uint64_t steps) { return std::sqrt(static_cast<double>(steps)); }
  double noise(std::uint64_t key, std::uint64_t steps) const {
    std::uint64_t z = (seed_ * 1000003 + key) * 0x9e3779b97f4a7c15ULL ^ (steps << 20U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z ^= z >> 31U;
    return sim::normal_quantile((static_cast<double>(z >> 11U) + 0.5) * 0x1p-53) / root(steps);
  }

  std::uint64_t seed_;
  bool paired_;
  std::uint64_t steps_ = 0;
  std::mutex guard_;
  std::map<Point, RaceMean> runs_;
};

}  // namespace

TEST_CASE("paired differences tell apart what single means cannot", "[planner]") {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    CloseField paired(seed, true);
    CloseField apart(seed, false);
    const SearchResult one = search(paired, {});
    const SearchResult other = search(apart, {});
    REQUIRE(one.found());
    INFO("seed " << seed << ", confidence " << one.confidence << " and " << other.confidence);
    CHECK(CloseField::truth(one.visits[one.best].point) <= 1.5 * 1.011);
    CHECK(one.confidence >= 0.99);
    CHECK(one.confidence >= other.confidence);
    CHECK(one.contended_steps <= other.contended_steps);
  }
}

namespace {

/// 16 workers by 8 depths, of which all from 6 workers on are as good as each other. Where `late`, 6 workers fall out
/// of step in runs that are longer than a full race.
class TiedField final : public PlanField {
 public:
  explicit TiedField(bool late = false) : late_(late) {}
  static double workers(Point point) { return std::floor(static_cast<double>(point) / 8.0) + 1.0; }
  static double depth(Point point) { return static_cast<double>(point % 8 + 1); }

  std::size_t size() const override { return 128; }
  double bound_step_s(Point point) const override { return std::max(1.0, 6.0 / workers(point)); }
  double goal(Point, double step_s) const override { return step_s; }
  double tie(Point point) const override { return -workers(point) * depth(point); }
  std::vector<double> coordinates(Point point) const override { return {workers(point) / 16.0, depth(point) / 8.0}; }
  bool bounded_by_uncontended(Point) const override { return false; }
  double limit_step_s(Point) const override { return kInfinity; }
  std::uint64_t first_steps() const override { return 100; }
  std::optional<std::vector<Point>> trimmable(Point point, std::size_t axis) const override {
    std::vector<Point> less;
    if (axis == 0)
      for (Point row = 0; row < point / 8; ++row) less.push_back(row * 8 + point % 8);
    if (axis == 1)
      for (Point one = point / 8 * 8; one < point; ++one) less.push_back(one);
    return axis < 2 ? std::optional(less) : std::nullopt;
  }
  RaceMean race(Point point, RaceRun::Engine, std::uint64_t steps) override {
    const bool slow = late_ && workers(point) == 6.0 && steps > 8 * first_steps();
    return {bound_step_s(point) * (slow ? 1.02 : 1.0), 1e-5, 1000};
  }

 private:
  bool late_;
};

}  // namespace

TEST_CASE("configurations that are as good as each other are left to trimming", "[planner]") {
  TiedField field;
  const SearchResult result = search(field, {});
  REQUIRE(result.found());
  const Point best = result.visits[result.best].point;
  CHECK(TiedField::workers(best) == 6.0);
  CHECK(TiedField::depth(best) == 1.0);
  CHECK(result.proof != Proof::none);
  CHECK(result.confidence >= 0.99);
  CHECK(result.confirmed);
  CHECK(result.trimmed);
  CHECK(result.contended_runs <= 10);
}

TEST_CASE("what trimming takes has had its long run", "[planner]") {
  TiedField field(true);
  const SearchResult result = search(field, {});
  REQUIRE(result.found());
  CHECK(TiedField::workers(result.visits[result.best].point) == 7.0);
  CHECK(result.visits[result.best].steps >= 4 * 8 * field.first_steps());
}

namespace {

/// Two points, the second of which is what there is today and by `behind` slower.
class TodayField final : public PlanField {
 public:
  TodayField(double behind, double error) : behind_(behind), error_(error) {}
  std::size_t size() const override { return 2; }
  double bound_step_s(Point) const override { return 0.9; }
  double goal(Point, double step_s) const override { return step_s; }
  std::vector<double> coordinates(Point point) const override { return {static_cast<double>(point)}; }
  bool bounded_by_uncontended(Point) const override { return false; }
  double limit_step_s(Point) const override { return kInfinity; }
  std::uint64_t first_steps() const override { return 100; }
  std::vector<Point> nearer_to_today(Point point) const override {
    return point == 0 ? std::vector<Point>{1} : std::vector<Point>{};
  }
  RaceMean race(Point point, RaceRun::Engine, std::uint64_t) override { return {truth(point), 3e-4, 1000}; }
  std::optional<RaceMean> goal_difference(Point a, Point b) override {
    return RaceMean{truth(a) - truth(b), error_, 1000};
  }

 private:
  double truth(Point point) const { return point == 1 ? 1.0 + behind_ : 1.0; }

  double behind_;
  double error_;  ///< standard error of the difference
};

}  // namespace

// The indifference zone is 1 %; of two-sided 99.5 % an interval has 2.8 standard errors to each side.
TEST_CASE("a change whose gain the runs cannot tell is not made", "[planner]") {
  const auto keeps_today = [](double behind, double error) {
    TodayField field(behind, error);
    const SearchResult result = search(field, {});
    REQUIRE(result.found());
    const bool keeps = result.visits[result.best].point == 1;
    CHECK(keeps == result.before_keeping.has_value());
    return keeps;
  };
  CHECK(keeps_today(0.0005, 1e-5));        // nearly the same, however sure
  CHECK(keeps_today(0.004, 0.002));        // cannot be told, and is surely not 1 % worse
  CHECK_FALSE(keeps_today(0.004, 0.001));  // can be told
  CHECK_FALSE(keeps_today(0.004, 0.004));  // may be 1 % worse
}

TEST_CASE("a search that is told to end proves nothing that it did not confirm", "[planner]") {
  TiedField field;
  SearchOptions options;
  options.cancelled = [] { return true; };
  const SearchResult cut = search(field, options);
  REQUIRE(cut.found());
  CHECK(cut.cancelled);
  CHECK_FALSE(cut.confirmed);
  CHECK_FALSE(cut.trimmed);
  CHECK(cut.proof == Proof::none);
  CHECK(cut.confidence == 0.0);
  // With time left for it, the best is confirmed and trimmed; bounds prove it as they would have.
  options.closing_cancelled = [] { return false; };
  const SearchResult closed = search(field, options);
  CHECK(closed.cancelled);
  CHECK(closed.trimmed);
  CHECK(closed.proof == Proof::flow_zone);
  CHECK(TiedField::workers(closed.visits[closed.best].point) == 6.0);
}

TEST_CASE("parts of an error budget never use more than all of it", "[planner]") {
  double sum = 0.0;
  for (std::uint64_t look = 1; look <= 100000; ++look) sum += part_of_budget(look);
  CHECK(sum < 1.0);
  CHECK(sum > 0.8);
}

TEST_CASE("the result does not depend on the number of threads", "[planner]") {
  SmoothField one_field(9);
  SmoothField four_field(9);
  SearchOptions one;
  one.threads = 1;
  SearchOptions four;
  four.threads = 4;
  const SearchResult a = search(one_field, one);
  const SearchResult b = search(four_field, four);
  REQUIRE(a.visits.size() == b.visits.size());
  for (std::size_t i = 0; i < a.visits.size(); ++i) {
    CHECK(a.visits[i].point == b.visits[i].point);
    CHECK(a.visits[i].mean == b.visits[i].mean);
  }
}

}  // namespace headrace::scenarios
