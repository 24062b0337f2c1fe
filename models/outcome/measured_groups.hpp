// What parts of the model were held against measurements: which system, where it stands, and how far the model was off.
#pragma once

#include <cstdint>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// Measurements of one part of the model (docs/accuracy.md, docs/validation.md) and the range of the dimension that
/// matters most in them, from where its effect vanishes: a cache that hits less often matters less.
struct MeasuredGroup {
  const char* part;
  const char* system;
  const char* source;  ///< publication, or program and version
  const char* date;    ///< of the publication or of the run
  const char* metric;
  const char* unit;  ///< of the errors
  double error_mean, error_largest;
  std::uint64_t points;
  const char* dimension;
  double low, high;
};

/// Idle time of every point at rest, whatever its samples: they sleep, are unpacked or are decoded.
inline constexpr MeasuredGroup kMeasuredLoader{
    "a loader: workers, prefetch and their queue",
    "PyTorch 1.13 and 2.11 DataLoader, 1 to 16 workers, on virtual machines with 2 cores (AMD EPYC) and, twice, 16 "
    "cores (Intel Xeon)",
    "measured by this project: headrace verify --loader torch, models 2026.5",
    "2026-11",
    "gpu_idle_fraction",
    "points",
    1.5,
    7.2,
    50,
    "workers",
    1,
    16};

/// Of the larger systems of a series, from the smallest one. Predicted by headrace backtest.
inline constexpr MeasuredGroup kMeasuredRanks{
    "many GPUs that take each step together",
    "MLPerf Storage v1.0 training (unet3d, resnet50, cosmoflow): systems of HPE, Juicedata, MangoBoost and YanRong of "
    "2 to 540 emulated GPUs, each predicted from the smallest system of its series",
    "mlcommons/storage_results_v1.0 at 64c2ce48; predicted by headrace backtest, models 2026.5",
    "2024-09",
    "mlperf_au_percent",
    "points",
    1.7,
    9.9,
    33,
    "number of GPUs",
    1,
    540};

inline constexpr MeasuredGroup kMeasuredCacheSize{
    "cache of a node limited by storage (V6)",
    "OpenImages on one server with 8 GPUs and an SSD or a hard disk (CoorDL)",
    "Mohan et al., Analyzing and mitigating data stalls in DNN training, PVLDB 14(5)",
    "2021-01",
    "samples_per_s",
    "%",
    4.7,
    9.2,
    2,
    "hit ratio",
    0,
    0.65};

inline constexpr MeasuredGroup kMeasuredPageCache{
    "page cache of a node (V5)",
    "OpenImages on one server with 8 GPUs (CoorDL); files of 360 KiB on ext4, Linux 6.18",
    "Mohan et al., PVLDB 14(5), 2021; measured by this project",
    "2026-11",
    "page_cache_hit_ratio",
    "points",
    1.3,
    4.9,
    8,
    "hit ratio",
    0,
    0.8};

inline constexpr MeasuredGroup kMeasuredContention{
    "contention of cores (V7)",
    "ImageNet, stored in five ways, on a virtual machine with 8 CPUs (PRESTO)",
    "Isenko et al., Where is my training bottleneck?, SIGMOD 2022; cirquit/presto at 5e41df3",
    "2022-06",
    "samples_per_s",
    "%",
    6.2,
    18.4,
    15,
    "workers of a node",
    1,
    8};

/// With the preset that the other curves of its kind give; sigma and kappa fitted to a curve itself: 2.5 % (median).
inline constexpr MeasuredGroup kMeasuredScaling{"contention of workers, by the preset of other curves (V11)",
                                                "SPDL, 17 curves of 1 to 32 threads or processes on one machine",
                                                "facebookresearch/spdl at ff33a9f4, docs/source/plots",
                                                "2026-07",
                                                "samples_per_s",
                                                "%",
                                                27.8,
                                                187.4,
                                                65,
                                                "workers of a node",
                                                1,
                                                32};

inline constexpr MeasuredGroup kMeasuredLanding{"GPUDirect through one adapter (V8)",
                                                "1, 2 and 4 L40S behind one adapter of 400 GbE (FarmGPU)",
                                                "gds-bench.farmgpu.net/nfsordma and /gdsio",
                                                "2025",
                                                "ingest_bytes_per_s",
                                                "%",
                                                1.4,
                                                3.1,
                                                3,
                                                "GPUs of an adapter",
                                                1,
                                                4};

/// A row is predicted from the other rows.
inline constexpr MeasuredGroup kMeasuredHostLoad{"load on cores that slows the step",
                                                 "SPDL: a training job beside processes that only use cores",
                                                 "facebookresearch/spdl at ff33a9f4, noisy_neighbour.json",
                                                 "2026-07",
                                                 "samples_per_s",
                                                 "%",
                                                 4.1,
                                                 9.7,
                                                 8,
                                                 "slowdown of the host part",
                                                 1,
                                                 1.96};

inline constexpr MeasuredGroup kMeasuredBarrier{
    "barrier and delays of ranks",
    "MLPerf Storage v3.0 training, unet3d: Azure Managed Lustre from 3 to 70 hosts",
    "mlcommons/storage_results_v3.0 at 068d91f6; predicted by headrace backtest, models 2026.5",
    "2026-09",
    "mlperf_au_percent",
    "points",
    0.8,
    1.3,
    3,
    "ranks",
    1,
    70};

/// The recorded run of docs/accuracy.md at rest; with other work on the machine 5.5 and 14.2 %.
inline constexpr MeasuredGroup kMeasuredBatchCost{
    "what a batch costs beside its samples",
    "PyTorch 1.13 and 2.11 DataLoader with tensors and JPEG images, on virtual machines with 2 cores (AMD EPYC) and 16 "
    "cores (Intel Xeon)",
    "measured by this project: headrace verify --loader torch, models 2026.5",
    "2026-11",
    "step_time_s",
    "%",
    3.4,
    8.7,
    16,
    "MiB of a batch",
    0,
    64};

inline constexpr MeasuredGroup kMeasuredSaves{
    "times to save checkpoints (V12)",
    "MLPerf Storage v3.0 checkpoints of 8B to 1T parameters, 8 to 1,024 ranks",
    "mlcommons/storage_results_v3.0 at 068d91f6",
    "2026-09",
    "checkpoint_save_s",
    "%",
    14.6,
    81.0,
    23,
    "ranks",
    1,
    1024};

inline constexpr MeasuredGroup kMeasuredLoads{
    "times to load checkpoints (V12)",
    "MLPerf Storage v3.0 checkpoints of 8B to 1T parameters, 8 to 1,024 ranks",
    "mlcommons/storage_results_v3.0 at 068d91f6",
    "2026-09",
    "checkpoint_load_s",
    "%",
    13.2,
    58.4,
    23,
    "ranks",
    1,
    1024};

inline constexpr MeasuredGroup kMeasuredListing{
    "listing of a prefix, from its two shortest listings",
    "Mountpoint and AIStore",
    "awslabs/mountpoint-s3, gh-pages, to 58817cab; NVIDIA/aistore at 583e7729e",
    "2026-04",
    "index_time_s",
    "%",
    12.7,
    43.1,
    6,
    "keys of a prefix",
    0,
    100000};

/// The group as evidence; a value beyond its range lies outside.
void add_measured(const MeasuredGroup& group, double value, EvidenceReport& report);

}  // namespace headrace::models
