#include "models/spec/store.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(MetadataService& m, Visitor& v) {
  v.distribution("latency", m.latency_s, Unit::seconds,
                 {.low = 1e-5,
                  .high = 1.0,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Time of one open, lookup or HEAD request when the service is idle",
                  .log_scale = true});
  v.limit("servers", m.servers,
          {.low = 0,
           .high = 1e5,
           .evidence = Evidence::assumed,
           .meaning = "Operations served at the same time; 0: never saturates",
           .log_scale = true,
           .estimated = true});
}

void describe(RequestLimit& l, Visitor& v) {
  v.count("prefixes", l.prefixes,
          {.low = 1,
           .high = 1e5,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Partitioned prefixes over which the requests spread evenly",
           .log_scale = true});
  v.limit("requests_per_prefix", l.requests_per_s_per_prefix, Unit::per_second,
          {.low = 100,
           .high = 1e5,
           .min = 0,
           .evidence = Evidence::published,
           .meaning = "GET and HEAD requests per second that one prefix accepts; 0: no limit",
           .source = "Amazon S3 documentation: 5,500 GET/HEAD per second and partitioned prefix",
           .log_scale = true});
  v.quantity("burst", l.burst_s, Unit::seconds,
             {.low = 0,
              .high = 60,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Burst of an idle prefix, in seconds of its limit",
              .decided = true});
  v.quantity("first_backoff", l.first_backoff_s, Unit::seconds,
             {.low = 1e-3,
              .high = 10,
              .min = 1e-4,
              .evidence = Evidence::assumed,
              .meaning = "Mean wait before the first retry; each wait is drawn with full jitter up to twice its mean",
              .log_scale = true,
              .decided = true});
  v.number("backoff_factor", l.backoff_factor,
           {.low = 1,
            .high = 4,
            .min = 1,
            .evidence = Evidence::assumed,
            .meaning = "Factor from one retry's mean wait to the next",
            .decided = true});
  v.quantity("longest_backoff", l.longest_backoff_s, Unit::seconds,
             {.low = 1,
              .high = 300,
              .min = 1e-4,
              .evidence = Evidence::assumed,
              .meaning = "Longest mean wait between retries",
              .log_scale = true,
              .decided = true});
  v.quantity(
      "split", l.split_s, Unit::seconds,
      {.low = 1800,
       .high = 3600,
       .min = 0,
       .evidence = Evidence::published,
       .meaning = "Time in which the partitions of an overloaded store double during the listing; 0: no splits",
       .source =
           "Amazon S3 user guide and repost.aws (2025): partitioning takes 30 to 60 minutes, with 503 meanwhile"});
}

void describe(EgressTier& t, Visitor& v) {
  v.limit("up_to", t.up_to_bytes, Unit::bytes,
          {.low = 1e12,
           .high = 1e16,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Bytes of a month up to which the price applies; 0: no limit",
           .log_scale = true,
           .decided = true});
  v.quantity("price", t.usd_per_byte, Unit::usd_per_byte,
             {.low = 0, .high = 2e-10, .min = 0, .meaning = "Price of one GB within this step", .required = true});
}

void describe(Intercept& i, Visitor& v) {
  v.fraction("share", i.share,
             {.low = 0,
              .high = 0.99,
              .evidence = Evidence::assumed,
              .meaning = "Share of the reads that the copy serves instead of the store"});
  v.quantity(
      "egress", i.egress_usd_per_byte, Unit::usd_per_byte,
      {.low = 0, .high = 1e-10, .min = 0, .evidence = Evidence::assumed, .meaning = "Price of one GB from the copy"});
  v.quantity("request", i.usd_per_request, Unit::usd_per_request,
             {.low = 0,
              .high = 1e-5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one read request to the copy"});
  v.quantity("capacity", i.capacity_usd_per_byte_month, Unit::usd_per_byte_month,
             {.low = 0,
              .high = 1e-10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of keeping one GB of the copy for a month"});
}

void describe(StorePrice& p, Visitor& v) {
  v.quantity("capacity", p.capacity_usd_per_byte_month, Unit::usd_per_byte_month,
             {.low = 0,
              .high = 1e-9,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of keeping one GB for a month"});
  v.quantity("request", p.usd_per_request, Unit::usd_per_request,
             {.low = 0, .high = 1e-4, .min = 0, .evidence = Evidence::assumed, .meaning = "Price of one read request"});
  v.quantity("list", p.usd_per_list, Unit::usd_per_request,
             {.low = 0,
              .high = 1e-4,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one LIST request (a page of keys)"});
  v.quantity("egress", p.egress_usd_per_byte, Unit::usd_per_byte,
             {.low = 0,
              .high = 2e-10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one GB of egress, without egress_tiers"});
  v.list("egress_tiers", p.egress_tiers,
         {.meaning = "Price list of the egress of a month, from the first step to the last"});
  v.quantity("egress_before", p.egress_before_bytes, Unit::bytes,
             {.low = 0,
              .high = 1e16,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Egress of the same month before the run, which uses the first steps of the price list",
              .decided = true});
  v.record("intercept", p.intercept,
           {.meaning = "Delivery network or copy at another site that serves a share of reads"});
  bool rising = true;
  for (std::size_t i = 1; i < p.egress_tiers.size(); ++i) {
    const std::optional<double> before = p.egress_tiers[i - 1].up_to_bytes;
    const std::optional<double> end = p.egress_tiers[i].up_to_bytes;
    rising = rising && before && (!end || *end > *before);
  }
  v.constraint("tiers rise", rising,
               "each step of the egress price list must end above the one before; only the last may have no end",
               {"egress_tiers"});
}

void describe(Store& s, Visitor& v) {
  v.name("name", s.name, Kind::store, {.meaning = "Name by which datasets refer to the store", .required = true});
  v.choice(
      "kind", s.kind, kStoreKindNames,
      {.evidence = Evidence::assumed,
       .meaning =
           "dram, nvme, ssd and hdd are local to each node, without fabric; parallel_fs and object_store are shared"});
  v.quantity("bandwidth", s.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e14,
              .above = 0,
              .meaning = "Read bandwidth: of the whole store, or of each node's device for local kinds",
              .log_scale = true,
              .required = true});
  v.quantity("write_bandwidth", s.write_bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e14,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Write bandwidth, of the whole store or of each node's device; 0: that of reads",
              .log_scale = true});
  v.limit("front_end", s.front_end_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e14,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Bandwidth of the links between store and fabric; 0: not a limit",
           .log_scale = true,
           .of_a_link = true});
  v.limit("stream", s.stream_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e6,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate of one connection or reading thread; 0: not a limit",
           .log_scale = true});
  v.distribution("latency", s.latency_s, Unit::seconds,
                 {.low = 1e-6,
                  .high = 1.0,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Time from a read request to its first byte when the store is idle",
                  .log_scale = true});
  v.limit("requests", s.requests_per_s, Unit::per_second,
          {.low = 100,
           .high = 1e9,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Read requests per second that the store (or each local device) serves; 0: not a limit",
           .log_scale = true});
  v.quantity("capacity", s.capacity_bytes, Unit::bytes,
             {.low = 1e9,
              .high = 1e18,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Usable capacity; 0: not stated",
              .log_scale = true,
              .decided = true});
  v.record("metadata", s.metadata, {.meaning = "Opens, lookups and HEAD requests"});
  v.record("limit", s.limit, {.meaning = "Request-rate limit per prefix and the clients' back-off"});
  v.record("price", s.price, {.meaning = "Prices of capacity, requests and egress"});
  v.optional_record("drives", s.drives, {.meaning = "Drives of the store, if they are a limit"});
  v.optional_record("redundancy", s.redundancy, {.meaning = "Copies or erasure code, and lost drives"});
  v.optional_record("cache", s.cache, {.meaning = "A cache in front of the store that all nodes share"});
  v.optional_record("schedule", s.schedule,
                    {.meaning = "Capacity that changes over time; without it the same figures always"});
  v.optional_record("purchase", s.purchase,
                    {.meaning = "Purchase, support, power and space of a store that is not paid by use; part of the "
                                "total cost (headrace tco), not of an epoch's cost"});
  v.optional_record("write_cache", s.write_cache,
                    {.meaning = "Fast area that takes writes until it is full; absent: one rate of writing"});
  v.fraction("returned_fraction", s.returned_fraction,
             {.low = 0.05,
              .high = 1,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Share of a sample's bytes that leaves the device, where computational storage filters it"});
  const double past = s.write_bandwidth_bytes_per_s > 0.0 ? s.write_bandwidth_bytes_per_s : s.bandwidth_bytes_per_s;
  v.constraint("a write cache is faster than what is behind it",
               !s.write_cache || s.write_cache->bandwidth_bytes_per_s >= past,
               "write_bandwidth is the rate past the write cache: it must not be higher than write_cache/bandwidth",
               {"write_cache/bandwidth", "write_bandwidth"});
  v.constraint("a local store has no shared cache", !s.cache || !is_local(s.kind),
               "a store that is local to each node needs no cache in front of it: leave cache out", {"kind", "cache"});
}

}  // namespace headrace::models
