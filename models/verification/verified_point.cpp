#include "models/verification/verified_point.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace headrace::models::verification {
namespace {

void add_size(ErrorSummary& summary, double error, std::size_t points) {
  summary.mean += std::abs(error) / static_cast<double>(points);
  summary.largest = std::max(summary.largest, std::abs(error));
}

void add_point(ErrorSummaries& summaries, const VerifiedPoint& point, std::size_t points) {
  add_size(summaries.idle_error_points, point.idle_error_points, points);
  add_size(summaries.step_error_percent, point.step_error_percent, points);
  add_size(summaries.idle_noise_points, point.idle_repeat_points, points);
  add_size(summaries.step_noise_percent, point.step_repeat_percent, points);
}

bool overlap(const Spread& a, const Spread& b) { return a.low <= b.high && b.low <= a.high; }

VerifiedGroup& group_of(Verification& verification, const VerifiedPoint& point) {
  for (VerifiedGroup& group : verification.groups)
    if (group.name == point.group) return group;
  VerifiedGroup& added = verification.groups.emplace_back();
  added.name = point.group;
  added.bars = point.bars;
  return added;
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  if (values.empty()) return spread;
  const auto n = static_cast<double>(values.size());
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double half = 0.0;
  if (values.size() > 1) {
    double squares = 0.0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    const double t = boost::math::quantile(boost::math::students_t(n - 1.0), 0.975);
    half = t * std::sqrt(squares / (n - 1.0) / n);
  }
  spread.low = spread.mean - half;
  spread.high = spread.mean + half;
  return spread;
}

void judge(VerifiedPoint& point) {
  const ComparedLoop& p = point.predicted;
  const ComparedLoop& m = point.measured;
  point.idle_error_points = 100.0 * (p.idle_fraction.mean - m.idle_fraction.mean);
  point.step_error_percent = m.step_time_s.mean > 0.0 ? 100.0 * (p.step_time_s.mean / m.step_time_s.mean - 1.0) : 0.0;
  if (point.bars.hold(std::abs(point.idle_error_points), std::abs(point.step_error_percent)))
    point.verdict = PointVerdict::agrees;
  else if (point.clean_rounds == 0)
    point.verdict = PointVerdict::noisy;
  else if (overlap(p.step_time_s, m.step_time_s) && overlap(p.idle_fraction, m.idle_fraction))
    point.verdict = PointVerdict::within_noise;
  else
    point.verdict = PointVerdict::differs;
}

void summarize(Verification& verification) {
  for (const VerifiedPoint& point : verification.points)
    if (!point.group.empty()) ++group_of(verification, point).points;
  for (const VerifiedPoint& point : verification.points) {
    add_point(verification, point, verification.points.size());
    if (point.group.empty()) continue;
    VerifiedGroup& group = group_of(verification, point);
    add_point(group, point, group.points);
  }
}

bool Verification::within_bars() const {
  if (groups.empty()) return Bars{}.hold(idle_error_points.mean, step_error_percent.mean);
  return std::all_of(groups.begin(), groups.end(), [](const VerifiedGroup& group) { return group.within_bars(); });
}

}  // namespace headrace::models::verification
