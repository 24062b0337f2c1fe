#include "tests/twins/worker_network.hpp"

#include <algorithm>
#include <vector>

namespace headrace::models::twins {

double slowed_workers_per_s(int workers, int cores, double cpu_s, double other_s,
                            const std::function<double(double busy)>& slowdown) {
  const auto rate_per_s = [&](int busy) {
    const int served = cores > 0 ? std::min(busy, cores) : busy;
    return served / (cpu_s * slowdown(busy));
  };
  // Probability of j at the station with n - 1 customers, from which those with n follow.
  std::vector<double> busy{1.0};
  double throughput_per_s = 0.0;
  for (int n = 1; n <= workers; ++n) {
    double response_s = 0.0;
    for (int j = 1; j <= n; ++j) response_s += j / rate_per_s(j) * busy[static_cast<std::size_t>(j) - 1];
    throughput_per_s = n / (other_s + response_s);
    std::vector<double> next(static_cast<std::size_t>(n) + 1);
    double others = 0.0;
    for (int j = 1; j <= n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      next[at] = throughput_per_s / rate_per_s(j) * busy[at - 1];
      others += next[at];
    }
    next[0] = std::max(0.0, 1.0 - others);
    busy = std::move(next);
  }
  return throughput_per_s;
}

}  // namespace headrace::models::twins
