#include "tests/twins/readers_and_writers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headrace::models::twins {

double fluid_writes_bytes_per_s(const ReadersAndWriters& network) {
  const double away = network.away_s * network.store_bytes_per_s / network.batch_bytes;
  const double half = 0.5 * (network.readers - network.writers - away);
  const double reading = half + std::sqrt(half * half + network.readers * network.writers);
  return network.store_bytes_per_s * network.writers / (reading + network.writers);
}

double exact_writes_bytes_per_s(const ReadersAndWriters& network) {
  // Logarithms: with thousands of readers most states have no probability that a double holds.
  std::vector<double> logs{0.0};
  for (int n = 1; n <= network.readers; ++n) {
    const double arrivals_per_s = (network.readers - n + 1) / network.away_s;
    const double departures_per_s = network.store_bytes_per_s / network.batch_bytes * n / (n + network.writers);
    logs.push_back(logs.back() + std::log(arrivals_per_s / departures_per_s));
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  double written = 0.0;
  for (int n = 0; n <= network.readers; ++n) {
    const double probability = std::exp(logs[static_cast<std::size_t>(n)] - largest);
    sum += probability;
    written += probability * network.writers / (n + network.writers);
  }
  return network.store_bytes_per_s * written / sum;
}

}  // namespace headrace::models::twins
