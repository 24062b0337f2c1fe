#include "models/hops/barrier.hpp"

#include "models/base/purposes.hpp"
#include "models/base/slowest_of.hpp"
#include "models/describe/to_distribution.hpp"

namespace headrace::models {

BarrierTimes barrier_times(const Barrier& barrier, double ranks) {
  BarrierTimes times;
  times.ranks = ranks;
  times.fixed_s = barrier.time_s + barrier.per_doubling_s * doublings(ranks);
  times.rank_delay_s = to_distribution(barrier.rank_delay_s);
  times.slowest_rank_s = mean_of_slowest(times.rank_delay_s, ranks);
  return times;
}

sim::TimeNs barrier_ns(const BarrierTimes& barrier, sim::StreamKey key, std::uint64_t step) {
  const sim::TimeNs fixed_ns = sim::duration_ns(barrier.fixed_s);
  if (!(barrier.slowest_rank_s > 0.0)) return fixed_ns;
  key.purpose = kDrawRankDelay;
  return fixed_ns + sim::duration_ns(slowest_quantile(barrier.rank_delay_s, barrier.ranks, sim::uniform(key, step)));
}

}  // namespace headrace::models
