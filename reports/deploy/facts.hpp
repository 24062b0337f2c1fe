// The figures of one job that its deployed configuration follows from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/path/ingest_path.hpp"

namespace headrace::reports {

/// References hold as long as the scenario.
struct DeployFacts {
  const models::Scenario& scenario;
  std::size_t number;  ///< of the job
  const models::Job& job;
  const models::Pool& pool;
  std::size_t pool_number;
  const models::Dataset& dataset;
  std::size_t dataset_number;
  const models::Store& store;
  models::IngestPath path;
  double corpus_bytes = 0.0;
  double batch_s = 0.0;            ///< mean time of a batch in its worker, mean over the epoch
  double step_s = 0.0;             ///< of a job that never waits
  double hit_ratio = 0.0;          ///< of the node's cache, mean over the epoch
  double node_memory_bytes = 0.0;  ///< that ingest takes of a node
  std::uint64_t loaders_per_node = 1;

  std::string at(const std::string& key) const { return "/jobs/" + std::to_string(number) + "/" + key; }
  std::string at_pool(const std::string& key) const {
    return "/cluster/pools/" + std::to_string(pool_number) + "/" + key;
  }
  bool has_cache() const { return pool.cache.policy != models::CachePolicy::none && pool.cache.bytes > 0.0; }
  /// Processes of a rank that want a core each: the training process, the workers, the thread that pins.
  std::uint64_t cores_per_loader() const;
  /// Batches that stand ready behind the workers.
  std::uint64_t ready_batches() const;
  double batch_bytes() const { return path.batch_samples * path.memory_bytes_per_sample; }
  /// Reads of a node that are under way at the same time.
  std::uint64_t reads_per_node() const;
};

DeployFacts deploy_facts(const models::Scenario& scenario, std::size_t job);

}  // namespace headrace::reports
