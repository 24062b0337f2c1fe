#include "models/path/checkpoint_times.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/base/limits.hpp"
#include "models/hops/hop.hpp"
#include "models/path/drive_writes.hpp"

namespace headrace::models {

namespace {

const Store& store_named(const Scenario& scenario, const std::string& name) {
  const Store* store = detail::find_by_name(scenario.stores, name);
  if (store == nullptr) throw std::out_of_range("the checkpoint's store '" + name + "' does not exist");
  return *store;
}

/// Time of moving `bytes` between `nodes` of the job and a store at `store_bytes_per_s` (of each node, where the store
/// is local).
double moving_s(const Store& store, const IngestPath& path, double nodes, double bytes, double store_bytes_per_s,
                bool peer) {
  const double by_nics_s = time_at(bytes, times(path.bulk_nic_bytes_per_s, nodes));
  if (is_local(store.kind)) {
    const double device_s = bytes / (store_bytes_per_s * nodes);
    return peer ? std::max(device_s, by_nics_s) : device_s;
  }
  return std::max({bytes / store_bytes_per_s, by_nics_s, time_at(bytes, store.front_end_bytes_per_s),
                   time_at(bytes, path.spine_bytes_per_s)});
}

/// What everything but the store's own bandwidth brings of a checkpoint.
double brought_bytes_per_s(const Checkpoint& checkpoint, const Store& store, const IngestPath& path, bool peer) {
  const std::optional<double> writers = times(checkpoint.writer_bytes_per_s, checkpoint_writers(checkpoint, path));
  const std::optional<double> nics = times(path.bulk_nic_bytes_per_s, writing_nodes(checkpoint, path));
  if (is_local(store.kind)) return or_no_limit(tightest({peer ? nics : std::nullopt, writers}));
  return or_no_limit(tightest({writers, nics, store.front_end_bytes_per_s, path.spine_bytes_per_s}));
}

/// Training stops for the write, so that its interval is the pause between two of them.
bool stops_training(const Checkpoint& checkpoint, const Store& store) {
  const std::string& first = checkpoint.tiers.empty() ? checkpoint.store : checkpoint.tiers.front().store;
  return checkpoint.mode == CheckpointMode::sync && first == store.name;
}

/// A job of one of the path's nodes.
IngestPath on_one_node(IngestPath path) {
  path.gpus /= path.nodes;
  path.nodes = 1;
  return path;
}

/// Opening `files` files of each of `clients`: one after the other for a client, side by side for all up to what the
/// service takes.
double opening_s(const Store& store, double clients, double files) {
  const double open_s = mean_of(store.metadata.latency_s);
  const double one_client_s = files * (open_s + mean_of(store.latency_s));
  if (!store.metadata.servers) return one_client_s;
  return std::max(one_client_s, clients * files * open_s / static_cast<double>(*store.metadata.servers));
}

}  // namespace

double checkpoint_bytes(const Checkpoint& checkpoint, const IngestPath& path) {
  const double stated = checkpoint.total_bytes();
  return stated > 0.0 ? stated : path.model_state_bytes;
}

double checkpoint_writers(const Checkpoint& checkpoint, const IngestPath& path) {
  return checkpoint.writers > 0 ? static_cast<double>(checkpoint.writers) : path.gpus;
}

double writing_nodes(const Checkpoint& checkpoint, const IngestPath& path) {
  return std::min<double>(path.nodes, checkpoint_writers(checkpoint, path));
}

double snapshot_copy_s(const Checkpoint& checkpoint, const IngestPath& path) {
  return checkpoint_bytes(checkpoint, path) / (checkpoint_writers(checkpoint, path) * checkpoint.snapshot_bytes_per_s);
}

double written_bytes_per_s(const Checkpoint& checkpoint, const Store& store, const IngestPath& path, bool peer) {
  const double sustained =
      store.write_bandwidth_bytes_per_s > 0.0 ? store.write_bandwidth_bytes_per_s : store.bandwidth_bytes_per_s;
  if (!store.write_cache) return sustained;
  const double parts = is_local(store.kind) ? writing_nodes(checkpoint, path) : 1.0;
  const double bytes = checkpoint_bytes(checkpoint, path) / parts;
  const double brought = brought_bytes_per_s(checkpoint, store, path, peer) / parts;
  const DriveWrites drives{sustained, *store.write_cache};
  double free_bytes = store.write_cache->bytes;  // the best interval is longer than it takes to empty
  if (checkpoint.interval_s > 0.0)
    free_bytes = free_before_write(drives, bytes, brought, checkpoint.interval_s, stops_training(checkpoint, store));
  return bytes / write_time_s(drives, bytes, brought, free_bytes);
}

double checkpoint_save_s(const Checkpoint& checkpoint, const Store& store, const IngestPath& path, bool peer) {
  const double bytes = checkpoint_bytes(checkpoint, path);
  const double writers = checkpoint_writers(checkpoint, path);
  const double write_bytes_per_s = written_bytes_per_s(checkpoint, store, path, peer);
  double moving = moving_s(store, path, writing_nodes(checkpoint, path), bytes, write_bytes_per_s, peer);
  moving = std::max(moving, time_at(bytes, times(checkpoint.writer_bytes_per_s, writers)));
  return opening_s(store, writers, static_cast<double>(checkpoint.files_per_writer)) + moving;
}

bool replica_holds_state(const Pool& pool, const Job& job, double bytes) {
  if (job.model && job.model->zero_stage > 0) return false;
  const double gpus =
      static_cast<double>(job.parallelism.tp * job.parallelism.pp);  // context parallel ranks hold copies
  return !(pool.gpu.hbm_bytes > 0.0) || bytes <= gpus * pool.gpu.hbm_bytes;
}

double checkpoint_load_s(const Checkpoint& checkpoint, const Store& store, const IngestPath& all, bool peer) {
  const bool of_one_node = checkpoint.restore == Restore::failed_node;
  const IngestPath path = of_one_node ? on_one_node(all) : all;
  const bool every_replica = checkpoint.restore == Restore::every_replica ||
                             (checkpoint.restore == Restore::automatic && all.replica_holds_state);
  const double copies = of_one_node ? 1.0 / all.nodes : every_replica ? all.replicas : 1.0;
  const double writers = checkpoint_writers(checkpoint, all);
  const double files = writers * static_cast<double>(checkpoint.files_per_writer) * copies;
  const double bytes = copies * checkpoint_bytes(checkpoint, all);
  double moving = moving_s(store, path, path.nodes, bytes, store.bandwidth_bytes_per_s, peer);
  if (checkpoint.reader_bytes_per_s) {
    // a file has one reader for each copy; with fewer files than GPUs some of these have nothing to read
    const double readers = std::clamp<double>(files, 1.0, path.gpus);
    moving = std::max(moving, bytes / (readers * *checkpoint.reader_bytes_per_s));
  }
  return opening_s(store, path.gpus, std::max(1.0, files / path.gpus)) + moving;
}

std::vector<CheckpointPlace> checkpoint_places(const Scenario& scenario, const Checkpoint& checkpoint) {
  std::vector<CheckpointPlace> places;
  for (const CheckpointTier& tier : checkpoint.tiers)
    places.push_back({&store_named(scenario, tier.store), tier.peer, tier.survives, tier.retained});
  places.push_back({&store_named(scenario, checkpoint.store), false, 1.0, checkpoint.retained});
  return places;
}

}  // namespace headrace::models
