#include "models/outcome/cluster_outcome.hpp"

#include <map>

#include "models/outcome/outcome_metrics.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;

namespace {

JobReport job_of(std::uint64_t copies, std::uint64_t gpus, double value) {
  JobReport job;
  job.copies = copies;
  job.gpus = gpus;
  job.verdict = Verdict::fed;
  for (const MetricDescription& metric : kMetricDescriptions) {
    Metric& own = job.metrics.emplace_back();
    own.name = metric.name;
    own.mean = value;
  }
  return job;
}

}  // namespace

TEST_CASE("every metric of a cluster is what its row says of those of its jobs") {
  Outcome cluster;
  cluster.jobs = {job_of(2, 8, 100.0), job_of(1, 24, 300.0)};
  sum_up_jobs(cluster);
  for (const MetricDescription& metric : kMetricDescriptions) {
    INFO(metric.name);
    const auto mean_by = [](double a, double b) { return (a * 100.0 + b * 300.0) / (a + b); };
    const std::map<OverJobs, double> expected_by = {
        {OverJobs::mean, mean_by(8.0, 24.0)},
        {OverJobs::mean_by_samples, mean_by(2.0 * 100.0, 300.0)},
        {OverJobs::mean_by_compute, mean_by(8.0 * 100.0, 24.0 * 300.0)},
        {OverJobs::sum, 2.0 * 100.0 + 300.0},
        {OverJobs::longest, 300.0},
    };
    const double expected = expected_by.at(metric.over_jobs);
    REQUIRE(cluster.find(metric.name) != nullptr);
    CHECK(cluster.find(metric.name)->mean == Approx(expected));
  }
}

TEST_CASE("checkpoints of a small job do not give the verdict of all, those of most GPUs do") {
  Outcome cluster;
  cluster.jobs = {job_of(1, 8, 0.0), job_of(1, 32, 0.0)};
  cluster.jobs[0].verdict = Verdict::checkpoint_bound;
  for (JobReport& job : cluster.jobs)
    for (std::size_t state = 0; state < kGpuStateCount; ++state)
      job.gpu_states.push_back({static_cast<GpuState>(state), 0.0});
  cluster.jobs[0].gpu_states[index(GpuState::checkpoint)].share = 0.02;
  sum_up_jobs(cluster);
  CHECK(cluster.verdict == Verdict::fed);  // 0.4 % of all
  cluster.jobs[0].gpus = 128;
  sum_up_jobs(cluster);
  CHECK(cluster.verdict == Verdict::checkpoint_bound);  // 1.6 %
}

TEST_CASE("jobs side by side train the useful tokens of all of them") {
  Outcome cluster;
  cluster.jobs = {job_of(2, 8, 100.0), job_of(1, 24, 300.0)};
  sum_up_jobs(cluster);
  CHECK(cluster.find("useful_tokens_per_s")->mean == 500.0);
  CHECK(cluster.find("samples_per_s")->mean == 500.0);
}
