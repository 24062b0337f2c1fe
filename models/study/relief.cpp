#include "models/study/relief.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/base/task_pool.hpp"
#include "models/study/sampler.hpp"
#include "models/study/window_study.hpp"
#include "sim/replication_interval.hpp"

namespace headrace::models {

namespace {

constexpr std::size_t kBatches = 16;
constexpr std::uint64_t kMostSteps = 2048;
constexpr std::uint64_t kMostLoads = 2'000'000;  ///< batches of all loaders in one relief run

/// Steps that are compared: after the warm-up of the long run, as many as the budget allows.
struct StepRange {
  std::size_t from = 0;
  std::size_t to = 0;
};

StepRange steps_compared(const WindowStudy& study) {
  const std::size_t done = study.log(0).steps();
  const std::size_t from = std::min<std::size_t>(study.least_warm_up_steps(), done / 2);
  const std::uint64_t affordable = std::max<std::uint64_t>(4 * kBatches, kMostLoads / study.ranks());
  return {from, std::min<std::size_t>(done, from + std::min(affordable, kMostSteps))};
}

/// What GPUs lose to ingest: waits for data, and the host part that the loaders slow.
double lost_s(const StepLog& log, std::uint32_t loaders, std::size_t from, std::size_t to) {
  sim::TimeNs host_wait_ns = 0;
  for (std::size_t i = from; i < to; ++i) host_wait_ns += log.records[i].host_wait_ns;
  return wait_s(log, loaders, from, to) + sim::seconds(host_wait_ns);
}

/// Wait with and without the stage over the time that the steps took before, per batch of steps.
struct Pairs {
  std::vector<double> relieved;
  std::vector<double> before;
  double difference = 0.0;
};

/// The jobs of one window once more without the stage: a log for each.
std::vector<StepLog> logs_without(const std::vector<const WindowStudy*>& jobs, Stage stage,
                                  const std::stop_token& abandon) {
  std::vector<std::uint64_t> steps;
  for (const WindowStudy* study : jobs) steps.push_back(steps_compared(*study).to);
  return jobs.front()->runs().run_without(stage, steps, abandon);
}

Pairs pairs_of(const WindowStudy& study, const StepLog& relieved) {
  const StepRange steps = steps_compared(study);
  const StepLog& before = study.log(0);
  const std::uint32_t loaders = study.loaders();
  const auto share = [&](const StepLog& log, std::size_t from, std::size_t to) {
    const double elapsed_s = sim::seconds(before.records[to].start_ns - before.records[from].start_ns);
    return elapsed_s > 0.0 ? lost_s(log, loaders, from, to) / elapsed_s : 0.0;
  };
  Pairs pairs;
  pairs.difference = share(before, steps.from, steps.to) - share(relieved, steps.from, steps.to);
  const std::size_t length = (steps.to - steps.from) / kBatches;
  for (std::size_t batch = 0; length > 0 && batch < kBatches; ++batch) {
    const std::size_t from = steps.from + batch * length;
    pairs.before.push_back(share(before, from, from + length));
    pairs.relieved.push_back(share(relieved, from, from + length));
  }
  return pairs;
}

/// Share of the epoch's time that falls into each window; idle shares are weighed by time, not by steps.
std::vector<double> time_weights(const std::vector<const WindowStudy*>& windows) {
  std::vector<double> weights;
  double sum = 0.0;
  for (const WindowStudy* study : windows) {
    const StepRange steps = steps_compared(*study);
    const StepLog& log = study->log(0);
    const double elapsed_s = sim::seconds(log.records[steps.to].start_ns - log.records[steps.from].start_ns);
    weights.push_back(study->weight() * elapsed_s /
                      static_cast<double>(std::max<std::size_t>(1, steps.to - steps.from)));
    sum += weights.back();
  }
  for (double& weight : weights) weight = sum > 0.0 ? weight / sum : 0.0;
  return weights;
}

/// One window without one stage, seen by every job.
struct ReliefTask {
  std::size_t window = 0;
  Stage stage = Stage::cache;
  std::vector<Pairs> pairs;  ///< by job
};

/// Weighted mean over the windows of what job number `place` wins without the stage; nothing where it has no such
/// stage.
std::optional<StageShare> share_of(const std::vector<ReliefTask>& tasks, Stage stage, std::size_t place,
                                   const std::vector<const WindowStudy*>& windows, const std::vector<double>& weights) {
  StageShare share;
  share.stage = stage;
  double arm2 = 0.0;
  bool complete = true;
  bool any = false;
  for (const ReliefTask& task : tasks) {
    if (task.stage != stage || !windows[task.window]->visits(stage)) continue;
    any = true;
    const double weight = weights[task.window];
    const Pairs& pairs = task.pairs[place];
    const auto interval = sim::paired_difference_interval(pairs.relieved, pairs.before);
    share.mean += weight * pairs.difference;
    complete = complete && interval.interval.has_value();
    if (!interval.interval) continue;
    const double arm = weight * interval.interval->half_width(interval.mean);
    arm2 += arm * arm;
  }
  if (!any) return std::nullopt;
  if (complete) share.ci95 = Interval{share.mean - std::sqrt(arm2), share.mean + std::sqrt(arm2)};
  return share;
}

}  // namespace

std::vector<std::vector<StageShare>> measure_relief(const std::vector<std::vector<const WindowStudy*>>& windows,
                                                    TaskPool& pool, const std::stop_token& abandon) {
  std::vector<ReliefTask> tasks;
  for (std::size_t s = 0; s < kStageCount; ++s)
    for (std::size_t w = 0; w < windows.size(); ++w)
      if (std::any_of(windows[w].begin(), windows[w].end(),
                      [&](const WindowStudy* study) { return study->visits(static_cast<Stage>(s)); }))
        tasks.push_back({w, static_cast<Stage>(s), {}});
  pool.run(tasks.size(), [&](std::size_t i) {
    const std::vector<const WindowStudy*>& jobs = windows[tasks[i].window];
    const std::vector<StepLog> logs = logs_without(jobs, tasks[i].stage, abandon);
    for (std::size_t place = 0; place < jobs.size(); ++place)
      tasks[i].pairs.push_back(pairs_of(*jobs[place], logs[place]));
  });

  std::vector<std::vector<StageShare>> relief(windows.front().size());
  for (std::size_t place = 0; place < relief.size(); ++place) {
    std::vector<const WindowStudy*> own;
    for (const auto& jobs : windows) own.push_back(jobs[place]);
    const std::vector<double> weights = time_weights(own);
    for (std::size_t s = 0; s < kStageCount; ++s)
      if (const auto share = share_of(tasks, static_cast<Stage>(s), place, own, weights))
        relief[place].push_back(*share);
  }
  return relief;
}

}  // namespace headrace::models
