// What the page of a sweep shows: the points of a stored sweep, their axes, and the order by one metric.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/results_export.hpp"
#include "scenarios/results/axis.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace::reports {

struct SweepFigure {
  double mean = 0.0;
  std::optional<double> low;
  std::optional<double> high;
};

/// What the page keeps of a point.
struct PointFacts {
  std::uint64_t number = 0;
  std::vector<std::size_t> places;  ///< by axis: which of its values
  std::map<std::string, SweepFigure, std::less<>> figures;
  std::string verdict;
  std::string error;
  nlohmann::ordered_json confidence;
  nlohmann::ordered_json ranking;  ///< place and difference to the best; null without
};

struct AxisFacts {
  std::string name;
  std::vector<nlohmann::ordered_json> values;  ///< in the order in which points bring them

  std::size_t place_of(const nlohmann::ordered_json& value) {
    const auto place = static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
    if (place == values.size()) values.push_back(value);
    return place;
  }
};

/// A coordinate as text.
std::string text_of(const nlohmann::ordered_json& value);

/// A coordinate as a number: of a number itself, of a quantity in its base unit.
std::optional<scenarios::ComparableNumber> number_of(const nlohmann::ordered_json& value);

class SweepFacts {
 public:
  SweepFacts(const scenarios::ResultsStore& store, scenarios::SweepRecord sweep);

  /// Chooses the metric (empty: cost per epoch where there are prices, else step time) and puts the points in its
  /// order.
  std::optional<ExportError> order_by(const std::string& metric);

  const scenarios::SweepRecord& sweep() const { return sweep_; }
  bool is_simulated() const { return sweep_.level == "simulate"; }
  const std::vector<AxisFacts>& axes() const { return axes_; }
  const std::vector<PointFacts>& points() const { return points_; }
  /// Points with an answer, the best first.
  const std::vector<const PointFacts*>& shown() const { return shown_; }
  const std::string& metric() const { return metric_; }
  const models::MetricDescription& description() const { return *description_; }
  /// How many of them are as good as the best, and it itself: by the paired intervals of a ranking by this metric, else
  /// as it is printed, or with overlapping intervals.
  std::size_t ties() const { return ties_; }
  /// The worst value among those.
  double tie_value() const { return tie_value_; }
  bool is_tie(const PointFacts& point) const;
  /// Which of an axis's values the scenario has that was varied; nothing where it has another.
  std::optional<std::size_t> own_place(std::size_t axis) const;
  const SweepFigure& figure(const PointFacts& point) const { return point.figures.find(metric_)->second; }
  double value(const PointFacts& point) const { return figure(point).mean; }
  /// A value of the metric with its unit.
  std::string text(double number) const;
  /// The point's coordinates in words.
  std::string place_text(const PointFacts& point) const;
  bool is_ranked() const;

 private:
  void add(const scenarios::PointRow& row);
  bool any_answer() const;
  void count_ties();
  std::string usual_metric() const;
  ExportError unknown_metric() const;
  bool better(double a, double b) const { return description_->better == models::Better::higher ? a > b : a < b; }

  scenarios::SweepRecord sweep_;
  std::vector<AxisFacts> axes_;
  std::vector<PointFacts> points_;
  std::string metric_;
  const models::MetricDescription* description_ = nullptr;
  std::vector<const PointFacts*> shown_;
  bool paired_ = false;  ///< ranked by the metric that is shown
  std::size_t ties_ = 0;
  double tie_value_ = 0.0;
};

}  // namespace headrace::reports
