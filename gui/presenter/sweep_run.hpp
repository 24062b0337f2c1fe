// A sweep from the window: some parameters over some values, or a space from a file, answered beside the window and
// drawn.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/outcome/outcome.hpp"
#include "reports/humane.hpp"
#include "scenarios/results/sweep.hpp"

namespace headrace::gui {

struct SweepAxis {
  std::string pointer;
  std::vector<std::string> values;  ///< as a file spells them
};

struct SweepWish {
  std::vector<SweepAxis> axes;
  std::string space;  ///< file or name of a shipped space, instead of axes
  scenarios::AnswerLevel level = scenarios::AnswerLevel::estimate;
  double precision = 0.02;   ///< of a simulated point
  double max_wall_s = 10.0;  ///< of a simulated point
};

/// The wish as a space file of its own: what `headrace sweep` reads.
std::string space_text(const ScenarioDocument& document, const std::vector<SweepAxis>& axes);

struct SweptPoint {
  std::vector<std::string> labels;  ///< the value on each axis
  std::vector<double> numbers;      ///< the same for a drawing, in the axis' base unit; else its place
  std::vector<Edit> edits;
  models::Outcome outcome;
  std::string error;  ///< instead of an outcome

  /// Not-a-number where there is none.
  double value(const std::string& metric) const {
    const models::Metric* found = error.empty() ? outcome.find(metric) : nullptr;
    return found == nullptr ? std::numeric_limits<double>::quiet_NaN() : found->mean;
  }
};

struct SweepAnswer {
  std::vector<std::string> axes;       ///< names
  std::vector<bool> numeric;           ///< whether the numbers of an axis are more than places
  std::vector<reports::Scale> scales;  ///< of the numbers of an axis: all its labels are in this unit
  std::vector<SweptPoint> points;
  std::string level;  ///< "estimate": how the points were answered
  std::uint64_t failed = 0;
  bool interrupted = false;
  std::string error;  ///< instead of everything: complaints in the words of the command line
};

using TellSweep = std::function<void(double fraction, const std::string& what)>;
/// What was answered until a stop request is kept.
SweepAnswer run_sweep_of(const ScenarioDocument& document, const SweepWish& wish, const std::stop_token& stop,
                         const TellSweep& tell);

/// "2, 4, 8" to its values; blanks around them go away. Commas inside brackets, braces and quotes separate nothing.
std::vector<std::string> split_values(const std::string& text);

}  // namespace headrace::gui
