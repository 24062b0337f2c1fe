#include "models/caches/zipf_law.hpp"

#include <algorithm>
#include <cmath>  // std::floor only

#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

constexpr double kSingleItems = 64.0;
constexpr double kBinRatio = 1.05;

/// Integral of x^-exponent over [from, to].
double power_integral(double from, double to, double exponent) {
  const double rest = 1.0 - exponent;
  if (rest < 1e-6 && rest > -1e-6) return sim::plog(to / from);
  return (sim::ppow(to, rest) - sim::ppow(from, rest)) / rest;
}

/// Items whose place is found by how long ago they were read: kept by recency until the characteristic time.
bool by_recency(CachePolicy policy) { return policy != CachePolicy::fifo && policy != CachePolicy::random; }

/// Probability that an item with x draws in the characteristic time is held, and its derivative.
struct Held {
  double share;
  double slope;
};
Held held(bool recency, double x) {
  if (recency) return {-sim::pexpm1(-x), sim::pexp(-x)};
  return {x / (1.0 + x), 1.0 / ((1.0 + x) * (1.0 + x))};
}

}  // namespace

ZipfLaw::ZipfLaw(double items, double exponent) : items_(std::max(1.0, std::floor(items))) {
  double sum = 0.0;
  double first = 1.0;
  while (first <= items_) {
    double next = first + 1.0;
    if (first > kSingleItems) next = std::min(items_ + 1.0, std::max(next, std::floor(first * kBinRatio)));
    const double weight =
        next - first > 1.0 ? power_integral(first - 0.5, next - 0.5, exponent) : sim::ppow(first, -exponent);
    bins_.push_back({next - first, weight / (next - first)});
    sum += weight;
    first = next;
  }
  for (Bin& bin : bins_) bin.popularity /= sum;
}

double ZipfLaw::distinct(double draws) const {
  double sum = 0.0;
  for (const Bin& bin : bins_) sum += bin.items * held(true, bin.popularity * draws).share;
  return sum;
}

/// The characteristic time. The occupancy is concave and below the draws: Newton's method from the capacity upward.
double ZipfLaw::filling_draws(bool recency, double capacity_items) const {
  double draws = capacity_items;
  for (int i = 0; i < 100; ++i) {
    double occupancy = 0.0;
    double slope = 0.0;
    for (const Bin& bin : bins_) {
      const Held at = held(recency, bin.popularity * draws);
      occupancy += bin.items * at.share;
      slope += bin.items * bin.popularity * at.slope;
    }
    const double step = slope > 0.0 ? (capacity_items - occupancy) / slope : 0.0;
    draws += step;
    if (step < 1e-10 * draws) break;
  }
  return draws;
}

double ZipfLaw::hit_ratio(CachePolicy policy, double capacity_items) const {
  if (policy == CachePolicy::none || !(capacity_items > 0.0)) return 0.0;
  if (capacity_items >= items_ * (1.0 - 1e-9)) return 1.0;
  double hit = 0.0;
  if (policy == CachePolicy::clairvoyant) {
    double room = capacity_items;
    for (const Bin& bin : bins_) {
      const double taken = std::min(room, bin.items);
      hit += taken * bin.popularity;
      room -= taken;
    }
    return hit;
  }
  const bool recency = by_recency(policy);
  const double draws = filling_draws(recency, capacity_items);
  for (const Bin& bin : bins_) hit += bin.items * bin.popularity * held(recency, bin.popularity * draws).share;
  return hit;
}

double ZipfLaw::hit_ratio(CachePolicy policy, double capacity_items, double from, double to) const {
  if (policy == CachePolicy::none || !(capacity_items > 0.0) || !(to > from)) return 0.0;
  const bool holds_all = capacity_items >= items_ * (1.0 - 1e-9);
  const double full = holds_all ? to : filling_draws(true, capacity_items);
  const double filling_to = std::min(full, to);
  double hits = 0.0;  // a draw hits unless it is the first of its item
  if (filling_to > from) hits += (filling_to - distinct(filling_to)) - (from - distinct(from));
  if (to > filling_to) hits += (to - std::max(from, filling_to)) * hit_ratio(policy, capacity_items);
  return std::max(0.0, hits / (to - from));
}

}  // namespace headrace::models
