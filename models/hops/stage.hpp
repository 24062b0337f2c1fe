// The stages of a batch's way from storage to GPU, in the order in which the data passes them. Blame, relief, stations
// and the timeline all speak of these names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headrace::models {

enum class Stage : std::uint8_t {
  cache,         ///< read of cached samples from node DRAM or local NVMe, and their writes into it
  peer,          ///< read of samples that another node caches, over the network
  shared_cache,  ///< read of samples from a cache in front of the store, over the network
  metadata,      ///< opens and lookups at the store's metadata service
  throttle,      ///< back-off after "503 slow down" answers of a prefix that is over its request limit
  request,       ///< latency (first byte) and request-rate limit of the store
  transfer,      ///< bytes over store, spine, leaf uplink and NIC
  decode,        ///< CPU work on samples: decompress, decode, augment
  lock,          ///< serial hand-over of a finished batch (result queue lock)
  copy,          ///< copy of the batch into pinned host memory
  protocol,      ///< transport, decryption, access checks and user-space mounts: core time and latency
  memory,        ///< bytes over the memory of the host
  transport,     ///< moving a batch from its worker to the training process
  receive,       ///< receiving it there, before the step or in a pin thread beside it
  fresh,         ///< nothing new has arrived yet: before the path, so that no batch visits it
};

/// Stages that a batch may visit.
inline constexpr std::size_t kStageCount = 14;

inline constexpr std::array<std::string_view, kStageCount + 1> kStageNames = {
    "cache", "peer", "shared_cache", "metadata", "throttle",  "request", "transfer", "decode",
    "lock",  "copy", "protocol",     "memory",   "transport", "receive", "fresh"};

constexpr std::size_t index(Stage stage) { return static_cast<std::size_t>(stage); }
constexpr std::string_view name(Stage stage) { return kStageNames[index(stage)]; }

/// Where a nanosecond of a GPU can go; the states partition elapsed time exactly.
enum class GpuState : std::uint8_t {
  compute,
  ingest_wait_own,
  ingest_wait_peer,
  h2d,
  collective,
  overhead,
  checkpoint,
  failure,
  start_up,
};

inline constexpr std::size_t kGpuStateCount = 9;

inline constexpr std::array<std::string_view, kGpuStateCount> kGpuStateNames = {
    "compute",  "ingest_wait_own", "ingest_wait_peer", "h2d",     "collective",
    "overhead", "checkpoint",      "failure",          "start_up"};

constexpr std::size_t index(GpuState state) { return static_cast<std::size_t>(state); }

}  // namespace headrace::models
