// A plan over the ranges of its inputs: what a configuration costs on average and in which share of the ranges it is
// fed, and the configuration of least expected goal among those that are fed in a stated share.
//
// Every configuration takes the same draws of the inputs (common random numbers). The flow bound answers all of them in
// microseconds and tells how far each is from its limit: its headroom, the step without waits over the step that data
// alone would allow. In classes of headroom some draws are simulated: they give the share that is fed and the ratio of
// simulated to bounded step time in each class (stratified sampling; W. G. Cochran, Sampling Techniques, 1977, chapter
// 5). A draw whose bound is not fed is not fed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "models/base/task_pool.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/study/uncertain_input.hpp"
#include "scenarios/planner/scenario_field.hpp"
#include "sim/portable_math.hpp"
#include "sim/sobol.hpp"

namespace headrace::scenarios {

/// Share of the ranges in which a recommendation is fed unless somebody asks for another.
inline constexpr double kFedLevel = 0.9;

/// An expectation over the ranges, with the standard error of its sampling.
struct Expectation {
  double mean = 0.0;
  double error = 0.0;
};

/// The mean of n values with these sums.
inline Expectation mean_of(double sum, double squares, std::size_t n) {
  const auto count = static_cast<double>(n);
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / count)};
}

/// One configuration over the ranges of the inputs.
struct RangeFigures {
  Expectation goal;
  Expectation cost_usd;
  Expectation idle_fraction;
  Expectation fed;  ///< share of the ranges in which GPUs wait at most kFedIdleFraction
};

/// Whether a decision sets the figure at `pointer`, or something that holds it.
bool is_decided(const Space& space, const std::string& pointer);

class RobustField {
 public:
  static constexpr std::size_t kClasses = 8;

  struct Options {
    std::uint64_t most_steps = 0;     ///< that all simulated draws may take together, their warm-ups included
    std::function<bool()> cancelled;  ///< no further draws are simulated
    unsigned threads = 0;
    double level = kFedLevel;  ///< share of the ranges in which a recommendation is to be fed
  };

  RobustField(const ScenarioField& field, const LoadedScenario& loaded, Options options);

  /// Figures that are drawn; those that the plan decides are not.
  std::size_t inputs() const { return dimensions_.size(); }
  std::size_t draws() const { return draws_; }
  std::size_t simulated() const { return simulated_; }

  /// Points whose expected goal may be the least, by draws whose number doubles until they differ: few, in the order of
  /// their expected goals. Always with `nominal`; nothing where it was told to end.
  std::vector<Point> shortlist(Point nominal, double level);
  /// Simulates draws of the point until its share is known or `most` have run.
  void refine(Point point, std::size_t most);
  /// Whether so many draws of it ran, or as many as were needed.
  bool is_simulated(Point point, std::size_t draws) const;
  /// By all draws, and what was simulated of the point; of others where nothing was.
  RangeFigures figures(Point point);
  /// Siblings along the axes that the bound does not see (prefetch depth, order): one step, or another word.
  std::vector<Point> unseen_siblings(Point point) const;
  /// Asks `cancelled` from now on.
  void end_by(std::function<bool()> cancelled) { options_.cancelled = std::move(cancelled); }
  bool is_cancelled() const { return options_.cancelled && options_.cancelled(); }

  /// The goal of `point` less that of `base` over the ranges: by the classes of `base`, and by what the draws that were
  /// simulated of both show beside them.
  Expectation difference(Point point, Point base);
  /// The share of `point` that is fed less that of `base`.
  Expectation fed_difference(Point point, Point base);
  /// Figures of a point that the answer shows: as they were when first asked for, so that draws which are simulated
  /// later, for what is shown beside them, do not move them.
  const RangeFigures& shown(Point point);
  /// Expected goal and share of `point` beside those that are shown of `base`: the latter plus the differences, so that
  /// rows that are read side by side add up.
  RangeFigures figures_beside(Point point, Point base);
  /// From now on the point is shown so.
  void show_beside(Point point, Point base) { shown_.insert_or_assign(point, figures_beside(point, base)); }
  /// Takes the classes of `base` for the point, too. Where their draws are in the same classes the bound tells nothing
  /// of the step between them, and some of the point's are simulated.
  void compare_step(Point point, Point base, std::size_t most);
  /// So many steps more for simulated draws.
  void allow(std::uint64_t steps) { options_.most_steps += steps; }
  /// Steps that one simulated draw takes with its warm-up.
  std::uint64_t steps_of_draw(Point point) const;
  /// More draws, and some simulated even if the steps for it are spent: for what the answer shows.
  void finish(const std::vector<Point>& points, std::size_t most);

  /// Inputs that decide most of whether the point is fed: first-order shares of the variance over its draws, the
  /// largest first. Few, and nothing that is hardly one.
  std::vector<models::InputEffect> fed_drivers(Point point);
  /// What is drawn at a point.
  const std::vector<models::UncertainInput>& inputs_at(Point point) const { return drawn(point).inputs; }

 private:
  struct Draw {
    double headroom = 0.0;
    double step_s = 0.0;
    double fixed_goal =
        0.0;  ///< goal = fixed + by_time * ratio of step times; of an idle share 1 - (1 - by_time) / ratio
    double goal_by_time = 0.0;
    double fixed_usd = 0.0;
    double usd_by_time = 0.0;
    double idle_fraction = 0.0;

    bool possible() const { return step_s > 0.0; }
  };
  /// What simulated draws of one class of headroom showed.
  struct Sample {
    std::size_t draws = 0;
    std::size_t fed = 0;
    double ratios = 0.0;
    double squares = 0.0;
  };
  using Samples = std::array<Sample, kClasses>;
  /// One simulated draw.
  struct Run {
    double ratio = 1.0;  ///< of its step time to that of the flow bound
    bool fed = false;
  };
  struct Candidate {
    std::vector<Draw> draws;
    Samples own;
    std::array<std::size_t, kClasses> taken{};  ///< draws of each class that were simulated
    std::size_t simulated = 0;
    Point like = SIZE_MAX;  ///< whose classes it takes where it has no draws of its own
    std::size_t group = 0;
    std::size_t asked = 0;            ///< draws that somebody asked to simulate at most
    std::map<std::size_t, Run> runs;  ///< by draw
  };
  struct Drawn {
    std::vector<models::UncertainInput> inputs;
    std::vector<std::size_t> dimensions;
  };
  /// Sums over the draws of each class, with the ratio and share that are expected of it.
  struct ClassSums {
    std::array<double, kClasses> ratios{};
    std::array<double, kClasses> shares{};
    std::array<double, kClasses> draws{};
    std::array<double, kClasses> goal_by_time{};
    std::array<double, kClasses> usd_by_time{};
  };

  /// Upper ends of the classes of headroom but the last. Below the second one the flow bound itself is not fed.
  static constexpr std::array<double, kClasses - 1> kEnds{0.8, 1.0 - models::kFedIdleFraction, 1.02, 1.06, 1.15, 1.4,
                                                          2.0};
  static constexpr std::size_t kFirstFed = 2;  ///< class
  static constexpr std::size_t kMostDraws = 2048;
  static constexpr std::size_t kDraws = 512;  ///< of those that are left

  const Drawn& drawn(Point point) const;
  void find_inputs();
  std::size_t signature(Point point) const;
  models::Scenario scenario_at(const models::Scenario& scenario, const Drawn& drawn, std::size_t draw) const;
  Draw answer(const models::Scenario& scenario) const;
  /// False where it was told to end: then the points may have fewer.
  bool extend(const std::vector<Point>& points, std::size_t draws);
  RangeFigures predict(const Candidate& candidate, std::size_t draws) const;
  static void widen_by_samples(const Candidate& candidate, const ClassSums& classes, std::size_t n, std::size_t all,
                               RangeFigures& figures);
  Expectation ahead(const Candidate& one, const Candidate& other, std::size_t draws) const;
  /// What a draw of a candidate shows: by the classes of `by` where there is no run.
  using Shown = std::function<double(const Candidate& one, std::size_t draw, const Candidate& by, const Run* run)>;
  Expectation paired_difference(Point point, Point base, const Shown& shown);
  double goal_at(const Draw& draw, double ratio) const;
  /// Expected ratio and share of a class.
  double ratio_of(const Candidate& candidate, std::size_t c) const;
  double share_of(const Candidate& candidate, std::size_t c) const;
  const Sample& usual_of(const Candidate& candidate, std::size_t c) const;
  void add_most_fed(const std::vector<std::pair<double, Point>>& order, std::size_t draws, std::size_t count,
                    std::vector<Point>& left) const;
  static std::size_t class_of(double headroom);
  static double most_fed(const Candidate& candidate, std::size_t draws);
  std::vector<Point> narrowed(const std::vector<Point>& left, std::size_t draws, double level) const;
  std::vector<std::size_t> next_draws(const Candidate& candidate, std::size_t count) const;
  /// Whether further runs would tell little: those that ran leave no more open than the bounded draws will, and the
  /// share lies clearly on one side of the level.
  bool is_settled(const Candidate& candidate) const;
  bool simulate(Point point, const std::vector<std::size_t>& chosen,
                std::vector<std::optional<models::EpochFigures>>& measured);
  void take(const models::EpochFigures& measured, std::size_t draw, Candidate& candidate);
  void add_best_at(std::size_t draw, const std::vector<Point>& ranked, std::set<Point>& chosen) const;
  std::vector<Point> preselect(Point nominal) const;
  /// Axes whose values make no difference to the bound of any draw at `nominal`.
  void find_unseen(Point nominal);
  /// One number for all points with the same values on those axes: they share their classes.
  std::size_t group_of(Point point) const;

  const ScenarioField& field_;
  const LoadedScenario& loaded_;
  Options options_;
  mutable models::TaskPool pool_;
  std::map<std::size_t, Drawn> drawn_;             ///< by the positions on axes that are no numbers
  std::map<std::string, std::size_t> dimensions_;  ///< by pointer
  std::vector<bool> numeric_;                      ///< axes
  std::optional<sim::SobolPoints> points_;
  std::map<Point, Candidate> candidates_;
  std::map<Point, RangeFigures> shown_;
  std::vector<std::size_t> unseen_;  ///< axes
  std::map<std::size_t, Samples> of_group_;
  Samples all_;
  std::size_t draws_ = 0;
  std::size_t simulated_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace headrace::scenarios
