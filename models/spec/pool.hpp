// A pool of like nodes: GPUs, host, local cache, NICs, racks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/spec/core_sharing.hpp"
#include "models/spec/fuse_mount.hpp"
#include "models/spec/node_cache.hpp"
#include "models/spec/page_cache.hpp"
#include "models/spec/worker_contention.hpp"

namespace headrace::models {

struct Gpu {
  std::string model = "generic";
  double hbm_bytes = 0.0;
  double peak_flops_per_s = 0.0;
  std::optional<double> pcie_bytes_per_s;  ///< host to device
  std::uint64_t pcie_shared_by = 1;
  double power_w = 0.0;         ///< 0: not stated
  double pcie_both_ways = 2.0;  ///< both directions together, over one
};

struct Host {
  std::optional<std::uint64_t> cores;  ///< none: never saturates
  double memory_bytes = 0.0;
  std::optional<double> copy_bytes_per_s;  ///< one core copying into pinned memory; none: no copy stage
  double speed_cv = 0.0;                   ///< lasting differences between nodes in CPU work
  WorkerContention contention;
  PageCache page_cache;
  std::optional<double> memory_bytes_per_s;
  double receive_passes = 3.0;  ///< over memory, per byte that arrives
  double batch_passes = 4.0;    ///< over memory, per byte of the decoded batch
  bool gpudirect = false;
  std::optional<FuseMount> fuse;
  std::optional<CoreSharing> core_sharing;
};

struct Nic {
  double bandwidth_bytes_per_s = 0.0;
  std::uint64_t rails = 1;
  double efficiency = 1.0;                      ///< goodput over line rate
  double misplaced = 0.0;                       ///< share of the bytes that cross sockets
  double numa_factor = 0.7;                     ///< rate of such bytes over that of local ones
  std::optional<std::uint64_t> landing_bursts;  ///< GPUDirect: K of models/path/gpu_landing.hpp; none: any number
};

struct LocalDrives {
  double capacity_bytes = 0.0;
  double writes_per_day = 0.0;  ///< rated, in capacities; 0: not stated
  double rated_years = 5.0;
};

/// Prices of the machines of a pool, where they are not those of the scenario.
struct PoolPrice {
  std::optional<double> gpu_hour_usd;
  std::optional<double> node_hour_usd;
};

struct Pool {
  std::string name;
  std::uint64_t nodes = 1;
  std::uint64_t gpus_per_node = 8;
  std::uint64_t nodes_per_leaf = 0;  ///< 0: one leaf for all
  Gpu gpu;
  Host host;
  Nic nic;
  LocalDrives drives;
  NodeCache cache;
  std::optional<PoolPrice> price;

  double nic_bytes_per_s() const {
    const double line = nic.bandwidth_bytes_per_s * static_cast<double>(nic.rails) * nic.efficiency;
    return nic.misplaced > 0.0 ? line / (1.0 - nic.misplaced + nic.misplaced / nic.numa_factor) : line;
  }
};

void describe(Gpu& g, Visitor& v);
void describe(Host& h, Visitor& v);
void describe(Nic& n, Visitor& v);
void describe(LocalDrives& d, Visitor& v);
void describe(PoolPrice& p, Visitor& v);
void describe(Pool& p, Visitor& v);

}  // namespace headrace::models
