#include "reports/html/sweep_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/document.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/results/ranking.hpp"
#include "scenarios/results/stored_json.hpp"

namespace headrace::reports {

std::string text_of(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::optional<scenarios::ComparableNumber> number_of(const nlohmann::ordered_json& value) {
  if (value.is_number()) return scenarios::ComparableNumber{value.get<double>(), models::Unit::one};
  if (!value.is_string()) return std::nullopt;
  scenarios::Node node;
  node.type = scenarios::Node::Type::string;
  node.text = value.get<std::string>();
  return scenarios::comparable_number(node);
}

SweepFacts::SweepFacts(const scenarios::ResultsStore& store, scenarios::SweepRecord sweep) : sweep_(std::move(sweep)) {
  store.for_each_point(sweep_.id, [this](const scenarios::PointRow& row) { add(row); });
  for (PointFacts& point : points_)
    point.places.resize(axes_.size());  // a point that lacks an axis is at its first value
}

std::optional<ExportError> SweepFacts::order_by(const std::string& metric) {
  metric_ = metric.empty() ? usual_metric() : metric;
  description_ = models::find_metric(metric_);
  if (description_ == nullptr) return unknown_metric();
  for (const PointFacts& point : points_)
    if (point.figures.count(metric_) > 0) shown_.push_back(&point);
  // Points of which none has an answer still have reasons to tell; a metric that only answers lack is a wrong wish.
  if (shown_.empty() && any_answer())
    return ExportError{fmt::format("no point has the metric '{}'", metric_), "name another metric"};
  std::stable_sort(shown_.begin(), shown_.end(),
                   [this](const PointFacts* a, const PointFacts* b) { return better(value(*a), value(*b)); });
  count_ties();
  return std::nullopt;
}

namespace {

bool is_paired_tie(const PointFacts& point) {
  return text_at(point.ranking, "state") == "best" || scenarios::ties_with_best(point.ranking);
}

}  // namespace

void SweepFacts::count_ties() {
  const auto is_alike = [this](const SweepFigure& a, const SweepFigure& b) {
    if (text(a.mean) == text(b.mean)) return true;
    return a.low && a.high && b.low && b.high && *a.low <= *b.high && *b.low <= *a.high;
  };
  if (shown_.empty()) return;
  tie_value_ = value(*shown_.front());
  paired_ = std::any_of(shown_.begin(), shown_.end(), [this](const PointFacts* point) {
    return !point->ranking.is_null() && text_at(point->ranking, "metric") == metric_;
  });
  for (const PointFacts* point : shown_) {
    const bool alike = paired_ ? is_paired_tie(*point) : is_alike(figure(*shown_.front()), figure(*point));
    if (!alike && !paired_) break;
    if (!alike) continue;
    ++ties_;
    if (better(tie_value_, value(*point))) tie_value_ = value(*point);
  }
}

bool SweepFacts::is_tie(const PointFacts& point) const {
  return paired_ ? is_paired_tie(point) : !better(tie_value_, value(point));
}

std::optional<std::size_t> SweepFacts::own_place(std::size_t axis) const {
  const nlohmann::ordered_json definition = scenarios::stored_json(sweep_.definition);
  const nlohmann::ordered_json scenario = scenarios::stored_json(sweep_.scenario);
  const auto place_in = [&](const nlohmann::ordered_json& one) -> std::optional<std::size_t> {
    const nlohmann::ordered_json& parameter = element_at(at(one, "parameters"), 0);
    if (text_at(one, "name") != axes_[axis].name || !parameter.is_string()) return std::nullopt;
    nlohmann::ordered_json own;
    try {
      own = scenario.at(nlohmann::ordered_json::json_pointer(parameter.get<std::string>()));
    } catch (const nlohmann::ordered_json::exception&) {
      return std::nullopt;  // a store that another version wrote
    }
    const auto wanted = number_of(own);
    for (std::size_t i = 0; i < axes_[axis].values.size(); ++i) {
      constexpr double kRounding = 1e-9;
      const auto value = number_of(axes_[axis].values[i]);
      if (axes_[axis].values[i] == own ||
          (wanted && value && wanted->unit == value->unit &&
           std::abs(wanted->value - value->value) <= kRounding * std::abs(wanted->value)))
        return i;
    }
    return std::nullopt;
  };
  for (const nlohmann::ordered_json& group : at(definition, "axes")) {
    if (const auto place = place_in(group)) return place;
    for (const nlohmann::ordered_json& one : at(group, "zip"))
      if (const auto place = place_in(one)) return place;
    for (const nlohmann::ordered_json& one : at(at(group, "latin_hypercube"), "axes"))
      if (const auto place = place_in(one)) return place;
  }
  return std::nullopt;
}

void SweepFacts::add(const scenarios::PointRow& row) {
  PointFacts point;
  point.number = row.point;
  const nlohmann::ordered_json coordinates = scenarios::stored_json(row.coordinates);
  for (const auto& [name, value] : coordinates.items()) {
    auto axis = std::find_if(axes_.begin(), axes_.end(), [&name = name](const AxisFacts& a) { return a.name == name; });
    if (axis == axes_.end()) axis = axes_.insert(axes_.end(), AxisFacts{name, {}});
    point.places.resize(axes_.size());
    point.places[static_cast<std::size_t>(axis - axes_.begin())] = axis->place_of(value);
  }
  point.error = row.result.error;
  if (!row.result.failed) {
    const nlohmann::ordered_json outcome = scenarios::stored_json(row.result.outcome);
    point.verdict = text_at(outcome, "verdict");
    point.confidence = at(outcome, "confidence");
    if (!row.ranking.empty()) point.ranking = scenarios::stored_json(row.ranking);
    for (const auto& [name, metric] : at(outcome, "metrics").items()) {
      if (!at(metric, "mean").is_number()) continue;
      SweepFigure figure{number_at(metric, "mean"), {}, {}};
      if (const auto ends = interval_ends_at(metric, "ci95")) {
        figure.low = ends->low;
        figure.high = ends->high;
      }
      point.figures.emplace(name, figure);
    }
  }
  points_.push_back(std::move(point));
}

bool SweepFacts::any_answer() const {
  return std::any_of(points_.begin(), points_.end(), [](const PointFacts& point) { return !point.figures.empty(); });
}

std::string SweepFacts::usual_metric() const {
  for (const PointFacts& point : points_)
    if (const auto cost = point.figures.find("cost_per_epoch_usd");
        cost != point.figures.end() && cost->second.mean > 0)
      return "cost_per_epoch_usd";
  return "step_time_s";
}

ExportError SweepFacts::unknown_metric() const {
  std::vector<std::string_view> known;
  for (const models::MetricDescription& metric : models::kMetricDescriptions) known.push_back(metric.name);
  const std::string_view near = scenarios::nearest(metric_, known);
  return {fmt::format("there is no metric '{}'", metric_),
          near.empty() ? "headrace explain --reference metrics lists them" : fmt::format("did you mean '{}'?", near)};
}

std::string SweepFacts::text(double number) const { return humane(number, description_->unit); }

std::string SweepFacts::place_text(const PointFacts& point) const {
  std::string text;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    text += fmt::format("{}{} {}", axis == 0 ? "" : ", ", axes_[axis].name,
                        text_of(axes_[axis].values[point.places[axis]]));
  return text;
}

bool SweepFacts::is_ranked() const {
  return std::any_of(shown_.begin(), shown_.end(), [](const PointFacts* point) { return !point->ranking.is_null(); });
}

}  // namespace headrace::reports
