#include "tests/twins/receiving.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::models::twins {

double ReceivingRank::period_s() const {
  const double by_workers_s = batch_s / workers;
  const double by_slots_s = (batch_s + receive_s) / outstanding;
  const double by_rank_s = pin_thread ? std::max(receive_s, step_s) : receive_s + step_s;
  return std::max({by_workers_s, by_slots_s, by_rank_s});
}

double ReceivingRank::refill_s() const {
  const double pin_s = pin_thread ? receive_s : 0.0;
  const double rank_s = pin_thread ? step_s : receive_s + step_s;
  if (batch_s <= workers * rank_s) return pin_s + batch_s;
  return pin_s + batch_s * (workers - 1.0) / (2.0 * workers) + rank_s * (workers + 1.0) / 2.0;
}

double received_per_s(int workers, double batch_s, double receive_s) {
  // With B*(s) = exp(-s receive_s): P0 = 1 / (1 + N rho sum over n of C(N-1, n) prod over i <= n of (1/B*(i/X) - 1)).
  const double rho = receive_s / batch_s;
  double term = 1.0;
  double sum = 0.0;
  for (int n = 0; n < workers; ++n) {
    sum += term;
    term *= (workers - 1.0 - n) / (n + 1.0) * std::expm1((n + 1.0) * rho);
  }
  const double work = workers * rho * sum;
  return work / (1.0 + work) / receive_s;
}

}  // namespace headrace::models::twins
