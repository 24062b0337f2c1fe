// How often the 95 % intervals of the uncontended engine hold exact values: a prefetch line against its integral
// equation, and synchronous loading, whose step is compute plus the slowest of n. Each with and without a control: the
// same draws in a smaller system, whose mean comes from draws of their own.
#include <vector>

#include "models/engine/uncontended_run.hpp"
#include "models/twins/order_statistics.hpp"
#include "sim/control_variate.hpp"
#include "sim/warm_up.hpp"
#include "tests/catch.hpp"
#include "tests/coverage.hpp"
#include "tests/twins/prefetch_queue.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;
using headrace::testing::Coverage;
using headrace::testing::in_band;
using headrace::testing::kLeastShareOf200;

namespace {

struct Line {
  IngestPath path;
  IngestPath control;  ///< sees the same draws
  double exact_step_s = 0.0;
  std::uint64_t steps = 0;
};

/// One worker with two slots behind it, batches of mean 0.85 s as variable as their mean, computation of 1 s.
Line prefetch_line(std::uint64_t steps) {
  Line line;
  line.path.request_latency_s = sim::Distribution::lognormal(0.85, 1.0);
  line.path.compute_s = sim::Distribution::constant(1.0);
  line.path.outstanding = 3;
  line.control = line.path;
  line.control.outstanding = 2;
  line.exact_step_s = 1.0 / (1.0 - twins::prefetch_one_producer(0.85, 1.0, 1.0, 2).idle_fraction);
  line.steps = steps;
  return line;
}

/// 16 ranks that load between their steps: nothing overlaps.
Line synchronous_loading(std::uint64_t steps) {
  constexpr double kComputeS = 0.3;
  Line line;
  line.path.loaders = 16;
  line.path.synchronous = true;
  line.path.compute_s = sim::Distribution::constant(kComputeS);
  line.path.request_latency_s = sim::Distribution::lognormal(0.1, 0.5);
  line.control = line.path;
  line.control.loaders = 8;
  line.exact_step_s = kComputeS + 0.1 * twins::lognormal_max_ratio(16, twins::lognormal_sigma(0.5));
  line.steps = steps;
  return line;
}

std::vector<double> step_times_s(const IngestPath& path, std::uint64_t seed, std::uint32_t replication,
                                 std::uint64_t steps) {
  const ItineraryMaker itineraries(path, seed, replication, {});
  UncontendedRun run(path, itineraries);
  run.run_to(steps);
  std::vector<double> durations;
  for (std::size_t i = 0; i < run.log().steps(); ++i) durations.push_back(sim::seconds(run.log().duration_ns(i)));
  return durations;
}

struct Coverages {
  Coverage plain;
  Coverage controlled;
  int applied = 0;
};

void count(const Line& line, std::uint64_t seed, Coverages& coverages) {
  const std::vector<double> target = step_times_s(line.path, seed, 0, line.steps);
  const std::vector<double> control = step_times_s(line.control, seed, 0, line.steps);
  const std::vector<double> apart = step_times_s(line.control, seed, 1, 4 * line.steps);
  const std::size_t cut = sim::warm_up(target, 5ULL * line.path.outstanding).steps;
  const auto after_cut = [cut](const std::vector<double>& series) { return std::span(series).subspan(cut); };
  coverages.plain.count(sim::steady_state_interval(after_cut(target)), line.exact_step_s);
  const sim::SteadyStateResult mean = sim::steady_state_interval(after_cut(apart));
  if (!mean.enough_data()) return;
  const sim::ControlMean control_mean{mean.mean, mean.interval->half_width(mean.mean) / 1.96};
  const sim::ControlVariateResult with = sim::controlled_interval(after_cut(target), after_cut(control), control_mean);
  coverages.applied += with.applied ? 1 : 0;
  coverages.controlled.count(with.result, line.exact_step_s);
}

Coverages study(const Line& line, std::uint64_t first_seed, std::uint64_t runs) {
  Coverages coverages;
  for (std::uint64_t seed = first_seed; seed < first_seed + runs; ++seed) count(line, seed, coverages);
  return coverages;
}

}  // namespace

// False-failure rate at most 5.5e-6 for each of the four shares (tests/coverage.hpp).
TEST_CASE("intervals of the uncontended engine cover exact values", "[statistical][long_3]") {
  const Line line = GENERATE(0, 1) == 0 ? prefetch_line(16'384) : synchronous_loading(2048);
  const Coverages coverages = study(line, 1, 200);
  CHECK(coverages.plain.with_interval >= 198);
  CHECK(coverages.plain.share() >= kLeastShareOf200);
  CHECK(coverages.controlled.with_interval >= 198);
  CHECK(coverages.controlled.share() >= kLeastShareOf200);
  CHECK(coverages.applied >= 190);
  CHECK(coverages.controlled.mean_half_width() < 0.9 * coverages.plain.mean_half_width());
}

TEST_CASE("long coverage study of the uncontended engine", "[.nightly]") {
  const Coverages prefetch = study(prefetch_line(16'384), 10'000, 1000);
  prefetch.plain.print("prefetch line, 16,384 steps");
  prefetch.controlled.print("the same, controlled");
  const Coverages synchronous = study(synchronous_loading(2048), 10'000, 1000);
  synchronous.plain.print("synchronous loading of 16, 2,048 steps");
  synchronous.controlled.print("the same, controlled");
  CHECK(in_band(prefetch.plain));
  CHECK(in_band(prefetch.controlled));
  CHECK(in_band(synchronous.plain));
  CHECK(in_band(synchronous.controlled));
}
