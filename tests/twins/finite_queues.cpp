#include "tests/twins/finite_queues.hpp"

#include <cmath>
#include <vector>

#include "models/twins/require.hpp"

namespace headrace::models::twins {
namespace {

FiniteQueueMeans from_probabilities(const std::vector<double>& p, double arrivals_per_s) {
  FiniteQueueMeans means;
  means.empty_probability = p.front();
  means.blocking_probability = p.back();
  means.throughput_per_s = arrivals_per_s * (1.0 - p.back());
  for (std::size_t n = 1; n < p.size(); ++n) means.number_in_system += static_cast<double>(n) * p[n];
  means.response_time_s = means.number_in_system / means.throughput_per_s;
  return means;
}

void normalize(std::vector<double>& p) {
  double sum = 0.0;
  for (double x : p) sum += x;
  for (double& x : p) x /= sum;
}

}  // namespace

FiniteQueueMeans mm1k(double arrivals_per_s, double services_per_s, int capacity) {
  return mmck(arrivals_per_s, services_per_s, 1, capacity);
}

FiniteQueueMeans mmck(double arrivals_per_s, double services_per_s, int servers, int capacity) {
  require(arrivals_per_s > 0.0 && services_per_s > 0.0, "a finite queue needs positive rates");
  require(servers >= 1 && capacity >= servers, "a finite queue holds at least its servers");
  std::vector<double> p{1.0};
  for (int n = 1; n <= capacity; ++n) {
    p.push_back(p.back() * arrivals_per_s / (services_per_s * (n < servers ? n : servers)));
    if (p.back() > 1e200) normalize(p);
  }
  normalize(p);
  return from_probabilities(p, arrivals_per_s);
}

FiniteQueueMeans md1k(double arrivals_per_s, double service_time_s, int capacity) {
  require(arrivals_per_s > 0.0 && service_time_s > 0.0 && capacity >= 1, "M/D/1/K needs positive rates and a place");
  const double rho = arrivals_per_s * service_time_s;
  std::vector<double> arrivals(static_cast<std::size_t>(capacity) + 1);  // in one service, Poisson
  for (int k = 0; k <= capacity; ++k) arrivals[k] = std::exp(k * std::log(rho) - rho - std::lgamma(k + 1.0));
  // Balance at departures: pi_j = pi_0 a_j + sum_{i=1}^{j+1} pi_i a_{j-i+1}, solved upwards.
  std::vector<double> pi{1.0};
  for (int j = 0; j + 1 < capacity; ++j) {
    double rest = pi[j] - pi[0] * arrivals[j];
    for (int i = 1; i <= j; ++i) rest -= pi[i] * arrivals[j - i + 1];
    pi.push_back(rest / arrivals[0]);
  }
  normalize(pi);
  std::vector<double> p;
  for (double x : pi) p.push_back(x / (pi[0] + rho));
  p.push_back(1.0 - 1.0 / (pi[0] + rho));
  return from_probabilities(p, arrivals_per_s);
}

}  // namespace headrace::models::twins
