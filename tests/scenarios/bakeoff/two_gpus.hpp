// The smallest scenario that a better store helps, for tests of offers.
#pragma once

namespace headrace::testing {

/// Two GPUs that need 0.8 GB/s, on a store of 0.5 GB/s.
inline constexpr const char* kTwoGpus = R"({
  "title": "two GPUs",
  "cluster": {"pools": [{"name": "p", "nodes": 1, "gpus_per_node": 2, "nic": {"bandwidth": "100 Gb/s"}}]},
  "stores": [{"name": "s", "bandwidth": "0.5 GB/s", "latency": "1 ms"}],
  "datasets": [{"name": "d", "store": "s", "files": 100000, "sample_bytes": "1 MB"}],
  "jobs": [{"name": "j", "pool": "p", "datasets": [{"dataset": "d"}],
            "loader": {"workers": 8, "prefetch": 4}, "step": {"batch": 40, "step_time": "100 ms"}}],
  "prices": {"gpu_hour": "$2/h", "total_cost": {"horizon": "3 years"}},
  "input_ranges": [{"parameter": "/prices/gpu_hour", "evidence": "published"}]
})";

}  // namespace headrace::testing
