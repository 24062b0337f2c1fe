// How long a checkpoint takes on its way: opening files, and moving bytes over whatever link or medium is slowest.
#pragma once

#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Size of one checkpoint: as stated, or the states of the job's model.
double checkpoint_bytes(const Checkpoint& checkpoint, const IngestPath& path);
/// GPUs that write a part each, and the nodes that these are spread over.
double checkpoint_writers(const Checkpoint& checkpoint, const IngestPath& path);
double writing_nodes(const Checkpoint& checkpoint, const IngestPath& path);
/// Copying the parts of all writers into host memory, side by side.
double snapshot_copy_s(const Checkpoint& checkpoint, const IngestPath& path);

/// Mean rate at which the store, or the drives of each node where it is local, take one checkpoint: that of its write
/// cache while it has free space, and the rate past it.
double written_bytes_per_s(const Checkpoint& checkpoint, const Store& store, const IngestPath& path, bool peer);

/// Writing one checkpoint into `store` when nothing else moves.
double checkpoint_save_s(const Checkpoint& checkpoint, const Store& store, const IngestPath& path, bool peer);

/// Whether the GPUs of one replica hold a state of `bytes`. Otherwise, and with ZeRO, all GPUs share one state (S.
/// Rajbhandari et al., ZeRO, SC 2020).
bool replica_holds_state(const Pool& pool, const Job& job, double bytes);

/// Reading it back from there.
double checkpoint_load_s(const Checkpoint& checkpoint, const Store& store, const IngestPath& path, bool peer);

/// Places that a checkpoint passes, the last one being its store.
struct CheckpointPlace {
  const Store* store = nullptr;
  bool peer = false;
  double survives = 1.0;
  std::uint64_t retained = 1;
};
/// Throws std::out_of_range where a store does not exist.
std::vector<CheckpointPlace> checkpoint_places(const Scenario& scenario, const Checkpoint& checkpoint);

}  // namespace headrace::models
