#include "models/twins/worker_scaling.hpp"

#include <algorithm>
#include <cmath>  // std::sqrt, std::floor only

namespace headrace::models::twins {

double mean_slowdown(const BusyWorkers& workers, const std::function<double(double busy)>& slowdown) {
  if (!(workers.cpu_s > 0.0)) return 1.0;
  const double n = std::max(1.0, std::floor(workers.workers + 0.5));
  if (!(workers.other_s > 0.0)) return slowdown(n);
  constexpr double kLargest = 1e250;  // weights are ratios: all of them may be divided by the same number
  double weight = 1.0;                // of j busy workers, as if none is
  double cores_busy = 0.0;            // weighed, times the sum of the weights
  double batches_per_s = 0.0;
  for (double j = 1.0; j <= n; j += 1.0) {
    const double served = workers.cores > 0.0 ? std::min(j, workers.cores) : j;
    const double rate_per_s = served / (workers.cpu_s * slowdown(j));
    weight *= (n - j + 1.0) / (workers.other_s * rate_per_s);
    cores_busy += weight * served;
    batches_per_s += weight * rate_per_s;
    if (weight < kLargest) continue;
    weight /= kLargest;
    cores_busy /= kLargest;
    batches_per_s /= kLargest;
  }
  return cores_busy / (batches_per_s * workers.cpu_s);
}

}  // namespace headrace::models::twins
