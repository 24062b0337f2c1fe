// Closed loops of workers around one station: the bound by constant times, and batches of many fetches.
//
// Sources: E. D. Lazowska et al., Quantitative System Performance, 1984, chapter 5; F. Baskett, K. M. Chandy, R. R.
// Muntz, F. G. Palacios, JACM 22(2), 1975. Deviations: none.
#pragma once

#include "models/twins/closed_networks.hpp"

namespace headrace::models::twins {

/// Constant times: X = min(N / (Z + S), 1 / S); with random ones an upper bound.
double closed_throughput_bound_per_s(double service_s, double think_time_s, double population);
/// Throughput of loops whose batch is `samples` times (latency, transfer over one shared link): by insensitivity the
/// same as one (sum of latencies, sum of transfers), whatever the law of the latency (Baskett et al. 1975).
ClosedNetworkMeans aggregated_batch_loop(int workers, int samples, double latency_s, double transfer_s);

}  // namespace headrace::models::twins
