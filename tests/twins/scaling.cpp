#include "tests/twins/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headrace::models::twins {

double ring_all_reduce_s(double bytes, double bandwidth_bytes_per_s, double latency_s, double ranks) {
  return 2.0 * (ranks - 1.0) / ranks * bytes / bandwidth_bytes_per_s + 2.0 * (ranks - 1.0) * latency_s;
}

double tree_all_reduce_s(double bytes, double bandwidth_bytes_per_s, double latency_s, double ranks) {
  return 2.0 * std::log2(ranks) * (latency_s + bytes / bandwidth_bytes_per_s);
}

double hierarchical_all_reduce_s(const HierarchicalAllReduce& shape) {
  const double g = shape.gpus_per_node;
  return ring_all_reduce_s(shape.bytes, shape.inside_bytes_per_s, 0.0, g) +
         ring_all_reduce_s(shape.bytes / g, shape.nic_bytes_per_s, 0.0, shape.nodes);
}

double amdahl_speedup(double serial_share, double workers) {
  return 1.0 / (serial_share + (1.0 - serial_share) / workers);
}

double usl_capacity(double contention, double coherency, double workers) {
  return workers / (1.0 + contention * (workers - 1.0) + coherency * workers * (workers - 1.0));
}

double usl_peak_workers(double contention, double coherency) { return std::sqrt((1.0 - contention) / coherency); }

double usl_contention_from_efficiency(double efficiency, double workers) {
  return (1.0 / efficiency - 1.0) / (workers - 1.0);
}

double contended_capacity(double beta, double workers) { return std::pow(workers, 1.0 - beta); }

double usl_peak(double sigma, double kappa) {
  if (!(kappa > 0.0)) return sigma < 1.0 ? std::numeric_limits<double>::infinity() : 1.0;
  return std::max(1.0, std::sqrt(std::max(0.0, 1.0 - sigma) / kappa));
}

}  // namespace headrace::models::twins
