#include "models/twins/host_path.hpp"

#include <algorithm>

namespace headrace::models::twins {

double window_throughput_bytes_per_s(double window_bytes, double latency_s, double bandwidth_bytes_per_s) {
  return window_bytes / (latency_s + window_bytes / bandwidth_bytes_per_s);
}

double overlapped_window_throughput_bytes_per_s(double window_bytes, double latency_s, double bandwidth_bytes_per_s) {
  return std::min(bandwidth_bytes_per_s,
                  2.0 * window_throughput_bytes_per_s(window_bytes, latency_s, bandwidth_bytes_per_s));
}

PageFaults page_fault_time(double bytes, double page_bytes, double allocation_s, double read_s, double window_bytes,
                           double threads) {
  PageFaults result;
  result.faults = bytes / page_bytes;
  result.minor_s = result.faults * allocation_s;
  result.major_s = bytes / window_bytes * read_s;
  result.both_s = (result.minor_s + result.major_s) / threads;
  return result;
}

DecompressTimes fetch_and_decompress(double bytes, double ratio, double net_bytes_per_s, double decompress_bytes_per_s,
                                     double cores) {
  const double fetch_s = bytes / (ratio * net_bytes_per_s);
  const double decompress_s = bytes / (cores * decompress_bytes_per_s);
  return {.serial_s = fetch_s + decompress_s,
          .pipelined_s = std::max(fetch_s, decompress_s),
          .plain_s = bytes / net_bytes_per_s};
}

}  // namespace headrace::models::twins
