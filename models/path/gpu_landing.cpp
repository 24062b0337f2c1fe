#include "models/path/gpu_landing.hpp"

#include <algorithm>

#include "models/base/limits.hpp"

namespace headrace::models {

double landing_bytes_per_s(double nic_bytes_per_s, double link_bytes_per_s, std::uint64_t links, std::uint64_t bursts) {
  // Mean-value analysis; the links are alike, so that one queue stands for all of them. Time in seconds per byte.
  const auto count = static_cast<double>(links);
  const double nic_s = 1.0 / nic_bytes_per_s;
  const double link_s = 1.0 / link_bytes_per_s;  // of a visit, which each link has from one burst in `links`
  double at_nic = 0.0;
  double at_link = 0.0;
  double bytes_per_s = 0.0;
  for (std::uint64_t k = 1; k <= bursts; ++k) {
    const double in_nic_s = nic_s * (1.0 + at_nic);
    const double in_link_s = link_s * (1.0 + at_link);
    bytes_per_s = static_cast<double>(k) / (in_nic_s + in_link_s);
    at_nic = bytes_per_s * in_nic_s;
    at_link = bytes_per_s / count * in_link_s;
  }
  return bytes_per_s;
}

void resolve_landing(IngestPath& path, const Pool& pool) {
  if (!pool.nic.landing_bursts || path.local_store) return;
  const std::uint64_t gpus = std::max(1U, path.gpus / path.nodes);
  const std::uint64_t links = (gpus + pool.gpu.pcie_shared_by - 1) / pool.gpu.pcie_shared_by;
  path.landing_links = static_cast<std::uint32_t>(links);
  path.nic_bytes_per_s = landing_bytes_per_s(or_no_limit(path.nic_bytes_per_s), or_no_limit(pool.gpu.pcie_bytes_per_s),
                                             links, *pool.nic.landing_bursts);
  path.flow_cap_bytes_per_s = tightest({path.flow_cap_bytes_per_s, path.nic_bytes_per_s});
}

}  // namespace headrace::models
