#include "tests/twins/closed_loops.hpp"

#include <algorithm>
#include <array>

#include "models/twins/require.hpp"

namespace headrace::models::twins {

double closed_throughput_bound_per_s(double service_s, double think_time_s, double population) {
  require(service_s > 0.0 && think_time_s >= 0.0 && population >= 0.0, "a closed loop needs a positive service time");
  return std::min(population / (think_time_s + service_s), 1.0 / service_s);
}

ClosedNetworkMeans aggregated_batch_loop(int workers, int samples, double latency_s, double transfer_s) {
  require(samples >= 1, "a batch holds a sample");
  const std::array demand{samples * transfer_s};
  return mean_value_analysis(demand, samples * latency_s, workers);
}

}  // namespace headrace::models::twins
