// Throughput against the number of operations under way, X(N): which law, with which numbers.
//
//   constant      X = C                                    saturated throughout
//   min           X = min(l N, C)
//   smooth_min    X = ((l N)^-a + C^-a)^(-1/a)
//   amdahl        X = l N / (1 + s (N - 1))                G. Amdahl 1967
//   usl           X = l N / (1 + s (N - 1) + k N (N - 1))  N. Gunther, Guerrilla Capacity Planning, 2007; N* =
//   sqrt((1-s)/k) mva           closed network of a delay Z and one queue D, exact mean value analysis (Reiser and
//   Lavenberg 1980)
//
// ln X is fitted by least squares to all windows; the laws are compared by AICc (Hurvich and Tsai 1989).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

struct Throughput {
  double concurrency = 1.0;
  double rate_per_s = 0.0;
};

/// X(N) of a law by name with its numbers in the order of the fit.
double throughput_of(const std::string& family, const std::vector<double>& numbers, double concurrency);

/// All laws that the points can tell, the chosen one first and marked. With fewer than two depths or too few points, or
/// when no law explains more than chance does and the points scatter, none is chosen and the decision says
/// "undetermined: ...".
std::vector<Fit> fit_throughput(std::span<const Throughput> points, const std::string& parameter);

}  // namespace headrace::models::calibration
