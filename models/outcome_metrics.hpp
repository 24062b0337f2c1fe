// Every metric of an outcome, described once: name, unit, which way is better, meaning.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/describe/describe.hpp"

namespace headrace::models {

/// What becomes of a figure of steady training when checkpoints and failures take a part of the time.
enum class OverTime : std::uint8_t {
  unchanged,  ///< speaks of training itself
  share,      ///< a share of all time, or a rate: less
  duration,   ///< elapsed time: more
};

struct MetricDescription {
  std::string_view name;
  std::string_view unit;
  Better better;
  std::string_view meaning;
  OverTime over_time = OverTime::unchanged;
};

inline constexpr std::array kMetricDescriptions = {
    MetricDescription{"step_time_s", "s", Better::lower,
                      "Mean time from the start of one training step to the next, checkpoints and failures left out."},
    MetricDescription{"gpu_utilization", "1", Better::higher, "Share of GPU time spent in compute.", OverTime::share},
    MetricDescription{"gpu_idle_fraction", "1", Better::lower,
                      "Share of GPU time spent waiting for data, for the own batch or at the barrier for a peer's.",
                      OverTime::share},
    MetricDescription{"goodput_fraction", "1", Better::higher,
                      "Share of elapsed time that becomes training progress: compute that no failure throws away.",
                      OverTime::share},
    MetricDescription{"samples_per_s", "1/s", Better::higher, "Samples trained per second by the whole job.",
                      OverTime::share},
    MetricDescription{"ingest_bytes_per_s", "B/s", Better::neither,
                      "Dataset bytes that the loaders take in per second, from caches and stores.", OverTime::share},
    MetricDescription{"store_bytes_per_s", "B/s", Better::neither,
                      "Bytes per second that leave the store (cache misses).", OverTime::share},
    MetricDescription{"epoch_time_s", "s", Better::lower,
                      "Time of one steady epoch (caches as a previous epoch left them).", OverTime::duration},
    MetricDescription{"first_epoch_time_s", "s", Better::lower, "Time of the first epoch, with cold caches.",
                      OverTime::duration},
    MetricDescription{"time_to_first_step_s", "s", Better::lower,
                      "Time from job start until every GPU has its first batch."},
    MetricDescription{"cost_per_epoch_usd", "USD", Better::lower,
                      "GPU and node hours, storage share, requests and egress of one steady epoch."},
    MetricDescription{"idle_cost_per_epoch_usd", "USD", Better::lower,
                      "The part of the GPU cost of an epoch that pays for GPUs waiting for data."},
    MetricDescription{"cost_per_useful_gpu_hour_usd", "USD", Better::lower,
                      "Cost of an epoch over the GPU hours that compute in it."},
    MetricDescription{"egress_cost_per_year_usd", "USD", Better::lower,
                      "What leaves the store in a year of loads_per_year runs, each with cold caches."},
    MetricDescription{"index_time_s", "s", Better::lower,
                      "Time from job start until every node knows the objects of the dataset."},
    MetricDescription{"list_requests", "requests", Better::lower, "LIST requests of one start."},
    MetricDescription{"throttled_list_requests", "requests", Better::lower,
                      "LIST requests of one start that were answered with 503."},
    MetricDescription{"start_up_cost_usd", "USD", Better::lower,
                      "LIST charges of one start, and machines that wait while the objects are found."},
    MetricDescription{"cache_hit_ratio", "1", Better::higher,
                      "Share of samples read from the node cache in a steady epoch."},
    MetricDescription{"page_cache_hit_ratio", "1", Better::higher,
                      "Share of samples found in the page cache in a steady epoch."},
    MetricDescription{"peer_hit_ratio", "1", Better::higher,
                      "Share of samples read from another node's part of a partitioned cache in a steady epoch."},
    MetricDescription{"shared_cache_hit_ratio", "1", Better::higher,
                      "Share of samples read from the cache in front of the store in a steady epoch."},
    MetricDescription{"fetch_time_s", "s", Better::lower,
                      "Mean time of fetching a sample in a steady epoch when nothing is shared: caches and store."},
    MetricDescription{"cache_fill_bytes_per_s", "B/s", Better::lower,
                      "Bytes per second that are written into the cache of a node in a steady epoch.", OverTime::share},
    MetricDescription{"drive_life_s", "s", Better::higher,
                      "Time until cache writes have used up the endurance of a node's drives."},
    MetricDescription{"staging_time_s", "s", Better::lower, "Time of copying data ahead, before the first step."},
    MetricDescription{"store_overhead", "1", Better::lower, "Raw bytes of the store per byte of data."},
    MetricDescription{"store_rebuild_s", "s", Better::lower,
                      "Time until the dataset's share of the lost drives is rebuilt."},
    MetricDescription{"metadata_time_share", "1", Better::lower,
                      "Share of a batch's load time spent in metadata operations."},
    MetricDescription{"throttled_requests_per_s", "1/s", Better::lower,
                      "Requests per second answered with 503 because a prefix is over its limit.", OverTime::share},
    MetricDescription{"batch_load_time_s", "s", Better::lower,
                      "Sojourn of a batch in its worker, from assignment to delivery: mean, p50, p90, p99, p999."},
    MetricDescription{
        "mlperf_au_v1_percent", "%", Better::higher,
        "Accelerator utilization as MLPerf Storage v1.0 defines it: nominal compute over block time, both "
        "without the first step."},
    MetricDescription{"mlperf_au_percent", "%", Better::higher,
                      "Accelerator utilization as current DLIO defines it: measured compute over block time."},
    MetricDescription{"gpu_memory_bytes", "B", Better::lower,
                      "What one GPU must hold: model states, activations, batches that wait there."},
    MetricDescription{"collective_s", "s", Better::lower,
                      "Exchange of gradients and tensor-parallel sums per step, hidden or not."},
    MetricDescription{"collective_exposed_s", "s", Better::lower, "The part of it that compute does not hide."},
    MetricDescription{"straggler_wait_s", "s", Better::lower,
                      "What a step takes longer because it waits for the slowest of the GPUs."},
    MetricDescription{"scaling_efficiency", "1", Better::higher,
                      "Step time of one replica alone that never waits for data, over the step time of the job."},
    MetricDescription{"checkpoint_save_s", "s", Better::lower, "Time until a checkpoint is in its store."},
    MetricDescription{"checkpoint_stall_s", "s", Better::lower, "Time for which training stops for one checkpoint."},
    MetricDescription{"checkpoint_write_bytes_per_s", "B/s", Better::higher,
                      "Bytes per second at which a checkpoint is written."},
    MetricDescription{"checkpoint_interval_s", "s", Better::neither, "Work between two checkpoints."},
    MetricDescription{"checkpoint_load_s", "s", Better::lower, "Time of reading a checkpoint back at a restart."},
    MetricDescription{"checkpoint_best_interval_s", "s", Better::neither,
                      "The work between checkpoints that loses the least time to checkpoints and failures."},
    MetricDescription{"job_mtbf_s", "s", Better::higher, "Mean time between failures that stop the job."},
    MetricDescription{"checkpoint_drain_s", "s", Better::lower,
                      "Time from the first tier until a checkpoint is in its store."},
    MetricDescription{"checkpoint_write_time_fraction", "1", Better::lower,
                      "Share of training time in which a checkpoint is written beside reads of data."},
    MetricDescription{"checkpoint_read_slowdown", "1", Better::lower,
                      "Step time while a checkpoint is written beside reads, over the step time without."},
    MetricDescription{"checkpoint_ingest_wait_fraction", "1", Better::lower,
                      "Share of GPU time spent waiting for data because checkpoints are written beside reads."},
    MetricDescription{"drive_headroom_bytes", "B", Better::higher,
                      "Room that is left on the local drives of a node beside cache, dataset and checkpoints."},
    MetricDescription{"fresh_bytes_per_s", "B/s", Better::higher,
                      "New data that reach the store from their staging buffer, per second."},
    MetricDescription{"stream_buffer_bytes", "B", Better::lower, "Mean content of the staging buffer of new data."},
    MetricDescription{"stream_full_fraction", "1", Better::lower,
                      "Share of time in which the staging buffer is full: the source is held up, or data are lost."},
    MetricDescription{"stream_loss_fraction", "1", Better::lower, "Share of the new data that a full buffer drops."},
    MetricDescription{"stream_smoothing", "1", Better::lower,
                      "Standard deviation of the rate behind the staging buffer over that of the rate before it."},
    MetricDescription{"fresh_wait_fraction", "1", Better::lower,
                      "Share of time in which training has used up the new data and waits for more."},
    MetricDescription{"samples_per_sequence", "1", Better::higher,
                      "Samples of the dataset that are packed into one training sequence."},
    MetricDescription{"packing_fill_fraction", "1", Better::higher,
                      "Tokens of samples over those of training sequences; the rest is padding."},
    MetricDescription{"cut_token_fraction", "1", Better::lower,
                      "Share of the samples' tokens that sequences are too short for."},
    MetricDescription{"useful_tokens_per_s", "1/s", Better::higher,
                      "Tokens of samples that are trained per second, padding left out.", OverTime::share},
    MetricDescription{"store_capacity_factor", "1", Better::neither,
                      "Mean capacity of a store that changes over time, over its figures."},
    MetricDescription{"store_ramp_s", "s", Better::lower,
                      "Time per period until the capacity of the store has stopped growing."},
    MetricDescription{"store_ramp_idle_s", "s", Better::lower,
                      "Time per period for which GPUs wait for data while the capacity of the store grows."},
    MetricDescription{"migration_bytes_per_day", "B", Better::lower,
                      "Bytes that move between flash and store in a day, both ways."},
    MetricDescription{"preemption_time_fraction", "1", Better::lower,
                      "Share of time that spot nodes taken away with enough notice cost."},
    MetricDescription{"degraded_time_fraction", "1", Better::lower,
                      "Share of time in which a fault slows the job down."},
    MetricDescription{"training_time_s", "s", Better::lower,
                      "Time of all epochs with the faults that come meanwhile, mean over drawn courses."},
    MetricDescription{"training_time_p10_s", "s", Better::lower,
                      "Time that one in ten drawn courses of the training does not exceed."},
    MetricDescription{"training_time_p90_s", "s", Better::lower,
                      "Time that nine in ten drawn courses of the training do not exceed."},
    MetricDescription{"stops_per_training", "stops", Better::lower,
                      "Failures and reclaimed spot nodes until the training ends, mean over drawn courses."},
    MetricDescription{"lost_work_s", "s", Better::lower,
                      "Work that failures throw away until the training ends, mean over drawn courses."},
    MetricDescription{"restart_s", "s", Better::lower,
                      "From a failure to the first step: detection, rescheduling, reading back, first batches."},
};

constexpr const MetricDescription* find_metric(std::string_view name) {
  for (const MetricDescription& metric : kMetricDescriptions)
    if (metric.name == name) return &metric;
  return nullptr;
}

}  // namespace headrace::models
