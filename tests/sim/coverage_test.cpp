// How often the 95 % intervals of long runs hold the true mean. The short studies run with every test; the long ones
// are hidden and run by name: tests_sim "[nightly]".
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

#include "sim/steady_state_interval.hpp"
#include "tests/catch.hpp"
#include "tests/sim/reference_series.hpp"

using namespace headrace::sim;

namespace {

struct Coverage {
  int runs = 0;
  int with_interval = 0;
  int covered = 0;
  double half_width_sum = 0.0;

  double share() const { return static_cast<double>(covered) / with_interval; }

  void count(const SteadyStateResult& result, double truth) {
    ++runs;
    if (!result.enough_data()) return;
    ++with_interval;
    covered += result.interval->contains(truth) ? 1 : 0;
    half_width_sum += result.interval->half_width(result.mean);
  }

  void print(const char* what) const {
    std::cout << "coverage of nominal 95 %, " << what << ": " << 100.0 * share() << " % of " << with_interval
              << " intervals from " << runs << " runs, mean half-width " << half_width_sum / with_interval << "\n";
  }
};

// The first interval at doubling lengths whose longer arm is at most `precision`; what a run with a stop rule reports.
SteadyStateResult stopped_interval(std::span<const double> series, double precision) {
  for (std::size_t n = 4096; n <= series.size(); n *= 2) {
    const SteadyStateResult result = steady_state_interval(series.first(n));
    if (result.enough_data() && result.interval->half_width(result.mean) <= precision) return result;
  }
  return {};
}

}  // namespace

// With a true coverage of 0.95, 500 intervals cover under 0.90 with probability 2e-6 (binomial).
TEST_CASE("intervals of AR(1) with rho 0.9 cover their mean", "[statistical]") {
  Coverage coverage;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    coverage.count(steady_state_interval(reference::ar1_series(seed, 16'384, 0.9)), 0.0);
  }
  coverage.print("AR(1) rho 0.9, 16,384 steps");
  CHECK(coverage.with_interval >= 475);
  CHECK(coverage.share() >= 0.90);
}

// With a true coverage of 0.95, 300 intervals cover under 0.90 with probability 2e-4, under 0.88 with 5e-7 (binomial);
// the seeds are fixed and the draws are portable, so a pass is a pass everywhere.
TEST_CASE("intervals of M/M/1 waiting times at rho 0.8 cover their mean", "[statistical]") {
  Coverage coverage;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    coverage.count(steady_state_interval(reference::mm1_waits(seed, 131'072, 0.8)), reference::mm1_mean_wait(0.8));
  }
  coverage.print("M/M/1 rho 0.8, 131,072 steps");
  CHECK(coverage.with_interval >= 285);
  CHECK(coverage.share() >= 0.90);
}

// As above for 300 intervals.
TEST_CASE("intervals of the idle share of a server cover it", "[statistical]") {
  Coverage coverage;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const reference::IdleShare share = reference::mm1_idle_share(seed, 32'768, 0.7);
    coverage.count(ratio_interval(share.idle, share.time), 0.3);
  }
  coverage.print("idle share of M/M/1 rho 0.7, 32,768 arrivals");
  CHECK(coverage.with_interval >= 285);
  CHECK(coverage.share() >= 0.90);
}

// With a true coverage of 0.95, 1,000 intervals cover under 0.92 with probability 4e-5, under 0.91 with 2e-7
// (binomial).
TEST_CASE("long coverage study: fixed lengths", "[.nightly]") {
  Coverage ar1;
  Coverage mm1;
  Coverage busy;
  for (std::uint64_t seed = 10'000; seed < 11'000; ++seed) {
    ar1.count(steady_state_interval(reference::ar1_series(seed, 65'536, 0.9)), 0.0);
    mm1.count(steady_state_interval(reference::mm1_waits(seed, 262'144, 0.8)), reference::mm1_mean_wait(0.8));
    busy.count(steady_state_interval(reference::mm1_waits(seed, 1'048'576, 0.9)), reference::mm1_mean_wait(0.9));
  }
  ar1.print("AR(1) rho 0.9, 65,536 steps");
  mm1.print("M/M/1 rho 0.8, 262,144 steps");
  busy.print("M/M/1 rho 0.9, 1,048,576 steps");
  CHECK(ar1.share() >= 0.92);
  CHECK(mm1.share() >= 0.92);
  CHECK(busy.share() >= 0.92);
}

// Stopping on the interval itself costs some coverage (docs/decisions/0070-steady-state-intervals.md), hence 0.90 here.
TEST_CASE("long coverage study: stopped at a precision", "[.nightly]") {
  Coverage ar1;
  Coverage mm1;
  for (std::uint64_t seed = 20'000; seed < 21'000; ++seed) {
    ar1.count(stopped_interval(reference::ar1_series(seed, 131'072, 0.9), 0.05), 0.0);
    mm1.count(stopped_interval(reference::mm1_waits(seed, 524'288, 0.8), 0.4), reference::mm1_mean_wait(0.8));
  }
  ar1.print("AR(1) rho 0.9, stopped at half-width 0.05");
  mm1.print("M/M/1 rho 0.8, stopped at half-width 0.4 (10 %)");
  CHECK(ar1.share() >= 0.92);
  CHECK(mm1.share() >= 0.90);
}
