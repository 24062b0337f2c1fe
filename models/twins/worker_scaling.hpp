// Workers that slow each other down, in closed form.
//
// Always busy: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)), N. J. Gunther, Guerrilla Capacity Planning,
// 2007.
//
// Busy for part of their time: N workers alternate between CPU work, which takes c times slowdown(j) while j of them
// compute, and everything else, Z on average. That is a closed network of a delay and a station whose rate depends on
// the number of customers; the station serves all of them at once, so its solution is the product form for any
// distribution of both times (Baskett, Chandy, Muntz, Palacios, JACM 22(2), 1975). H cores serve min(j, H) of them at
// a time.
#pragma once

#include <cstdint>
#include <functional>

namespace headrace::models::twins {

/// 1 + sigma (b - 1) + kappa b (b - 1).
constexpr double usl_slowdown(double sigma, double kappa, double busy) {
  return 1.0 + sigma * (busy - 1.0) + kappa * busy * (busy - 1.0);
}

struct BusyWorkers {
  double workers = 1.0;
  double cores = 0.0;    ///< 0: any number
  double cpu_s = 0.0;    ///< of a batch in a worker that is alone
  double other_s = 0.0;  ///< of a batch, everything that needs no core
};

/// By how much the CPU work of a batch is lengthened on average, weighed by the cores that do it; 1 without CPU work.
double mean_slowdown(const BusyWorkers& workers, const std::function<double(double busy)>& slowdown);

}  // namespace headrace::models::twins
