// GPUDirect from the adapter: bytes of one NIC land on several GPUs, each behind a link of its own.
//
// The adapter has room for K bursts on their way; a burst passes the NIC, then the link of its GPU, and makes room for
// the next, whose GPU is any of g alike. Bursts for a busy GPU fill the room and hold up the others, so that a NIC
// whose GPUs together could take more than it brings is still not full. As a closed network of a NIC and g links (M.
// Reiser, S. S. Lavenberg, JACM 27(2), 1980): one GPU and many bursts give the slower of NIC and link, few GPUs less.
// Deviations: exponential times of a burst at each station, and GPUs that are chosen at random.
#pragma once

#include <cstdint>

#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// What a NIC of `nic_bytes_per_s` brings onto `links` of `link_bytes_per_s` each with `bursts` under way.
double landing_bytes_per_s(double nic_bytes_per_s, double link_bytes_per_s, std::uint64_t links, std::uint64_t bursts);

/// Lowers the node's NIC to what lands on the GPUs that the job uses. After the network is resolved.
void resolve_landing(IngestPath& path, const Pool& pool);

}  // namespace headrace::models
