// How tiers, read modes and what a store is built of enter the ingest path.
#pragma once

#include "models/path/cache_stack.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// What the way in which files are read makes of the requests for a sample.
///
/// Read-ahead windows of w bytes read from a device with latency L and rate B: one stream reaches w / (L + w/B), or
/// min(B, 2 w / (L + w/B)) when the next window is fetched in the meantime. A random read drags in whole windows, a
/// direct one whole blocks. Sources: F. Wu, H. Xi, C. Xu, ACM SIGOPS OSR 42(5), 2008 (Linux read-ahead);
/// models/twins/host_path.hpp. Deviation: windows do not ramp up.
struct ReadEffect {
  bool through_pages = true;         ///< the page cache takes part
  double bytes_factor = 1.0;         ///< bytes that come from the store over those of the sample
  double requests_per_sample = 0.0;  ///< 0: as the dataset states
  double latency_factor = 1.0;       ///< what is left of the latency behind the transfer of the window before
  double fault_s_per_sample = 0.0;   ///< CPU time of page faults
  double cpu_slowdown = 0.0;         ///< what TLB misses add to the CPU work of a sample, as a share of it
};
ReadEffect read_effect(const Loader& loader, const Dataset& dataset, const Store& store);

/// The store's figures for readers: after positioning drives, lost drives and rebuilding, and with filters at the
/// device.
Store as_built(const Store& store, const Dataset& dataset, const Loader& loader);

/// Drives that a request occupies: positioning and transfer, per second of all of them.
std::optional<double> drive_requests_per_s(const Store& store, double request_bytes);

void resolve_tiers(IngestPath& path, const Pool& pool, const Store& store, const Dataset& dataset, const Job& job);

/// The path in a window of its epoch. Where links are the limit, bytes from store, shared cache and peers share one
/// network, in which the limit of each source stands for its share of all bytes; where a source is the limit, each has
/// a network of its own, so that only those wait who read from it.
IngestPath in_window(IngestPath path, const EpochWindow& window);

/// The path with the host part of a step as slow as on average over the windows.
IngestPath with_mean_host_part(IngestPath path, const std::vector<EpochWindow>& windows);

/// Nodes that read.
double reading_nodes(const Pool& pool, const Job& job);

/// Time of copying what the job's staging copies before the first step; 0 without it.
double staging_time_s(const Scenario& scenario, std::size_t job);
/// What of it is not done again when the job comes back: a store keeps what was copied to it, caches of new nodes do
/// not.
double staging_kept_s(const Scenario& scenario, std::size_t job);
double staged_bytes(const Scenario& scenario, std::size_t job);

}  // namespace headrace::models
