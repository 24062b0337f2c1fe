// The positions of a slider: whole numbers from 0 to kTicks, in ratios where the description of the parameter says so,
// and values that a person would write, of three digits.
#pragma once

#include "gui/presenter/parameter_sheet.hpp"

namespace headrace::gui {

class SliderScale {
 public:
  static constexpr int kTicks = 1000;

  /// Of a parameter that can_slide(); a value outside the plausible range widens the scale to it.
  SliderScale(const ParameterValue& parameter, double value);

  double value_at(int tick) const;
  int tick_of(double value) const;
  double low() const { return low_; }
  double high() const { return high_; }
  bool is_logarithmic() const { return logarithmic_; }

  /// `count` values from low to high, evenly along the slider; the same value only once.
  std::vector<double> spread(int count) const;

 private:
  double low_;
  double high_;
  bool logarithmic_;
  bool whole_;
};

}  // namespace headrace::gui
