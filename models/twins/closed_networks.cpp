#include "models/twins/closed_networks.hpp"
#include "models/twins/require.hpp"

#include <stdexcept>

namespace headrace::models::twins {
ClosedNetworkMeans mean_value_analysis(std::span<const double> demands_s, double think_time_s, int population) {
  double cycle = think_time_s;
  for (double demand : demands_s) {
    require(demand >= 0.0, "a service demand is not negative");
    cycle += demand;
  }
  require(think_time_s >= 0.0 && population >= 1 && cycle > 0.0, "a closed network needs customers and a cycle time");
  ClosedNetworkMeans means;
  means.queue_length.assign(demands_s.size(), 0.0);
  std::vector<double> response(demands_s.size());
  for (int n = 1; n <= population; ++n) {
    means.response_time_s = 0.0;
    for (std::size_t i = 0; i < demands_s.size(); ++i) {
      response[i] = demands_s[i] * (1.0 + means.queue_length[i]);
      means.response_time_s += response[i];
    }
    means.throughput_per_s = n / (think_time_s + means.response_time_s);
    for (std::size_t i = 0; i < demands_s.size(); ++i) means.queue_length[i] = means.throughput_per_s * response[i];
  }
  for (double demand : demands_s) means.utilization.push_back(means.throughput_per_s * demand);
  return means;
}

int workers_for_utilization(double service_s, double think_time_s, double utilization) {
  require(service_s > 0.0 && think_time_s >= 0.0, "a closed loop needs a positive service time");
  require(utilization < 1.0, "no finite number of workers keeps a station busy all the time");
  double queue = 0.0;
  for (int n = 1;; ++n) {
    const double response = service_s * (1.0 + queue);
    const double throughput = n / (think_time_s + response);
    if (throughput * service_s >= utilization) return n;
    queue = throughput * response;
  }
}

}  // namespace headrace::models::twins
