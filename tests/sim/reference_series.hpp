// Series with known means for tests of output analysis, from keyed draws: the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"

namespace headrace::sim::reference {

/// Stationary AR(1) with standard normal margin: mean 0, integrated autocorrelation time (1 + rho) / (1 - rho).
inline std::vector<double> ar1_series(std::uint64_t seed, std::size_t n, double rho) {
  const StreamKey key{seed, 0, Purpose{1}, 0};
  const double innovation = std::sqrt(1.0 - rho * rho);
  std::vector<double> series(n);
  double value = normal_quantile(uniform(key, n));
  for (std::size_t i = 0; i < n; ++i) {
    value = rho * value + innovation * normal_quantile(uniform(key, i));
    series[i] = value;
  }
  return series;
}

inline double mm1_mean_wait(double rho) { return rho / (1.0 - rho); }

/// Waiting times in M/M/1 (service rate 1, Lindley's recursion), started in its stationary distribution.
inline std::vector<double> mm1_waits(std::uint64_t seed, std::size_t n, double rho) {
  const StreamKey key{seed, 0, Purpose{2}, 0};
  const UniformPair start = uniform_pair(key, n);
  std::vector<double> series(n);
  double wait = start.first < rho ? -plog(start.second) / (1.0 - rho) : 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    series[i] = wait;
    const UniformPair u = uniform_pair(key, i);
    wait = std::max(0.0, wait - plog(u.first) + plog(u.second) / rho);
  }
  return series;
}

/// The server's idle time before each arrival of M/M/1 and the time between arrivals: sum(idle) / sum(time) tends to
/// 1 - rho.
struct IdleShare {
  std::vector<double> idle;
  std::vector<double> time;
};

inline IdleShare mm1_idle_share(std::uint64_t seed, std::size_t n, double rho) {
  const StreamKey key{seed, 0, Purpose{3}, 0};
  const UniformPair start = uniform_pair(key, n);
  IdleShare share;
  double wait = start.first < rho ? -plog(start.second) / (1.0 - rho) : 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const UniformPair u = uniform_pair(key, i);
    const double time = -plog(u.second) / rho;
    const double ahead = wait - plog(u.first) - time;
    share.time.push_back(time);
    share.idle.push_back(std::max(0.0, -ahead));
    wait = std::max(0.0, ahead);
  }
  return share;
}

/// Independent standard normals.
inline std::vector<double> normals(std::uint64_t seed, std::size_t n) { return ar1_series(seed, n, 0.0); }

}  // namespace headrace::sim::reference
