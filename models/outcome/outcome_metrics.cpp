#include "models/outcome/outcome_metrics.hpp"

#include <algorithm>

namespace headrace::models {

/// The rows, in a namespace of their own: short names for the traits must not reach other files.
namespace metric_table {

using enum Better;
using enum OverJobs;
using enum OverTime;
using enum StepLaw;
using enum Noise;
using enum Bound;
using enum Prominence;

/// Every trait must be given: a row that lacks one does not compile.
constexpr MetricDescription metric(std::string_view name, std::string_view unit, std::string_view label, Better better,
                                   OverJobs over_jobs, OverTime over_time, StepLaw law, Noise noise, Bound bound,
                                   Prominence prominence, std::string_view meaning, std::string_view formula,
                                   std::string_view inputs, std::string_view source) {
  return {name, unit,  label, better,     over_jobs, over_time,
          law,  noise, bound, prominence, meaning,   {formula, inputs, source}};
}
constexpr PartDescription part(std::string_view name, std::string_view formula, std::string_view inputs,
                               std::string_view source) {
  return {name, {formula, inputs, source}};
}

constexpr MetricDescription kMetrics[] = {
    metric("step_time_s", "s", "step time", lower, mean, of_steps, time, interval, no_less, headline,
           "Mean time from the start of one training step to the next, without checkpoints and failures.",
           "(end of the last measured step - start of the first) / steps; of a bound: max over resources of demand per "
           "step / capacity, and the step without waits",
           "step of the GPU, loader, caches, fabric, store", "models/engines-and-blame, models/statistics"),
    metric("gpu_utilization", "1", "GPU utilization", higher, mean, share, busy, interval, no_more, usual,
           "Share of GPU time spent in compute.", "compute time / elapsed time, summed over GPUs", "states of GPU time",
           "models/engines-and-blame"),
    metric("gpu_idle_fraction", "1", "GPU idle time", lower, mean, share, idle, interval, no_less, headline,
           "Share of GPU time spent waiting for data, for the own batch or at the barrier for a peer's.",
           "(wait for the own batch + wait for a peer's batch) / elapsed time, summed over GPUs", "states of GPU time",
           "models/engines-and-blame"),
    metric(
        "goodput_fraction", "1", "goodput", higher, mean, share, busy, interval, no_more, usual,
        "Share of elapsed time that becomes training progress: compute that no failure destroys.",
        "compute time of steps that last / elapsed time, in which checkpoints, failures and the work that they destroy "
        "count: as gpu_utilization, which leaves destroyed work out, too",
        "gpu_utilization, checkpoint, faults", "models/checkpoint; J. Daly, FGCS 22, 2006"),
    metric("samples_per_s", "1/s", "samples per second", higher, sum, share, rate, interval, no_more, summary,
           "Samples trained per second by the whole job; of packed samples, the sequences that they fill.",
           "samples of a step / step_time_s x share of time that neither checkpoints nor failures take",
           "replicas, batch size, step_time_s, checkpoint, faults", "models/accelerator"),
    metric(
        "ingest_bytes_per_s", "B/s", "ingest rate", neither, sum, share, rate, interval, no_more, usual,
        "Dataset bytes that the loaders read per second, from caches and stores.",
        "loaders x batch x mean sample size / step_time_s x share of time that neither checkpoints nor failures take",
        "readers, batch size, dataset/sample_size, step_time_s, checkpoint, faults", "models/dataset"),
    metric("store_bytes_per_s", "B/s", "read rate of the store", neither, sum, share, rate, interval, no_more, further,
           "Bytes per second that leave the store (cache misses).",
           "ingest_bytes_per_s x (1 - share answered by caches) x bytes read per byte of data",
           "ingest_bytes_per_s, hit ratios of all tiers, read amplification", "models/cache-tiers, models/host"),
    metric("epoch_time_s", "s", "epoch time", lower, longest, duration, time, interval, no_less, headline,
           "Time of one steady epoch (caches as after a previous epoch).",
           "step_time_s x steps of an epoch / share of time that neither checkpoints nor failures take + "
           "epoch_boundary_s; windows of the epoch weigh by their share",
           "step_time_s, dataset, samples of a step, checkpoint, faults, epoch_boundary_s", "models/statistics"),
    metric("first_epoch_time_s", "s", "first epoch time", lower, longest, duration, first_time, interval, no_less,
           further, "Time of the first epoch, with cold caches; what comes before its first step is not in it.",
           "step time with cold caches x steps of an epoch + epoch_boundary_s with the start of workers",
           "as epoch_time_s, caches empty", "models/node-cache"),
    metric("steps_per_epoch", "steps", "steps per epoch", neither, mean, unchanged, other, fixed, exact, further,
           "Steps of an epoch, with the last one whose batches are smaller.",
           "samples / (ranks x batch), rounded up or down as loader/last_batch says",
           "dataset, step/batch, "
           "loader/last_batch",
           "models/loader"),
    metric("epoch_boundary_s", "s", "time between epochs", lower, longest, unchanged, other, replications, open,
           further, "Time that an epoch takes beyond its steps, because workers start and queues are empty.",
           "start of the workers, unless they persist, + time from empty queues to the end of the last step of n - n x "
           "step_time_s, as n grows; of a bound: the first batch, or one step where loading is the limit",
           "loader/epoch_start, path of a batch, step", "models/loader"),
    metric("host_slowdown", "1", "time of the host part over that without load", lower, mean, unchanged, other, fixed,
           open, further,
           "Time of the host part of a step (launches, Python, receiving) beside loaders and other processes, over its "
           "time on a node without other load.",
           "1 + u^d, u the utilization of the node's cores, d the cores that are searched",
           "step/host_part, host/cores, host/core_sharing, CPU work of the loaders", "models/host"),
    metric("host_wait_s", "s", "slowed host part", lower, mean, unchanged, other, fixed, open, further,
           "Time by which load on the node's cores lengthens the host part of a step; a part of the overhead.",
           "step/host_part/time x (host_slowdown - 1)", "step/host_part, host_slowdown", "models/host"),
    metric("slowest_loader_wait_s", "s", "wait for the slowest loader", lower, mean, unchanged, other, replications,
           open, further,
           "Time of a step in which some rank waits for its batch. With barrier_s it is what a step loses between its "
           "ranks.",
           "gpu_idle_fraction x step_time_s", "gpu_idle_fraction, step_time_s", "models/barrier"),
    metric("barrier_s", "s", "barrier time", lower, mean, unchanged, other, fixed, open, further,
           "Time of a step at the barrier that no loader causes; a part of the overhead.",
           "time + per_doubling x ceil(log2 n) + slowest_rank_wait_s, n ranks", "step/barrier, ranks",
           "models/barrier; D. Hensgen, R. Finkel, U. Manber, IJPP 17, 1988"),
    metric("slowest_rank_wait_s", "s", "wait for the slowest rank", lower, mean, unchanged, other, fixed, open, further,
           "The part of it in which all wait for the rank that comes last although its batch was ready.",
           "E[max of n delays]", "step/barrier/rank_delay, ranks",
           "models/barrier; S. Agarwal, R. Garg, N. Vishnoi, HiPC 2005"),
    metric(
        "time_to_first_step_s", "s", "time to first step", lower, longest, unchanged, other, replications, open,
        further,
        "Time from job start until every GPU has its first batch. headrace plan states its closed form for "
        "batches of mean size, which is there earlier.",
        "index_time_s + staging_time_s + start of the workers + filling of the shuffle buffer + slowest first batch of "
        "all loaders",
        "listing, staging, loader/epoch_start, shuffle buffer, path of a batch", "models/start-up"),
    metric("cost_per_epoch_usd", "USD", "cost per epoch", lower, sum, unchanged, cost, interval, no_less, headline,
           "GPU and node hours, storage share, requests and egress of one steady epoch.",
           "sum of the ledger of an epoch", "prices, epoch_time_s, requests, bytes that leave the store",
           "models/price-ledger"),
    metric("idle_cost_per_epoch_usd", "USD", "cost of idle GPUs per epoch", lower, sum, unchanged, wait_cost, interval,
           no_less, further, "The part of the GPU cost of an epoch for GPUs that wait for data.",
           "GPUs x price of a GPU second x (gpu_idle_fraction x (epoch_time_s - epoch_boundary_s) + epoch_boundary_s)",
           "prices/gpu_hour, gpu_idle_fraction, epoch_time_s, epoch_boundary_s", "models/price-ledger"),
    metric("cost_per_useful_gpu_hour_usd", "USD", "cost per useful GPU hour", lower, mean_by_compute, unchanged,
           useful_cost, interval, no_less, further,
           "Cost of a steady epoch, by its ledger, over the GPU hours spent in compute. Space, staff and migration "
           "count in headrace tco and bakeoff.",
           "cost_per_epoch_usd / (GPUs x gpu_utilization x hours of the epoch without epoch_boundary_s)",
           "cost_per_epoch_usd, gpu_utilization, epoch_time_s, epoch_boundary_s", "models/price-ledger"),
    metric("egress_cost_per_year_usd", "USD", "egress cost per year", lower, sum, unchanged, other, fixed, exact,
           further, "Egress cost of a year with loads_per_year runs, each with cold caches.",
           "loads of a year x (cold epoch + later epochs x (1 - hit ratio)) x bytes, by the egress tiers of the store",
           "jobs/loads_per_year, epochs, egress prices", "models/price-ledger"),
    metric("index_time_s", "s", "index time", lower, longest, unchanged, other, replications, open, further,
           "Time from job start until every node has the list of objects of the dataset.",
           "max(P x round trip / parallel, (n P - burst) / rate) with P = ceil(objects / keys_per_page) pages on each "
           "of n listing nodes, + passing the list on; simulated request by request where the store limits",
           "jobs/index, objects, stores/limit, NICs", "models/start-up"),
    metric("list_requests", "requests", "LIST requests", lower, sum, unchanged, other, fixed, exact, further,
           "LIST requests of one start.", "ceil(objects / keys_per_page) x nodes that list; a manifest needs none",
           "objects, jobs/index", "models/start-up"),
    metric("throttled_list_requests", "requests", "throttled LIST requests", lower, sum, unchanged, other, replications,
           open, further, "LIST requests of one start with a 503 answer.",
           "requests over the token bucket of a prefix, counted in the simulated start",
           "request limit, back-off, nodes that list", "models/start-up, models/object-store"),
    metric("start_up_cost_usd", "USD", "start-up cost", lower, sum, unchanged, other, fixed, open, further,
           "LIST charges of one start, and the cost of machines that wait for the listing.",
           "list_requests x price of a LIST + index_time_s x price of all machines",
           "list_requests, index_time_s, prices", "models/start-up"),
    metric("cache_hit_ratio", "1", "node cache hit ratio", higher, mean_by_samples, unchanged, other, fixed, exact,
           further, "Share of samples read from the node cache in a steady epoch.",
           "integral over the epoch of the probability that a sample is held; LRU under reshuffling: c + (1-c) ln(1-c) "
           "at cached share c; random: 1 - c ln(c + (1-c) e^(1/c)); pinned: c",
           "cache size, dataset, policy, order", "models/node-cache"),
    metric("page_cache_hit_ratio", "1", "page cache hit ratio", higher, mean_by_samples, unchanged, other, fixed, exact,
           further, "Share of samples found in the page cache in a steady epoch.",
           "share of reads that some thousand items sent through the two lists of Linux find; lru, random: as "
           "cache_hit_ratio",
           "host/page_cache, dataset, order", "models/page-cache"),
    metric("peer_hit_ratio", "1", "peer hit ratio", higher, mean_by_samples, unchanged, other, fixed, exact, further,
           "Share of samples read from another node's part of a partitioned cache in a steady epoch.",
           "share held by the partition x (nodes - 1) / nodes", "cache size, nodes, dataset",
           "models/cache-tiers; J. Mohan et al., VLDB 2021"),
    metric("shared_cache_hit_ratio", "1", "shared cache hit ratio", higher, mean_by_samples, unchanged, other, fixed,
           exact, further, "Share of samples read from the cache in front of the store in a steady epoch.",
           "as cache_hit_ratio, for what the tiers before it miss", "stores/cache, hit ratios before it",
           "models/cache-tiers"),
    metric("fetch_time_s", "s", "fetch time of a sample", lower, mean_by_samples, unchanged, other, fixed, open,
           further, "Mean time to fetch a sample in a steady epoch without contention: caches and store.",
           "mean stage times of cache, peer, shared cache, metadata, request and transfer / samples of a batch",
           "hit ratios, latencies, bandwidths", "models/cache-tiers"),
    metric("cache_fill_bytes_per_s", "B/s", "fill rate of the cache", lower, mean, share, other, replications, open,
           further, "Bytes per second that are written into the cache of a node in a steady epoch.",
           "samples per second of a node x share that is filled in x cached size",
           "samples_per_s, fill share, sample size", "models/node-cache"),
    metric("drive_life_s", "s", "drive life", higher, mean, unchanged, other, replications, open, further,
           "Time until cache writes use up the endurance of a node's drives.",
           "drive writes per day x capacity x rated years / cache_fill_bytes_per_s",
           "pools/drives, cache_fill_bytes_per_s", "models/node-cache"),
    metric("room_power_w", "W", "power of owned machines and stores", lower, mean, unchanged, other, fixed, exact,
           further, "Power of owned machines and stores under load, with that of the site.",
           "(GPUs x gpu_power + nodes x node_power + power of stores) x PUE", "prices/owned, stores/purchase",
           "models/total-cost"),
    metric("room_rack_units", "U", "rack units of owned machines and stores", lower, mean, unchanged, other, fixed,
           exact, further, "Rack units of owned nodes and stores.", "nodes x node_rack_units + rack units of stores",
           "prices/total_cost, stores/purchase", "models/total-cost"),
    metric("node_drive_writes_per_day", "per day", "drive writes of nodes", lower, mean, unchanged, other, replications,
           open, further,
           "Bytes of cache fills and of checkpoints that the drives of a node take in a day, over their capacity.",
           "(86,400 s x cache_fill_bytes_per_s + saves per day x bytes of one on a node) / capacity",
           "cache_fill_bytes_per_s, jobs/checkpoint, pools/drives", "models/total-cost"),
    metric("store_drive_writes_per_day", "per day", "drive writes of the store", lower, mean, unchanged, other, fixed,
           open, further, "Bytes of checkpoints that a store takes in a day, over its capacity; of the fullest store.",
           "86,400 s x bytes of a checkpoint / interval / capacity", "jobs/checkpoint, stores/capacity",
           "models/total-cost"),
    metric("staging_time_s", "s", "staging time", lower, mean, unchanged, other, fixed, exact, further,
           "Time of copying data ahead, before the first step.",
           "bytes staged / the least of what the links on the way carry", "staging, store, fabric, drives",
           "models/node-cache"),
    metric("store_overhead", "1", "space on drives over data", lower, mean, unchanged, other, fixed, exact, further,
           "Raw bytes of the store per byte of data.", "copies; of an erasure code: (data + parity) / data",
           "stores/redundancy", "models/store"),
    metric("store_rebuild_s", "s", "rebuild time of the store", lower, mean, unchanged, other, fixed, open, further,
           "Time until the dataset's share of the lost drives is rebuilt.",
           "lost bytes x reads per rebuilt byte / (bandwidth left x share for rebuilds)",
           "stores/redundancy, bandwidth, dataset", "models/store"),
    metric("metadata_time_share", "1", "metadata share of load time", lower, mean, unchanged, other, replications, open,
           further, "Share of a batch's load time spent in metadata operations.",
           "time in the metadata stage / time of all stages of a batch", "stage times", "models/metadata"),
    metric("throttled_requests_per_s", "1/s", "throttled requests per second", lower, sum, share, other, replications,
           open, further, "Requests per second with a 503 answer because a prefix is over its limit.",
           "requests over the token bucket of a prefix / elapsed time", "request limit, prefixes, back-off",
           "models/object-store"),
    metric("batch_load_time_s", "s", "batch load time", lower, mean, unchanged, other, replications, open, further,
           "Sojourn time of a batch in its worker, from assignment to delivery: mean, p50, p90, p99, p999.",
           "delivery - assignment, mean and quantiles over the measured batches",
           "stage times and queueing of each batch", "models/engines-and-blame"),
    metric("mlperf_au_v1_percent", "%", "MLPerf AU (v1.0)", higher, mean, of_training, rate, interval, no_more, asked,
           "Accelerator utilization as MLPerf Storage v1.0 defines it: nominal compute over block time, both without "
           "the first step.",
           "100 x nominal compute time of a step / step_time_s", "jobs/step, step_time_s",
           "MLPerf Storage v1.0 rules; docs/validation.md"),
    metric("mlperf_au_percent", "%", "MLPerf AU", higher, mean, of_training, busy, interval, no_more, asked,
           "Accelerator utilization as current DLIO defines it: measured compute over block time.",
           "100 x measured compute time / elapsed time without checkpoints and failures", "compute and wait of a step",
           "DLIO benchmark; docs/validation.md"),
    metric("gpu_memory_bytes", "B", "GPU memory", lower, mean, unchanged, other, fixed, exact, further,
           "Memory that one GPU needs: model states, activations, prefetched batches.",
           "parameters + gradients + optimizer states, each over its shards, + activations + batches that wait",
           "jobs/model, parallelism, batch size, prefetch", "models/gpu-memory; S. Rajbhandari et al., SC 2020"),
    metric("collective_s", "s", "collective time", lower, mean, unchanged, other, fixed, open, further,
           "Exchange of gradients and tensor-parallel sums per step, hidden or not.",
           "ring over N ranks: 2 (N-1)/N M/B + 2 (N-1) a, by level; or a tree; and tensor-parallel sums",
           "bytes of gradients, link bandwidths and latencies", "models/collective; R. Thakur et al., IJHPCA 19, 2005"),
    metric("collective_exposed_s", "s", "exposed collective time", lower, mean, unchanged, other, replications, open,
           further, "The part of it that compute does not hide.",
           "max(t, k t - W (k-1)/k) over k buckets of time t behind a backward pass W", "collective_s, buckets, step",
           "models/collective; S. Li et al., VLDB 2020"),
    metric("straggler_wait_s", "s", "straggler wait", lower, mean, unchanged, other, replications, open, further,
           "Extra time of a step that waits for the slowest GPU.", "E[max of n step times] - mean step time",
           "spread of the step, GPUs", "models/collective"),
    metric("largest_batch_wait_s", "s", "wait for the largest batch", lower, mean, unchanged, other, replications, open,
           further,
           "Mean time of a step in which replicas wait for the one with the most bytes; it counts as compute, which is "
           "that of the slowest replica.",
           "compute of the largest batch of the replicas - compute of a mean one",
           "jobs/step/follows_sample_size, sample sizes, batch, replicas", "models/accelerator"),
    metric("scaling_efficiency", "1", "scaling efficiency", higher, mean, unchanged, other, replications, open, further,
           "Step time of one replica alone that never waits for data, over the step time of the job.",
           "step of one replica that never waits / step_time_s", "jobs/step, collective_s, step_time_s",
           "models/collective"),
    metric("checkpoint_save_s", "s", "checkpoint save time", lower, mean, unchanged, other, fixed, open, further,
           "Time until a checkpoint is in its store.",
           "opens + bytes / the least of what store, front end, fabric, NICs and writers carry",
           "jobs/checkpoint, model states, store, fabric", "models/checkpoint"),
    metric("checkpoint_stall_s", "s", "checkpoint stall", lower, mean, unchanged, other, fixed, open, further,
           "Time for which training stops for one checkpoint.",
           "checkpoint_save_s; asynchronous: the copy into host memory, or what is left of the last save",
           "checkpoint_save_s, snapshot bandwidth, interval", "models/checkpoint"),
    metric("checkpoint_write_bytes_per_s", "B/s", "checkpoint write rate", higher, mean, unchanged, other, fixed, open,
           further, "Bytes per second at which a checkpoint is written.", "bytes of a checkpoint / checkpoint_save_s",
           "model states, checkpoint_save_s", "models/checkpoint"),
    metric("checkpoint_interval_s", "s", "checkpoint interval", neither, mean, unchanged, other, fixed, open, further,
           "Work between two checkpoints.", "as given; else checkpoint_best_interval_s", "jobs/checkpoint/interval",
           "models/checkpoint"),
    metric("checkpoint_load_s", "s", "checkpoint load time", lower, mean, unchanged, other, fixed, open, further,
           "Time to read a checkpoint at a restart.",
           "opens + replicas that read x bytes / the least of the links on the way",
           "model states, store reads, one_replica, failed_node", "models/checkpoint"),
    metric("checkpoint_best_interval_s", "s", "best checkpoint interval", neither, mean, unchanged, other, fixed, open,
           further, "Work between checkpoints with the least time lost to checkpoints and failures.",
           "M (1 + W0(-e^(-C/M-1))) with stall C and time between failures M", "checkpoint_stall_s, job_mtbf_s",
           "models/checkpoint; J. W. Young, CACM 17, 1974; J. Daly, FGCS 22, 2006"),
    metric("job_mtbf_s", "s", "time between failures", higher, mean, unchanged, other, fixed, open, further,
           "Mean time between failures that stop the job.",
           "1 / (nodes / node_mtbf + reclaims of spot nodes without enough notice)", "faults, nodes",
           "models/checkpoint"),
    metric("checkpoint_drain_s", "s", "checkpoint drain time", lower, mean, unchanged, other, fixed, open, further,
           "Time from the first tier until a checkpoint is in its store.",
           "bytes / the slowest link from the first tier to the store", "checkpoint/tiers, store", "models/checkpoint"),
    metric("checkpoint_write_time_fraction", "1", "time share of checkpoint writes", lower, mean, unchanged, other,
           fixed, open, further, "Share of training time in which checkpoint writes compete with reads.",
           "time in which a save or the copy of its snapshot is under way / training time",
           "checkpoint_save_s, checkpoint_interval_s, snapshot_bandwidth", "models/checkpoint"),
    metric("checkpoint_read_slowdown", "1", "step time during saves over that without", lower, mean, unchanged, other,
           fixed, open, further, "Step time while checkpoint writes compete with reads, over the step time without.",
           "step_time_s while a save is under way / step_time_s without", "two answers, with and without the writes",
           "models/checkpoint"),
    metric("checkpoint_ingest_wait_fraction", "1", "data wait from checkpoint writes", lower, mean, unchanged, other,
           fixed, open, further,
           "Share of GPU time spent waiting for data because checkpoint writes compete with reads.",
           "gpu_idle_fraction with writes beside reads - without", "two answers, with and without the writes",
           "models/checkpoint"),
    metric("drive_headroom_bytes", "B", "drive headroom", higher, mean, unchanged, other, fixed, open, further,
           "Free space on the local drives of a node after cache, dataset and checkpoints.",
           "drives of a node - cache - dataset - checkpoints that are kept there",
           "pools/drives, cache, checkpoint/tiers", "models/checkpoint"),
    metric("fresh_bytes_per_s", "B/s", "rate of new data", higher, mean, unchanged, other, fixed, open, further,
           "New data that reach the store from their staging buffer, per second.",
           "mean rate behind the staging buffer: the least of arrivals that are not lost and the rate at which it "
           "empties",
           "datasets/stream", "models/streaming; D. Anick, D. Mitra, M. Sondhi, BSTJ 61, 1982"),
    metric("stream_buffer_bytes", "B", "staging buffer content", lower, mean, unchanged, other, fixed, open, further,
           "Mean content of the staging buffer of new data.",
           "mean of the stationary content of an on-off fluid buffer", "datasets/stream",
           "models/streaming; D. Anick, D. Mitra, M. Sondhi, BSTJ 61, 1982"),
    metric("stream_full_fraction", "1", "time share of a full staging buffer", lower, mean, unchanged, other, fixed,
           open, further, "Share of time in which the staging buffer is full: the source waits, or data is lost.",
           "probability of the full buffer in its stationary law", "datasets/stream", "models/streaming"),
    metric("stream_loss_fraction", "1", "lost share of new data", lower, mean, unchanged, other, fixed, open, further,
           "Share of the new data that a full buffer drops.", "data dropped at the full buffer / data that arrive",
           "datasets/stream", "models/streaming"),
    metric("stream_smoothing", "1", "smoothing by the staging buffer", lower, mean, unchanged, other, fixed, open,
           further, "Standard deviation of the rate after the staging buffer over that of the rate before it.",
           "standard deviation of the rate behind the buffer / of the rate before it", "datasets/stream",
           "models/streaming"),
    metric("fresh_wait_fraction", "1", "time share of waiting for new data", lower, mean, unchanged, other, fixed, open,
           further, "Share of time in which training waits for new data.",
           "max(0, 1 - most samples per second that new data allow / samples_per_s without that limit)",
           "fresh_bytes_per_s, samples_per_s, sample size", "models/streaming"),
    metric("samples_per_sequence", "samples", "samples in a sequence", higher, mean, unchanged, other, fixed, open,
           further, "Samples of the dataset that are packed into one training sequence.",
           "split: tokens of a sequence / mean tokens of a sample; pad: 1; fit: mean over a fixed series of packed "
           "draws",
           "jobs/step/packing, dataset/sample_size", "models/sequence-packing; D. Johnson, JCSS 8, 1974"),
    metric("packing_fill_fraction", "1", "fill of packed sequences", higher, mean, unchanged, other, fixed, open,
           further, "Tokens of samples over those of training sequences; the rest is padding.",
           "tokens of samples in a sequence / tokens of the sequence", "jobs/step/packing, dataset/sample_size",
           "models/sequence-packing; E. Coffman et al., Information and Control 44, 1980"),
    metric("cut_token_fraction", "1", "share of tokens cut off", lower, mean, unchanged, other, fixed, open, further,
           "Share of the samples' tokens that are cut off at the end of sequences.",
           "tokens cut off samples longer than a sequence / tokens of all samples",
           "jobs/step/packing, dataset/sample_size", "models/sequence-packing"),
    metric("useful_tokens_per_s", "1/s", "useful tokens per second", higher, sum, share, rate, interval, no_more,
           further, "Tokens of samples trained per second, without padding.",
           "sequences per second x tokens of a sequence x packing_fill_fraction",
           "samples_per_s, jobs/step/packing, packing_fill_fraction", "models/sequence-packing"),
    metric("store_capacity_factor", "1", "store capacity, mean of its period", neither, mean, unchanged, other, fixed,
           open, further,
           "Mean capacity of a store that changes over time, with the hours in which nobody trains, over its stated "
           "capacity.",
           "sum over the states of the schedule of share of time x capacity factor", "stores/schedule",
           "models/changing-capacity"),
    metric("store_ramp_s", "s", "ramp time of the store", lower, mean, unchanged, other, fixed, open, further,
           "Time per period until the capacity of the store has stopped growing.",
           "steps of the controller x its delay, per period", "stores/schedule", "models/changing-capacity"),
    metric("store_ramp_idle_s", "s", "GPU wait during the ramp", lower, mean, unchanged, other, fixed, open, further,
           "Time per period for which GPUs wait for data while the capacity of the store grows.",
           "sum over the ramp's states of duration x gpu_idle_fraction", "stores/schedule, one answer per state",
           "models/changing-capacity"),
    metric("migration_bytes_per_day", "B", "bytes migrated per day", lower, mean, unchanged, other, fixed, open,
           further, "Bytes that move between flash and store per day, in both directions.",
           "86,400 s x (bytes demoted + bytes promoted per second)", "stores/cache/tiering", "models/cache-tiers"),
    metric("preemption_time_fraction", "1", "time share of preemptions", lower, mean, unchanged, other, fixed, open,
           further, "Share of time lost to spot nodes that are reclaimed with enough notice.",
           "g / (1 + g), g = rate of reclaims with enough notice x (save + replacement + load + start)",
           "faults/spot, checkpoint_save_s", "models/checkpoint"),
    metric("degraded_time_fraction", "1", "time share of slowing faults", lower, mean, unchanged, other, fixed, open,
           further, "Share of time in which a fault slows the job down.", "1 - share of time without any fault",
           "faults/degraded", "models/checkpoint"),
    metric("training_time_s", "s", "training time after the start", lower, mean, unchanged, other, courses, open,
           further, "Time of all epochs including faults, from the first step on, mean over simulated histories.",
           "mean over 400 courses drawn by seed: first epoch + (epochs - 1) steady ones without interruption, with "
           "checkpoints, restarts, lost work and slowing faults as they come",
           "epoch_time_s, first_epoch_time_s, checkpoint_interval_s, checkpoint_stall_s, job_mtbf_s, restart_s, "
           "faults/degraded",
           "models/checkpoint"),
    metric("training_time_p10_s", "s", "training time after the start, p10", lower, mean, unchanged, other, courses,
           open, further, "Training time that 10 % of the simulated histories do not exceed.",
           "10 % quantile of the courses behind training_time_s", "training_time_s", "models/checkpoint"),
    metric("training_time_p90_s", "s", "training time after the start, p90", lower, mean, unchanged, other, courses,
           open, further, "Training time that 90 % of the simulated histories do not exceed.",
           "90 % quantile of the courses behind training_time_s", "training_time_s", "models/checkpoint"),
    metric("stops_per_training", "stops", "stops per training", lower, mean, unchanged, other, courses, open, further,
           "Failures and reclaimed spot nodes until the training ends, mean over simulated histories.",
           "mean number of failures and reclaims over the courses behind training_time_s", "job_mtbf_s, faults/spot",
           "models/checkpoint"),
    metric("lost_work_s", "s", "lost work", lower, mean, unchanged, other, courses, open, further,
           "Work lost to failures until the training ends, mean over simulated histories.",
           "mean over the courses of the work since the last checkpoint at each failure",
           "checkpoint_interval_s, job_mtbf_s", "models/checkpoint"),
    metric("restart_s", "s", "restart time", lower, mean, unchanged, other, replications, open, further,
           "Time from a failure to the first step: detection, rescheduling, reading the checkpoint, first batches. "
           "headrace "
           "campaign adds image and imports.",
           "(failures x (detection + reschedule) + reclaims x replacement) / stops + checkpoint_load_s + first batches",
           "faults, checkpoint_load_s", "models/checkpoint"),
};

constexpr PartDescription kParts[] = {
    part("gpu_states",
         "time in a state / elapsed time, in integer nanoseconds summed over GPUs, so that the shares sum to 1",
         "every step of every GPU", "models/engines-and-blame"),
    part("blame",
         "each wait [a, b] is cut along the timeline of the batch that ended it; a piece is charged to the stage that "
         "the batch was in, queueing apart from service; sums are divided by elapsed GPU time once",
         "waits of GPUs, timelines of batches", "models/engines-and-blame"),
    part("relief", "(wait of the GPUs - wait with the stage infinitely fast, same random draws) / elapsed time before",
         "one more run per stage", "models/engines-and-blame"),
    part("stations",
         "busy = carries / can carry; carries = demand of a step / step_time_s; floor = demand of a step / can carry; "
         "queue = mean wait of a batch before service; all of the time in which the job trains, without that of "
         "checkpoints "
         "and failures",
         "demand of a step by conservation of flow, capacities of the scenario", "models/engines-and-blame"),
    part("ledger",
         "quantity x price; machines and capacity by the epoch's time, capacity of a store that a controller enlarges "
         "also by "
         "the hours in which nobody trains; requests and egress by what caches miss",
         "prices, epoch_time_s, hit ratios", "models/price-ledger"),
    part("drivers",
         "variance of the figure's mean over draws of one input / variance over all inputs (first-order Sobol index)",
         "input ranges, one answer per draw", "models/statistics; I. Sobol, Math. Comput. Simul. 55, 2001"),
    part("tornado",
         "the figure with one input at the low or the high end of its range and all others as the scenario states "
         "them, answered at the level of the outcome with the same random draws; the middle is the scenario answered "
         "in the same way",
         "input ranges, two answers per input", "models/statistics"),
    part("ci95",
         "mean -+ t x standard error of at least 64 batches of steps, adjusted for correlation and skew, after warm-up",
         "step times after the warm-up", "models/statistics; A. Tafazzoli et al., INFORMS J. Comput. 23, 2011 (Skart)"),
    part("input_range", "p10 and p90 of the figure over draws of the assumed and data sheet inputs", "input ranges",
         "models/statistics"),
    part("windows", "step time of each window x its weight, summed", "caches as each part of the epoch finds them",
         "models/statistics"),
};

constexpr MetricDescription kUnknown =
    metric("", "1", "", neither, mean, unchanged, other, fixed, open, further, "", "", "", "");

}  // namespace metric_table

namespace {

template <class Row>
const Row* find_metric_row(std::span<const Row> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

constinit const std::span<const MetricDescription> kMetricDescriptions = metric_table::kMetrics;
constinit const std::span<const PartDescription> kPartDescriptions = metric_table::kParts;

const MetricDescription* find_metric(std::string_view name) { return find_metric_row(kMetricDescriptions, name); }

const MetricDescription& traits_of(std::string_view full_name) {
  if (full_name.starts_with("jobs/")) full_name.remove_prefix(full_name.rfind('/') + 1);
  const MetricDescription* metric = find_metric(full_name.substr(0, full_name.find('.')));
  return metric == nullptr ? metric_table::kUnknown : *metric;
}

bool is_headline(std::string_view name) {
  const MetricDescription* metric = find_metric(name);
  return metric != nullptr && metric->prominence == Prominence::headline;
}

std::vector<std::string_view> headline_metrics() {
  std::vector<std::string_view> names;
  for (const MetricDescription& metric : kMetricDescriptions)
    if (is_headline(metric.name)) names.push_back(metric.name);
  return names;
}

const FigureFormula* find_formula(std::string_view name) {
  if (const MetricDescription* metric = find_metric(name)) return &metric->how;
  const PartDescription* part = find_metric_row(kPartDescriptions, name);
  return part == nullptr ? nullptr : &part->how;
}

}  // namespace headrace::models
