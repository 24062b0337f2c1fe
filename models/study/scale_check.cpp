#include "models/study/scale_check.hpp"

#include <vector>

#include "models/base/failed_replication.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "sim/replication_interval.hpp"

namespace headrace::models {

namespace {

constexpr std::size_t kCheckBatches = 8;
constexpr std::uint64_t kLeastCheckedSteps = 8;

std::uint64_t whole_rounds(const IngestPath& path, std::uint64_t all) {
  return all / kCheckBatches / path.workers * path.workers;
}

double mean_step_s(const StepLog& log, std::size_t from, std::size_t to) {
  return sim::seconds(log.records[to].start_ns - log.records[from].start_ns) / static_cast<double>(to - from);
}

}  // namespace

ScaleCheck::ScaleCheck(const WindowRuns& runs, std::uint32_t replication) : runs_(runs), replication_(replication) {}

ScaleCheck::~ScaleCheck() = default;

void ScaleCheck::run_to(std::uint64_t steps, const std::stop_token& abandon) {
  const SamplerOptions& how = runs_.options();
  RunSwitches switches;
  switches.contention = how.contention;
  if (!all_)
    all_ = std::make_unique<ClusterRun>(plan_alone(*runs_.plan().jobs.front().whole), how.seed,
                                        how.first_replication + replication_, switches, abandon);
  all_->abandon_on(abandon);
  try {
    all_->run_to(steps);
  } catch (const sim::InternalError& error) {
    throw FailedReplication(error.what(), how.seed, how.first_replication + replication_, all_->common_steps() + 1);
  }
  to_ = steps;
}

sim::TimeNs ScaleCheck::first_start_ns() const { return all_->log().records.front().start_ns; }

Measured ScaleCheck::difference_s(std::uint64_t from) const {
  const StepLog& all = all_->log();
  const StepLog& sample = runs_.run(replication_).log();
  const std::uint64_t length = whole_rounds(runs_.plan().jobs.front().path, to_ - from);
  if (length == 0) return {mean_step_s(all, from, to_) - mean_step_s(sample, from, to_), std::nullopt};
  std::vector<double> of_all;
  std::vector<double> of_sample;
  for (std::size_t batch = 0; batch < kCheckBatches; ++batch) {
    const std::uint64_t begin = from + batch * length;
    of_all.push_back(mean_step_s(all, begin, begin + length));
    of_sample.push_back(mean_step_s(sample, begin, begin + length));
  }
  const auto result = sim::paired_difference_interval(of_sample, of_all);
  return {result.mean, Interval{result.interval->lo, result.interval->hi}};
}

std::uint64_t ScaleCheck::least_steps(const IngestPath& path) {
  return kCheckBatches * path.workers * ((kLeastCheckedSteps + path.workers - 1) / path.workers);
}

}  // namespace headrace::models
