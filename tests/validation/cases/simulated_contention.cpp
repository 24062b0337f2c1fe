// Loaders that share a storage pool and leaf uplinks, through the engines that answer users.
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

#include "models/cluster/cluster_run.hpp"
#include "models/engine/max_plus.hpp"
#include "models/engine/uncontended_run.hpp"
#include "tests/validation/cases/ratio_batches.hpp"
#include "tests/validation/cases/simulated.hpp"

namespace headrace::cases {
namespace {

using models::IngestPath;

constexpr std::uint64_t kContentionSeed = 20240603;
constexpr double kLeastStepPrecision = 1.8;  // where the aim costs more steps than a case has; 2 is the limit
constexpr std::size_t kStepsOfACase = 1600;
constexpr std::size_t kWarmUpSteps = 400;
constexpr std::size_t kMostSteps = 20'000;
constexpr std::size_t kUncontendedSteps = 100'000;

/// Inputs that a case leaves out are those of the uncontended path case, which gives them in words only.
IngestPath path_of(const ReferenceCase& c) {
  IngestPath path;
  path.loaders = static_cast<std::uint32_t>(c.integer("G"));
  path.nodes = path.gpus = path.replicas = path.loaders;
  path.leaves = static_cast<std::uint32_t>(c.number("leaves", 1.0));
  path.nodes_per_leaf = (path.nodes + path.leaves - 1) / path.leaves;
  path.workers = static_cast<std::uint32_t>(c.integer("N"));
  path.outstanding = path.workers * static_cast<std::uint32_t>(c.integer("P"));
  path.opens_per_sample = 0.0;
  path.request_latency_s = sim::Distribution::lognormal(c.number("Lmean", 0.7), c.number("Lcv", 0.3));
  path.sample_bytes = sim::Distribution::constant(c.number("bytes", 32e6));
  path.flow_cap_bytes_per_s = c.number("flow_cap", 6.25e9);
  path.pool_bytes_per_s = c.number("pool", 1e15);
  path.leaf_bytes_per_s = c.number("uplink", 1e15);
  path.compute_s = sim::Distribution::constant(c.number("Tc"));
  return path;
}

/// Waits before the steps of the event engine, one after the other.
class ContendedWaits {
 public:
  explicit ContendedWaits(const IngestPath& path)
      : compute_ns_(sim::duration_ns(path.compute_s.mean())), run_(path, kContentionSeed, 0, {}) {}

  sim::TimeNs start_ns(std::size_t step) {
    run_.run_to(step + 1);
    return run_.log().records[step].start_ns;
  }
  double next_s() {
    ++step_;
    return sim::seconds(start_ns(step_) - start_ns(step_ - 1) - compute_ns_);
  }

 private:
  sim::TimeNs compute_ns_;
  models::ClusterRun run_;
  std::size_t step_ = 0;
};

/// The same for the recursion over the same draws.
class FreeWaits {
 public:
  explicit FreeWaits(const IngestPath& path)
      : compute_ns_(sim::duration_ns(path.compute_s.mean())),
        itineraries_(path, kContentionSeed, 0, {.contention = false, .relieved = {}}),
        run_(path, itineraries_),
        start_ns_(run_.advance()) {}

  sim::TimeNs start_ns() const { return start_ns_; }
  double next_s() {
    const sim::TimeNs before_ns = start_ns_;
    start_ns_ = run_.advance();
    return sim::seconds(start_ns_ - before_ns - compute_ns_);
  }

 private:
  sim::TimeNs compute_ns_;
  models::ItineraryMaker itineraries_;
  models::UncontendedRun run_;
  sim::TimeNs start_ns_;
};

/// Mean wait per step and its 95 % half-width, in seconds.
struct WaitEstimate {
  double mean_s = 0.0;
  double half_width_s = 0.0;
};

/// The uncontended job, long and from draws of its own. Cases differ in the network, not in this: it is run once.
WaitEstimate uncontended_wait(const IngestPath& path) {
  static std::mutex mutex;
  static std::map<std::vector<double>, WaitEstimate> known;
  const std::vector<double> name{static_cast<double>(path.loaders),
                                 static_cast<double>(path.workers),
                                 static_cast<double>(path.outstanding),
                                 path.compute_s.mean(),
                                 path.request_latency_s.mean(),
                                 path.request_latency_s.cv(),
                                 path.mean_sample_bytes(),
                                 path.flow_cap_bytes_per_s.value()};
  const std::lock_guard lock(mutex);
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  const models::LoaderShape shape{path.loaders, path.workers, path.outstanding,
                                  sim::duration_ns(path.compute_s.mean())};
  const models::ProductionLaw law{path.request_latency_s,
                                  sim::transfer_ns(path.mean_sample_bytes(), path.flow_cap_bytes_per_s.value())};
  models::MaxPlusInOrder engine(shape, law,
                                {.seed = kContentionSeed, .replication = 1, .purpose = sim::Purpose{3}, .entity = 0});
  for (std::size_t i = 0; i < kWarmUpSteps; ++i) engine.advance();
  RatioBatches batches(kUncontendedSteps / 64);
  while (!batches.add(sim::seconds(engine.advance().wait_ns), 1.0)) {
  }
  return known[name] = {batches.ratio(), batches.half_width()};
}

/// Batch means of the wait with contention, and without it from the same draws: a control variate.
class PairedBatches {
 public:
  void add(double contended_s, double free_s) {
    contended_s_ += contended_s / kStepsPerBatch;
    free_s_ += free_s / kStepsPerBatch;
    if (++steps_ < kStepsPerBatch) return;
    pairs_.push_back({contended_s_, free_s_});
    contended_s_ = free_s_ = 0.0;
    steps_ = 0;
  }

  bool time_to_look() const { return steps_ == 0 && pairs_.size() >= 32 && pairs_.size() % 4 == 0; }

  WaitEstimate estimate(const WaitEstimate& free_truth) const {
    const auto n = static_cast<double>(pairs_.size());
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (const auto& [x, y] : pairs_) {
      mean_x += x / n;
      mean_y += y / n;
    }
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (const auto& [x, y] : pairs_) {
      xx += (x - mean_x) * (x - mean_x);
      xy += (x - mean_x) * (y - mean_y);
      yy += (y - mean_y) * (y - mean_y);
    }
    // The least total variance counts that of the long run too, which has half-width / 1.96 as its standard error.
    const double long_run = std::pow(free_truth.half_width_s / 1.96, 2);
    const double coefficient = yy > 0.0 ? xy / (yy + long_run * n * (n - 1.0)) : 0.0;
    const double rest = xx - 2.0 * coefficient * xy + coefficient * coefficient * yy;
    const double variance = rest / (n - 2.0) / n + coefficient * coefficient * long_run;
    return {mean_x - coefficient * (mean_y - free_truth.mean_s), 2.04 * std::sqrt(variance)};
  }

 private:
  static constexpr int kStepsPerBatch = 40;
  struct Pair {
    double contended_s;
    double free_s;
  };
  std::vector<Pair> pairs_;
  double contended_s_ = 0.0;
  double free_s_ = 0.0;
  int steps_ = 0;
};

/// Every step lasts its wait and the compute time, so the wait decides both figures.
void add_figures(Prediction& prediction, const char* idle, const char* step_time, const WaitEstimate& wait,
                 double compute_s) {
  const double step_s = compute_s + wait.mean_s;
  prediction.values[idle] = wait.mean_s / step_s;
  prediction.half_width[idle] = wait.half_width_s * compute_s / (step_s * step_s);
  prediction.values[step_time] = step_s;
  prediction.half_width[step_time] = wait.half_width_s;
}

bool is_precise(const Prediction& prediction, const ReferenceCase& c, double wanted) {
  for (const char* key : {"idle", "step_time"}) {
    if (prediction.half_width.at(key) > wanted * c.half_width_of(key)) return false;
  }
  return true;
}

}  // namespace

std::optional<Prediction> simulate_contention(const ReferenceCase& c) {
  if (!c.has("G") || !c.has("pool")) return std::nullopt;
  const IngestPath path = path_of(c);
  const double compute_s = path.compute_s.mean();
  const double bytes_per_step = path.mean_sample_bytes() * path.loaders;
  Prediction prediction;
  prediction.values["capacity_bound"] =
      std::max(bytes_per_step / *path.pool_bytes_per_s, bytes_per_step / path.leaves / *path.leaf_bytes_per_s);
  const WaitEstimate free_truth = uncontended_wait(path);
  add_figures(prediction, "e1_idle", "e1_step_time", free_truth, compute_s);
  ContendedWaits contended(path);
  FreeWaits free(path);
  for (std::size_t i = 0; i < kWarmUpSteps; ++i) {
    contended.next_s();
    free.next_s();
  }
  PairedBatches batches;
  for (std::size_t done = 0; done < kMostSteps; ++done) {
    const double contended_s = contended.next_s();
    batches.add(contended_s, free.next_s());
    if (!batches.time_to_look()) continue;
    add_figures(prediction, "idle", "step_time", batches.estimate(free_truth), compute_s);
    if (is_precise(prediction, c, done < kStepsOfACase ? kAimedPrecision : kLeastStepPrecision)) break;
  }
  return prediction;
}

/// Digits to which the starts of all steps agree; integers that are equal agree to as many as are asked for.
std::optional<Prediction> compare_engines(const ReferenceCase& c) {
  if (!c.has("G") || !c.has("steps") || !c.expected.contains("equal_to_digits")) return std::nullopt;
  const IngestPath path = path_of(c);
  ContendedWaits events(path);
  FreeWaits recursion(path);
  double worst = 0.0;
  for (std::int64_t step = 0; step < c.integer("steps"); ++step) {
    const double other = sim::seconds(recursion.start_ns());
    worst = std::max(worst, std::abs(sim::seconds(events.start_ns(static_cast<std::size_t>(step))) / other - 1.0));
    recursion.next_s();
  }
  Prediction prediction;
  prediction.values["equal_to_digits"] =
      worst == 0.0 ? c.expected.at("equal_to_digits").get<double>() : std::floor(-std::log10(worst));
  return prediction;
}

}  // namespace headrace::cases
