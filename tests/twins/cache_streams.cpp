#include "tests/twins/cache_streams.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "models/twins/require.hpp"

namespace headrace::models::twins {

namespace {

void require_cache_share(double c) { require(c >= 0.0 && c <= 1.0, "a cache share lies in [0, 1]"); }

/// Root of an increasing function of the characteristic time.
template <class Occupancy>
double characteristic_time(const Occupancy& occupancy, double capacity_items) {
  double high = capacity_items;
  while (occupancy(high) < capacity_items) high *= 2.0;
  double low = 0.0;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (occupancy(middle) < capacity_items ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

template <class Present>
CheEstimate che(std::span<const double> popularities, double capacity_items, const Present& present) {
  require(capacity_items > 0.0 && capacity_items < static_cast<double>(popularities.size()),
          "a cache holds some of the items, not all");
  const auto occupancy = [&](double time) {
    double sum = 0.0;
    for (double p : popularities) sum += present(p * time);
    return sum;
  };
  CheEstimate estimate;
  estimate.characteristic_time = characteristic_time(occupancy, capacity_items);
  for (double p : popularities) estimate.hit_ratio += p * present(p * estimate.characteristic_time);
  return estimate;
}

}  // namespace

double lru_reshuffle_profile(double c, double y) {
  require_cache_share(c);
  return y >= c ? 0.0 : 1.0 - (1.0 - c) / (1.0 - y);
}

double random_reshuffle_profile(double c, double y) {
  require_cache_share(c);
  return c <= 0.0 ? 0.0 : c / (c + (1.0 - c) * std::exp(y / c));
}

double fifo_reshuffle_hit_ratio(double c, int nodes) {
  require_cache_share(c);
  require(nodes >= 1, "a data set is read by a node");
  const double n = nodes;
  const double last = std::min(1.0, c < 1.0 ? -n * std::log1p(-c) : 1.0);  // where the profile reaches 0
  return last - (1.0 - c) * n * std::expm1(last / n);
}

PartitionedHits partitioned_hit_ratio(double c, int nodes) {
  require_cache_share(c);
  const double any = std::min(1.0, c * nodes);
  return {.any = any, .local = std::min(c, any), .remote = any - std::min(c, any)};
}

std::vector<double> zipf_popularities(int items, double alpha) {
  require(items >= 1, "a Zipf law needs an item");
  std::vector<double> p(static_cast<std::size_t>(items));
  double sum = 0.0;
  for (int i = items; i >= 1; --i) sum += p[i - 1] = std::pow(static_cast<double>(i), -alpha);
  for (double& x : p) x /= sum;
  return p;
}

CheEstimate che_lru(std::span<const double> popularities, double capacity_items) {
  return che(popularities, capacity_items, [](double x) { return -std::expm1(-x); });
}

CheEstimate che_fifo(std::span<const double> popularities, double capacity_items) {
  return che(popularities, capacity_items, [](double x) { return x / (1.0 + x); });
}

double exact_lru_hit_ratio(std::span<const double> popularities, int capacity_items) {
  const int items = static_cast<int>(popularities.size());
  require(items <= 20 && capacity_items >= 1 && capacity_items <= items, "exact LRU is for at most 20 items");
  // reached[S]: probability that the |S| most recently used distinct items are the set S.
  std::vector<double> reached(std::size_t{1} << items, 0.0);
  reached[0] = 1.0;
  double hit = 0.0;
  for (std::uint32_t set = 0; set < reached.size(); ++set) {
    double mass = 0.0;
    for (int i = 0; i < items; ++i) mass += (set >> i & 1U) ? popularities[i] : 0.0;
    const int size = std::popcount(set);
    if (size == capacity_items) hit += reached[set] * mass;
    if (size >= capacity_items) continue;
    for (int i = 0; i < items; ++i) {
      if (!(set >> i & 1U)) reached[set | 1U << i] += reached[set] * popularities[i] / (1.0 - mass);
    }
  }
  return hit;
}

double exact_fifo_hit_ratio(std::span<const double> popularities, int capacity_items) {
  const int items = static_cast<int>(popularities.size());
  require(capacity_items >= 1 && capacity_items <= items, "a cache holds between one and all items");
  // product[m] sums, over the sets of m items, the product of the popularities; mass[m] also weighs it by their sum.
  std::vector<double> product(static_cast<std::size_t>(capacity_items) + 1, 0.0);
  std::vector<double> mass(product.size(), 0.0);
  product[0] = 1.0;
  for (double p : popularities) {
    for (int m = capacity_items; m >= 1; --m) {
      mass[m] += p * (mass[m - 1] + p * product[m - 1]);
      product[m] += p * product[m - 1];
    }
  }
  return mass[capacity_items] / product[capacity_items];
}

double mean_access_time_s(std::span<const double> hit_ratios, std::span<const double> latencies_s) {
  require(latencies_s.size() == hit_ratios.size() + 1, "every tier but the last has a hit ratio");
  double rest = 1.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < hit_ratios.size(); ++i) {
    mean += hit_ratios[i] * latencies_s[i];
    rest -= hit_ratios[i];
  }
  require(rest >= -1e-12, "hit ratios sum to at most 1");
  return mean + rest * latencies_s.back();
}

double share_of_hottest(double items, double hottest, double exponent) {
  double all = 0.0;
  double held = 0.0;
  for (double i = 1.0; i <= items; i += 1.0) {
    const double popularity = std::pow(i, -exponent);
    all += popularity;
    if (i <= hottest) held += popularity;
  }
  return held / all;
}

}  // namespace headrace::models::twins
