// The checkpoints of a job: how much is written, by whom, where to, how often, and who reads it back after a failure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/checkpoint_tier.hpp"
#include "models/describe/describe.hpp"
#include "models/traffic_class.hpp"

namespace headrace::models {

enum class CheckpointMode : std::uint8_t { sync, async };
inline constexpr ChoiceName<CheckpointMode> kCheckpointModeNames[] = {
    {CheckpointMode::sync, "sync", "training stops until the checkpoint is in the store"},
    {CheckpointMode::async, "async", "training stops for a copy into host memory, which is written beside it"}};

enum class Restore : std::uint8_t { every_replica, one_replica, failed_node };
inline constexpr ChoiceName<Restore> kRestoreNames[] = {
    {Restore::every_replica, "every_replica", "each replica reads the whole state"},
    {Restore::one_replica, "one_replica", "the state is read once: one replica passes it on, or all share it (ZeRO)"},
    {Restore::failed_node, "failed_node", "the node that failed reads its part, the others keep theirs"}};

/// What a checkpoint on its way asks of a drive that each node has for itself.
struct NodeFlow {
  enum class On : std::uint8_t { drive, cache } on = On::drive;
  double bytes_per_s = 0.0;           ///< of one node, in bytes of reading
  std::uint32_t writers = 1;          ///< of one node
  double capacity_bytes_per_s = 0.0;  ///< of the drive, before anything is taken from it
};

struct Checkpoint {
  double interval_s = 0.0;  ///< work between two of them; 0: what suits the failures best
  double bytes = 0.0;       ///< 0: from the parameters, or from the job's model
  double parameters = 0.0;
  double bytes_per_parameter = 14.0;
  std::string store;
  std::vector<CheckpointTier> tiers;  ///< in front of the store, fastest first
  CheckpointMode mode = CheckpointMode::sync;
  std::uint64_t writers = 0;  ///< 0: every GPU of the job
  std::uint64_t files_per_writer = 1;
  double writer_bytes_per_s = 0.0;  ///< 0: not a limit
  double snapshot_bytes_per_s = 20e9;
  std::uint64_t retained = 2;
  Restore restore = Restore::every_replica;
  bool snapshot_overlapped = false;
  TrafficClass traffic;        ///< of its writes to a shared store
  std::vector<double> step_s;  ///< of each step on the way, beside reads; models/checkpoint_writes.hpp fills it in
  std::vector<NodeFlow> node_flows;  ///< while such a step lasts; filled in likewise
  double pcie_left = 1.0;            ///< to batches while a snapshot is copied; filled in likewise

  /// As stated; 0: the job's model says it (models/checkpoint_times.hpp).
  double total_bytes() const { return bytes > 0.0 ? bytes : parameters * bytes_per_parameter; }
};

template <class V>
void describe(Checkpoint& c, V& v) {
  v.quantity("interval", c.interval_s, Unit::seconds,
             {.low = 60,
              .high = 86400,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Work between two checkpoints; 0: the interval that suits the failures best",
              .log_scale = true,
              .decided = true});
  v.quantity(
      "bytes", c.bytes, Unit::bytes,
      {.low = 1e8,
       .high = 1e14,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Size of one checkpoint; 0: parameters x bytes_per_parameter, or weights and optimizer states of the "
                  "job's model",
       .log_scale = true});
  v.number("parameters", c.parameters,
           {.low = 1e6,
            .high = 1e13,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Parameters of the model; 0: as bytes, or the job's model says",
            .log_scale = true,
            .decided = true});
  v.quantity(
      "bytes_per_parameter", c.bytes_per_parameter, Unit::bytes,
      {.low = 12,
       .high = 18,
       .above = 0,
       .evidence = Evidence::published,
       .meaning = "State kept per parameter: bf16 weights 2, fp32 copy 4, two moments of Adam 8",
       .source = "Rajbhandari et al., ZeRO (2020), 3.1; MLPerf Storage v2.0 checkpoints hold 13.0 to 13.1 B for 8B "
                 "to 405B parameters and 18 B for 1T"});
  v.reference("store", c.store, Kind::store, {.meaning = "Store that takes the checkpoints", .required = true});
  v.list("tiers", c.tiers, {.meaning = "Faster places that take checkpoints first and pass them on, fastest first"});
  v.choice("mode", c.mode, kCheckpointModeNames,
           {.evidence = Evidence::assumed, .meaning = "What training waits for", .decided = true});
  v.count("writers", c.writers,
          {.low = 1,
           .high = 1e5,
           .evidence = Evidence::assumed,
           .meaning = "GPUs that write a part each; 0: every GPU of the job",
           .log_scale = true,
           .decided = true});
  v.count("files_per_writer", c.files_per_writer,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Files that each writer creates, one after the other",
           .log_scale = true,
           .decided = true});
  v.quantity("writer_bandwidth", c.writer_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "What one writer reaches: serialization and one stream; 0: not a limit",
              .log_scale = true});
  v.quantity("snapshot_bandwidth", c.snapshot_bytes_per_s, Unit::bytes_per_second,
             {.low = 5e9,
              .high = 6e10,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Copy of one GPU's state into host memory, for the mode async",
              .log_scale = true});
  v.flag(
      "snapshot_overlapped", c.snapshot_overlapped,
      {.evidence = Evidence::assumed,
       .meaning = "In the mode async: the copy into host memory runs beside training, over the PCIe link that brings "
                  "the batches; otherwise training stops for it",
       .source = "A. Maurya et al., DataStates-LLM, HPDC 2024: lazy copies between two updates of the weights"});
  v.count("retained", c.retained,
          {.low = 1,
           .high = 100,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Checkpoints kept in the store, for its capacity and price",
           .decided = true});
  v.choice("restore", c.restore, kRestoreNames,
           {.evidence = Evidence::assumed, .meaning = "How much is read back at a restart", .decided = true});
  describe_traffic_class(c.traffic, v);
  v.constraint("an overlapped copy is asynchronous", !c.snapshot_overlapped || c.mode == CheckpointMode::async,
               "a copy beside training belongs to the mode async: set mode, or leave snapshot_overlapped out",
               {"snapshot_overlapped", "mode"});
}

}  // namespace headrace::models
