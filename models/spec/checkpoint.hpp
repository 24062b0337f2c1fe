// The checkpoints of a job: how much is written, by whom, where to, how often, and who reads it back after a failure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/spec/checkpoint_tier.hpp"
#include "models/spec/traffic_class.hpp"

namespace headrace::models {

enum class CheckpointMode : std::uint8_t { sync, async };
inline constexpr ChoiceName<CheckpointMode> kCheckpointModeNames[] = {
    {CheckpointMode::sync, "sync", "training stops until the checkpoint is in the store"},
    {CheckpointMode::async, "async",
     "training stops for a copy to host memory, which is then written in the background"}};

enum class Restore : std::uint8_t { automatic, every_replica, one_replica, failed_node };
inline constexpr ChoiceName<Restore> kRestoreNames[] = {
    {Restore::automatic, "automatic",
     "every_replica where the GPUs of one replica hold the whole state, otherwise one_replica"},
    {Restore::every_replica, "every_replica", "each replica reads the whole state"},
    {Restore::one_replica, "one_replica", "the state is read once: one replica passes it on, or all share it (ZeRO)"},
    {Restore::failed_node, "failed_node", "the failed node reads its part, the others keep theirs"}};

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
  std::optional<double> writer_bytes_per_s;
  std::optional<double> reader_bytes_per_s;
  double snapshot_bytes_per_s = 20e9;
  std::uint64_t retained = 2;
  Restore restore = Restore::automatic;
  bool snapshot_overlapped = false;
  TrafficClass traffic;  ///< of its writes to a shared store
  std::vector<double>
      step_s;  ///< of each step on the way, beside reads; models/interruptions/checkpoint_writes.hpp fills it in
  std::vector<NodeFlow> node_flows;  ///< while such a step lasts; filled in likewise
  double pcie_left = 1.0;            ///< to batches while a snapshot is copied; filled in likewise
  std::optional<double> load_s;      ///< where a bound takes the mean of the writes from the store; filled in likewise

  /// As stated; 0: the job's model says it (models/path/checkpoint_times.hpp).
  double total_bytes() const { return bytes > 0.0 ? bytes : parameters * bytes_per_parameter; }
};

void describe(Checkpoint& c, Visitor& v);

}  // namespace headrace::models
