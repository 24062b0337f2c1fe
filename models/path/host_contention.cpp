#include "models/path/host_contention.hpp"

#include <algorithm>
#include <cmath>  // std::ceil

#include "models/base/limits.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/twins/worker_scaling.hpp"
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

namespace {

/// By sigma and kappa. Collation is CPU work too; the bytes of a batch are those that a process would hand over.
double scaling_factor(const IngestPath& path, const Pool& pool, double workers, double cores_s, double other_s) {
  const WorkerContention& law = pool.host.contention;
  const double bytes = static_cast<double>(path.batch_samples) * path.memory_bytes_per_sample;
  const double kappa = law.kappa_of(bytes);
  const double collate_s = time_at(bytes, path.stated_loader.collate_bytes_per_s);
  const twins::BusyWorkers busy{workers, or_no_limit(path.cpu.capacity_per_s), cores_s + collate_s,
                                std::max(0.0, other_s - collate_s)};
  return twins::mean_slowdown(busy, [&](double b) { return twins::usl_slowdown(law.sigma, kappa, b); });
}

}  // namespace

void resolve_contention(IngestPath& path, const Pool& pool) {
  const WorkerContention& law = pool.host.contention;
  if (!law.has_scaling() && !(law.exponent > 0.0)) return;
  double workers = std::ceil(static_cast<double>(path.loaders) / path.nodes) * path.workers;
  const double cpu_s = batch_demand(path, Resource::cores);
  const double other_s = mean_batch_time_s(path) - cpu_s;
  double factor = 1.0;
  if (law.has_scaling()) {
    factor = scaling_factor(path, pool, workers, cpu_s, other_s);
    path.collate_slowdown = factor;
  } else {
    workers = capped(workers, path.cpu.capacity_per_s);
    factor = contention_factor(law.exponent, workers, cpu_s, other_s);
  }
  if (factor == 1.0) return;
  (law.has_scaling() ? path.scaling_workers : path.contending_workers) = workers;
  path.cpu_s_per_sample = path.cpu_s_per_sample.scaled(factor);
  path.fault_s_per_sample *= factor;
  path.host.decode_s_per_byte *= factor;
  path.host.decode_s_per_sample *= factor;
  path.host.protocol_s_per_byte *= factor;
  path.host.protocol_s_per_request *= factor;
}

}  // namespace headrace::models
