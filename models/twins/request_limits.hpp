// Object stores and metadata services as request counters: what latency, page size and rate caps allow.
//
// Sources: token bucket and geometric series, elementary; Amazon S3 ListObjectsV2 (at most 1,000 keys per response).
// Deviations: the folklore throughput N S / L is kept by name because it is often quoted; it forgets the transfer.
#pragma once

namespace headrace::models::twins {

/// The same with a rate that doubles at each multiple of `split_s` (0: never): after k periods r T (2^k - 1) + b are
/// through.
double splitting_bucket_drain_s(double requests, double burst, double requests_per_s, double split_s);

/// Pages of a listing: ceil(keys / page size).
double list_pages(double keys, double keys_per_page);
/// Time to list with `parallel_prefixes` sequences of requests at once, each after its set-up.
double list_time_s(double keys, double keys_per_page, double round_trip_s, double parallel_prefixes = 1.0,
                   double set_up_s = 0.0);

/// min(B, N S / (L + S/B)): N workers that each wait a latency, then move S bytes, over one link.
double latency_bound_throughput_bytes_per_s(double workers, double sample_bytes, double latency_s,
                                            double link_bytes_per_s);
/// N S / L, which forgets the transfer and the link.
double folklore_throughput_bytes_per_s(double workers, double sample_bytes, double latency_s);

/// Time per sample when k samples are read one after the other from a shard: L/k + S/B.
double sharded_sample_time_s(double samples_per_shard, double sample_bytes, double latency_s, double bytes_per_s);

}  // namespace headrace::models::twins
