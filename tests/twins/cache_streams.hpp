// Hit ratios in closed form beside those that the models use: by the position in the epoch, of FIFO, of disjoint
// shares, of independent references.
//
// Sources: as models/twins/cache_hit_ratio.hpp; H. Che, Y. Tung, Z. Wang, IEEE JSAC 20(7), 2002, and C. Fricker,
// P. Robert, J. Roberts, ITC-24, 2012 (independent reference model); W. F. King, IFIP 1971 (exact LRU); E. Gelenbe,
// IEEE ToC 22, 1973 (exact FIFO and random).
#pragma once

#include <span>
#include <vector>

namespace headrace::models::twins {

/// Hit ratio of an LRU cache at position y in [0, 1] of the epoch: max(0, 1 - (1-c)/(1-y)): all hits fall into the
/// first c of it.
double lru_reshuffle_profile(double c, double y);
/// Of random eviction at position y of the epoch: c / (c + (1-c) e^(y/c)).
double random_reshuffle_profile(double c, double y);
/// FIFO, on each of n nodes: all that came during the last c misses is held, so that h(y) = 1 - (1-c) e^(y/n) until
/// that is 0. One reader: -ln(1-c) - c up to c = 1 - 1/e, 1 - (1-c)(e-1) above.
double fifo_reshuffle_hit_ratio(double c, int nodes = 1);
/// Reads of n nodes that pin disjoint shares c each.
struct PartitionedHits {
  double any = 0.0;
  double local = 0.0;
  double remote = 0.0;
};
PartitionedHits partitioned_hit_ratio(double c, int nodes);
/// Popularities of a Zipf law, p_i proportional to i^-alpha, normalised.
std::vector<double> zipf_popularities(int items, double alpha);
/// Hit ratio of an independent reference stream and the characteristic time (in requests) it rests on.
struct CheEstimate {
  double hit_ratio = 0.0;
  double characteristic_time = 0.0;
};
/// LRU: sum_i 1 - exp(-p_i T) = C. @throws std::invalid_argument unless 0 < C < number of items
CheEstimate che_lru(std::span<const double> popularities, double capacity_items);
/// FIFO and random eviction: sum_i p_i T / (1 + p_i T) = C.
CheEstimate che_fifo(std::span<const double> popularities, double capacity_items);
/// Exact LRU hit ratio by King's formula, summed over subsets: at most 20 items.
double exact_lru_hit_ratio(std::span<const double> popularities, int capacity_items);
/// Exact FIFO (and random) hit ratio: product form.
double exact_fifo_hit_ratio(std::span<const double> popularities, int capacity_items);
/// Mean access time over tiers: `hit_ratios` of all but the last, which takes the rest.
double mean_access_time_s(std::span<const double> hit_ratios, std::span<const double> latencies_s);
/// Share of the draws from `items` items, the i-th with probability proportional to i^-exponent, that are of the first
/// `hottest`. Sums term by term: for tests and small numbers.
double share_of_hottest(double items, double hottest, double exponent);

}  // namespace headrace::models::twins
