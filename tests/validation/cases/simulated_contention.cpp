// Loaders that share a storage pool and leaf uplinks, through the event-driven engine.
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

#include "models/contended_loader.hpp"
#include "tests/validation/cases/ratio_batches.hpp"
#include "tests/validation/cases/simulated.hpp"

namespace headrace::cases {
namespace {

using models::ContendedJobSpec;
using models::StepStart;

constexpr double kAimedPrecision = 1.8;  // own half-width over the reference's; 2 is the limit
constexpr std::size_t kWarmUpSteps = 400;
constexpr std::size_t kMostSteps = 20'000;
constexpr std::size_t kUncontendedSteps = 100'000;

/// Inputs that a case leaves out are those of the uncontended path case, which gives them in words only.
ContendedJobSpec job_of(const ReferenceCase& c) {
  ContendedJobSpec spec;
  spec.shape.loaders = static_cast<std::uint32_t>(c.integer("G"));
  spec.shape.workers = static_cast<std::uint32_t>(c.integer("N"));
  spec.shape.outstanding = spec.shape.workers * static_cast<std::uint32_t>(c.integer("P"));
  spec.shape.compute_ns = sim::duration_ns(c.number("Tc"));
  spec.latency_s = sim::Distribution::lognormal(c.number("Lmean", 0.7), c.number("Lcv", 0.3));
  spec.batch_bytes = c.number("bytes", 32e6);
  spec.flow_cap_bytes_per_s = c.number("flow_cap", 6.25e9);
  const auto leaves = static_cast<std::uint32_t>(c.number("leaves", 1.0));
  spec.network.pool_bytes_per_s = c.number("pool", 1e15);
  spec.network.leaves.assign(leaves, {c.number("uplink", 1e15)});
  for (std::uint64_t i = 0; i < spec.shape.loaders; ++i) {
    spec.network.nodes.push_back({.leaf = static_cast<std::uint32_t>(i * leaves / spec.shape.loaders)});
  }
  spec.key = {.seed = 20240603, .replication = 0, .purpose = sim::Purpose{3}, .entity = 0};
  return spec;
}

models::MaxPlusInOrder uncontended(const ContendedJobSpec& spec) {
  const auto transfer = sim::transfer_ns(spec.batch_bytes, spec.flow_cap_bytes_per_s);
  return models::MaxPlusInOrder(spec.shape, {spec.latency_s, transfer}, spec.key);
}

/// Mean wait per step and its 95 % half-width, in seconds.
struct WaitEstimate {
  double mean_s = 0.0;
  double half_width_s = 0.0;
};

/// The uncontended job, long and from draws of its own. Cases differ in the network, not in this: it is run once.
WaitEstimate uncontended_wait(ContendedJobSpec spec) {
  static std::mutex mutex;
  static std::map<std::vector<double>, WaitEstimate> known;
  const std::vector<double> name{static_cast<double>(spec.shape.loaders),
                                 static_cast<double>(spec.shape.workers),
                                 static_cast<double>(spec.shape.outstanding),
                                 static_cast<double>(spec.shape.compute_ns),
                                 spec.latency_s.mean(),
                                 spec.latency_s.cv(),
                                 spec.batch_bytes,
                                 spec.flow_cap_bytes_per_s};
  const std::lock_guard lock(mutex);
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  spec.key.replication = 1;
  models::MaxPlusInOrder engine = uncontended(spec);
  for (std::size_t i = 0; i < kWarmUpSteps; ++i) engine.advance();
  RatioBatches batches(kUncontendedSteps / 64);
  while (!batches.add(sim::seconds(engine.advance().wait_ns), 1.0)) {
  }
  return known[name] = {batches.ratio(), batches.half_width()};
}

/// Batch means of the wait with contention, and without it from the same draws: a control variate.
class PairedBatches {
 public:
  void add(const StepStart& contended, const StepStart& free) {
    contended_s_ += sim::seconds(contended.wait_ns) / kStepsPerBatch;
    free_s_ += sim::seconds(free.wait_ns) / kStepsPerBatch;
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

bool is_precise(const Prediction& prediction, const ReferenceCase& c) {
  for (const char* key : {"idle", "step_time"}) {
    if (prediction.half_width.at(key) > kAimedPrecision * c.half_width_of(key)) return false;
  }
  return true;
}

}  // namespace

std::optional<Prediction> simulate_contention(const ReferenceCase& c) {
  if (!c.has("G") || !c.has("pool")) return std::nullopt;
  const ContendedJobSpec spec = job_of(c);
  const double compute_s = sim::seconds(spec.shape.compute_ns);
  const double bytes_per_step = spec.batch_bytes * spec.shape.loaders;
  Prediction prediction;
  prediction.values["capacity_bound"] =
      std::max(bytes_per_step / spec.network.pool_bytes_per_s,
               bytes_per_step / static_cast<double>(spec.network.leaves.size()) / c.number("uplink", 1e15));
  const WaitEstimate free_truth = uncontended_wait(spec);
  add_figures(prediction, "e1_idle", "e1_step_time", free_truth, compute_s);
  models::ContendedJob job(spec);
  models::MaxPlusInOrder free = uncontended(spec);
  job.run(kWarmUpSteps);
  for (std::size_t i = 0; i < kWarmUpSteps; ++i) free.advance();
  PairedBatches batches;
  for (std::size_t done = 0; done < kMostSteps; ++done) {
    batches.add(job.run(1).front(), free.advance());
    if (!batches.time_to_look()) continue;
    add_figures(prediction, "idle", "step_time", batches.estimate(free_truth), compute_s);
    if (is_precise(prediction, c)) break;
  }
  return prediction;
}

/// Digits to which the starts of all steps agree; integers that are equal agree to as many as are asked for.
std::optional<Prediction> compare_engines(const ReferenceCase& c) {
  if (!c.has("G") || !c.has("steps") || !c.expected.contains("equal_to_digits")) return std::nullopt;
  const ContendedJobSpec spec = job_of(c);
  models::MaxPlusInOrder recursion = uncontended(spec);
  models::ContendedJob job(spec);
  double worst = 0.0;
  for (const StepStart& step : job.run(static_cast<std::size_t>(c.integer("steps")))) {
    const double other = sim::seconds(recursion.advance().start_ns);
    worst = std::max(worst, std::abs(sim::seconds(step.start_ns) / other - 1.0));
  }
  Prediction prediction;
  prediction.values["equal_to_digits"] =
      worst == 0.0 ? c.expected.at("equal_to_digits").get<double>() : std::floor(-std::log10(worst));
  return prediction;
}

}  // namespace headrace::cases
