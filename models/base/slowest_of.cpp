#include "models/base/slowest_of.hpp"

#include <algorithm>
#include <bit>
#include <cmath>  // std::ceil only
#include <cstdint>
#include <map>
#include <utility>

#include "sim/portable_math.hpp"

namespace headrace::models {

double doublings(double count) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(1.0, count)));
  return static_cast<double>(std::bit_width(whole - 1));
}

double slowest_quantile(const sim::Distribution& law, double count, double p) {
  return law.quantile(count > 1.0 ? sim::ppow(p, 1.0 / count) : p);
}

double mean_of_slowest(const sim::Distribution& law, double count) {
  if (law.is_constant() || count <= 1.0) return law.mean();
  const bool jumps = law.family() == sim::Family::kMixture || law.family() == sim::Family::kEmpirical;
  const int per_unit = jumps ? 128 : 8;
  double sum = 0.0;
  double weights = 0.0;
  for (int i = -30 * per_unit / 8; i <= 30 * per_unit; ++i) {
    const double y = static_cast<double>(i) / per_unit;
    const double power = sim::pexp(-y);
    const double weight = sim::pexp(-y - power);
    sum += weight * law.quantile(sim::pexp(-power / count));
    weights += weight;
  }
  return sum / weights;
}

double slowest_over_mean(double count, double cv) {
  if (!(cv > 0.0)) return 1.0;
  // Designs that are compared over the same draws ask for the same few again and again, and each takes a table.
  constexpr std::size_t kMostKept = 4096;
  thread_local std::map<std::pair<double, double>, double> known;
  const auto found = known.find({count, cv});
  if (found != known.end()) return found->second;
  if (known.size() >= kMostKept) known.clear();
  return known[{count, cv}] = mean_of_slowest(sim::Distribution::lognormal(1.0, cv), count);
}

}  // namespace headrace::models
