#include "models/host_contention.hpp"

#include <algorithm>
#include <cmath>  // std::ceil

#include "models/flow_bound.hpp"
#include "models/host_costs.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

double contention_factor(double beta, double workers, double cpu_s, double other_s) {
  // The map rises by less than its argument for beta < 1: it converges from any start, by a factor beta each time.
  constexpr int kRounds = 60;
  if (!(cpu_s > 0.0)) return 1.0;
  double factor = 1.0;
  for (int i = 0; i < kRounds; ++i) {
    const double busy_share = cpu_s * factor / (cpu_s * factor + other_s);
    factor = sim::ppow(1.0 + (workers - 1.0) * busy_share, beta);
  }
  return factor;
}

void resolve_contention(IngestPath& path, const Pool& pool) {
  if (!(pool.host.contention > 0.0)) return;
  double workers = std::ceil(static_cast<double>(path.loaders) / path.nodes) * path.workers;
  if (pool.host.cores > 0) workers = std::min(workers, static_cast<double>(pool.host.cores));
  const double cpu_s = node_decode_s(path) + path.batch_samples * path.fault_s_per_sample + protocol_cpu_s(path);
  const double factor = contention_factor(pool.host.contention, workers, cpu_s, mean_batch_time_s(path) - cpu_s);
  if (factor == 1.0) return;
  path.contending_workers = workers;
  path.cpu_s_per_sample = path.cpu_s_per_sample.scaled(factor);
  path.fault_s_per_sample *= factor;
  path.host.decode_s_per_byte *= factor;
  path.host.decode_s_per_sample *= factor;
  path.host.protocol_s_per_byte *= factor;
  path.host.protocol_s_per_request *= factor;
}

}  // namespace headrace::models
