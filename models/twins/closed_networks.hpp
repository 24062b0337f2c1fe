// Closed networks: N workers that each cycle through a delay (think time, latency) and shared stations.
//
// Sources: M. Reiser, S. S. Lavenberg, Mean-value analysis of closed multichain queuing networks, JACM 27(2), 1980;
// F. Baskett, K. M. Chandy, R. R. Muntz, F. G. Palacios, JACM 22(2), 1975 (which service laws it holds for);
// E. D. Lazowska et al., Quantitative System Performance, 1984, chapters 5 (asymptotic bounds) and 6.
// Deviations: none. Exact for processor sharing with any law of work and for exponential first come first served.
#pragma once

#include <span>
#include <vector>

namespace headrace::models::twins {

struct ClosedNetworkMeans {
  double throughput_per_s = 0.0;     ///< cycles
  double response_time_s = 0.0;      ///< of a cycle, without the think time
  std::vector<double> utilization;   ///< per station
  std::vector<double> queue_length;  ///< per station, mean number present
};

/// Exact mean-value analysis: R_i = D_i (1 + Q_i(n-1)), X = n / (Z + sum R). @throws std::invalid_argument for negative
/// inputs, no population or a cycle that takes no time
ClosedNetworkMeans mean_value_analysis(std::span<const double> demands_s, double think_time_s, int population);

/// Fewest workers that keep a single shared station at least `utilization` busy.
/// @throws std::invalid_argument for a target of 1 or more, which no finite number reaches
int workers_for_utilization(double service_s, double think_time_s, double utilization);

}  // namespace headrace::models::twins
