#include "models/race_run.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "models/point_bound.hpp"
#include "models/tier_path.hpp"
#include "models/uncontended_run.hpp"
#include "models/window_study.hpp"
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
  IngestPath path = resolve_path(scenario, 0, {});
  enter_window(path, window);
  return path;
}

RunSwitches uncontended() {
  RunSwitches switches;
  switches.contention = false;
  return switches;
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

class RaceRun::Window {
 public:
  Window(const Scenario& scenario, const EpochWindow& window, std::uint64_t seed, Engine engine)
      : weight(window.weight), path_(path_at(scenario, window)) {
    if (engine == Engine::contended) {
      contended_ = std::make_unique<WindowRuns>(plan_alone(path_), seed, 0, 1, true);
      return;
    }
    itineraries_ = std::make_unique<ItineraryMaker>(path_, seed, 0, uncontended());
    uncontended_ = std::make_unique<UncontendedRun>(path_, *itineraries_);
  }

  void run_to(std::uint64_t measured) {
    const std::uint64_t steps = warm_up_steps() + measured;
    if (contended_) {
      contended_->run_to(0, steps);
      const StepLog& log = contended_->run(0).job(0).log();
      for (std::size_t i = durations_s_.size(); i < log.steps(); ++i)
        durations_s_.push_back(sim::seconds(log.duration_ns(i)));
      return;
    }
    while (durations_s_.size() < steps) {
      const sim::TimeNs start_ns = uncontended_->advance();
      if (started_) durations_s_.push_back(sim::seconds(start_ns - last_ns_));
      last_ns_ = start_ns;
      started_ = true;
    }
  }

  RaceMean step_time_s() const { return batch_means(std::span<const double>(durations_s_).subspan(first_measured())); }

  const std::vector<double>& durations_s() const { return durations_s_; }

  std::size_t first_measured() const {
    const std::size_t least = std::min<std::size_t>(warm_up_steps(), durations_s_.size() / 2);
    return std::min(sim::warm_up(durations_s_, least).steps, durations_s_.size() / 2);
  }

  double weight;

 private:
  /// A barrier over many loaders settles sooner, and each of its steps costs more.
  std::uint64_t warm_up_steps() const {
    const std::uint64_t longest = std::max<std::uint64_t>(100, kWarmUpBatches / path_.loaders);
    return std::min({std::uint64_t{2} * path_.outstanding, kLongestWarmUp, longest});
  }

  IngestPath path_;
  std::unique_ptr<WindowRuns> contended_;
  std::unique_ptr<ItineraryMaker> itineraries_;
  std::unique_ptr<UncontendedRun> uncontended_;
  std::vector<double> durations_s_;
  sim::TimeNs last_ns_ = 0;
  bool started_ = false;
};

RaceRun::RaceRun(const Scenario& scenario, std::uint64_t seed, Engine engine) {
  for (const EpochWindow& window : closed_form_windows(scenario, 0))
    windows_.push_back(std::make_unique<Window>(scenario, window, seed, engine));
}

RaceRun::~RaceRun() = default;

void RaceRun::run_to(std::uint64_t steps) {
  for (const auto& window : windows_) window->run_to(steps);
  steps_ = std::max(steps_, steps);
}

/// Steps of the same number have the same draws in every window of the epoch, so that the errors of windows are alike:
/// the error is that of the windows' sum, step by step.
RaceMean RaceRun::step_time_s() const {
  double mean = 0.0;
  std::size_t begin = 0;
  std::size_t end = SIZE_MAX;
  for (const auto& window : windows_) {
    mean += window->weight * window->step_time_s().mean;
    begin = std::max(begin, window->first_measured());
    end = std::min(end, window->durations_s().size());
  }
  std::vector<double> sums(end - std::min(begin, end), 0.0);
  for (const auto& window : windows_)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += window->weight * window->durations_s()[begin + i];
  RaceMean total = batch_means(sums);
  total.mean = mean;
  return total;
}

RaceMean RaceRun::difference_from(const RaceRun& base, double own_slope, double base_slope) const {
  std::size_t begin = 0;
  std::size_t end = windows_.size() == base.windows_.size() ? SIZE_MAX : 0;
  for (const auto* run : {this, &base})
    for (const auto& window : run->windows_) {
      begin = std::max(begin, window->first_measured());
      end = std::min(end, window->durations_s().size());
    }
  if (end < begin + kFewestCommonSteps)
    return independent_difference(step_time_s(), base.step_time_s(), own_slope, base_slope);
  std::vector<double> differences(end - begin, 0.0);
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const Window& own = *windows_[w];
    const Window& other = *base.windows_[w];
    for (std::size_t i = 0; i < differences.size(); ++i)
      differences[i] += own_slope * own.weight * own.durations_s()[begin + i] -
                        base_slope * other.weight * other.durations_s()[begin + i];
  }
  return mean_of_differences(differences);
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
