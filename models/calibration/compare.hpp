// Two calibrations against each other: did the machine change, or the parameter?
#pragma once

#include <string>
#include <vector>

#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

enum class Change : std::uint8_t { same, changed, undetermined };
constexpr const char* change_name(Change change) {
  return change == Change::same ? "same" : change == Change::changed ? "changed" : "undetermined";
}

struct ParameterChange {
  std::string name;
  std::string unit;
  double before = 0.0;
  double after = 0.0;
  double ratio = 0.0;  ///< after over before; 0: unknown
  double low = 0.0;    ///< 95 % interval of the ratio, both measurements independent
  double high = 0.0;
  Change change = Change::undetermined;
};

/// Ratios within `same_within` of 1, whole interval included, are the same; an interval that 1 lies outside of is a
/// change; otherwise, and where either is undetermined or missing, it is undetermined.
std::vector<ParameterChange> compare_calibrations(const Calibration& before, const Calibration& after,
                                                  double same_within = 0.1);

}  // namespace headrace::models::calibration
