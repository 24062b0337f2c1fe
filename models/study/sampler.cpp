#include "models/study/sampler.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "models/base/abandoned.hpp"
#include "models/base/failed_replication.hpp"
#include "models/base/task_pool.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/warm_up_at_least.hpp"

namespace headrace::models {

namespace {

constexpr std::uint64_t kStrideLoads = 65536;  ///< batches of one run in a stride
constexpr std::uint64_t kShortestStride = 16;
constexpr std::uint64_t kStrideRuns = 8;
constexpr std::chrono::milliseconds kStrideTime{200};  ///< strides that take longer are made shorter

RunSwitches switches_of(const SamplerOptions& options) {
  RunSwitches switches;
  switches.contention = options.contention;
  return switches;
}

constexpr double kLoaderBytes = 8e3;  ///< a loader with its workers and batches takes 4 to 13 kB

double machine_bytes() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void refuse_beyond_memory(std::uint64_t loaders, std::uint32_t replications) {
  if (fit_memory(loaders)) return;
  throw UnusableRequest(
      fmt::format("{} simulated loaders would take about {:.0f} GB of memory, this machine has {:.0f} GB", loaders,
                  kLoaderBytes * static_cast<double>(loaders) / 1e9, machine_bytes() / 1e9),
      replications > 1 ? "lower --replications" : "describe fewer nodes, or answer by headrace bound");
}

}  // namespace

bool fit_memory(std::uint64_t loaders) {
  const double there = machine_bytes();
  return !(there > 0.0) || kLoaderBytes * static_cast<double>(loaders) <= there;
}

WindowRuns::WindowRuns(const ClusterPlan& plan, const SamplerOptions& options)
    : options_(options), plan_(std::make_unique<const ClusterPlan>(plan)) {
  set_replications(options_.replications);
}

WindowRuns::~WindowRuns() = default;

void WindowRuns::set_replications(std::uint32_t count) {
  options_.replications = count;
  if (runs_.size() > count) runs_.resize(count);
  while (runs_.size() < count) {
    end_if_abandoned(options_.abandon);
    const auto replication = options_.first_replication + static_cast<std::uint32_t>(runs_.size());
    runs_.push_back(
        std::make_unique<ClusterRun>(*plan_, options_.seed, replication, switches_of(options_), options_.abandon));
  }
}

std::uint32_t WindowRuns::loaders() const {
  std::uint32_t loaders = 0;
  for (const JobPlace& place : plan_->jobs) loaders += place.path.loaders;
  return loaders;
}

std::uint32_t WindowRuns::ranks() const {
  std::uint32_t ranks = 0;
  for (const JobPlace& place : plan_->jobs) ranks += place.ranks();
  return ranks;
}

std::uint64_t WindowRuns::least_warm_up_steps() const {
  std::uint64_t steps = 0;
  for (const JobPlace& place : plan_->jobs) steps = std::max<std::uint64_t>(steps, warm_up_at_least_steps(place.path));
  return steps;
}

void WindowRuns::abandon_on(const std::stop_token& abandon) {
  for (const auto& run : runs_) run->abandon_on(abandon);
}

std::uint64_t WindowRuns::steps() const {
  std::uint64_t steps = runs_.front()->common_steps();
  for (const auto& run : runs_) steps = std::min(steps, run->common_steps());
  return steps;
}

void WindowRuns::run_to(std::uint32_t replication, std::uint64_t steps) {
  ClusterRun& run = *runs_[replication];
  const std::uint64_t warm_up = least_warm_up_steps();
  try {
    if (run.common_steps() < warm_up && warm_up <= steps) {
      run.run_to(warm_up);
      run.reset_totals();
    }
    run.run_to(steps);
  } catch (const sim::InternalError& error) {
    throw FailedReplication(error.what(), options_.seed, options_.first_replication + replication,
                            run.common_steps() + 1);
  }
}

std::vector<StepLog> WindowRuns::run_without(Stage stage, const std::vector<std::uint64_t>& steps,
                                             const std::stop_token& abandon) const {
  RunSwitches switches = switches_of(options_);
  switches.relieved[index(stage)] = true;
  ClusterRun run(*plan_, options_.seed, options_.first_replication, switches, abandon);
  try {
    run.run_to(steps);
  } catch (const sim::InternalError& error) {
    std::uint64_t done = 0;
    for (const auto& own : runs_) done = std::max<std::uint64_t>(done, own->log().steps());
    throw FailedReplication(error.what(), options_.seed, options_.first_replication, done);
  }
  std::vector<StepLog> logs;
  for (std::size_t i = 0; i < run.jobs(); ++i) logs.push_back(run.job(i).log());
  return logs;
}

const WindowRuns& Sampler::add(const ClusterPlan& plan) {
  for (const JobPlace& place : plan.jobs) loaders_ += std::uint64_t{place.path.loaders} * options_.replications;
  refuse_beyond_memory(loaders_, options_.replications);
  return *windows_.emplace_back(std::make_unique<WindowRuns>(plan, options_));
}

bool Sampler::set_replications(std::uint32_t count) {
  const std::uint64_t loaders = loaders_ / options_.replications * count;
  if (count > options_.replications && !fit_memory(loaders)) return false;
  for (const auto& runs : windows_) runs->set_replications(count);
  options_.replications = count;
  loaders_ = loaders;
  return true;
}

void Sampler::run_to(std::uint64_t steps, TaskPool& pool, const std::function<bool(const WindowRuns&)>& wanted,
                     const std::function<bool(std::uint64_t)>& go_on) {
  struct Task {
    WindowRuns* runs;
    std::uint32_t replication;
  };
  std::vector<Task> tasks;
  std::uint64_t done = steps;
  for (const auto& runs : windows_) {
    if (!wanted(*runs)) continue;
    done = std::min(done, runs->steps());
    for (std::uint32_t r = 0; r < runs->replications(); ++r) tasks.push_back({runs.get(), r});
  }
  // A limit on time is looked at between strides: of many runs they are shorter, and nobody knows before the first how
  // long a step takes.
  const std::uint64_t many = std::max<std::uint64_t>(1, tasks.size() / kStrideRuns);
  const std::uint64_t longest =
      std::max<std::uint64_t>(1, std::max(kShortestStride, kStrideLoads / windows_.front()->loaders()) / many);
  std::uint64_t stride = 1;
  for (bool more = true; done < steps && more;) {
    done = std::min(steps, done + stride);
    const auto begin = std::chrono::steady_clock::now();
    pool.run(tasks.size(), [&](std::size_t i) { tasks[i].runs->run_to(tasks[i].replication, done); });
    more = go_on(done);
    const bool is_short = std::chrono::steady_clock::now() - begin < kStrideTime;
    stride = is_short ? std::min(longest, 2 * stride) : std::max<std::uint64_t>(1, stride / 2);
  }
}

void Sampler::run_to(std::uint64_t steps, const std::stop_token& abandon) {
  for (const auto& runs : windows_) runs->abandon_on(abandon);
  for (const auto& runs : windows_)
    for (std::uint32_t r = 0; r < runs->replications(); ++r) runs->run_to(r, steps);
}

}  // namespace headrace::models
