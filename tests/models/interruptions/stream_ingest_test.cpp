// New data that arrive while the job trains: the staging buffer against a simulation of it, and training that waits.
#include "models/interruptions/stream_ingest.hpp"

#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/outcome/confidence.hpp"
#include "models/study/study.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/stations/fluid_buffer.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// Means over many bursts, each drawn.
twins::FluidBuffer simulated(const twins::OnOffFluid& fluid, std::uint64_t seed, std::uint64_t bursts) {
  const auto drawn_s = [&](std::uint64_t index, double mean_s) {
    return -mean_s * sim::plog1p(-sim::uniform({seed, 0, sim::Purpose{900}, 0}, index));
  };
  sim::FluidBuffer buffer(fluid.buffer, fluid.drain_rate);
  for (std::uint64_t i = 0; i < bursts; ++i) {
    buffer.fill(fluid.off_rate, drawn_s(2 * i, fluid.off_s));
    const double burst_s = drawn_s(2 * i + 1, fluid.on_s);
    if (fluid.loses)
      buffer.fill(fluid.on_rate, burst_s);
    else
      buffer.push(fluid.on_rate, fluid.on_rate * burst_s);
  }
  twins::FluidBuffer means;
  means.empty = buffer.empty_s() / buffer.elapsed_s();
  means.full = buffer.full_s() / buffer.elapsed_s();
  means.content = buffer.content_s() / buffer.elapsed_s();
  means.passed_rate = buffer.passed() / buffer.elapsed_s();
  means.loss = buffer.lost() / (buffer.lost() + buffer.passed());
  return means;
}

}  // namespace

TEST_CASE("the staging buffer in closed form is what a simulation of it shows", "[statistical]") {
  // Means of 400,000 bursts, whose contents forget within some tens of bursts: standard errors below 0.4 %. The margin
  // of 2.5 % is over six of them; seeds are fixed, false-failure rate under 1e-8.
  for (const bool loses : {false, true}) {
    for (const double buffer : {0.5, 5.0, 40.0}) {
      INFO(loses << " " << buffer);
      const twins::OnOffFluid fluid{1.0, 3.0, 8.0, 0.5, 2.8, buffer, loses};
      const twins::FluidBuffer closed = twins::fluid_buffer(fluid);
      const twins::FluidBuffer means = simulated(fluid, 7, 400'000);
      CHECK(means.empty == Approx(closed.empty).epsilon(0.025));
      CHECK(means.full == Approx(closed.full).epsilon(0.025).margin(0.001));
      CHECK(means.content == Approx(closed.content).epsilon(0.025));
      CHECK(means.passed_rate == Approx(closed.passed_rate).epsilon(0.025));
      if (loses) CHECK(means.loss == Approx(closed.loss).epsilon(0.03).margin(0.001));
    }
  }
}

TEST_CASE("limits of the staging buffer") {
  twins::OnOffFluid fluid{1.0, 3.0, 8.0, 0.0, 3.0, 1e-9, true};
  CHECK(twins::fluid_buffer(fluid).passed_rate == Approx(0.25 * 3.0));  // without a buffer the peak is cut off
  fluid.buffer = 1e6;
  CHECK(twins::fluid_buffer(fluid).passed_rate == Approx(2.0));  // with a large one all comes through
  CHECK(twins::fluid_buffer(fluid).loss == Approx(0.0).margin(1e-6));
  fluid.drain_rate = 1.0;  // and no buffer helps where the drain is slower than the mean
  CHECK(twins::fluid_buffer(fluid).passed_rate == Approx(1.0));
  CHECK(twins::fluid_buffer(fluid).loss == Approx(0.5));
  fluid.drain_rate = 9.0;
  CHECK(twins::fluid_buffer(fluid).empty == 1.0);
  // At zero drift the density is even: half full in between.
  const twins::OnOffFluid even{1.0, 1.0, 4.0, 0.0, 2.0, 10.0, true};
  CHECK(twins::fluid_buffer(even).content == Approx(5.0));
}

TEST_CASE("training waits for new data where it uses them up, at every level of answer alike") {
  Scenario scenario = test::small_scenario(2);
  StreamSource stream;
  stream.bytes_per_s = 200e6;
  stream.buffer_bytes = 1e12;
  stream.uses = 2.0;
  scenario.datasets[0].stream = stream;  // 400 samples of 1 MB per second; 627 could be trained on
  const double unbound = 64.0 / 0.102;
  StudyOptions options;
  options.steps = 600;
  options.relief = false;
  const std::array<Outcome, 3> outcomes{flow_bound(scenario), queueing_estimate(scenario, 1),
                                        simulate(scenario, options)};
  for (const Outcome& outcome : outcomes) {
    CHECK(outcome.find("samples_per_s")->mean == Approx(400.0).epsilon(1e-6));
    CHECK(outcome.find("fresh_wait_fraction")->mean == Approx(1.0 - 400.0 / unbound).epsilon(0.01));
    CHECK(outcome.find("gpu_idle_fraction")->mean == Approx(1.0 - 400.0 / unbound).epsilon(0.02));
    CHECK(outcome.verdict == Verdict::ingest_bound);
    double sum = 0.0;
    for (const GpuStateShare& state : outcome.gpu_states) sum += state.share;
    CHECK(sum == Approx(1.0));
    // What a resource carries is what is read, not what would be read if new data were always there.
    const double read = outcome.find("store_bytes_per_s")->mean;
    for (const StationReport& station : outcome.stations) {
      if (station.resource != Resource::store_bandwidth) continue;
      CHECK(station.throughput == Approx(read).epsilon(0.01));
      CHECK(station.utilization == Approx(station.throughput / station.capacity).epsilon(0.01));
    }
    for (const WindowReport& window : outcome.windows)
      CHECK(window.step_time_s == Approx(outcome.find("step_time_s")->mean).epsilon(0.01));
    Outcome inside = outcome;  // as if all else lay within what was measured
    inside.evidence.extrapolates.clear();
    inside.evidence.not_validated_stages.clear();
    const Confidence confidence = confidence_of(inside);
    INFO(confidence.reason);
    CHECK(confidence.grade == ConfidenceGrade::extrapolated);
    CHECK(confidence.reason.find("new data arrive more slowly") != std::string::npos);
  }
  scenario.datasets[0].stream->uses = 4.0;
  CHECK(flow_bound(scenario).find("fresh_wait_fraction")->mean == 0.0);
}

TEST_CASE("the wait for new data is blamed on the stage before the path, and blame sums to idle") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = 0.6e9;  // reads wait for the store, too
  StreamSource stream;
  stream.bytes_per_s = 100e6;
  stream.buffer_bytes = 1e12;
  stream.uses = 2.0;
  scenario.datasets[0].stream = stream;
  StudyOptions options;
  options.steps = 600;
  const Outcome outcome = simulate(scenario, options);
  double sum = 0.0;
  double fresh = 0.0;
  for (const StageShare& share : outcome.blame) {
    sum += share.mean;
    if (share.stage == Stage::fresh) fresh = share.mean;
  }
  CHECK(fresh == Approx(outcome.find("fresh_wait_fraction")->mean));
  CHECK(fresh > 0.3);
  CHECK(sum > fresh + 0.01);
  CHECK(sum == Approx(outcome.find("gpu_idle_fraction")->mean).epsilon(1e-6));
  CHECK(outcome.binding == Stage::fresh);
  double won = 0.0;
  for (const StageShare& share : outcome.relief)
    if (share.stage == Stage::fresh) won = share.mean;
  CHECK(won == fresh);
  CHECK(flow_bound(scenario).binding == Stage::fresh);
  // Without a stream nobody waits for one.
  scenario.datasets[0].stream.reset();
  for (const StageShare& share : simulate(scenario, options).blame) CHECK(share.stage != Stage::fresh);
}

TEST_CASE("packed sequences use up new data by their samples") {
  Scenario scenario = test::small_scenario(2);
  StreamSource stream;
  stream.bytes_per_s = 100e6;
  stream.buffer_bytes = 1e12;
  stream.uses = 2.0;
  scenario.datasets[0].stream = stream;                                               // 200 samples of 1 MB per second
  scenario.jobs[0].step.packing = SequencePacking{1e6, 4.0, PackingRule::split, 64};  // four in a sequence
  CHECK(flow_bound(scenario).find("samples_per_s")->mean == Approx(50.0));
}

TEST_CASE("what is written beside reads is missing from the store") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = 1e9;
  scenario.stores[0].write_bandwidth_bytes_per_s = 0.5e9;
  StreamSource stream;
  stream.bytes_per_s = 300e6;
  stream.buffer_bytes = 1e9;
  scenario.datasets[0].stream = stream;  // takes 600 MB/s of reading
  CHECK(flow_bound(scenario).find("step_time_s")->mean == Approx(64e6 / 0.4e9).epsilon(1e-3));
}
