#include "models/spec/pool.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Gpu& g, Visitor& v) {
  v.text("model", g.model, {.evidence = Evidence::assumed, .meaning = "Name of the accelerator, for reports"});
  v.quantity("hbm", g.hbm_bytes, Unit::bytes,
             {.low = 1e10,
              .high = 1e12,
              .min = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Memory of one accelerator; 0: not stated",
              .decided = true});
  v.quantity("peak", g.peak_flops_per_s, Unit::flop_per_second,
             {.low = 1e13,
              .high = 1e16,
              .min = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Dense bf16 peak; needed if FLOPs give the step time; 0: not stated",
              .log_scale = true});
  v.limit("pcie", g.pcie_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e9,
           .high = 1e12,
           .min = 0,
           .evidence = Evidence::datasheet,
           .meaning = "Host-to-device bandwidth of one accelerator; 0: not a limit",
           .log_scale = true});
  v.count("pcie_shared_by", g.pcie_shared_by,
          {.low = 1,
           .high = 8,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Accelerators behind one link to the host; all copy at the same time",
           .decided = true});
  v.quantity("power", g.power_w, Unit::watts,
             {.low = 300,
              .high = 1200,
              .min = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Power of one accelerator under load, if prices/owned has no gpu_power; 0: not stated"});
  v.number("pcie_both_ways", g.pcie_both_ways,
           {.low = 1,
            .high = 2,
            .min = 1,
            .max = 2,
            .evidence = Evidence::assumed,
            .meaning = "Rate of a link in both directions together over its rate in one: 2 if the directions are "
                       "independent, 1 if they share; measure with copies in both directions (nvbandwidth)"});
}

void describe(Host& h, Visitor& v) {
  v.limit("cores", h.cores,
          {.low = 1,
           .high = 512,
           .evidence = Evidence::datasheet,
           .meaning = "Cores of a node that decode and copy; 0: never saturates"});
  v.quantity("memory", h.memory_bytes, Unit::bytes,
             {.low = 1e10,
              .high = 1e14,
              .min = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Host memory of a node; 0: not checked",
              .decided = true});
  v.limit("copy", h.copy_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e9,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate at which one core copies a batch into pinned memory; 0: no copy stage",
           .log_scale = true});
  v.number("speed_cv", h.speed_cv,
           {.low = 0,
            .high = 0.5,
            .min = 0,
            .max = 10,
            .evidence = Evidence::assumed,
            .meaning = "Coefficient of variation of permanent speed differences between nodes"});
  v.record("contention", h.contention,
           {.meaning = "How workers of a node slow each other down, because they share caches, memory, clock, hardware "
                       "threads and locks",
            .catalogue = "contention",
            .bare = "exponent"});
  v.limit("memory_bandwidth", h.memory_bytes_per_s, Unit::bytes_per_second,
          {.low = 5e10,
           .high = 1e12,
           .min = 0,
           .evidence = Evidence::datasheet,
           .meaning = "Memory bandwidth of a node that ingest may use, reads and writes together; 0: not a limit",
           .log_scale = true});
  v.number("receive_passes", h.receive_passes,
           {.low = 1,
            .high = 5,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Times that a byte from the store passes through memory: 1 written by the adapter, 2 more if "
                       "the kernel copies it to the reader"});
  v.number("batch_passes", h.batch_passes,
           {.low = 1,
            .high = 6,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Times that a byte of the decoded batch passes through memory: written, copied into pinned "
                       "memory (2 more), read by the GPU"});
  v.flag("gpudirect", h.gpudirect,
         {.evidence = Evidence::assumed,
          .meaning = "Bytes go from adapter or drive directly to GPU memory, without copies in host memory"});
  v.optional_record("fuse", h.fuse, {.meaning = "Mount in user space through which the dataset is read; absent: none"});
  v.optional_record("core_sharing", h.core_sharing,
                    {.meaning = "How training processes, workers and other processes share the cores; absent: no other "
                                "process is busy"});
  v.record("page_cache", h.page_cache, {.meaning = "The operating system's cache of file pages"});
  v.constraint("background_cores <= cores",
               !h.cores || !h.core_sharing || h.core_sharing->background_cores <= static_cast<double>(*h.cores),
               "more cores are busy with other processes than the node has",
               {"core_sharing/background_cores", "cores"});
  v.constraint("page cache <= memory", !(h.memory_bytes > 0.0) || h.page_cache.bytes <= h.memory_bytes,
               "the page cache is larger than the host memory", {"page_cache/bytes", "memory"});
}

void describe(Nic& n, Visitor& v) {
  v.quantity("bandwidth", n.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 4e11,
              .above = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Line rate of one NIC for storage traffic, one direction",
              .log_scale = true,
              .required = true,
              .decided = true,
              .of_a_link = true,
              .copies = "rails"});
  v.count("rails", n.rails,
          {.low = 1,
           .high = 16,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "NICs of a node that carry storage traffic"});
  v.fraction("efficiency", n.efficiency,
             {.low = 0.5,
              .high = 1.0,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Goodput over line rate"});
  v.fraction("misplaced", n.misplaced,
             {.low = 0,
              .high = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the bytes whose NIC is on another socket than their memory",
              .decided = true});
  v.fraction("numa_factor", n.numa_factor,
             {.low = 0.4,
              .high = 1.0,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Rate of bytes that cross sockets over the rate of those that do not"});
  v.limit("landing_bursts", n.landing_bursts,
          {.low = 4,
           .high = 64,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "With GPUDirect: bursts between adapter and GPUs at once, K; bursts for a busy GPU block the "
                      "others. 0: any number",
           .source = "8 fits ConnectX-7 and 1 to 4 L40S: gds-bench.farmgpu.net/nfsordma",
           .log_scale = true,
           .decided = true});
}

void describe(LocalDrives& d, Visitor& v) {
  v.quantity("capacity", d.capacity_bytes, Unit::bytes,
             {.low = 1e11,
              .high = 1e15,
              .min = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Capacity of a node's local drives together",
              .decided = true});
  v.number("writes_per_day", d.writes_per_day,
           {.low = 0.3,
            .high = 10,
            .min = 0,
            .evidence = Evidence::datasheet,
            .meaning = "Endurance: drive writes per day (DWPD) over the rated years; 0: not stated",
            .log_scale = true});
  v.number("rated_years", d.rated_years,
           {.low = 3,
            .high = 5,
            .above = 0,
            .max = 100,
            .evidence = Evidence::assumed,
            .meaning = "Years for which writes_per_day is rated"});
}

void describe(PoolPrice& p, Visitor& v) {
  v.quantity("gpu_hour", p.gpu_hour_usd, Unit::usd_per_hour,
             {.low = 0.5,
              .high = 20,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one GPU of this pool for one hour; none: /prices/gpu_hour"});
  v.quantity("node_hour", p.node_hour_usd, Unit::usd_per_hour,
             {.low = 0,
              .high = 50,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one node of this pool for one hour without its GPUs; none: /prices/node_hour"});
}

void describe(Pool& p, Visitor& v) {
  v.name("name", p.name, Kind::pool, {.meaning = "Name by which jobs refer to the pool", .required = true});
  v.count("nodes", p.nodes,
          {.low = 1,
           .high = 20000,
           .min = 1,
           .max = 10000000,
           .meaning = "Nodes of the pool",
           .log_scale = true,
           .required = true});
  v.count("gpus_per_node", p.gpus_per_node,
          {.low = 1,
           .high = 16,
           .min = 1,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "Accelerators of a node"});
  v.count("nodes_per_leaf", p.nodes_per_leaf,
          {.low = 1,
           .high = 128,
           .evidence = Evidence::assumed,
           .meaning = "Nodes under one leaf switch; 0: all under one"});
  v.record("gpu", p.gpu, {.meaning = "The accelerator", .catalogue = "gpu"});
  v.record("host", p.host, {.meaning = "CPU and memory of a node"});
  v.record("nic", p.nic, {.meaning = "Network of a node", .catalogue = "nic", .bare = "bandwidth"});
  v.record("drives", p.drives, {.meaning = "Local drives of a node", .catalogue = "drives"});
  v.record("cache", p.cache, {.meaning = "Cache of dataset samples on each node", .catalogue = "cache"});
  v.optional_record(
      "price", p.price,
      {.meaning = "Prices of the machines of this pool, where they are not those of /prices", .catalogue = "price"});
  const double device = p.cache.medium == CacheMedium::nvme ? p.drives.capacity_bytes : p.host.memory_bytes;
  const bool stated = p.cache.medium == CacheMedium::nvme || device > 0.0;
  v.constraint("cache <= device", p.cache.policy == CachePolicy::none || !stated || p.cache.bytes <= device,
               p.cache.medium == CacheMedium::nvme ? "the cache is larger than the local drives that hold it"
                                                   : "the cache is larger than the host memory that holds it",
               {"cache/bytes", p.cache.medium == CacheMedium::nvme ? "drives/capacity" : "host/memory"});
  const double in_memory =
      p.host.page_cache.bytes +
      (p.cache.policy != CachePolicy::none && p.cache.medium == CacheMedium::dram ? p.cache.bytes : 0.0);
  v.constraint("cache and page cache <= memory", !(p.host.memory_bytes > 0.0) || in_memory <= p.host.memory_bytes,
               "the cache and the page cache together are larger than the host memory",
               {"cache/bytes", "host/page_cache/bytes"});
  v.constraint("bursts land on GPUs", !p.nic.landing_bursts || (p.host.gpudirect && p.gpu.pcie_bytes_per_s),
               "landing_bursts applies to bytes that go directly to GPUs: set host/gpudirect and gpu/pcie",
               {"nic/landing_bursts", "host/gpudirect", "gpu/pcie"});
}

}  // namespace headrace::models
