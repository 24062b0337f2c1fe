// Order statistics and occupancy: barriers, shards that are drawn, targets that requests fall on.
//
// Sources: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003; L. Flatto, S. Hahn, 1984, and R. Nelson, A. N.
// Tantawi, 1988 (fork-join of two); W. Feller, vol. 1, 1968 (coupons, occupancy); M. Raab, A. Steger, Balls into bins,
// 1998. Deviations: none.
#pragma once

#include <cstdint>

namespace headrace::models::twins {

/// Mean of the k-th smallest of n exponentials with mean 1: H_n - H_{n-k}; k = n is the slowest.
double exponential_order_statistic(std::int64_t k, std::int64_t n);
/// Mean response of a job split over two parallel M/M/1 queues and joined: (12 - rho)/8 / (mu - lambda).
double fork_join_two_response_s(double arrivals_per_s, double services_per_s);
/// Mean number of draws until each of n shards was seen: n H_n.
double coupon_draws(std::int64_t n);
/// Mean number of distinct shards among `draws` uniform draws of `shards`.
double distinct_shards(double shards, double draws);
/// Stay of a sample in a streaming shuffle buffer of b slots (a random slot leaves and is refilled): geometric.
struct ShuffleResidence {
  double mean = 0.0;
  double standard_deviation = 0.0;
};
ShuffleResidence shuffle_residence(double slots);
/// P(a sample stays longer than `draws`).
double shuffle_residence_tail(double slots, double draws);
/// Mean load of the fullest of `targets` when `requests` fall on them at random; Poissonised, so a little high where
/// requests are few (error of order 1/requests).
double fullest_target_load(double requests, double targets);

}  // namespace headrace::models::twins
