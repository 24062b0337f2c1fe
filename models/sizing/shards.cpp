// Shards: few enough to spare requests, many enough for every worker, alike enough to end together.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/base/limits.hpp"
#include "models/outcome/shards.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/order_statistics.hpp"
#include "models/twins/request_limits.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kShards = "datasets/samples_per_file above 1";

constexpr std::array kShardsFigures = {
    SizingDescription{"shard_bytes", "B", "V / f", "Mean size of one file.", "definition", kShards},
    SizingDescription{"shards_per_worker", "", "f / (n N)", "Files for each worker in an epoch.", "definition", kShards,
                      true},
    SizingDescription{"worker_time_used", "1", "(f/w) / ceil(f/w)",
                      "Share of the workers' time that is used when each takes whole shards.", "models/loader",
                      "shards that are read one after the other"},
    SizingDescription{"largest_shard_bytes", "B", "V / (10 n N)", "Shards no larger than this give every worker ten.",
                      "rule of thumb: ten shards a worker leave at most a tenth of its time unused", kShards},
    SizingDescription{"sample_time_alone_s", "s", "W + S / b", "Read time of a sample in a separate file.",
                      "definition", "a latency, and a stream or NIC bandwidth"},
    SizingDescription{"sample_time_in_shard_s", "s", "W / k + S / b",
                      "The same of a sample in a shard that is read in one go.", "definition", kShards},
    SizingDescription{"shard_size_cv", "", "cv / sqrt(k)",
                      "Coefficient of variation of the shards' sizes, from that of their samples.",
                      "sum of independent samples", kShards},
    SizingDescription{"longest_shard_ratio", "", "E max of w / mean",
                      "Time of the last worker over the mean, with equal numbers of shards: the cost of unequal shards "
                      "at the end of an epoch.",
                      "log-normal order statistics (H. A. David, H. N. Nagaraja, 2003)", kShards},
    SizingDescription{"shuffle_window_share", "1", "b / N_s",
                      "Share of the dataset among which neighbouring samples are shuffled; 1 is a full shuffle.",
                      "definition", kShards},
    SizingDescription{"shards_in_batch", "", "S (1 - (1 - 1/S)^B)",
                      "Different shards that the samples of one batch are expected to come from.",
                      "occupancy (W. Feller, An Introduction to Probability Theory, 1968)", kShards},
};

/// How well a batch is mixed: what a window of b samples sees, of S shards. Convergence is not modelled.
void add_mixing(const SizingCase& c, SizingSheetWriter& sheet) {
  const Dataset& data = c.dataset;
  const double batch = c.path.batch_samples;
  const auto samples = static_cast<double>(data.files) * static_cast<double>(data.samples_per_file);
  const bool in_order = data.order != SampleOrder::random;
  const double buffer = std::max(batch, static_cast<double>(c.job.loader.shuffle_buffer));
  const double window = in_order ? std::min(samples, buffer) : samples;
  const double seen = std::max(1.0, window / static_cast<double>(data.samples_per_file));
  const SizingInput b{"b", c.job_key + "/loader/shuffle_buffer", window, ""};
  sheet.add("shuffle_window_share", window / samples, {b, {"N_s", c.dataset_key, samples, ""}});
  sheet.add("shards_in_batch", seen * -std::expm1(batch * std::log1p(-1.0 / std::max(seen, 1.0 + 1e-12))),
            {{"S", "shuffle_window_share", seen, ""}, {"B", c.job_key + "/step/batch", batch, ""}});
}

void fill_shards(const SizingCase& c, SizingSheetWriter& sheet) {
  const IngestPath& path = c.path;
  const Dataset& data = c.dataset;
  const double wait_s = path.metadata_latency_s.mean() + path.request_latency_s.mean();
  const double rate = or_no_limit(path.flow_cap_bytes_per_s);
  const double bytes = path.mean_sample_bytes();
  const auto each = static_cast<double>(data.samples_per_file);
  const SizingInput w{"W", c.store_key + "/latency", wait_s, "s"};
  const SizingInput s{"S", c.dataset_key + "/sample_bytes", bytes, "B"};
  const SizingInput b{"b", c.store_key + "/stream", rate, "B/s"};
  const SizingInput k{"k", c.dataset_key + "/samples_per_file", each, ""};
  if (wait_s > 0.0) sheet.add("sample_time_alone_s", twins::sharded_sample_time_s(1.0, bytes, wait_s, rate), {w, s, b});
  if (data.samples_per_file < 2) return;
  const double per_worker = shards_per_worker(data, path, c.job.loader);
  const auto files = static_cast<double>(data.files);
  const double workers = files / per_worker;
  const SizingInput f{"f", c.dataset_key + "/files", files, ""};
  const SizingInput v{"V", c.dataset_key, c.stored_bytes(), "B"};
  const SizingInput all{"n N", c.job_key + "/loader/workers", workers, ""};
  sheet.add("shard_bytes", c.stored_bytes() / files, {v, f});
  sheet.add("shards_per_worker", per_worker, {f, all});
  if (data.order == SampleOrder::shard_sequential)
    sheet.add("worker_time_used", shard_efficiency(data, path, c.job.loader), {f, {"w", all.from, workers, ""}});
  sheet.add("largest_shard_bytes", c.stored_bytes() / (10.0 * workers), {v, all});
  if (wait_s > 0.0)
    sheet.add("sample_time_in_shard_s", twins::sharded_sample_time_s(each, bytes, wait_s, rate), {w, k, s, b});
  const twins::BatchSum shard =
      twins::sum_of_samples(static_cast<std::int64_t>(data.samples_per_file), bytes, path.sample_bytes.cv());
  sheet.add("shard_size_cv", shard.cv, {{"cv", c.dataset_key + "/sample_bytes", path.sample_bytes.cv(), ""}, k});
  add_mixing(c, sheet);
  const double in_turn = std::max(1.0, std::floor(per_worker));
  sheet.add("longest_shard_ratio",
            twins::lognormal_max_ratio(static_cast<std::int64_t>(std::min(workers, files)),
                                       twins::lognormal_sigma(shard.cv / std::sqrt(in_turn))),
            {{"w", all.from, std::min(workers, files), ""}, {"cv", "shard_size_cv", shard.cv, ""}});
}

}  // namespace

const SizingRoom kShardsRoom{"shards", "Shards", kShardsFigures, fill_shards};

}  // namespace headrace::models
