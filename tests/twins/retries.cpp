#include "tests/twins/retries.hpp"

#include <algorithm>
#include <stdexcept>

namespace headrace::models::twins {

double token_bucket_drain_s(double requests, double burst, double requests_per_s) {
  return std::max(0.0, requests - burst) / requests_per_s;
}

RetryMeans exponential_backoff(double failure_probability, double base_s) {
  if (!(failure_probability >= 0.0) || failure_probability >= 0.5) {
    throw std::invalid_argument("the mean of an uncapped doubling back-off is finite only below a failure rate of 1/2");
  }
  return {.attempts = 1.0 / (1.0 - failure_probability),
          .backoff_s = base_s * failure_probability / (1.0 - 2.0 * failure_probability)};
}

}  // namespace headrace::models::twins
