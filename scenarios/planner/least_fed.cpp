#include "scenarios/planner/least_fed.hpp"

#include <algorithm>
#include <optional>

#include "models/answer/queueing_estimate.hpp"
#include "models/outcome/outcome.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "scenarios/planner/space.hpp"
#include "scenarios/planner/trial.hpp"

namespace headrace::scenarios {
namespace {

constexpr double kLonger =
    0.01;  ///< of the epoch by its bound: a decision that makes it so much longer does other work

/// Looks down one decision from the best point.
class Descent {
 public:
  Descent(const ScenarioField& field, Point best, std::size_t axis, std::uint64_t steps)
      : field_(field), where_(field.space().positions(best)), axis_(axis), steps_(steps) {
    most_epoch_s_ = (1.0 + kLonger) * field.bound_figures(best).epoch_time_s;
    for (std::optional<std::size_t> next = where_[axis]; next; next = field.space().neighbour(axis, *next, false))
      values_.push_back(*next);
  }

  /// The least value that is fed; nothing where there is no lower one. What waits by the estimate, which knows no
  /// contention, waits; whether the rest is fed only runs tell.
  std::optional<std::size_t> least() const {
    if (values_.size() < 2 || does_other_work(lower_point(1))) return std::nullopt;
    std::size_t fed = 0;
    std::size_t waits = values_.size();
    while (waits - fed > 1) {
      const std::size_t middle = fed + (waits - fed) / 2;
      (is_estimated_fed(middle) ? fed : waits) = middle;
    }
    while (fed > 0 && !is_fed(fed)) --fed;
    return values_[fed];
  }

 private:
  Point lower_point(std::size_t steps) const {
    std::vector<std::size_t> there = where_;
    there[axis_] = values_[steps];
    return field_.space().point(there);
  }

  /// Takes longer though no GPU waits: it is not read faster, but trained slower.
  bool does_other_work(Point point) const {
    if (!field_.why_infeasible(point).empty()) return false;
    const models::EpochFigures bound = field_.bound_figures(point);
    return bound.idle_fraction <= models::kFedIdleFraction && bound.epoch_time_s > most_epoch_s_;
  }

  /// What rules a value out before anything is run.
  bool is_ruled_out(Point point) const {
    if (!field_.why_infeasible(point).empty()) return true;
    const models::EpochFigures bound = field_.bound_figures(point);
    return bound.idle_fraction > models::kFedIdleFraction || bound.epoch_time_s > most_epoch_s_;
  }

  bool is_estimated_fed(std::size_t steps) const {
    const Point point = lower_point(steps);
    if (is_ruled_out(point)) return false;
    const models::Outcome outcome = models::queueing_estimate(field_.space().at(point), field_.seed());
    const models::Metric* idle = outcome.find("gpu_idle_fraction");
    return idle != nullptr && idle->mean <= models::kFedIdleFraction;
  }

  bool is_fed(std::size_t steps) const {
    const Point point = lower_point(steps);
    if (is_ruled_out(point)) return false;
    Trial trial(field_.space().at(point), field_.seed(), field_.stop(), field_.shortcut());
    return trial.run_to(steps_) && trial.measure().idle_fraction.mean <= models::kFedIdleFraction;
  }

  const ScenarioField& field_;
  std::vector<std::size_t> where_;
  std::size_t axis_;
  std::uint64_t steps_;
  double most_epoch_s_ = 0.0;
  std::vector<std::size_t> values_ = {};  ///< positions, that of the best point first
};

}  // namespace

std::vector<std::string> least_fed(const ScenarioField& field, Point best, std::uint64_t steps,
                                   models::TaskPool& pool) {
  const std::vector<PlanAxis>& axes = field.space().axes();
  std::vector<std::optional<std::size_t>> least(axes.size());
  pool.run(axes.size(), [&](std::size_t a) { least[a] = Descent(field, best, a, steps).least(); });
  std::vector<std::string> named;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (least[a]) named.push_back(axes[a].name() + " " + axes[a].text(*least[a]));
  return named;
}

}  // namespace headrace::scenarios
