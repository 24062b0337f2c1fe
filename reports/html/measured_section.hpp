// What was predicted against what was measured: a scatter about the diagonal, the distribution of the errors, and the
// points as a table. For whatever has both, such as a backtest or the verification of a machine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/document.hpp"

namespace headrace::reports {

struct MeasuredPoint {
  std::string name;
  Document predicted = {};  ///< number of the document, or null
  Document measured = {};   ///< number of the document, or null
  Document guess = {};      ///< of a simpler rule that the prediction must beat; null: none
  std::string note = {};
};

struct MeasuredComparison {
  std::string title;        ///< "Accelerator utilization"
  std::string unit;         ///< as metrics have it: "%", "s", "1/s", "1"; empty: a count
  bool in_points = false;   ///< errors as a difference in points of per cent, else relative in per cent
  bool log = false;         ///< scale of the scatter
  std::string guess_named;  ///< what the guess is; empty: there is none
  std::vector<MeasuredPoint> points;
};

/// Predicted minus measured, in points or in per cent of the measured; not-a-number where one is missing.
double error_of(const MeasuredComparison& comparison, const Document& predicted, const Document& measured);

/// Nothing where no point has both.
std::string measured_section(const MeasuredComparison& comparison);

}  // namespace headrace::reports
