// Requests that wait for tokens or are tried again. Sources: token bucket and geometric series, elementary. Deviations:
// none.
#pragma once

namespace headrace::models::twins {

/// Time until `requests` that arrive at once were admitted by a bucket of `burst` tokens refilled at `requests_per_s`.
double token_bucket_drain_s(double requests, double burst, double requests_per_s);
struct RetryMeans {
  double attempts = 0.0;
  double backoff_s = 0.0;
};
/// Each attempt fails with probability p, the k-th back-off is base 2^k without a cap; needs 2 p < 1.
/// @throws std::invalid_argument for 2 p >= 1, where the mean back-off is infinite
RetryMeans exponential_backoff(double failure_probability, double base_s);

}  // namespace headrace::models::twins
