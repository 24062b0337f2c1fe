#include "models/twins/request_limits.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::models::twins {

double splitting_bucket_drain_s(double requests, double burst, double requests_per_s, double split_s) {
  double left = std::max(0.0, requests - burst);
  if (!(split_s > 0.0)) return left / requests_per_s;
  double time_s = 0.0;
  for (; left > requests_per_s * split_s; requests_per_s *= 2.0, time_s += split_s) left -= requests_per_s * split_s;
  return time_s + left / requests_per_s;
}

double list_pages(double keys, double keys_per_page) { return std::ceil(keys / keys_per_page); }

double list_time_s(double keys, double keys_per_page, double round_trip_s, double parallel_prefixes, double set_up_s) {
  return set_up_s + list_pages(keys, keys_per_page) * round_trip_s / parallel_prefixes;
}

double latency_bound_throughput_bytes_per_s(double workers, double sample_bytes, double latency_s,
                                            double link_bytes_per_s) {
  return std::min(link_bytes_per_s, workers * sample_bytes / (latency_s + sample_bytes / link_bytes_per_s));
}

double folklore_throughput_bytes_per_s(double workers, double sample_bytes, double latency_s) {
  return workers * sample_bytes / latency_s;
}

double sharded_sample_time_s(double samples_per_shard, double sample_bytes, double latency_s, double bytes_per_s) {
  return latency_s / samples_per_shard + sample_bytes / bytes_per_s;
}

}  // namespace headrace::models::twins
