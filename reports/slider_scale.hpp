// The positions of a slider: whole numbers from 0 to kTicks, from half to four times of what the parameter is today, in
// ratios where its description says so, and values that a person would write, of three digits.
#pragma once

#include "scenarios/document/parameter_sheet.hpp"

namespace headrace::reports {

class SliderScale {
 public:
  static constexpr int kTicks = 1000;

  /// Of a parameter that can_slide(). Without a value of today, around `value`; a value outside widens the scale to it.
  /// Where it is nothing, the plausible range. What is plausible ends a scale only where it leaves room above today.
  SliderScale(const scenarios::ParameterValue& parameter, double value);

  double value_at(int tick) const;
  int tick_of(double value) const;
  double low() const { return low_; }
  double high() const { return high_; }
  bool is_logarithmic() const { return logarithmic_; }

  /// `count` values from low to high, evenly along the slider, the value of today among them; each value only once.
  std::vector<double> spread(int count) const;

 private:
  double low_;
  double high_;
  bool logarithmic_;
  bool whole_;
  double today_;
};

}  // namespace headrace::reports
