// sigma and kappa of workers that compute, from throughput at a few counts of workers.
//
//   X(N) = lambda min(N, H) / (1 + sigma (N - 1) + kappa N (N - 1))      H cores; N where they are not known
//
// ln X is fitted by least squares with 0 <= sigma <= 1 and kappa > 0, one point per count of workers. Up to eight
// workers hardly tell kappa, which then decides what sixteen do: ln kappa is drawn to that of published loaders, as if
// they were one more observation (ridge regression; the posterior mode under a normal prior). Intervals: profile
// likelihood.
#pragma once

#include <span>

#include "models/calibration/concurrency_fit.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

/// What is known of kappa before anything is measured. `weight` is the standard deviation of ln X around the law over
/// that of ln kappa between loaders; 0: nothing is known.
struct ScalingPrior {
  double kappa = 0.0;
  double weight = 0.0;
};

/// Of 17 curves of SPDL's documentation: median kappa, scatter of their rates (7.4 %) over the spread of ln kappa
/// (0.96). tests/validation/worker_scaling_test.cpp fits it anew, and judges it on curves that it was not chosen on.
inline constexpr ScalingPrior kWorkerPrior{0.0058, 0.08};

struct ScalingFit {
  FitNumber rate_of_one_per_s;
  FitNumber sigma;
  FitNumber kappa;
  double rms_log_error = 0.0;

  /// On `cores` cores; 0: not a limit.
  double throughput(double workers, double cores = 0.0) const;
};

/// Needs points at one count of workers or more; with one count nothing but the prior speaks for sigma and kappa.
ScalingFit fit_worker_scaling(std::span<const Throughput> points, double cores = 0.0,
                              const ScalingPrior& prior = kWorkerPrior);

}  // namespace headrace::models::calibration
