// A store that answers 503 above its rate, against a small simulation of its own: clients that ask, are refused while
// the bucket is empty, wait with full jitter and ask again, in competition with those that ask for the first time.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/validation/shipped.hpp"

namespace headrace {
namespace {

constexpr double kLatency = 0.05;
constexpr double kRate = 80.0;
constexpr int kClients = 8;

struct Throttled {
  double served_per_s = 0.0;
  double refused_per_s = 0.0;
};

double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; }

/// `kClients` in a loop: a token, then an exponential first byte. Means over `time_s`.
Throttled ask_and_back_off(double first_s, double factor, double time_s, std::uint64_t seed) {
  using Event = std::tuple<double, int, int>;  // time, client, refusals of its request
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  for (int i = 0; i < kClients; ++i) events.emplace(0.0, i, 0);
  std::mt19937_64 random(seed);
  double tokens = kRate;
  double counted_s = 0.0;
  Throttled answer;
  while (std::get<0>(events.top()) < time_s) {
    const auto [now_s, client, refusals] = events.top();
    events.pop();
    tokens = std::min(kRate, tokens + (now_s - counted_s) * kRate);
    counted_s = now_s;
    if (tokens >= 1.0) {
      tokens -= 1.0;
      answer.served_per_s += 1.0 / time_s;
      events.emplace(now_s - kLatency * std::log(uniform(random)), client, 0);
      continue;
    }
    answer.refused_per_s += 1.0 / time_s;
    const double mean_s = std::min(20.0, first_s * std::pow(factor, refusals));
    events.emplace(now_s + 2.0 * mean_s * uniform(random), client, refusals + 1);
  }
  return answer;
}

models::Outcome throttled(const char* limit) {
  return testing::simulated(
      testing::shipped("dataloader-50ms", {std::string("/stores/0/limit=") + limit,
                                           "/cluster/pools/0/nic/bandwidth=100 GB/s", "/jobs/0/step/step_time=1 us"}),
      40'000);
}

}  // namespace

// Relative half-width of five replications of 500 s: 1.5 % (doubling), 4 % (constant). The margins are those of both
// simulations at once; seeds are fixed.
TEST_CASE("a throttled store gives as many 503 answers as clients that compete for its tokens", "[validation]") {
  const Throttled doubling = ask_and_back_off(0.1, 2.0, 5000.0, 7);
  const models::Outcome outcome = throttled(R"({"requests_per_prefix": "80 /s", "prefixes": 1})");
  INFO("refused " << testing::mean(outcome, "throttled_requests_per_s") << " for " << doubling.refused_per_s);
  CHECK(testing::mean(outcome, "samples_per_s") == Approx(doubling.served_per_s).epsilon(0.01));
  CHECK(testing::mean(outcome, "throttled_requests_per_s") == Approx(doubling.refused_per_s).epsilon(0.04));

  const Throttled slow = ask_and_back_off(1.0, 1.0, 5000.0, 7);
  const models::Outcome slower =
      throttled(R"({"requests_per_prefix": "80 /s", "prefixes": 1, "first_backoff": "1 s", "backoff_factor": 1})");
  INFO("refused " << testing::mean(slower, "throttled_requests_per_s") << " for " << slow.refused_per_s);
  CHECK(testing::mean(slower, "samples_per_s") == Approx(slow.served_per_s).epsilon(0.01));
  CHECK(testing::mean(slower, "throttled_requests_per_s") == Approx(slow.refused_per_s).epsilon(0.08));
}

}  // namespace headrace
