#include "models/study/race_run.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "models/answer/point_bound.hpp"
#include "models/base/abandoned.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/cluster/like_nodes.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/paired_series.hpp"
#include "models/study/sampler.hpp"
#include "models/study/uncontended_series.hpp"
#include "sim/batch_means.hpp"
#include "sim/warm_up.hpp"

namespace headrace::models {

namespace {

constexpr std::size_t kBatchMeans = 20;
constexpr std::size_t kDifferenceBatches = 32;
constexpr std::size_t kFewestCommonSteps = 8;
constexpr std::uint64_t kLongestWarmUp = 1000;
constexpr std::uint64_t kWarmUpBatches = 1500000;

IngestPath path_at(const Scenario& scenario, const EpochWindow& window) {
  return in_window(resolve_path(scenario, 0, {}), window);
}

/// Mean and standard error of a series, by batch means.
RaceMean batch_means(std::span<const double> series) {
  const std::size_t length = std::max<std::size_t>(1, series.size() / kBatchMeans);
  std::vector<double> means;
  double sum = 0.0;
  for (std::size_t begin = 0; begin + length <= series.size(); begin += length) {
    double batch = 0.0;
    for (std::size_t i = begin; i < begin + length; ++i) batch += series[i];
    means.push_back(batch / static_cast<double>(length));
    sum += means.back();
  }
  RaceMean result;
  if (means.empty()) return result;
  const double n = static_cast<double>(means.size());
  result.mean = sum / n;
  double squares = 0.0;
  for (const double mean : means) squares += (mean - result.mean) * (mean - result.mean);
  result.degrees_of_freedom = std::max<std::uint64_t>(1, means.size() - 1);
  result.standard_error = means.size() > 1 ? std::sqrt(squares / (n * (n - 1.0))) : std::abs(result.mean);
  return result;
}

/// Mean and standard error of a series of differences, whose neighbours may be alike: workers drift in and out of
/// phase.
RaceMean mean_of_differences(std::span<const double> series) {
  const std::size_t count = std::min(series.size(), kDifferenceBatches);
  const std::vector<double> means = sim::batch_means(series, series.size() / count, count);
  RaceMean result;
  result.mean = sim::mean_of(series);
  result.degrees_of_freedom = std::max<std::uint64_t>(1, means.size() - 1);
  result.standard_error = means.size() > 1 ? sim::correlated_standard_error(means) : std::abs(result.mean);
  return result;
}

}  // namespace

/// The step times of one window, from a window of the sampler or from the engine without contention.
class RaceRun::Window {
 public:
  Window(IngestPath path, double weight) : weight_(weight), path_(std::move(path)) {}

  /// Contended; on a sample of the nodes if there is one.
  void simulate_with(Sampler& sampler, const std::optional<NodeSample>& sample) {
    const ClusterPlan plan = plan_alone(path_);
    runs_ = &sampler.add(sample ? sample_nodes(plan, *sample) : plan);
  }
  void run_uncontended(std::uint64_t seed) {
    itineraries_ = std::make_unique<ItineraryMaker>(path_, seed, 0, uncontended_switches());
    uncontended_ = std::make_unique<UncontendedSeries>(path_, *itineraries_);
  }

  /// Takes over what the sampler has run, or runs on to `steps` steps.
  void update(std::uint64_t steps, const std::stop_token& abandon) {
    if (uncontended_) return uncontended_->run_to(steps, [&] { end_if_abandoned(abandon); });
    const StepLog& log = runs_->run(0).log();
    for (std::size_t i = sampled_s_.size(); i < log.steps(); ++i)
      sampled_s_.push_back(sim::seconds(log.duration_ns(i)));
  }

  const IngestPath& path() const { return path_; }
  double weight() const { return weight_; }
  const std::vector<double>& durations_s() const { return uncontended_ ? uncontended_->durations_s() : sampled_s_; }
  RaceMean step_time_s() const { return batch_means(std::span(durations_s()).subspan(first_measured())); }
  std::size_t first_measured() const {
    const std::size_t half = durations_s().size() / 2;
    // The queues fill at first, which a short race must not count: a store that is nearly full works them off slowly.
    const std::size_t least = warm_up_steps() < durations_s().size() ? warm_up_steps() : half;
    return std::min(sim::warm_up(durations_s(), least, path_.turn_steps()).steps, std::max(least, half));
  }
  /// A barrier over many loaders settles sooner, and each of its steps costs more.
  std::uint64_t warm_up_steps() const {
    const std::uint64_t longest = std::max<std::uint64_t>(100, kWarmUpBatches / path_.loaders);
    return std::min({std::uint64_t{2} * path_.outstanding, kLongestWarmUp, longest});
  }

 private:
  double weight_;
  IngestPath path_;
  const WindowRuns* runs_ = nullptr;
  std::vector<double> sampled_s_;
  std::unique_ptr<ItineraryMaker> itineraries_;
  std::unique_ptr<UncontendedSeries> uncontended_;
};

RaceRun::RaceRun(const Scenario& scenario, std::uint64_t seed, Engine engine)
    : sampler_(std::make_unique<Sampler>(SamplerOptions{.seed = seed})) {
  for (const EpochWindow& window : closed_form_windows(scenario, 0))
    windows_.push_back(std::make_unique<Window>(path_at(scenario, window), window.weight));
  const std::optional<NodeSample> sample = engine == Engine::sampled ? sample_of_windows() : std::nullopt;
  if (sample) sampled_nodes_ = sample->nodes();
  for (const auto& window : windows_) {
    if (engine == Engine::uncontended)
      window->run_uncontended(seed);
    else
      window->simulate_with(*sampler_, sample);
  }
}

/// Of many nodes, where it stands for all of them in every window.
std::optional<NodeSample> RaceRun::sample_of_windows() const {
  const IngestPath& path = windows_.front()->path();
  if (path.loaders < kManyRanks) return std::nullopt;
  const bool alike = std::all_of(windows_.begin(), windows_.end(),
                                 [](const auto& window) { return unlike_reason(plan_alone(window->path())).empty(); });
  return alike ? std::optional(node_sample(path)) : std::nullopt;
}

RaceRun::~RaceRun() = default;

void RaceRun::run_to(std::uint64_t steps, const std::stop_token& abandon) {
  const std::uint64_t all = windows_.front()->warm_up_steps() + steps;
  sampler_->run_to(all, abandon);
  for (const auto& window : windows_) window->update(all, abandon);
  steps_ = std::max(steps_, steps);
}

/// The windows as series of which a second counts for `slope` times their weight.
std::vector<RunSeries> RaceRun::series(double slope) const {
  std::vector<RunSeries> all;
  for (const auto& window : windows_) {
    RunSeries& series = all.emplace_back();
    series.duration_s = window->durations_s();
    series.steps = series.duration_s.size();
    series.warm_up_steps = window->first_measured();
    series.slope.duration = slope * window->weight();
  }
  return all;
}

/// The errors of windows are alike, so that the error is that of their sum, step by step.
RaceMean RaceRun::step_time_s() const {
  double mean = 0.0;
  for (const auto& window : windows_) mean += window->weight() * window->step_time_s().mean;
  const std::vector<RunSeries> runs = series(1.0);
  RaceMean total = batch_means(summed(runs, common_batches(runs)));
  total.mean = mean;
  return total;
}

std::size_t RaceRun::measured_steps() const {
  std::size_t fewest = SIZE_MAX;
  for (const auto& window : windows_)
    fewest = std::min(fewest, window->durations_s().size() - window->first_measured());
  return fewest;
}

RaceMean RaceRun::difference_from(const RaceRun& base, double own_slope, double base_slope) const {
  PairedSeries pairs;
  if (windows_.size() == base.windows_.size()) pairs = paired_series(base.series(base_slope), series(own_slope));
  // Where one run goes on, its warm-up may take most of what the other has.
  const std::size_t fewest = std::min(measured_steps(), base.measured_steps());
  if (pairs.differences.size() < std::max(kFewestCommonSteps, fewest / 2))
    return independent_difference(step_time_s(), base.step_time_s(), own_slope, base_slope);
  return mean_of_differences(pairs.differences);
}

RaceMean independent_difference(const RaceMean& own, const RaceMean& base, double own_slope, double base_slope) {
  return {own_slope * own.mean - base_slope * base.mean,
          std::hypot(own_slope * own.standard_error, base_slope * base.standard_error),
          std::min(own.degrees_of_freedom, base.degrees_of_freedom)};
}

bool bounds_by_uncontended(const Scenario& scenario) {
  return is_plain(scenario) && scenario.jobs.front().loader.order == DeliveryOrder::in_order &&
         !scenario.jobs.front().loader.synchronous;
}

double batches_per_step(const Scenario& scenario) {
  return resolve_path(scenario, 0, {}).loaders * static_cast<double>(closed_form_windows(scenario, 0).size());
}

}  // namespace headrace::models
