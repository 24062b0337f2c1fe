// What the host costs between NIC and GPU, in closed form. Sources: definitions and Linux defaults (4 KiB pages, 128
// KiB read-ahead), which the caller passes in. Deviations: none.
#pragma once

namespace headrace::models::twins {

/// Synchronous window reads: w / (L + w/B).
double window_throughput_bytes_per_s(double window_bytes, double latency_s, double bandwidth_bytes_per_s);

/// The same with the next window fetched while this one is read: min(B, 2 w / (L + w/B)).
double overlapped_window_throughput_bytes_per_s(double window_bytes, double latency_s, double bandwidth_bytes_per_s);

/// First touch of a memory-mapped file.
struct PageFaults {
  double faults = 0.0;
  double minor_s = 0.0;  ///< allocation, one thread
  double major_s = 0.0;  ///< reads of one read-ahead window each, one thread
  double both_s = 0.0;   ///< shared by the threads
};
PageFaults page_fault_time(double bytes, double page_bytes, double allocation_s, double read_s, double window_bytes,
                           double threads);

struct DecompressTimes {
  double serial_s = 0.0;
  double pipelined_s = 0.0;
  double plain_s = 0.0;  ///< fetch without compression
};
/// Fetch S/r bytes at B, decompress to S bytes at V per core on m cores.
DecompressTimes fetch_and_decompress(double bytes, double ratio, double net_bytes_per_s, double decompress_bytes_per_s,
                                     double cores);

}  // namespace headrace::models::twins
