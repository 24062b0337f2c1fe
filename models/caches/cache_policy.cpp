#include "models/caches/cache_policy.hpp"

#include <algorithm>

#include "models/caches/hit_laws.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

double held_at_begin(const ReshuffledCache& cache) {
  // Until a cache is full it keeps all that it has seen: 1 - (1-1/n)^e of the corpus.
  double unseen = 1.0;
  const double not_read = 1.0 - 1.0 / cache.readers;
  for (std::uint64_t e = 0; e < cache.epochs_before && unseen > 1e-12; ++e) unseen *= not_read;
  return std::min(cache.fraction, 1.0 - unseen);
}

double hit_ratio_at(const ReshuffledCache& cache, double position) {
  const double c = cache.fraction;
  const double n = cache.readers;
  if (cache.policy == CachePolicy::none || !(c > 0.0)) return 0.0;
  if (cache.policy == CachePolicy::lru || cache.policy == CachePolicy::clock)
    return lru_hit_ratio_at(c, n, position, cache.epochs_before);
  const double held = held_at_begin(cache);
  if (cache.policy == CachePolicy::pinned || cache.policy == CachePolicy::clairvoyant || !(held > 0.0) || held >= 1.0)
    return held;
  const double full_at = n * (c - held) / (1.0 - held);
  if (position <= full_at) return held;
  const double since = (position - full_at) / n;
  if (cache.policy == CachePolicy::fifo) return std::max(0.0, 1.0 - (1.0 - held) * sim::pexp(since));
  return held / (held + (1.0 - held) * sim::pexp(std::min(700.0, since / c)));
}

double cyclic_hit_ratio(CachePolicy policy, double fraction) {
  if (policy == CachePolicy::none) return 0.0;
  if (fraction >= 1.0) return 1.0;
  if (policy == CachePolicy::pinned || policy == CachePolicy::clairvoyant) return fraction;
  if (policy != CachePolicy::random || !(fraction > 0.0)) return 0.0;
  double hit = 0.0;  // from below: the smaller root, since h = 1 is one as well
  for (int i = 0; i < 10000; ++i) {
    const double next = sim::pexp(-(1.0 - hit) / fraction);
    if (next - hit < 1e-14) break;
    hit = next;
  }
  return hit;
}

}  // namespace headrace::models
