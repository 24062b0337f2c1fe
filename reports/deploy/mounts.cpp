// Mounts with a cache on each node: Cloud Storage FUSE, JuiceFS, Mountpoint for Amazon S3, Alluxio.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/deploy/targets.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::CacheMedium;
using models::CachePolicy;

constexpr double kMiB = 1048576.0;

std::uint64_t whole_mib(double bytes) { return static_cast<std::uint64_t>(std::floor(bytes / kMiB + 1e-9)); }

std::string cache_reason(const DeployFacts& facts) {
  if (!facts.has_cache()) return fmt::format("{}: none", facts.at_pool("cache/policy"));
  return fmt::format("{}: {} of a corpus of {}; {} of the reads of an epoch are found there",
                     facts.at_pool("cache/bytes"), humane(facts.pool.cache.bytes, "B"), humane(facts.corpus_bytes, "B"),
                     percent(facts.hit_ratio));
}

std::string medium_reason(const DeployFacts& facts) {
  return fmt::format("{}: {}", facts.at_pool("cache/medium"),
                     facts.pool.cache.medium == CacheMedium::dram ? "in memory" : "on the local drives");
}

const char* cache_folder(const DeployFacts& facts) {
  return facts.pool.cache.medium == CacheMedium::dram ? "/dev/shm/dataset-cache" : "/local/dataset-cache";
}

/// What the cache of the scenario does that the client of a mount decides for itself.
void tell_policy(const DeployFacts& facts, const char* evicts, CachePolicy own, Snippet& out) {
  if (!facts.has_cache()) return;
  const models::NodeCache& cache = facts.pool.cache;
  if (cache.policy != own) {
    const auto* name = std::find_if(std::begin(models::kCachePolicyNames), std::end(models::kCachePolicyNames),
                                    [&cache](const auto& one) { return one.value == cache.policy; });
    out.cannot(fmt::format("policy {} ({}): the client {}, so that it may find another share of the reads", name->name,
                           facts.at_pool("cache/policy"), evicts));
  }
  if (cache.scope == models::CacheScope::partitioned)
    out.cannot(fmt::format("one cache over all nodes ({}): each client caches for its own node",
                           facts.at_pool("cache/scope")));
  if (cache.holds == models::CacheContent::tensors)
    out.cannot(fmt::format("decoded tensors in the cache ({}): the client keeps bytes of files",
                           facts.at_pool("cache/holds")));
  out.cannot(fmt::format("folder {}: an example; it must lie on what {} describes", cache_folder(facts),
                         facts.at_pool("cache/medium")));
}

double request_bytes(const DeployFacts& facts) {
  return facts.path.mean_sample_bytes() / std::max(1.0, facts.path.requests_per_sample);
}

}  // namespace

void emit_gcsfuse(const DeployFacts& facts, Snippet& out) {
  if (facts.has_cache()) {
    out.setting(fmt::format("cache-dir: \"{}\"", cache_folder(facts)), medium_reason(facts));
    out.line("file-cache:");
    out.indent(2);
    out.setting(fmt::format("max-size-mb: {}", whole_mib(facts.pool.cache.bytes)), cache_reason(facts) + "; in MiB");
    const bool parts = facts.dataset.samples_per_file > 1 && facts.dataset.order == models::SampleOrder::random;
    if (parts)
      out.setting("cache-file-for-range-read: true",
                  fmt::format("/datasets/{}/order: reads begin anywhere in files of {}", facts.dataset_number,
                              counted(facts.dataset.samples_per_file, "sample")));
    out.indent(0);
  } else {
    out.line("file-cache:");
    out.indent(2);
    out.setting("max-size-mb: 0", cache_reason(facts) + "; 0 turns the file cache off");
    out.indent(0);
  }
  out.cannot(fmt::format("{} reads of a node at the same time ({}): the client opens connections as it needs them",
                         facts.reads_per_node(), facts.at("loader/workers")));
  out.cannot("lifetime and size of the metadata cache: the scenario has no figure for them");
  tell_policy(facts, "evicts what was used least recently", CachePolicy::lru, out);
}

void emit_juicefs(const DeployFacts& facts, Snippet& out) {
  out.line("options=(");
  out.indent(2);
  out.setting("--read-only", "the job only reads its dataset");
  if (facts.has_cache()) out.setting(fmt::format("--cache-dir {}", cache_folder(facts)), medium_reason(facts));
  out.setting(fmt::format("--cache-size {}", facts.has_cache() ? whole_mib(facts.pool.cache.bytes) : 0),
              cache_reason(facts) + "; in MiB");
  constexpr std::uint64_t kDefaultBufferMib = 300;
  const double under_way = static_cast<double>(facts.reads_per_node()) * request_bytes(facts);
  const std::uint64_t buffer = std::max(kDefaultBufferMib, static_cast<std::uint64_t>(std::ceil(under_way / kMiB)));
  out.setting(fmt::format("--buffer-size {}", buffer),
              fmt::format("{} reads of a node at the same time, {} each, are {}; in MiB, not below the default of {}",
                          facts.reads_per_node(), humane(request_bytes(facts), "B"), humane(under_way, "B"),
                          kDefaultBufferMib));
  out.indent(0);
  out.line(")");
  out.line(
      "juicefs mount \"${options[@]}\" \"${META_URL:?address of the metadata engine}\" "
      "\"${MOUNT_POINT:?folder to mount at}\"");
  out.cannot("--prefetch, --free-space-ratio and lifetimes of the metadata cache: the scenario has no figure for them");
  tell_policy(facts, "evicts the older of two random blocks", CachePolicy::random, out);
}

void emit_mountpoint(const DeployFacts& facts, Snippet& out) {
  out.line("options=(");
  out.indent(2);
  out.setting("--read-only", "the job only reads its dataset");
  if (facts.has_cache()) {
    out.setting(fmt::format("--cache {}", cache_folder(facts)), medium_reason(facts));
    out.setting(fmt::format("--max-cache-size {}", whole_mib(facts.pool.cache.bytes)),
                cache_reason(facts) + "; in MiB");
  }
  const double gbps = std::floor(facts.pool.nic_bytes_per_s() * 8.0 / 1e9 + 1e-9);
  if (gbps >= 1.0 && facts.pool.nic_bytes_per_s() < 1e15)
    out.setting(
        fmt::format("--maximum-throughput-gbps {:.0f}", gbps),
        fmt::format("{}: a node receives {}", facts.at_pool("nic"), humane(facts.pool.nic_bytes_per_s() * 8.0, "b/s")));
  constexpr std::uint64_t kDefaultThreads = 16;
  if (facts.reads_per_node() > kDefaultThreads)
    out.setting(fmt::format("--max-threads {}", facts.reads_per_node()),
                fmt::format("{} reads of a node at the same time, more than the default of {}", facts.reads_per_node(),
                            kDefaultThreads));
  out.indent(0);
  out.line(")");
  out.line("mount-s3 \"${options[@]}\" \"${BUCKET:?name of the bucket}\" \"${MOUNT_POINT:?folder to mount at}\"");
  out.cannot("--metadata-ttl and --part-size: the scenario has no figure for them");
  if (!facts.has_cache()) out.cannot(cache_reason(facts) + ": without --cache nothing is kept");
  tell_policy(facts, "evicts what was used least recently", CachePolicy::lru, out);
}

void emit_alluxio(const DeployFacts& facts, Snippet& out) {
  if (!facts.has_cache()) {
    out.cannot(cache_reason(facts) + ": a worker of Alluxio is a cache, and there is nothing to size");
    return;
  }
  out.line("alluxio.worker.block.store.type=PAGE");
  out.line("alluxio.worker.page.store.type=LOCAL");
  out.setting(fmt::format("alluxio.worker.page.store.dirs={}", cache_folder(facts)), medium_reason(facts));
  out.setting(fmt::format("alluxio.worker.page.store.sizes={}MB", whole_mib(facts.pool.cache.bytes)),
              cache_reason(facts) + "; units of Alluxio are powers of 1024");
  out.cannot("page size, under-storage, membership: the scenario has no figure for them");
  if (facts.pool.cache.scope == models::CacheScope::per_node)
    out.cannot(
        fmt::format("a cache of each node for itself ({}): workers of Alluxio form one cache, so that reads also "
                    "go to other nodes",
                    facts.at_pool("cache/scope")));
  if (facts.pool.cache.holds == models::CacheContent::tensors)
    out.cannot(
        fmt::format("decoded tensors in the cache ({}): workers keep bytes of files", facts.at_pool("cache/holds")));
  out.cannot(fmt::format("folder {}: an example; it must lie on what {} describes", cache_folder(facts),
                         facts.at_pool("cache/medium")));
}

}  // namespace headrace::reports
