#include "scenarios/requirements/workload_profile.hpp"

#include <algorithm>

#include "models/path/checkpoint_times.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/metric_value.hpp"

namespace headrace::scenarios {

using models::IngestPath;
using models::Job;
using models::Scenario;

namespace {

/// That of samples where each is one request; parts of a sample and buffers of a shard are taken as of one size.
SizeLaw request_sizes(const IngestPath& path) {
  if (path.requests_per_sample != 1.0) {
    const double size = path.miss_bytes_factor * path.sample_bytes.mean() / std::max(1e-12, path.requests_per_sample);
    return {size, size, size, size, size};
  }
  const auto quantile = [&](double u) { return path.miss_bytes_factor * path.sample_bytes.quantile(u); };
  return {path.miss_bytes_factor * path.sample_bytes.mean(), quantile(0.1), quantile(0.5), quantile(0.9),
          quantile(0.99)};
}

double metric_of_job(const Scenario& scenario, const models::Outcome& fed, const Job& job, std::string_view metric) {
  const std::string prefix = scenario.jobs.size() == 1 ? std::string() : "jobs/" + job.name + "/";
  return models::metric_value(fed, prefix + std::string(metric)).value_or(0.0);
}

/// Share of the samples that the store answers, over an epoch.
double missed(const Scenario& scenario, std::size_t index, const IngestPath& path) {
  double share = 0.0;
  for (const models::EpochWindow& window : models::closed_form_windows(scenario, index))
    share += window.weight * in_window(path, window).miss_ratio();
  return share;
}

void add_reads(const Scenario& scenario, std::size_t index, const models::Outcome& fed, const IngestPath& path,
               JobProfile& profile) {
  const Job& job = scenario.jobs[index];
  const models::Dataset& data = dataset_of(scenario, job);
  const double copies = profile.copies;
  profile.clients = copies * path.nodes;
  profile.connections = copies * path.loaders * path.workers * path.store_lanes;
  profile.samples_per_s = copies * path.samples_per_step / metric_of_job(scenario, fed, job, "step_time_s");
  const double reads_per_s = profile.samples_per_s * missed(scenario, index, path);
  profile.request_bytes = request_sizes(path);
  profile.requests_per_s = reads_per_s * path.requests_per_sample;
  profile.read_bytes_per_s = profile.requests_per_s * profile.request_bytes.mean;
  profile.opens_per_s = reads_per_s * path.opens_per_sample;
  profile.random = data.order == models::SampleOrder::random;
  profile.dataset = data.name;
  const models::Corpus corpus = corpus_of(scenario, job);
  profile.files = corpus.files;
  profile.dataset_bytes = corpus.bytes;
  profile.file_bytes = corpus.files > 0.0 ? corpus.bytes / corpus.files : 0.0;
}

void add_writes(const Scenario& scenario, const models::Outcome& fed, const IngestPath& path, const Job& job,
                JobProfile& profile) {
  const models::Checkpoint& checkpoint = *job.checkpoint;
  profile.checkpoint_bytes = models::checkpoint_bytes(checkpoint, path);
  profile.checkpoint_writers = models::checkpoint_writers(checkpoint, path);
  profile.checkpoint_files = profile.checkpoint_writers * static_cast<double>(checkpoint.files_per_writer);
  profile.checkpoints_kept = static_cast<double>(std::max<std::uint64_t>(1, checkpoint.retained));
  profile.checkpoint_interval_s =
      checkpoint.interval_s > 0.0 ? checkpoint.interval_s : metric_of_job(scenario, fed, job, "checkpoint_interval_s");
}

void add(const JobProfile& job, WorkloadProfile& all) {
  all.clients += job.clients;
  all.connections += job.connections;
  all.read_bytes_per_s += job.read_bytes_per_s;
  all.requests_per_s += job.requests_per_s;
  all.opens_per_s += job.opens_per_s;
  if (job.checkpoint_interval_s > 0.0)
    all.write_bytes_per_s += job.copies * job.checkpoint_bytes / job.checkpoint_interval_s;
  all.checkpoint_bytes += job.copies * job.checkpoint_bytes * job.checkpoints_kept;
}

}  // namespace

WorkloadProfile workload_profile(const Scenario& scenario, std::size_t store, const models::Outcome& fed) {
  const std::string& name = scenario.stores[store].name;
  WorkloadProfile all;
  for (const models::Dataset& data : scenario.datasets)
    if (data.store == name) all.dataset_bytes += data.bytes();
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const Job& job = scenario.jobs[i];
    const bool reads = dataset_of(scenario, job).store == name;
    const bool writes = job.checkpoint && job.checkpoint->store == name;
    if (!reads && !writes) continue;
    const IngestPath path = resolve_path(scenario, i, {});
    JobProfile profile;
    profile.job = job.name;
    profile.copies = static_cast<double>(job.copies);
    profile.gpus = profile.copies * path.gpus;
    if (reads) add_reads(scenario, i, fed, path, profile);
    if (writes) add_writes(scenario, fed, path, job, profile);
    add(profile, all);
    all.jobs.push_back(std::move(profile));
  }
  return all;
}

}  // namespace headrace::scenarios
