#include "models/twins/cache_hit_ratio.hpp"
#include "models/twins/require.hpp"

#include <cmath>

namespace headrace::models::twins {
namespace {

void require_share(double c) { require(c >= 0.0 && c <= 1.0, "a cache share lies in [0, 1]"); }

/// P(U V > t) for independent U, V uniform on [1 - 1/n, 1].
double product_exceeds(double t, double n) {
  const double a = 1.0 - 1.0 / n;
  if (t >= 1.0) return 0.0;
  if (t <= a * a) return 1.0;
  if (t >= a) return n * n * (1.0 - t + (t > 0.0 ? t * std::log(t) : 0.0));
  return n * n * ((t / a - a) - t * std::log(t / (a * a)) + (1.0 - t / a) * (1.0 - a));
}

}  // namespace

double lru_reshuffle_hit_ratio(double c) {
  require_share(c);
  return c >= 1.0 ? 1.0 : c + (1.0 - c) * std::log1p(-c);
}

double lru_reshuffle_hit_ratio(double c, int nodes) {
  require_share(c);
  require(nodes >= 1, "a job has a node");
  if (nodes == 1) return lru_reshuffle_hit_ratio(c);
  const double n = nodes;
  double sum = 0.0;
  double kept = 1.0;  // (1 - 1/n)^(k-1): not read on this node in the k-1 epochs between
  while (kept > 1.0 - c) {
    sum += kept / n * product_exceeds((1.0 - c) / kept, n);
    kept *= 1.0 - 1.0 / n;
    if (kept < 1e-18) break;
  }
  return sum;
}

double random_reshuffle_hit_ratio(double c) {
  require_share(c);
  // The same as 1 - c ln(c + (1-c) e^(1/c)), free of overflow and cancellation for a small cache.
  return c <= 0.0 ? 0.0 : -c * std::log1p(c * std::expm1(-1.0 / c));
}

double random_reshuffle_hit_ratio(double c, int nodes) {
  require_share(c);
  require(nodes >= 1, "a data set is read by a node");
  const double nc = nodes * c;
  return c <= 0.0 ? 0.0 : 1.0 - nc * (1.0 / nc + std::log1p(c * std::expm1(-1.0 / nc)));
}

double pinned_hit_ratio(double c) {
  require_share(c);
  return c;
}

}  // namespace headrace::models::twins
