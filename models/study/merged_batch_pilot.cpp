#include "models/study/merged_batch_pilot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/cluster/cluster_run.hpp"
#include "models/hops/registry.hpp"

namespace headrace::models {

namespace {

constexpr std::uint64_t kMostSamples = 200'000;  // of a run: half a second
constexpr std::uint64_t kMostSteps = 8000;
constexpr std::uint64_t kLeastSteps = 400;
constexpr std::uint64_t kParts = 16;
constexpr double kLeastError = 0.01;
constexpr double kErrors = 4.0;  // standard errors: 1e-3 for t with some 20 degrees of freedom

struct MeanStep {
  double mean_s = 0.0;
  double variance = 0.0;  ///< of the mean
};

/// From the means of equal parts of the run, behind one that warms up.
MeanStep mean_step(const IngestPath& path, std::uint64_t seed, std::uint64_t steps) {
  ClusterRun run(path, seed, 0, {});
  const std::uint64_t length = steps / (kParts + 1);
  run.run_to(length * (kParts + 1) + 1);
  const auto start_s = [&](std::uint64_t part) { return sim::seconds(run.log().records[part * length].start_ns); };
  MeanStep step{(start_s(kParts + 1) - start_s(1)) / static_cast<double>(kParts * length), 0.0};
  for (std::uint64_t part = 1; part <= kParts; ++part) {
    const double off_s = (start_s(part + 1) - start_s(part)) / static_cast<double>(length) - step.mean_s;
    step.variance += off_s * off_s / static_cast<double>(kParts * (kParts - 1));
  }
  return step;
}

bool shares_a_station(const IngestPath& path) {
  const auto terms = terms_of(path);
  return std::any_of(terms.begin(), terms.end(), [](const StagedTerm& term) {
    return term.contended && !term.of_batch && term.holder == Holder::worker;
  });
}

}  // namespace

bool warn_by_pilot(const IngestPath& path, std::uint64_t seed, Outcome& outcome) {
  if (path.granularity.kind != Granularity::Kind::batch || path.batch_samples < 2 || path.lanes > 1) return false;
  const std::uint64_t steps = std::min(kMostSteps, kMostSamples / (std::uint64_t{path.loaders} * path.batch_samples));
  const std::uint64_t least = std::max(kLeastSteps, std::uint64_t{5} * path.outstanding * (kParts + 1));
  if (steps < least || !shares_a_station(path)) return false;
  const MeanStep merged = mean_step(path, seed, steps);
  IngestPath by_sample = path;
  by_sample.granularity.kind = Granularity::Kind::sample;
  const MeanStep single = mean_step(by_sample, seed, steps);
  const double off_s = merged.mean_s - single.mean_s;
  const bool matters = std::abs(off_s) > kLeastError * single.mean_s;
  if (!matters || std::abs(off_s) < kErrors * std::sqrt(merged.variance + single.variance)) return true;
  outcome.warnings.push_back(
      {fmt::format("the step time is about {:.0f} % too {}: batches are simulated as one piece",
                   100.0 * std::abs(off_s) / single.mean_s, off_s > 0.0 ? "long" : "short"),
       "whole batches ask for their metadata, requests and bytes one after the other, while their samples overlap",
       "--granularity sample"});
  return true;
}

}  // namespace headrace::models
