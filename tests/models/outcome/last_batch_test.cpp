// The samples of an epoch that fill no step: they add up to the dataset, and the time of a smaller last step is that of
// a recursion over the batches of many epochs.
#include <algorithm>
#include <cmath>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

constexpr double kComputeS = 0.1;
constexpr double kOverheadS = 0.02;

/// One rank whose batches of 16 take `batch_s` of a core, 2 workers, 4 batches ahead; a store and a disk without
/// limits.
Scenario of_files(std::uint64_t files, double batch_s, LastBatch last_batch) {
  Scenario scenario = test::small_scenario(1);
  scenario.cluster.pools[0].gpus_per_node = 1;
  scenario.stores[0].bandwidth_bytes_per_s = 1e15;
  scenario.stores[0].stream_bytes_per_s.reset();
  scenario.stores[0].latency_s = DistributionSpec::constant(0.0);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e15;
  scenario.datasets[0].files = files;
  Job& job = scenario.jobs[0];
  job.loader.workers = 2;
  job.loader.prefetch = 2;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(batch_s / 16.0);
  job.loader.last_batch = last_batch;
  job.step.step_time_s = DistributionSpec::constant(kComputeS);
  job.step.overhead_s = DistributionSpec::constant(kOverheadS);
  return scenario;
}

/// Mean time of an epoch of `full` batches and one with `share` of the samples: F[i] = max(F[i-N], A[i-K]) + X[i].
double recursion_epoch_s(int full, double share, double batch_s) {
  constexpr std::size_t kWorkers = 2;
  constexpr std::size_t kOutstanding = 4;
  constexpr int kEpochs = 40;
  constexpr int kMeasured = 20;
  std::vector<double> ready_s;
  std::vector<double> taken_s;
  double end_s = 0.0;
  double from_s = 0.0;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    if (epoch == kEpochs - kMeasured) from_s = end_s;
    for (int batch = 0; batch <= full; ++batch) {
      const double size = batch < full ? 1.0 : share;
      const std::size_t i = ready_s.size();
      const double worker_s = i >= kWorkers ? ready_s[i - kWorkers] : 0.0;
      const double slot_s = i >= kOutstanding ? taken_s[i - kOutstanding] : 0.0;
      ready_s.push_back(std::max(worker_s, slot_s) + size * batch_s);
      taken_s.push_back(std::max(end_s, ready_s[i]));
      end_s = taken_s[i] + size * kComputeS + kOverheadS;
    }
  }
  return (end_s - from_s) / kMeasured;
}

double epoch_of(const Outcome& outcome) { return outcome.find("epoch_time_s")->mean; }

Outcome epoch_simulated(const Scenario& scenario) {
  StudyOptions options;
  options.steps = 300;
  options.threads = 1;
  return simulate(scenario, options);
}

}  // namespace

TEST_CASE("samples of an epoch add up to the dataset, or to its full steps") {
  for (const std::uint64_t files : {16U, 31U, 1600U, 1601U, 1615U}) {
    INFO(files << " samples in batches of 16");
    const std::uint64_t full = files / 16;
    const std::uint64_t with_last = (files + 15) / 16;
    const auto path = [files](LastBatch last) { return resolve_path(of_files(files, 0.01, last), 0, {}); };
    CHECK(path(LastBatch::spread).samples_per_epoch == static_cast<double>(files));
    CHECK(path(LastBatch::keep).samples_per_epoch == static_cast<double>(files));
    CHECK(path(LastBatch::drop).samples_per_epoch == static_cast<double>(16 * full));
    const auto steps = [files](LastBatch last) {
      return flow_bound(of_files(files, 0.01, last)).find("steps_per_epoch")->mean;
    };
    CHECK(steps(LastBatch::keep) == static_cast<double>(with_last));
    CHECK(steps(LastBatch::drop) == static_cast<double>(full));
    CHECK(flow_bound(of_files(files, 0.01, LastBatch::spread)).find("steps_per_epoch") == nullptr);
  }
  CHECK_THROWS_AS(resolve_path(of_files(15, 0.01, LastBatch::drop), 0, {}), UnusableRequest);
}

// Limited by steps: exact. Limited by workers: the loop of the last step hides behind loading.
TEST_CASE("a smaller last step takes what a recursion over its batches takes") {
  for (const double share : {0.0625, 0.5, 0.9375})
    for (const double batch_s : {0.05, 0.2, 0.242, 0.3, 0.6}) {
      constexpr int kFull = 20;
      const auto files = static_cast<std::uint64_t>(16.0 * (kFull + share));
      const Scenario scenario = of_files(files, batch_s, LastBatch::keep);
      const double twin_s = recursion_epoch_s(kFull, share, batch_s);
      const bool fed = batch_s / 2.0 < kComputeS + kOverheadS;
      const double off_s = fed ? 1e-6 : 1e-3;
      INFO("share " << share << ", batch " << batch_s << " s: recursion " << twin_s << " s");
      CHECK(std::fabs(epoch_of(flow_bound(scenario)) - twin_s) < off_s);
      CHECK(std::fabs(epoch_of(queueing_estimate(scenario, 1)) - twin_s) < off_s + 1e-4 * twin_s);
      CHECK(std::fabs(epoch_of(epoch_simulated(scenario)) - twin_s) < off_s + 1e-4 * twin_s);
    }
}

TEST_CASE("dropped samples save their time") {
  const double spread_s = epoch_of(flow_bound(of_files(328, 0.05, LastBatch::spread)));
  CHECK(spread_s == Approx(20.5 * (kComputeS + kOverheadS)));
  CHECK(epoch_of(flow_bound(of_files(328, 0.05, LastBatch::keep))) == Approx(spread_s + 0.5 * kOverheadS));
  CHECK(epoch_of(flow_bound(of_files(328, 0.05, LastBatch::drop))) == Approx(20.0 * (kComputeS + kOverheadS)));
}
