// Plans over the ranges of their inputs, against simulating every draw of every configuration that could be better.
#include <algorithm>
#include <cmath>
#include <random>

#include "models/answer/point_bound.hpp"
#include "models/base/task_pool.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/options_compared.hpp"
#include "scenarios/planner/plan.hpp"
#include "sim/sobol.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

constexpr sim::Purpose kOwnDraws{199};  ///< of this test, unlike those of the planner
constexpr std::uint64_t kSteps = 400;   ///< of each simulated draw, as in the plan

/// A loader and a store whose limits lie around what the GPUs ask, with prices for both.
struct Problem {
  LoadedScenario loaded;
  std::vector<std::string> decisions;
  double level = 0.9;
};

Problem random_problem(std::uint64_t seed, const std::vector<std::string>& more = {}) {
  std::mt19937_64 bits(seed);
  const auto between = [&bits](double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11U) * 0x1.0p-53;
  };
  const double cpu_ms = between(1.0, 3.0);
  const double cv = bits() % 2 == 0 ? 0.5 : 1.5;
  const double bandwidth = between(450.0, 800.0);
  std::vector<std::string> settings{"/cluster/pools/0/nodes=1",
                                    "/cluster/pools/0/gpus_per_node=2",
                                    "/jobs/0/loader/cpu_per_sample={\"lognormal\": {\"mean\": \"" +
                                        std::to_string(cpu_ms) + " ms\", \"cv\": " + std::to_string(cv) + "}}",
                                    "/stores/0/latency={\"lognormal\": {\"mean\": \"1 ms\", \"cv\": 1}}",
                                    "/prices/gpu_hour=$" + std::to_string(between(1.0, 4.0)) + "/h",
                                    "/prices/resources={\"core_hour\": \"$" + std::to_string(between(0.02, 0.2)) +
                                        "/h\", \"store_hour\": \"$" + std::to_string(between(0.5, 4.0)) + "/h\"}"};
  settings.insert(settings.end(), more.begin(), more.end());
  const auto mbps = [](double value) { return std::to_string(static_cast<int>(value)) + " MB/s"; };
  Problem problem{load_shipped("image-node", settings), {}, 0.7 + 0.1 * static_cast<double>(bits() % 3)};
  problem.decisions = {
      "/jobs/0/loader/workers=3:12", "/jobs/0/loader/prefetch=1,2",
      "/stores/0/bandwidth=" + mbps(bandwidth) + "," + mbps(1.3 * bandwidth) + "," + mbps(1.7 * bandwidth)};
  return problem;
}

/// Means over draws of one configuration.
struct Truth {
  double cost_usd = 0.0;
  double fed = 0.0;
};

class Draws {
 public:
  Draws(const LoadedScenario& loaded, const Space& space, std::size_t count)
      : loaded_(loaded), space_(space), count_(count) {}

  /// By flow bounds: no simulation costs less, and none that is not fed by it is fed.
  Truth bound(Point point) const {
    return mean(point, [](const models::Scenario& scenario) {
      const models::PointBound bound = point_bound(scenario);
      return epoch_figures(bound, bound.step_time_s);
    });
  }

  Truth simulated(Point point) const { return mean(point, run); }

  /// Cost of `point` less that of `base` on the same draws, with the standard error of its mean.
  Expectation cost_difference(Point point, Point base) const {
    const std::vector<Truth> own = each(point, run);
    const std::vector<Truth> other = each(base, run);
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t d = 0; d < count_; ++d) {
      const double difference = own[d].cost_usd - other[d].cost_usd;
      sum += difference;
      squares += difference * difference;
    }
    return mean_of(sum, squares, count_);
  }

 private:
  static models::EpochFigures run(const models::Scenario& scenario) {
    Trial trial(scenario, 4711);
    trial.run_to(kSteps);
    return trial.measure().figures;
  }

  template <class Answer>
  std::vector<Truth> each(Point point, const Answer& answer) const {
    const models::Scenario scenario = space_.at(point);
    std::vector<models::UncertainInput> inputs = uncertain_inputs(scenario, loaded_.composition).value();
    std::erase_if(inputs, [this](const auto& input) { return is_decided(space_, input.pointer); });
    const sim::SobolPoints points(count_, inputs.size(), {99, 0, kOwnDraws, 0});
    std::vector<Truth> all(count_);
    models::TaskPool pool(0);
    pool.run(count_, [&](std::size_t d) {
      std::vector<double> u(inputs.size());
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = points.at(d, i);
      const models::EpochFigures figures = answer(with_inputs(scenario, inputs, u));
      all[d] = {figures.cost_usd, figures.idle_fraction <= models::kFedIdleFraction ? 1.0 : 0.0};
    });
    return all;
  }

  template <class Answer>
  Truth mean(Point point, const Answer& answer) const {
    Truth truth;
    for (const Truth& one : each(point, answer)) {
      truth.cost_usd += one.cost_usd / static_cast<double>(count_);
      truth.fed += one.fed / static_cast<double>(count_);
    }
    return truth;
  }

  const LoadedScenario& loaded_;
  const Space& space_;
  std::size_t count_;
};

/// How far the plan is off.
struct Missed {
  double cost = 0.0;    ///< of the recommended over the best, less 1
  double points = 0.0;  ///< told share less the true one, in points
  std::size_t simulated = 0;
  bool reached = false;
};

Missed missed(std::uint64_t seed, std::size_t draws) {
  const Problem problem = random_problem(seed);
  auto axes = decisions_of(problem.loaded, problem.decisions);
  REQUIRE(axes);
  const auto space = Space::make(problem.loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  PlanOptions options;
  options.ranges = FedRequest{problem.level};
  const auto plan = make_plan(problem.loaded, *axes, Catalogue::shipped(), options);
  REQUIRE(plan);
  REQUIRE(plan->ranges);
  REQUIRE(plan->ranges->recommended);
  const Draws truth(problem.loaded, *space, draws);
  const Point taken = plan->search.visits[plan->search.best].point;
  const Truth own = truth.simulated(taken);
  Missed result{0.0, 100.0 * (plan->ranges->recommended->fed.mean - own.fed), 0, plan->ranges->reached};
  double best = own.cost_usd;
  for (Point point = 0; point < space->size(); ++point) {
    if (point == taken) continue;
    // What is no better by its bound, or not fed by it, need not be simulated.
    const Truth least = truth.bound(point);
    if (least.cost_usd >= 0.99 * own.cost_usd || (result.reached && least.fed < problem.level)) continue;
    const Truth other = truth.simulated(point);
    ++result.simulated;
    // A plan may take a share within 3 points of the level for either side of it.
    if (!result.reached || other.fed >= problem.level + 0.03) best = std::min(best, other.cost_usd);
  }
  result.cost = own.cost_usd / best - 1.0;
  return result;
}

}  // namespace

// The share has a standard error of some 1.5 points on both sides; four of them, fixed seeds.
TEST_CASE("a plan over ranges costs as little and is fed as often as it says, on 2 random problems",
          "[planner][statistical][long_4]") {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Missed result = missed(seed, 512);
    INFO("seed " << seed << ": cost " << 100.0 * result.cost << " %, share off by " << result.points << " points");
    CHECK(result.cost <= 0.01);
    CHECK(std::abs(result.points) <= 8.0);
  }
}

// Some ten differences: one beyond five standard errors of both sides comes with a probability below 1e-5.
TEST_CASE("what a step of a decision adds over the ranges is what paired runs of other draws show",
          "[planner][statistical][long_3]") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 3; seed <= 4; ++seed) {
    const Problem problem = random_problem(seed);
    auto axes = decisions_of(problem.loaded, problem.decisions);
    REQUIRE(axes);
    const auto space = Space::make(problem.loaded, *axes, Catalogue::shipped());
    REQUIRE(space);
    PlanOptions options;
    options.ranges = FedRequest{problem.level};
    const auto plan = make_plan(problem.loaded, *axes, Catalogue::shipped(), options);
    REQUIRE(plan);
    const Draws truth(problem.loaded, *space, 256);
    const Point best = plan->search.visits[plan->search.best].point;
    for (const DecisionStep& step : plan->steps) {
      if (!step.expected_change) continue;
      // The row of the recommended configuration and those of its steps are read side by side.
      CHECK(step.fed->mean == std::clamp(plan->ranges->recommended->fed.mean + step.fed_change->mean, 0.0, 1.0));
      std::vector<std::size_t> where = space->positions(best);
      for (std::size_t a = 0; a < where.size(); ++a)
        if (space->axes()[a].name() == step.name) where[a] = *space->neighbour(a, where[a], step.more);
      const Expectation shown = truth.cost_difference(space->point(where), best);
      const PlanFigure& said = *step.expected_change;
      const double said_error = (said.ci95->high - said.ci95->low) / 2.0 / 1.96;
      INFO("seed " << seed << ": " << step.name << " " << step.from << " to " << step.to << " said " << said.mean
                   << " +- " << said_error << ", shown " << shown.mean << " +- " << shown.error);
      CHECK(std::abs(said.mean - shown.mean) <=
            5.0 * std::hypot(said_error, shown.error) + 1e-3 * std::abs(shown.mean));
      ++compared;
    }
  }
  CHECK(compared > 6);
}

TEST_CASE("40 random problems: a plan over ranges is within 1 % of the best and 3 points of its share",
          "[.nightly][planner]") {
  std::size_t right = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Missed result = missed(seed, 2048);
    WARN("seed " << seed << ": cost " << 100.0 * result.cost << " %, share off by " << result.points << " points, "
                 << result.simulated << " others simulated, level " << (result.reached ? "reached" : "not reached"));
    right += result.cost <= 0.01 && std::abs(result.points) <= 3.0 ? 1U : 0U;
  }
  CHECK(right == 40);
}

// 8 workers are fed in more of the draws than today's 7; a deeper queue than today's brings nothing over them.
TEST_CASE("a plan over ranges keeps what makes no difference over the draws", "[planner][long_2]") {
  const LoadedScenario loaded = load_shipped("image-node");
  auto axes = decisions_of(loaded, {});
  REQUIRE(axes);
  PlanOptions options;
  options.ranges = FedRequest{0.9};
  const auto plan = make_plan(loaded, *axes, Catalogue::shipped(), options);
  REQUIRE(plan);
  REQUIRE(plan->recommended);
  REQUIRE(plan->ranges);
  CHECK(plan->ranges->reached);
  CHECK_FALSE(plan->ranges->same);
  for (const ChosenValue& value : plan->recommended->values) {
    if (value.name == "workers") CHECK(value.value == "8");
    if (value.name == "prefetch") CHECK(value.value == value.today);
  }
}

TEST_CASE("today's configuration stands beside the recommended one over the ranges, too", "[planner]") {
  const LoadedScenario loaded = load_shipped("image-node", {"/jobs/0/loader/workers=5"});
  const std::vector<std::string> decisions{"/jobs/0/loader/workers=5,7,10"};
  auto axes = decisions_of(loaded, decisions);
  REQUIRE(axes);
  PlanOptions options;
  options.ranges = FedRequest{0.9};
  const auto plan = make_plan(loaded, *axes, Catalogue::shipped(), options);
  REQUIRE(plan);
  REQUIRE(plan->ranges);
  REQUIRE(plan->ranges->recommended);
  CHECK_FALSE(plan->ranges->recommended->planned.is_today());
  REQUIRE(plan->ranges->today);
  CHECK(plan->ranges->today->planned.is_today());
  CHECK(plan->ranges->today->planned.values.front().value == "5");
  CHECK(plan->ranges->today->fed.mean < plan->ranges->recommended->fed.mean);
  CHECK(plan->ranges->today->goal.mean > plan->ranges->recommended->goal.mean);
}

TEST_CASE("without ranges a plan over ranges is the plan for the inputs as stated", "[planner]") {
  std::string measured;
  const Problem assumed = random_problem(3);
  const auto inputs = uncertain_inputs(assumed.loaded.value, assumed.loaded.composition);
  REQUIRE(inputs);
  for (const models::UncertainInput& input : *inputs)
    measured += (measured.empty() ? "" : ", ") + std::string(R"({"parameter": ")") + input.pointer +
                R"(", "evidence": "measured"})";
  for (const auto& [workers, fed] : {std::pair{"2,3", false}, std::pair{"11,12", true}}) {
    INFO(workers);
    const Problem problem = random_problem(3, {"/input_ranges=[" + measured + "]"});
    auto axes = decisions_of(problem.loaded, std::vector{"/jobs/0/loader/workers=" + std::string(workers)});
    REQUIRE(axes);
    const auto nominal = make_plan(problem.loaded, *axes, Catalogue::shipped(), {});
    PlanOptions options;
    options.ranges = FedRequest{0.9};
    const auto ranged = make_plan(problem.loaded, *axes, Catalogue::shipped(), options);
    REQUIRE(nominal);
    REQUIRE(ranged);
    REQUIRE(ranged->ranges);
    CHECK(ranged->ranges->inputs == 0);
    CHECK(ranged->ranges->complete);
    CHECK(ranged->ranges->reached == fed);
    CHECK(ranged->sets == nominal->sets);
    CHECK(ranged->recommended->cost_usd.mean == nominal->recommended->cost_usd.mean);
  }
}

TEST_CASE("a plan over ranges names the inputs that decide whether it is fed, and none that move only its cost",
          "[planner]") {
  std::string measured;
  const Problem assumed = random_problem(3);
  const auto inputs = uncertain_inputs(assumed.loaded.value, assumed.loaded.composition);
  REQUIRE(inputs);
  for (const models::UncertainInput& input : *inputs)
    if (input.pointer != "/jobs/0/step/step_time" && input.pointer != "/prices/gpu_hour")
      measured += (measured.empty() ? "" : ", ") + std::string(R"({"parameter": ")") + input.pointer +
                  R"(", "evidence": "measured"})";
  const Problem problem = random_problem(3, {"/input_ranges=[" + measured + "]"});
  auto axes = decisions_of(problem.loaded, std::vector<std::string>{"/jobs/0/loader/workers=3,4"});
  REQUIRE(axes);
  PlanOptions options;
  options.ranges = FedRequest{0.9};
  const auto plan = make_plan(problem.loaded, *axes, Catalogue::shipped(), options);
  REQUIRE(plan);
  REQUIRE(plan->ranges->recommended);
  CAPTURE(plan->ranges->recommended->fed.mean);
  CHECK(plan->ranges->recommended->fed.mean > 0.02);
  CHECK(plan->ranges->recommended->fed.mean < 0.98);
  REQUIRE(plan->ranges->fed_drivers.size() == 1);
  CHECK(plan->ranges->fed_drivers.front().parameter == "/jobs/0/step/step_time");
  CHECK(plan->ranges->fed_drivers.front().share > 0.5);
}

TEST_CASE("a plan for the inputs as stated has errors of inputs, but no ranges", "[planner]") {
  const Problem problem = random_problem(3);
  auto axes = decisions_of(problem.loaded, problem.decisions);
  REQUIRE(axes);
  const auto nominal = make_plan(problem.loaded, *axes, Catalogue::shipped(), {});
  REQUIRE(nominal);
  CHECK_FALSE(nominal->ranges);
  CHECK(nominal->input_errors.size() >= 2);  // by what an assumed figure may be off
  for (const DecisionStep& step : nominal->steps) CHECK_FALSE(step.fed);
}

TEST_CASE("gains and costs of a plan's changes add up to the difference of its totals, as they are shown",
          "[planner][long_1]") {
  // Epochs of dollars, and of parts of a cent.
  const bool cheap = GENERATE(false, true);
  const Problem problem = random_problem(
      4, cheap ? std::vector<std::string>{"/prices/gpu_hour=$0.0002/h",
                                          R"(/prices/resources={"core_hour": "$1e-5/h", "store_hour": "$2e-4/h"})"}
               : std::vector<std::string>{});
  auto axes = decisions_of(problem.loaded, problem.decisions);
  REQUIRE(axes);
  PlanOptions options;
  options.ranges = FedRequest{};
  const auto plan = make_plan(problem.loaded, *axes, Catalogue::shipped(), options);
  REQUIRE(plan);
  REQUIRE(plan->today);
  REQUIRE_FALSE(plan->changes.empty());
  const double unit_usd = plan->changes_unit_usd;
  CHECK(unit_usd <= 0.01);
  CHECK(unit_usd <= 1.001e-4 * plan->today->cost_usd.mean);
  const auto units = [unit_usd](double usd) { return std::llround(usd / unit_usd); };
  long long after = units(plan->today->cost_usd.mean);
  double gained_usd = 0.0;
  for (const PlanChange& change : plan->changes) {
    after += units(change.spent_usd) - units(change.gained_usd);
    gained_usd += std::abs(change.gained_usd);
    CHECK(after == units(change.cost_after_usd));
    CHECK((change.gained_usd != 0.0 || change.spent_usd != 0.0));
    if (change.gained_usd != 0.0) CHECK(std::abs(change.gained_usd) > change.gained_error_usd);
  }
  if (cheap) CHECK(gained_usd > 0.01 * plan->today->cost_usd.mean);  // rounding leaves it
  CHECK(after + units(plan->changes_rest_usd) == units(plan->recommended->cost_usd.mean));
}

TEST_CASE("a plan compares every named option, also those that no run was spent on", "[planner]") {
  const Problem problem = random_problem(5);
  auto axes = decisions_of(
      problem.loaded,
      std::vector<std::string>{"/jobs/0/loader/workers=4,8", "/jobs/0/loader/order=in_order,any_order_per_worker"});
  REQUIRE(axes);
  const auto plan = make_plan(problem.loaded, *axes, Catalogue::shipped(), {});
  REQUIRE(plan);
  REQUIRE(plan->options.size() == 2);
  CHECK(std::count_if(plan->options.begin(), plan->options.end(), [](const auto& one) { return one.recommended; }) ==
        1);
  for (const OptionCompared& one : plan->options) {
    CHECK(one.bound);
    CHECK_FALSE(one.fate.empty());
  }
}

TEST_CASE("an option that broke a limit in simulation says so, and one that no run was spent on says that",
          "[planner]") {
  const Problem problem = random_problem(5);
  auto axes = decisions_of(
      problem.loaded, std::vector<std::string>{"/jobs/0/loader/order=in_order,any_order_per_worker,any_order_shared"});
  REQUIRE(axes);
  const auto space = Space::make(problem.loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  const ScenarioField field(*space, problem.loaded.value, models::PlanGoal::cost_per_epoch, 1, 1);
  Plan plan;
  for (const Point point : {0U, 1U}) {
    Visit visit;
    visit.point = point;
    visit.level = SearchLevel::full;
    visit.bound_step_s = field.bound_step_s(point);
    plan.search.visits.push_back(visit);
  }
  plan.search.visits[0].admitted = true;
  plan.search.visits[0].mean = 0.9 * field.goal(2, field.bound_step_s(2));  // so that the bound of the last excludes it
  plan.search.visits[1].mean = kInfinity;
  plan.search.visits[1].fate = "misses a limit of the plan";
  plan.search.best = 0;
  const std::vector<OptionCompared> options = compare_options(field, plan);
  REQUIRE(options.size() == 3);
  CHECK(options[0].fate == "recommended");
  CHECK(options[1].fate == "simulated: misses a limit of the plan");
  CHECK_FALSE(options[1].mean);
  CHECK(options[2].fate == "not run: its bound excludes it");
  plan.ranges.emplace().complete = true;  // another one is recommended: by the ranges of the inputs
  CHECK(compare_options(field, plan)[2].fate == "not run: no better than the best as stated, by its bound");
}

TEST_CASE("a change that contradicts today's other values has a row behind those", "[planner]") {
  const LoadedScenario loaded = load_shipped(
      "imagenet-1250-nodes", {"/cluster/pools/0/nodes=1", "/cluster/pools/0/gpus_per_node=1", "/jobs/0/step/batch=32"});
  auto axes = decisions_of(
      loaded, std::vector<std::string>{"/cluster/pools/0/cache/bytes=36 TB", "/cluster/pools/0/drives/capacity=40 TB"});
  REQUIRE(axes);
  const auto plan = make_plan(loaded, *axes, Catalogue::shipped(), {});
  REQUIRE(plan);
  REQUIRE(plan->recommended);
  REQUIRE(plan->changes.size() + plan->no_effect.size() == 2);
  for (const PlanChange& change : plan->changes) CHECK(change.decisions == 1);
  CHECK(std::any_of(plan->no_effect.begin(), plan->no_effect.end(), [](const std::string& text) {
          return text.starts_with("bytes") || text.starts_with("cache");
        }) != std::any_of(plan->changes.begin(), plan->changes.end(), [](const PlanChange& change) {
          return change.name.starts_with("bytes") || change.name.starts_with("cache");
        }));
}

}  // namespace headrace::scenarios
