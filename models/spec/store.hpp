// A storage tier that many nodes share (or, for node-local kinds, the device class behind it): its first-byte latency,
// how many requests it serves at once, its bandwidth, its metadata service, its request limits and its prices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/spec/capacity_schedule.hpp"
#include "models/spec/store_media.hpp"
#include "models/spec/total_cost.hpp"
#include "models/spec/write_cache.hpp"

namespace headrace::models {

enum class StoreKind : std::uint8_t { dram, nvme, parallel_fs, object_store, ssd, hdd };
inline constexpr ChoiceName<StoreKind> kStoreKindNames[] = {{StoreKind::dram, "dram"},
                                                            {StoreKind::nvme, "nvme"},
                                                            {StoreKind::parallel_fs, "parallel_fs"},
                                                            {StoreKind::object_store, "object_store"},
                                                            {StoreKind::ssd, "ssd"},
                                                            {StoreKind::hdd, "hdd"}};

/// One device in each node, no fabric in between.
constexpr bool is_local(StoreKind kind) { return kind != StoreKind::parallel_fs && kind != StoreKind::object_store; }

/// Opens, lookups and HEAD requests: `servers` in parallel, each operation takes `latency` of one server.
struct MetadataService {
  DistributionSpec latency_s = DistributionSpec::constant(0.0);
  std::optional<std::uint64_t> servers;  ///< none: never saturates
};

/// Request-rate limit of an object store per partitioned prefix, and how clients answer "503 slow down".
struct RequestLimit {
  std::uint64_t prefixes = 1;
  std::optional<double> requests_per_s_per_prefix;
  double burst_s = 1.0;  ///< unused rate that a prefix saves up, in seconds of its limit
  double first_backoff_s = 0.1;
  double backoff_factor = 2.0;
  double longest_backoff_s = 20.0;
  double split_s = 0.0;  ///< in which the partitions of an overloaded store double; 0: they stay as they are

  /// Of all prefixes together.
  std::optional<double> requests_per_s() const {
    if (!requests_per_s_per_prefix) return std::nullopt;
    return *requests_per_s_per_prefix * static_cast<double>(prefixes);
  }
};

/// One step of a price list: a price up to a total.
struct EgressTier {
  std::optional<double> up_to_bytes;  ///< none: without end
  double usd_per_byte = 0.0;
};

/// A delivery network, or a copy at a provider without egress charges, that serves a share of the reads.
struct Intercept {
  double share = 0.0;
  double egress_usd_per_byte = 0.0;
  double usd_per_request = 0.0;
  double capacity_usd_per_byte_month = 0.0;
};

struct StorePrice {
  double capacity_usd_per_byte_month = 0.0;
  double usd_per_request = 0.0;
  double egress_usd_per_byte = 0.0;
  double usd_per_list = 0.0;
  std::vector<EgressTier> egress_tiers;  ///< none: egress_usd_per_byte holds throughout
  double egress_before_bytes = 0.0;
  Intercept intercept;
};

struct Store {
  std::string name;
  StoreKind kind = StoreKind::parallel_fs;
  double bandwidth_bytes_per_s = 0.0;
  double write_bandwidth_bytes_per_s = 0.0;  ///< 0: as for reads
  std::optional<WriteCache> write_cache;
  std::optional<double> front_end_bytes_per_s;  ///< links between store and fabric
  std::optional<double> stream_bytes_per_s;     ///< one connection
  DistributionSpec latency_s = DistributionSpec::constant(0.0);
  std::optional<double> requests_per_s;  ///< all servers or drives together
  double capacity_bytes = 0.0;           ///< 0: not stated
  MetadataService metadata;
  RequestLimit limit;
  StorePrice price;
  std::optional<StoreDrives> drives;
  std::optional<Redundancy> redundancy;
  std::optional<StoreCache> cache;
  std::optional<CapacitySchedule> schedule;
  std::optional<StorePurchase> purchase;
  double returned_fraction = 1.0;  ///< of a sample's bytes: the rest is filtered out at the device

  /// All nodes reach the same store over the fabric; otherwise each has its own.
  bool is_shared() const { return !is_local(kind); }
};

void describe(MetadataService& m, Visitor& v);
void describe(RequestLimit& l, Visitor& v);
void describe(EgressTier& t, Visitor& v);
void describe(Intercept& i, Visitor& v);
void describe(StorePrice& p, Visitor& v);
void describe(Store& s, Visitor& v);

}  // namespace headrace::models
