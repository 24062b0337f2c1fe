// Minimisation without derivatives: J. Nelder and R. Mead, A simplex method for function minimization, The Computer
// Journal 7 (1965), with their coefficients 1, 2, 1/2, 1/2. For fits of a few numbers.
#pragma once

#include <functional>
#include <vector>

namespace headrace::models::calibration {

struct Minimum {
  std::vector<double> at;
  double value = 0.0;
};

/// From `start` with first steps of `step` along each axis; restarts once where it ended.
Minimum nelder_mead(const std::function<double(const std::vector<double>&)>& f, const std::vector<double>& start,
                    double step, int most_evaluations = 2000);

}  // namespace headrace::models::calibration
