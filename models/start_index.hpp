// How a job learns at its start which objects its dataset consists of: LIST requests page by page, by every node or by
// one, or a manifest that was made before; and the index of all samples that a shuffle keeps in memory.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class IndexMode : std::uint8_t { every_node, one_leader, manifest };
inline constexpr ChoiceName<IndexMode> kIndexModeNames[] = {
    {IndexMode::every_node, "every_node", "each node lists the whole dataset"},
    {IndexMode::one_leader, "one_leader", "one node lists, and passes the list on over the fabric"},
    {IndexMode::manifest, "manifest", "one node reads a list that was made before, and passes it on: no LIST at all"}};

struct StartIndex {
  IndexMode mode = IndexMode::every_node;
  std::uint64_t keys_per_page = 1000;
  double round_trip_s = 0.1;
  std::uint64_t parallel = 1;
  double manifest_bytes_per_object = 64.0;
  std::uint64_t fan_out = 2;
  double entry_bytes = 100.0;
};

template <class V>
void describe(StartIndex& i, V& v) {
  v.choice("mode", i.mode, kIndexModeNames,
           {.evidence = Evidence::assumed,
            .meaning = "every_node: each node lists the whole dataset; one_leader: one node lists and passes the list "
                       "on; manifest: one node reads a list that was made before and passes it on"});
  v.count("keys_per_page", i.keys_per_page,
          {.low = 100,
           .high = 5000,
           .min = 1,
           .evidence = Evidence::published,
           .meaning = "Objects that one answer to a LIST names",
           .source = "Amazon S3 ListObjectsV2: at most 1,000 keys"});
  v.quantity("round_trip", i.round_trip_s, Unit::seconds,
             {.low = 0.05,
              .high = 0.2,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time of one page; the next one can only be asked for afterwards",
              .log_scale = true});
  v.count("parallel", i.parallel,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Prefixes that one node lists at the same time",
           .log_scale = true});
  v.quantity("manifest_bytes_per_object", i.manifest_bytes_per_object, Unit::bytes,
             {.low = 16,
              .high = 500,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Name or hash, offset and length of one object in the list that is passed on"});
  v.count("fan_out", i.fan_out,
          {.low = 1,
           .high = 8,
           .min = 1,
           .max = 1000,
           .evidence = Evidence::assumed,
           .meaning = "Nodes to which each node passes the list on; it goes in pieces, so that all send at once"});
  v.quantity("entry_bytes", i.entry_bytes, Unit::bytes,
             {.low = 8,
              .high = 500,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Host memory per sample of the index that each reading rank shuffles"});
}

}  // namespace headrace::models
