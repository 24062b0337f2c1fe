#include "models/study/granularity_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/cluster/cluster_run.hpp"
#include "models/hops/registry.hpp"
#include "models/hops/resource_floors.hpp"

namespace headrace::models {

namespace {

constexpr std::uint64_t kMostSamples = 200'000;  // of a run: half a second
constexpr std::uint64_t kMostSteps = 8000;
constexpr std::uint64_t kLeastSteps = 400;
constexpr std::uint64_t kPilotParts = 16;
constexpr double kLeastError = 0.01;
constexpr double kThrottledError = 0.1;
constexpr double kLeastThrottled = 0.05;       // requests a step: fewer of them tell nothing in a pilot
constexpr std::uint64_t kQuietSteps = 128;     // of the first part of a run
constexpr std::uint64_t kQuietBatches = 1024;  // of all loaders in it
constexpr double kQuietLoad = 0.8;             // of the time of a fed step
constexpr double kErrors = 4.0;                // standard errors: 1e-3 for t with some 20 degrees of freedom

struct MeanStep {
  double mean_s = 0.0;
  double variance = 0.0;   ///< of the mean
  double throttled = 0.0;  ///< requests answered 503, a step
};

/// One job at one granularity, run as far as it is asked for.
class Pilot {
 public:
  Pilot(const IngestPath& path, Granularity granularity, std::uint64_t seed, const std::stop_token& abandon)
      : path_(at(path, granularity)), run_(path_, seed, 0, {}) {
    run_.abandon_on(abandon);
  }

  /// Time of the steps from `from` up to `to`, if none of them waits.
  std::optional<sim::TimeNs> quiet_time_ns(std::uint64_t from, std::uint64_t to) {
    run_.run_to(to + 1);
    const std::vector<StepRecord>& records = run_.log().records;
    for (std::uint64_t step = from; step < to; ++step)
      if (records[step].wait_own_ns != 0 || records[step].wait_peer_ns != 0) return std::nullopt;
    return records[to].start_ns - records[from].start_ns;
  }

  /// From the means of equal parts of the run, behind one that warms up.
  MeanStep mean_step(std::uint64_t steps) {
    const std::uint64_t length = steps / (kPilotParts + 1);
    run_.run_to(length * (kPilotParts + 1) + 1);
    const auto start_s = [&](std::uint64_t part) { return sim::seconds(run_.log().records[part * length].start_ns); };
    MeanStep step{(start_s(kPilotParts + 1) - start_s(1)) / static_cast<double>(kPilotParts * length), 0.0};
    step.throttled = static_cast<double>(run_.totals().throttled_requests) / static_cast<double>(run_.log().steps());
    for (std::uint64_t part = 1; part <= kPilotParts; ++part) {
      const double off_s = (start_s(part + 1) - start_s(part)) / static_cast<double>(length) - step.mean_s;
      step.variance += off_s * off_s / static_cast<double>(kPilotParts * (kPilotParts - 1));
    }
    return step;
  }

 private:
  static IngestPath at(IngestPath path, Granularity granularity) {
    path.granularity = granularity;
    return path;
  }

  IngestPath path_;
  ClusterRun run_;
};

/// Where nothing is nearly full, and in a first part of both runs no step waits, the rest would say the same: of a
/// thousand batches none was late, so that fewer than three in a thousand are. Steps of that part; 0 if it tells
/// nothing.
std::uint64_t steps_without_wait(const IngestPath& path, Pilot& one, Pilot& other, std::uint64_t most_steps) {
  if (path.limit_requests_per_s) return 0;  // its tokens last for a while
  const double fed_s = path.mean_fed_step_s();
  for (const ResourceFloor& floor : resource_floors(path))
    if (floor.step_time_s > kQuietLoad * fed_s) return 0;
  const std::uint64_t from = std::uint64_t{5} * path.outstanding;
  const std::uint64_t to = from + std::max(kQuietSteps, kQuietBatches / path.loaders);
  if (2 * to > most_steps) return 0;
  const std::optional<sim::TimeNs> one_ns = one.quiet_time_ns(from, to);
  return one_ns && one_ns == other.quiet_time_ns(from, to) ? to : 0;
}

bool shares_a_station(const IngestPath& path) {
  if (path.limit_requests_per_s) return true;
  const auto terms = terms_of(path);
  return std::any_of(terms.begin(), terms.end(), [](const StagedTerm& term) {
    return term.contended && !term.of_batch && term.holder == Holder::worker;
  });
}

/// 0 where the difference is small, or noise.
double error_of(const MeanStep& merged, const MeanStep& single) {
  const double off_s = merged.mean_s - single.mean_s;
  const bool matters = std::abs(off_s) > kLeastError * single.mean_s &&
                       std::abs(off_s) >= kErrors * std::sqrt(merged.variance + single.variance);
  return matters ? off_s / single.mean_s : 0.0;
}

/// Of the number of 503 answers, which a reservation of many tokens at once makes too small; 0 where it is small.
double throttled_error_of(const MeanStep& merged, const MeanStep& single) {
  if (!(single.throttled > kLeastThrottled)) return 0.0;
  const double off = merged.throttled / single.throttled - 1.0;
  return std::abs(off) > kThrottledError ? off : 0.0;
}

}  // namespace

std::string granularity_text(const Granularity& granularity) {
  if (granularity.kind == Granularity::Kind::chunk) return fmt::format("chunk({})", granularity.chunks);
  return granularity.kind == Granularity::Kind::sample ? "sample" : "batch";
}

GranularityChoice choose_granularity(const IngestPath& path, std::uint64_t seed, const std::stop_token& abandon) {
  GranularityChoice choice{path.granularity, false, 0.0};
  if (path.granularity.kind != Granularity::Kind::batch || path.batch_samples < 2 || path.lanes > 1) return choice;
  const std::uint64_t steps = std::min(kMostSteps, kMostSamples / (std::uint64_t{path.loaders} * path.batch_samples));
  const std::uint64_t least = std::max(kLeastSteps, std::uint64_t{5} * path.outstanding * (kPilotParts + 1));
  if (steps < least || !shares_a_station(path)) return choice;
  constexpr Granularity kSample{Granularity::Kind::sample, 1};
  constexpr Granularity kChunks{Granularity::Kind::chunk, 8};
  Pilot of_samples(path, kSample, seed, abandon);
  Pilot of_batches(path, path.granularity, seed, abandon);
  choice.piloted = true;
  choice.steps = steps_without_wait(path, of_samples, of_batches, steps);
  if (choice.steps > 0) return choice;
  choice.steps = steps;
  const MeanStep single = of_samples.mean_step(steps);
  const MeanStep whole = of_batches.mean_step(steps);
  choice.batch_error = error_of(whole, single);
  choice.throttled_error = throttled_error_of(whole, single);
  if (choice.is_right()) return choice;
  bool chunks_are_right = false;
  if (path.batch_samples > 2 * kChunks.chunks) {
    const MeanStep chunks = Pilot(path, kChunks, seed, abandon).mean_step(steps);
    chunks_are_right = error_of(chunks, single) == 0.0 && throttled_error_of(chunks, single) == 0.0;
  }
  choice.granularity = chunks_are_right ? kChunks : kSample;
  return choice;
}

std::optional<Warning> granularity_warning(const GranularityChoice& choice, bool asked_for_whole_batches) {
  if (choice.is_right()) return std::nullopt;
  const bool of_step = choice.batch_error != 0.0;
  const double error = of_step ? choice.batch_error : choice.throttled_error;
  const char* figure = of_step ? "the step time" : "the number of 503 answers";
  const std::string cause =
      of_step
          ? "whole batches ask for their metadata, requests and bytes one after the other, while their samples overlap"
          : "a whole batch reserves the tokens of all its requests at once, while its samples compete";
  const std::string size = fmt::format("about {:.0f} % too {}", 100.0 * std::abs(error),
                                       of_step ? (error > 0.0 ? "long" : "short") : (error > 0.0 ? "large" : "small"));
  const std::string finer = granularity_text(choice.granularity);
  if (asked_for_whole_batches)
    return Warning{fmt::format("{} is {}: batches are simulated as one piece", figure, size), cause,
                   "--granularity " + (finer == "sample" ? finer : "'" + finer + "'")};
  return Warning{fmt::format("simulated at granularity {}: with whole batches {} would be {}", finer, figure, size),
                 cause, ""};
}

}  // namespace headrace::models
