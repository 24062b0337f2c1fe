#include "reports/slider_scale.hpp"

#include <algorithm>
#include <cmath>

#include "reports/significant.hpp"

namespace headrace::reports {

SliderScale::SliderScale(const scenarios::ParameterValue& parameter, double value)
    : low_(parameter.facts.low),
      high_(parameter.facts.high),
      logarithmic_(parameter.facts.log_scale),
      whole_(parameter.is_whole()),
      today_(parameter.today.value_or(value)) {
  constexpr double kLeast = 0.5;
  constexpr double kMost = 4.0;
  constexpr double kRoom = 2.0;  // where today is beyond what was thought plausible, that is no limit; shares end at 1
  if (today_ > 0.0) {            // no farther than what is plausible
    double low = std::max(kLeast * today_, std::min(low_, today_));
    double high = std::min(kMost * today_, std::max(high_, today_));
    const bool endless = whole_ || (parameter.unit != models::Unit::fraction && parameter.unit != models::Unit::one);
    if (endless && high < kRoom * today_) high = kMost * today_;
    if (whole_) low = std::floor(low), high = std::ceil(high);
    if (high > low) low_ = low, high_ = high;
  }
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
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
  // The nearest one between the ends gives way to what is there today.
  if (values.size() > 2 && today_ > values.front() && today_ < values.back())
    *std::min_element(values.begin() + 1, values.end() - 1,
                      [this](double a, double b) { return std::abs(a - today_) < std::abs(b - today_); }) = today_;
  return values;
}

}  // namespace headrace::reports
