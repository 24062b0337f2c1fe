#include "gui/presenter/slider_scale.hpp"

#include <algorithm>
#include <cmath>

#include "gui/presenter/significant.hpp"

namespace headrace::gui {

SliderScale::SliderScale(const ParameterValue& parameter, double value)
    : low_(std::min(parameter.facts.low, value)),
      high_(std::max(parameter.facts.high, value)),
      logarithmic_(parameter.facts.log_scale),
      whole_(parameter.is_whole()) {
  if (!(low_ > 0.0)) logarithmic_ = false;  // "0: none" stands outside a scale of ratios
}

double SliderScale::value_at(int tick) const {
  const double t = std::clamp(static_cast<double>(tick) / kTicks, 0.0, 1.0);
  if (tick <= 0) return low_;
  if (tick >= kTicks) return high_;
  const double value = logarithmic_ ? low_ * std::pow(high_ / low_, t) : low_ + (high_ - low_) * t;
  return std::clamp(whole_ ? std::round(value) : significant(value, 3), low_, high_);
}

int SliderScale::tick_of(double value) const {
  const double t =
      logarithmic_ ? std::log(std::max(value, low_) / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return std::clamp(static_cast<int>(std::lround(t * kTicks)), 0, kTicks);
}

std::vector<double> SliderScale::spread(int count) const {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double value = value_at(i * kTicks / std::max(1, count - 1));
    if (values.empty() || value > values.back()) values.push_back(value);
  }
  return values;
}

}  // namespace headrace::gui
