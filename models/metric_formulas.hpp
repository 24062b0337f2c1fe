// How each figure of an outcome is computed: the formula in words and symbols, what goes into it, and where the law is
// from. Sources that begin with "models/" are pages of docs/models, with assumptions, equations and literature.
#pragma once

#include <array>
#include <string_view>

namespace headrace::models {

struct FigureFormula {
  std::string_view name;
  std::string_view formula;
  std::string_view inputs;
  std::string_view source;
};

/// One for each metric of kMetricDescriptions, in any order.
inline constexpr std::array kMetricFormulas = {
    FigureFormula{"step_time_s",
                  "(end of the last measured step - start of the first) / steps; of a bound: max over resources "
                  "of demand per step / capacity, and the step without waits",
                  "step of the GPU, loader, caches, fabric, store", "models/engines-and-blame, models/statistics"},
    FigureFormula{"gpu_utilization", "compute time / elapsed time, summed over GPUs", "states of GPU time",
                  "models/engines-and-blame"},
    FigureFormula{"gpu_idle_fraction",
                  "(wait for the own batch + wait for a peer's batch) / elapsed time, summed over GPUs",
                  "states of GPU time", "models/engines-and-blame"},
    FigureFormula{"goodput_fraction", "gpu_utilization x share of time that neither checkpoints nor failures take",
                  "gpu_utilization, checkpoint, faults", "models/checkpoint; J. Daly, FGCS 22, 2006"},
    FigureFormula{"samples_per_s", "samples of a step / step_time_s", "replicas, batch size, step_time_s",
                  "models/accelerator"},
    FigureFormula{"ingest_bytes_per_s", "loaders x batch x mean sample size / step_time_s",
                  "readers, batch size, dataset/sample_size, step_time_s", "models/dataset"},
    FigureFormula{"store_bytes_per_s",
                  "ingest_bytes_per_s x (1 - share answered by caches) x bytes read per byte of data",
                  "ingest_bytes_per_s, hit ratios of all tiers, read amplification", "models/cache-tiers, models/host"},
    FigureFormula{"epoch_time_s", "step_time_s x steps of an epoch; windows of the epoch weigh by their share",
                  "step_time_s, dataset, samples of a step", "models/statistics"},
    FigureFormula{"first_epoch_time_s", "step time with cold caches x steps of an epoch",
                  "as epoch_time_s, caches empty", "models/node-cache"},
    FigureFormula{"time_to_first_step_s",
                  "index_time_s + filling of the shuffle buffer + slowest first batch of all loaders",
                  "listing, shuffle buffer, path of a batch", "models/start-up"},
    FigureFormula{"cost_per_epoch_usd", "sum of the ledger of an epoch",
                  "prices, epoch_time_s, requests, bytes that leave the store", "models/price-ledger"},
    FigureFormula{"idle_cost_per_epoch_usd", "GPUs x price of a GPU second x gpu_idle_fraction x epoch_time_s",
                  "prices/gpu_hour, gpu_idle_fraction, epoch_time_s", "models/price-ledger"},
    FigureFormula{"cost_per_useful_gpu_hour_usd", "cost_per_epoch_usd / (GPUs x gpu_utilization x epoch hours)",
                  "cost_per_epoch_usd, gpu_utilization, epoch_time_s", "models/price-ledger"},
    FigureFormula{"egress_cost_per_year_usd",
                  "loads of a year x (cold epoch + later epochs x (1 - hit ratio)) x bytes, by the "
                  "egress tiers of the store",
                  "jobs/loads_per_year, epochs, egress prices", "models/price-ledger"},
    FigureFormula{
        "index_time_s",
        "max(P x round trip / parallel, (n P - burst) / rate) with P = ceil(objects / keys_per_page) pages on each of "
        "n listing nodes, + passing the list on; simulated request by request where the store limits",
        "jobs/index, objects, stores/limit, NICs", "models/start-up"},
    FigureFormula{"list_requests", "ceil(objects / keys_per_page) x nodes that list; a manifest needs none",
                  "objects, jobs/index", "models/start-up"},
    FigureFormula{"throttled_list_requests",
                  "requests over the token bucket of a prefix, counted in the simulated start",
                  "request limit, back-off, nodes that list", "models/start-up, models/object-store"},
    FigureFormula{"start_up_cost_usd", "list_requests x price of a LIST + index_time_s x price of all machines",
                  "list_requests, index_time_s, prices", "models/start-up"},
    FigureFormula{"cache_hit_ratio",
                  "integral over the epoch of the probability that a sample is held; LRU under reshuffling: "
                  "c + (1-c) ln(1-c) at cached share c; random: 1 - c ln(c + (1-c) e^(1/c)); pinned: c",
                  "cache size, dataset, policy, order", "models/node-cache"},
    FigureFormula{"page_cache_hit_ratio",
                  "share of reads that some thousand items sent through the two lists of Linux find; lru, random: as "
                  "cache_hit_ratio",
                  "host/page_cache, dataset, order", "models/page-cache"},
    FigureFormula{"peer_hit_ratio", "share held by the partition x (nodes - 1) / nodes", "cache size, nodes, dataset",
                  "models/cache-tiers; J. Mohan et al., VLDB 2021"},
    FigureFormula{"shared_cache_hit_ratio", "as cache_hit_ratio, for what the tiers before it miss",
                  "stores/cache, hit ratios before it", "models/cache-tiers"},
    FigureFormula{"fetch_time_s",
                  "mean stage times of cache, peer, shared cache, metadata, request and transfer / samples of a batch",
                  "hit ratios, latencies, bandwidths", "models/cache-tiers"},
    FigureFormula{"cache_fill_bytes_per_s", "samples per second of a node x share that is filled in x cached size",
                  "samples_per_s, fill share, sample size", "models/node-cache"},
    FigureFormula{"drive_life_s", "drive writes per day x capacity x rated years / cache_fill_bytes_per_s",
                  "pools/drives, cache_fill_bytes_per_s", "models/node-cache"},
    FigureFormula{"staging_time_s", "bytes staged / the least of what the links on the way carry",
                  "staging, store, fabric, drives", "models/node-cache"},
    FigureFormula{"store_overhead", "copies; of an erasure code: (data + parity) / data", "stores/redundancy",
                  "models/store"},
    FigureFormula{"store_rebuild_s", "lost bytes x reads per rebuilt byte / (bandwidth left x share for rebuilds)",
                  "stores/redundancy, bandwidth, dataset", "models/store"},
    FigureFormula{"metadata_time_share", "time in the metadata stage / time of all stages of a batch", "stage times",
                  "models/metadata"},
    FigureFormula{"throttled_requests_per_s", "requests over the token bucket of a prefix / elapsed time",
                  "request limit, prefixes, back-off", "models/object-store"},
    FigureFormula{"batch_load_time_s", "delivery - assignment, mean and quantiles over the measured batches",
                  "stage times and queueing of each batch", "models/engines-and-blame"},
    FigureFormula{"mlperf_au_v1_percent", "100 x nominal compute time of a step / step_time_s",
                  "jobs/step, step_time_s", "MLPerf Storage v1.0 rules; docs/validation.md"},
    FigureFormula{"mlperf_au_percent", "100 x measured compute time / elapsed time", "gpu_utilization",
                  "DLIO benchmark; docs/validation.md"},
    FigureFormula{"gpu_memory_bytes",
                  "parameters + gradients + optimizer states, each over its shards, + activations + batches that wait",
                  "jobs/model, parallelism, batch size, prefetch", "models/gpu-memory; S. Rajbhandari et al., SC 2020"},
    FigureFormula{
        "collective_s", "ring over N ranks: 2 (N-1)/N M/B + 2 (N-1) a, by level; or a tree; and tensor-parallel sums",
        "bytes of gradients, link bandwidths and latencies", "models/collective; R. Thakur et al., IJHPCA 19, 2005"},
    FigureFormula{"collective_exposed_s", "max(t, k t - W (k-1)/k) over k buckets of time t behind a backward pass W",
                  "collective_s, buckets, step", "models/collective; S. Li et al., VLDB 2020"},
    FigureFormula{"straggler_wait_s", "E[max of n step times] - mean step time", "spread of the step, GPUs",
                  "models/collective"},
    FigureFormula{"scaling_efficiency", "step of one replica that never waits / step_time_s",
                  "jobs/step, collective_s, step_time_s", "models/collective"},
    FigureFormula{"checkpoint_save_s",
                  "opens + bytes / the least of what store, front end, fabric, NICs and writers carry",
                  "jobs/checkpoint, model states, store, fabric", "models/checkpoint"},
    FigureFormula{"checkpoint_stall_s",
                  "checkpoint_save_s; asynchronous: the copy into host memory, or what is left of the last save",
                  "checkpoint_save_s, snapshot bandwidth, interval", "models/checkpoint"},
    FigureFormula{"checkpoint_write_bytes_per_s", "bytes of a checkpoint / checkpoint_save_s",
                  "model states, checkpoint_save_s", "models/checkpoint"},
    FigureFormula{"checkpoint_interval_s", "as given; else checkpoint_best_interval_s", "jobs/checkpoint/interval",
                  "models/checkpoint"},
    FigureFormula{"checkpoint_load_s", "opens + replicas that read x bytes / the least of the links on the way",
                  "model states, store reads, one_replica, failed_node", "models/checkpoint"},
    FigureFormula{"checkpoint_best_interval_s", "M (1 + W0(-e^(-C/M-1))) with stall C and time between failures M",
                  "checkpoint_stall_s, job_mtbf_s",
                  "models/checkpoint; J. W. Young, CACM 17, 1974; J. Daly, FGCS 22, 2006"},
    FigureFormula{"job_mtbf_s", "1 / (nodes / node_mtbf + reclaims of spot nodes without enough notice)",
                  "faults, nodes", "models/checkpoint"},
    FigureFormula{"checkpoint_drain_s", "bytes / the slowest link from the first tier to the store",
                  "checkpoint/tiers, store", "models/checkpoint"},
    FigureFormula{"checkpoint_write_time_fraction", "time in which a save is under way / training time",
                  "checkpoint_save_s, checkpoint_interval_s", "models/checkpoint"},
    FigureFormula{"checkpoint_read_slowdown", "step_time_s while a save is under way / step_time_s without",
                  "two answers, with and without the writes", "models/checkpoint"},
    FigureFormula{"checkpoint_ingest_wait_fraction", "gpu_idle_fraction with writes beside reads - without",
                  "two answers, with and without the writes", "models/checkpoint"},
    FigureFormula{"drive_headroom_bytes", "drives of a node - cache - dataset - checkpoints that are kept there",
                  "pools/drives, cache, checkpoint/tiers", "models/checkpoint"},
    FigureFormula{"fresh_bytes_per_s",
                  "mean rate behind the staging buffer: the least of arrivals that are not lost and the "
                  "rate at which it empties",
                  "datasets/stream", "models/streaming; D. Anick, D. Mitra, M. Sondhi, BSTJ 61, 1982"},
    FigureFormula{"stream_buffer_bytes", "mean of the stationary content of an on-off fluid buffer", "datasets/stream",
                  "models/streaming; D. Anick, D. Mitra, M. Sondhi, BSTJ 61, 1982"},
    FigureFormula{"stream_full_fraction", "probability of the full buffer in its stationary law", "datasets/stream",
                  "models/streaming"},
    FigureFormula{"stream_loss_fraction", "data dropped at the full buffer / data that arrive", "datasets/stream",
                  "models/streaming"},
    FigureFormula{"stream_smoothing", "standard deviation of the rate behind the buffer / of the rate before it",
                  "datasets/stream", "models/streaming"},
    FigureFormula{"fresh_wait_fraction",
                  "max(0, 1 - most samples per second that new data allow / samples_per_s without that limit)",
                  "fresh_bytes_per_s, samples_per_s, sample size", "models/streaming"},
    FigureFormula{"samples_per_sequence",
                  "split: tokens of a sequence / mean tokens of a sample; pad: 1; fit: mean over a fixed series of "
                  "packed draws",
                  "jobs/step/packing, dataset/sample_size", "models/sequence-packing; D. Johnson, JCSS 8, 1974"},
    FigureFormula{"packing_fill_fraction", "tokens of samples in a sequence / tokens of the sequence",
                  "jobs/step/packing, dataset/sample_size",
                  "models/sequence-packing; E. Coffman et al., Information and Control 44, 1980"},
    FigureFormula{"cut_token_fraction", "tokens cut off samples longer than a sequence / tokens of all samples",
                  "jobs/step/packing, dataset/sample_size", "models/sequence-packing"},
    FigureFormula{"useful_tokens_per_s", "sequences per second x tokens of a sequence x packing_fill_fraction",
                  "samples_per_s, jobs/step/packing, packing_fill_fraction", "models/sequence-packing"},
    FigureFormula{"store_capacity_factor", "sum over the states of the schedule of share of time x capacity factor",
                  "stores/schedule", "models/changing-capacity"},
    FigureFormula{"store_ramp_s", "steps of the controller x its delay, per period", "stores/schedule",
                  "models/changing-capacity"},
    FigureFormula{"store_ramp_idle_s", "sum over the ramp's states of duration x gpu_idle_fraction",
                  "stores/schedule, one answer per state", "models/changing-capacity"},
    FigureFormula{"migration_bytes_per_day", "86,400 s x (bytes demoted + bytes promoted per second)",
                  "stores/cache/tiering", "models/cache-tiers"},
    FigureFormula{"preemption_time_fraction",
                  "g / (1 + g), g = rate of reclaims with enough notice x (save + replacement + load + start)",
                  "faults/spot, checkpoint_save_s", "models/checkpoint"},
    FigureFormula{
        "training_time_s",
        "mean over 400 courses drawn by seed: first epoch + (epochs - 1) steady ones without interruption, with "
        "checkpoints, restarts, lost work and slowing faults as they come",
        "epoch_time_s, first_epoch_time_s, checkpoint_interval_s, checkpoint_stall_s, job_mtbf_s, restart_s, "
        "faults/degraded",
        "models/checkpoint"},
    FigureFormula{"training_time_p10_s", "10 % quantile of the courses behind training_time_s", "training_time_s",
                  "models/checkpoint"},
    FigureFormula{"training_time_p90_s", "90 % quantile of the courses behind training_time_s", "training_time_s",
                  "models/checkpoint"},
    FigureFormula{"stops_per_training", "mean number of failures and reclaims over the courses behind training_time_s",
                  "job_mtbf_s, faults/spot", "models/checkpoint"},
    FigureFormula{"lost_work_s", "mean over the courses of the work since the last checkpoint at each failure",
                  "checkpoint_interval_s, job_mtbf_s", "models/checkpoint"},
    FigureFormula{"degraded_time_fraction", "1 - share of time without any fault", "faults/degraded",
                  "models/checkpoint"},
    FigureFormula{
        "restart_s",
        "(failures x (detection + reschedule) + reclaims x replacement) / stops + checkpoint_load_s + first batches",
        "faults, checkpoint_load_s", "models/checkpoint"},
};

/// Parts of an outcome that are no metrics.
inline constexpr std::array kPartFormulas = {
    FigureFormula{
        "gpu_states",
        "time in a state / elapsed time, in integer nanoseconds summed over GPUs, so that the shares sum to 1",
        "every step of every GPU", "models/engines-and-blame"},
    FigureFormula{
        "blame",
        "each wait [a, b] is cut along the timeline of the batch that ended it; a piece is charged to the stage "
        "that the batch was in, queueing apart from service; sums are divided by elapsed GPU time once",
        "waits of GPUs, timelines of batches", "models/engines-and-blame"},
    FigureFormula{"relief",
                  "(wait of the GPUs - wait with the stage infinitely fast, same random draws) / elapsed time before",
                  "one more run per stage", "models/engines-and-blame"},
    FigureFormula{
        "stations",
        "busy = carries / can carry; carries = demand of a step / step_time_s; floor = demand of a step / can "
        "carry; queue = mean wait of a batch before service",
        "demand of a step by conservation of flow, capacities of the scenario", "models/engines-and-blame"},
    FigureFormula{
        "ledger",
        "quantity x price; machines and capacity by the epoch's time, requests and egress by what caches miss",
        "prices, epoch_time_s, hit ratios", "models/price-ledger"},
    FigureFormula{
        "drivers",
        "variance of the figure's mean over draws of one input / variance over all inputs (first-order Sobol index)",
        "input ranges, one answer per draw", "models/statistics; I. Sobol, Math. Comput. Simul. 55, 2001"},
    FigureFormula{"tornado",
                  "the figure with one input at the low or the high end of its range and all others as the scenario "
                  "states them, answered at the level of the outcome with the same random draws; the middle is the "
                  "scenario answered in the same way",
                  "input ranges, two answers per input", "models/statistics"},
    FigureFormula{
        "ci95",
        "mean -+ t x standard error of at least 64 batches of steps, adjusted for correlation and skew, after warm-up",
        "step times after the warm-up", "models/statistics; A. Tafazzoli et al., INFORMS J. Comput. 23, 2011 (Skart)"},
    FigureFormula{"input_range", "p10 and p90 of the figure over draws of the assumed and data sheet inputs",
                  "input ranges", "models/statistics"},
    FigureFormula{"windows", "step time of each window x its weight, summed",
                  "caches as each part of the epoch finds them", "models/statistics"},
};

constexpr const FigureFormula* find_formula(std::string_view name) {
  for (const FigureFormula& formula : kMetricFormulas)
    if (formula.name == name) return &formula;
  for (const FigureFormula& formula : kPartFormulas)
    if (formula.name == name) return &formula;
  return nullptr;
}

}  // namespace headrace::models
