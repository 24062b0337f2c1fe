#include "tests/twins/bin_packing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace headrace::models::twins {

namespace {

/// Probabilities of 0, 1, ... points of the grid; a size between two of them counts for both, so that the mean stays.
std::vector<double> on_grid(const sim::Distribution& size, double capacity, int points) {
  constexpr int kQuantiles = 100000;
  std::vector<double> law(static_cast<std::size_t>(points) + 1, 0.0);
  for (int i = 0; i < kQuantiles; ++i) {
    const double place = std::min(size.quantile((i + 0.5) / kQuantiles) / capacity, 1.0) * points;
    const auto below = static_cast<std::size_t>(std::floor(place));
    const double above = place - std::floor(place);
    law[below] += (1.0 - above) / kQuantiles;
    if (above > 0.0) law[below + 1] += above / kQuantiles;
  }
  return law;
}

/// Expected visits of each level by a sequence that begins with a sample of law `first`.
std::vector<double> visits(const std::vector<double>& first, const std::vector<double>& law) {
  std::vector<double> level(first.size());
  for (std::size_t y = 0; y < first.size(); ++y) {
    double sum = first[y];
    for (std::size_t k = 1; k <= y; ++k) sum += level[y - k] * law[k];
    level[y] = sum / (1.0 - law[0]);
  }
  return level;
}

}  // namespace

double next_fit_fill(const sim::Distribution& size, double capacity, int points) {
  constexpr int kRounds = 20;
  const std::vector<double> law = on_grid(size, capacity, points);
  const std::size_t full = law.size() - 1;
  std::vector<double> longer(law.size(), 0.0);  // than so many points
  for (std::size_t k = full; k > 0; --k) longer[k - 1] = longer[k] + law[k];
  std::vector<double> first = law;
  double fill = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<double> level = visits(first, law);
    std::vector<double> visited(law.size(), 0.0);  // at levels from which k points overflow
    double above = 0.0;
    for (std::size_t k = 1; k <= full; ++k) visited[k] = above += level[full + 1 - k];
    fill = 0.0;
    for (std::size_t y = 0; y <= full; ++y)
      fill += level[y] * longer[full - y] * static_cast<double>(y) / static_cast<double>(full);
    for (std::size_t k = 0; k <= full; ++k) first[k] = visited[k] * law[k];
  }
  return fill;
}

}  // namespace headrace::models::twins
