#include "models/relief.hpp"

#include <algorithm>
#include <cmath>

#include "models/failed_replication.hpp"
#include "sim/replication_interval.hpp"

namespace headrace::models {

namespace {

constexpr std::size_t kBatches = 16;
constexpr std::uint64_t kMostSteps = 2048;
constexpr std::uint64_t kMostLoads = 2'000'000;  ///< batches of all loaders in one relief run

/// Steps that are compared: after the warm-up of the long run, as many as the budget allows.
struct Comparison {
  std::size_t from = 0;
  std::size_t to = 0;
};

Comparison steps_compared(const WindowStudy& study) {
  const std::size_t done = study.run(0).log().steps();
  const std::size_t from = std::min<std::size_t>(study.least_warm_up_steps(), done / 2);
  const std::uint64_t affordable = std::max<std::uint64_t>(4 * kBatches, kMostLoads / study.path().loaders);
  return {from, std::min<std::size_t>(done, from + std::min(affordable, kMostSteps))};
}

/// Wait with and without the stage over the time that the steps took before, per batch of steps.
struct Pairs {
  std::vector<double> relieved;
  std::vector<double> before;
  double difference = 0.0;
};

Pairs relieve(const WindowStudy& study, Stage stage, std::uint64_t seed, bool contention) {
  const Comparison steps = steps_compared(study);
  RunSwitches switches;
  switches.contention = contention;
  switches.relieved[index(stage)] = true;
  ClusterRun run(study.path(), seed, study.first_replication(), switches);
  try {
    run.run_to(steps.to);
  } catch (const sim::InternalError& error) {
    throw FailedReplication(error.what(), seed, study.first_replication(), study.most_steps());
  }
  const StepLog& before = study.run(0).log();
  const std::uint32_t loaders = study.path().loaders;
  const auto share = [&](const StepLog& log, std::size_t from, std::size_t to) {
    const double elapsed_s = sim::seconds(before.records[to].start_ns - before.records[from].start_ns);
    return elapsed_s > 0.0 ? wait_s(log, loaders, from, to) / elapsed_s : 0.0;
  };
  Pairs pairs;
  pairs.difference = share(before, steps.from, steps.to) - share(run.log(), steps.from, steps.to);
  const std::size_t length = (steps.to - steps.from) / kBatches;
  for (std::size_t batch = 0; length > 0 && batch < kBatches; ++batch) {
    const std::size_t from = steps.from + batch * length;
    pairs.before.push_back(share(before, from, from + length));
    pairs.relieved.push_back(share(run.log(), from, from + length));
  }
  return pairs;
}

/// Share of the epoch's time that falls into each window; idle shares are weighed by time, not by steps.
std::vector<double> time_weights(const std::vector<std::unique_ptr<WindowStudy>>& windows) {
  std::vector<double> weights;
  double sum = 0.0;
  for (const auto& study : windows) {
    const Comparison steps = steps_compared(*study);
    const StepLog& log = study->run(0).log();
    const double elapsed_s = sim::seconds(log.records[steps.to].start_ns - log.records[steps.from].start_ns);
    weights.push_back(study->window().weight * elapsed_s /
                      static_cast<double>(std::max<std::size_t>(1, steps.to - steps.from)));
    sum += weights.back();
  }
  for (double& weight : weights) weight = sum > 0.0 ? weight / sum : 0.0;
  return weights;
}

bool takes_time(const WindowStudy& study, Stage stage) {
  const LoadTotals& totals = study.run(0).totals();
  return totals.queueing_s[index(stage)] + totals.service_s[index(stage)] > 0.0;
}

}  // namespace

std::vector<StageShare> measure_relief(
    const std::vector<std::unique_ptr<WindowStudy>>& windows, std::uint64_t seed, bool contention,
    const std::function<void(std::size_t, const std::function<void(std::size_t)>&)>& parallel) {
  struct Task {
    const WindowStudy* study;
    double weight;
    Stage stage;
    Pairs pairs;
  };
  const std::vector<double> weights = time_weights(windows);
  std::vector<Task> tasks;
  for (std::size_t s = 0; s < kStageCount; ++s)
    for (std::size_t w = 0; w < windows.size(); ++w)
      if (takes_time(*windows[w], static_cast<Stage>(s)))
        tasks.push_back({windows[w].get(), weights[w], static_cast<Stage>(s), {}});
  parallel(tasks.size(),
           [&](std::size_t i) { tasks[i].pairs = relieve(*tasks[i].study, tasks[i].stage, seed, contention); });

  std::vector<StageShare> relief;
  for (std::size_t s = 0; s < kStageCount; ++s) {
    StageShare share;
    share.stage = static_cast<Stage>(s);
    double arm2 = 0.0;
    bool complete = true;
    bool any = false;
    for (const Task& task : tasks) {
      if (task.stage != share.stage) continue;
      any = true;
      const double weight = task.weight;
      const auto interval = sim::paired_difference_interval(task.pairs.relieved, task.pairs.before);
      share.mean += weight * task.pairs.difference;
      complete = complete && interval.interval.has_value();
      if (!interval.interval) continue;
      const double arm = weight * interval.interval->half_width(interval.mean);
      arm2 += arm * arm;
    }
    if (!any) continue;
    if (complete) share.ci95 = Interval{share.mean - std::sqrt(arm2), share.mean + std::sqrt(arm2)};
    relief.push_back(share);
  }
  return relief;
}

}  // namespace headrace::models
