// Collectives and scaling laws in closed form.
//
// Sources: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005 (alpha-beta costs of ring and tree); P. Patarasuk,
// X. Yuan, JPDC 69, 2009 (ring all-reduce is bandwidth optimal); G. Amdahl, 1967; N. Gunther, Guerrilla Capacity
// Planning, 2007 (universal scalability law). Deviations: the hierarchical form leaves out latencies.
#pragma once

namespace headrace::models::twins {

/// 2 (n-1)/n M/B + 2 (n-1) alpha.
double ring_all_reduce_s(double bytes, double bandwidth_bytes_per_s, double latency_s, double ranks);
/// Binomial reduce and broadcast: 2 log2(n) (alpha + M/B).
double tree_all_reduce_s(double bytes, double bandwidth_bytes_per_s, double latency_s, double ranks);

struct HierarchicalAllReduce {
  double bytes = 0.0;
  double gpus_per_node = 1.0;
  double nodes = 1.0;
  double inside_bytes_per_s = 0.0;  ///< per GPU, inside a node
  double nic_bytes_per_s = 0.0;     ///< per GPU, one NIC each
};
/// Reduce-scatter in the node, ring over the nodes on 1/g of the data, all-gather in the node.
double hierarchical_all_reduce_s(const HierarchicalAllReduce& shape);

/// 1 / (f + (1-f)/N) with the serial share f.
double amdahl_speedup(double serial_share, double workers);
/// N / (1 + sigma (N-1) + kappa N (N-1)).
double usl_capacity(double contention, double coherency, double workers);
/// Number of workers at which usl_capacity peaks: sqrt((1-sigma)/kappa).
double usl_peak_workers(double contention, double coherency);
/// Number of workers with the highest throughput: sqrt((1 - sigma) / kappa), at least 1; infinite if it never falls.
double usl_peak(double sigma, double kappa);
/// Contention that explains a scaling efficiency at N workers when nothing else limits: (1/E - 1)/(N - 1).
double usl_contention_from_efficiency(double efficiency, double workers);
/// N^(1-beta): each of N workers takes N^beta times as long for a piece of work as one alone.
double contended_capacity(double beta, double workers);

}  // namespace headrace::models::twins
