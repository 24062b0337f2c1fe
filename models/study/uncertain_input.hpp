// Which figures of a scenario are uncertain, within what range, and the scenario with other values for them.
//
// The rule. A range that the scenario states (input_ranges) holds. Otherwise the evidence decides: that which the
// scenario states, for a catalogue figure `datasheet`, else the class in the parameter's description. Assumed figures
// are drawn between value / 1.5 and value * 1.5, data-sheet figures between value / 1.1 and value * 1.1, published and
// measured ones are not drawn. For a fraction the factor applies to the odds f / (1 - f). Ranges are cut to the hard
// limits of the parameter. Not drawn: counts, choices, line rates and sizes that somebody decided; zeros (no such stage
// or limit) and a fraction of 1 (no loss is modelled). A count that nobody decides (servers of a metadata service) is
// drawn where its range is stated, and rounded.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/number_walk.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

inline constexpr double kAssumedFactor = 1.5;
inline constexpr double kDatasheetFactor = 1.1;

/// One figure and the range that it is drawn from: uniform on a linear, logarithmic or log-odds scale.
struct UncertainInput {
  enum class Scale : std::uint8_t { linear, ratio, odds };

  std::string pointer;
  Unit unit = Unit::one;
  double value = 0.0;  ///< in the scenario; the mean of a law
  double low = 0.0;
  double high = 0.0;
  Scale scale = Scale::linear;
  Evidence evidence = Evidence::assumed;
  bool stated = false;                   ///< the scenario states the range
  bool spread_only = false;              ///< leaves every mean alone, so that no flow bound sees it
  std::optional<std::size_t> volume_of;  ///< a dataset that keeps its bytes whatever this size of its samples is
  std::size_t place = 0;                 ///< number of the figure in the walk through the scenario

  /// The figure at share u of its range, 0 < u < 1. A spread takes one of 8 levels, since every spread has tables of
  /// its own to be made.
  double at(double u) const;
};

/// What is known about a figure beside its description.
struct Knowledge {
  std::optional<Evidence> evidence;
  std::optional<double> low;  ///< of a stated range, with `high`
  std::optional<double> high;
};

/// The uncertain figures, in order of description. `known` is asked for each figure that could be one.
std::vector<UncertainInput> uncertain_inputs(const Scenario& scenario,
                                             const std::function<Knowledge(const NumberSite&)>& known);

/// The same by description alone.
std::vector<UncertainInput> uncertain_inputs(const Scenario& scenario);

/// The scenario with input i at share u[i] of its range.
Scenario with_inputs(const Scenario& scenario, const std::vector<UncertainInput>& inputs, const std::vector<double>& u);

/// The scenario with another value of one input, such as an end of its range.
Scenario with_input(const Scenario& scenario, UncertainInput input, double value);

}  // namespace headrace::models
