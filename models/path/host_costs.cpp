#include "models/path/host_costs.hpp"

#include <algorithm>
#include <cmath>  // std::sqrt, which is exactly rounded

#include "models/base/limits.hpp"
#include "models/describe/to_distribution.hpp"
#include "models/path/exchange.hpp"

namespace headrace::models {

namespace {

double per_unit(std::optional<double> rate) { return time_at(1.0, rate); }

/// Stored tensors over stored samples.
double preprocessed_size(const Dataset& dataset, const Loader& loader) {
  if (loader.preprocessing != Preprocessing::preprocessed) return 1.0;
  if (loader.preprocessed_size > 0.0) return loader.preprocessed_size;
  return dataset.decoded_bytes_per_sample > 0.0 ? dataset.decoded_bytes_per_sample / mean_of(dataset.sample_bytes)
                                                : 1.0;
}

void resolve_protocol(IngestPath& path, const Scenario& scenario, const Pool& pool) {
  HostCosts& costs = path.host;
  const Fabric& fabric = scenario.fabric;
  if (!path.local_store) {
    const double latency_s = fabric.transport.latency_s + (fabric.wan ? fabric.wan->rtt_s : 0.0);
    costs.delay_per_request_s = latency_s;
    costs.delay_per_open_s = latency_s + fabric.access_check_s;
    costs.protocol_s_per_byte = per_unit(fabric.transport.core_bytes_per_s) + per_unit(fabric.decrypt_bytes_per_s);
    costs.protocol_s_per_request = fabric.transport.cpu_s_per_request;
  }
  if (pool.host.fuse) {
    const FuseMount& fuse = *pool.host.fuse;
    costs.delay_per_request_s += (fuse.latency_factor - 1.0) * path.request_latency_s.mean();
    costs.delay_per_open_s += (fuse.latency_factor - 1.0) * path.metadata_latency_s.mean();
    costs.protocol_s_per_byte += fuse.cpu_s_per_request / fuse.request_bytes;
  }
  costs.protocol_delays = costs.delay_per_open_s > 0.0 || costs.delay_per_request_s > 0.0;
  costs.protocol_works = costs.protocol_s_per_byte > 0.0 || costs.protocol_s_per_request > 0.0;
}

/// Decoded samples come over the NIC; store and front end still give encoded ones. Without a rate of its own a worker
/// is as fast as a core of the node that decompresses, parses and decodes.
void resolve_remote_pool(IngestPath& path, double cpu_s, const Job& job) {
  const RemotePool& remote = job.loader.remote;
  const double rate = remote.samples_per_s > 0.0 ? remote.samples_per_s / path.samples_packed : 1.0 / cpu_s;
  const double all_workers = static_cast<double>(path.loaders) * path.workers;
  const auto servers = static_cast<double>(remote.workers);
  path.host.remote = {servers * rate, rate, all_workers > servers};
  const double stored = path.mean_sample_bytes();
  if (!(stored > 0.0) || !(path.memory_bytes_per_sample > 0.0)) return;
  const double growth = path.memory_bytes_per_sample / stored;
  path.sample_bytes = path.sample_bytes.scaled(growth);
  path.host.store_share = 1.0 / growth;
}

void resolve_decode(IngestPath& path, const Dataset& dataset, const Job& job) {
  const Loader& loader = job.loader;
  const double raw_per_byte = dataset.codec.ratio;  // bytes that come out per byte on the way
  const double parse_s_per_byte =
      raw_per_byte * (per_unit(dataset.codec.decompress_bytes_per_s) + per_unit(dataset.parse_bytes_per_s));
  const double parse_s = dataset.parse_s_per_sample * path.samples_packed;
  switch (loader.preprocessing) {
    case Preprocessing::on_the_fly:
      break;
    case Preprocessing::preprocessed:
      path.cpu_s_per_sample = sim::Distribution::constant(0.0);
      break;
    case Preprocessing::gpu:
      path.cpu_s_per_sample = sim::Distribution::constant(0.0);
      path.gpu_decode_s = loader.gpu_s_per_sample * path.samples_packed * static_cast<double>(job.step.batch);
      break;
    case Preprocessing::remote_pool: {
      const double cpu_s = path.cpu_s_per_sample.mean() + parse_s + path.mean_sample_bytes() * parse_s_per_byte;
      path.cpu_s_per_sample = sim::Distribution::constant(0.0);
      return resolve_remote_pool(path, cpu_s, job);
    }
  }
  path.host.decode_s_per_byte = parse_s_per_byte;
  path.host.decode_s_per_sample = parse_s;
}

/// A link that carries `other` bytes a step beside those of ingest: ingest has what they leave on average, at least its
/// weight. A step lasts at least until both have passed.
std::optional<double> left_for_ingest(std::optional<double> link_bytes_per_s, double other_bytes, double ingest_bytes,
                                      double step_s, double weight) {
  if (!link_bytes_per_s) return std::nullopt;
  const double lasts_s = std::max(step_s, (other_bytes + ingest_bytes) / *link_bytes_per_s);
  return std::max(weight * *link_bytes_per_s, *link_bytes_per_s - other_bytes / lasts_s);
}

}  // namespace

double way_factor(const Dataset& dataset, const Loader& loader) {
  return dataset.columns_read * preprocessed_size(dataset, loader) / dataset.codec.ratio;
}

double corpus_bytes(const Dataset& dataset, const Loader& loader) {
  return dataset.bytes() * preprocessed_size(dataset, loader);
}

double wide_area_bytes_per_s(const WideAreaLink& link) {
  const double by_window = link.window_bytes / link.rtt_s;
  if (!(link.loss > 0.0)) return by_window;
  return std::min(by_window, std::sqrt(1.5 / link.loss) * link.segment_bytes / link.rtt_s);
}

void resolve_host_costs(IngestPath& path, const Scenario& scenario, const Job& job) {
  const Pool& pool = pool_of(scenario, job);
  const Dataset& dataset = dataset_of(scenario, job);
  if (job.loader.preprocessing == Preprocessing::gpu)  // encoded samples go to the GPU
    path.memory_bytes_per_sample = path.mean_sample_bytes() * dataset.codec.ratio;
  else if (job.loader.preprocessing == Preprocessing::preprocessed && dataset.decoded_bytes_per_sample <= 0.0)
    path.memory_bytes_per_sample *= preprocessed_size(dataset, job.loader);
  resolve_protocol(path, scenario, pool);
  resolve_decode(path, dataset, job);
  const Host& host = pool.host;
  if (host.gpudirect) {
    path.copy_bytes_per_s.reset();
  } else if (host.memory_bytes_per_s) {
    path.host.memory = {host.memory_bytes_per_s, host.memory_bytes_per_s, true};
    path.host.receive_passes = host.receive_passes;
    path.host.batch_passes = host.batch_passes;
  }
}

void resolve_shared_links(IngestPath& path, const Scenario& scenario, const Job& job) {
  const Fabric& fabric = scenario.fabric;
  if (fabric.collectives == CollectiveTraffic::separate || path.nodes < 2 || path.local_store) return;
  const double step_s = path.mean_step_floor_s();
  const double weight = fabric.ingest_weight;
  // A ring moves twice what it reduces.
  const double bytes = fabric.collective_bytes > 0.0
                           ? fabric.collective_bytes
                           : 2.0 * exchange_of(path, pool_of(scenario, job), job).gradient_bytes;
  // A ring that follows the racks leaves each of them once, one that does not with every node.
  const double crossing = path.leaves < 2 ? 0.0 : job.placement == Placement::packed ? 1.0 : path.nodes_per_leaf;
  const double ingest_bytes =
      std::ceil(static_cast<double>(path.loaders) / path.nodes) * path.batch_samples * path.mean_sample_bytes();
  const std::optional<double> nic = path.bulk_nic_bytes_per_s;
  path.bulk_nic_bytes_per_s = left_for_ingest(nic, bytes, ingest_bytes, step_s, weight);
  path.nic_bytes_per_s = tightest({path.nic_bytes_per_s, path.bulk_nic_bytes_per_s});
  path.leaf_bytes_per_s =
      left_for_ingest(path.leaf_bytes_per_s, crossing * bytes, ingest_bytes * path.nodes_per_leaf, step_s, weight);
  path.spine_bytes_per_s = left_for_ingest(path.spine_bytes_per_s, crossing * bytes * path.leaves,
                                           ingest_bytes * path.nodes, step_s, weight);
  path.flow_cap_bytes_per_s = tightest({path.flow_cap_bytes_per_s, path.nic_bytes_per_s});
  path.tiers.peer_bytes_per_s = tightest({path.tiers.peer_bytes_per_s, path.nic_bytes_per_s});
  if (path.tiers.shared_bytes_per_s)
    path.tiers.shared_bytes_per_s = tightest({path.nic_bytes_per_s, path.tiers.shared_bytes_per_s});
  if (!nic) return;
  const double ingest = std::min(ingest_bytes / step_s, weight * *nic);
  path.collective_s += bytes / (*nic - ingest) - bytes / *nic;
}

}  // namespace headrace::models
